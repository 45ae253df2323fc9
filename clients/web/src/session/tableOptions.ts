import type { api } from "skerry-client";

/** The time controls that the form offers. The first is the default. */
export const CLOCKS: readonly { label: string; clock: api.ClockInput | undefined }[] = [
  { label: "none", clock: undefined },
  { label: "3 minutes each + 2 seconds per turn", clock: { bank: { timeMs: 180_000, incrementMs: 2_000 } } },
  { label: "30 seconds per turn", clock: { perMove: { timeMs: 30_000 } } },
  { label: "3 days per turn", clock: { correspondence: { days: 3 } } },
];

/** How long a player can be away before a bot takes over, in milliseconds. */
export const ABSENCE_MS = 120_000;
