import type { api } from "skerry-client";

/** Whether it is the viewer's turn. It is not while a substitute plays the viewer's seat. */
export function isTurnOf({ seats }: api.Session, { seat, toAct }: api.Position): boolean {
  return seat !== undefined && toAct.includes(seat) && !seats[seat]?.substitute;
}

/** Whether the time control is a bank without increment: time that is used up does not come back. */
export function hasOneBank(clock: api.Clock | undefined): boolean {
  return clock !== undefined && "bank" in clock && clock.bank.incrementMs === 0;
}
