import type { api } from "skerry-client";
import { messageId } from "../texts/texts.js";

/** The time controls that the form offers, with the ids of their texts. The first is the default. */
export const CLOCKS: readonly { label: string; clock: api.ClockInput | undefined }[] = [
  { label: messageId("clock-none"), clock: undefined },
  { label: messageId("clock-bank"), clock: { bank: { timeMs: 180_000, incrementMs: 2_000 } } },
  { label: messageId("clock-turn"), clock: { perMove: { timeMs: 30_000 } } },
  { label: messageId("clock-days"), clock: { correspondence: { days: 3 } } },
];

/** How long a player can be away before a bot takes over, in milliseconds. */
export const ABSENCE_MS = 120_000;
