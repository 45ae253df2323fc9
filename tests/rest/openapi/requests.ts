// What a program sends is checked before it is sent: requests are closed. Compiles against every generator's types.
import type * as api from "./types";

declare const position: api.SkerryV1Position;
declare const view: api.SkerryV1View;
declare const event: api.SkerryV1Event;

// A listed move is sent back as it came; what is left out has its default.
const listed: api.SkerryV1MoveInput[] = position.legalMoves;
const played: api.SkerryV1MoveInput = { kreta: { playCard: { card: "CARD_KING", copied: "CARD_ADMIRAL" } } };
const brief: api.SkerryV1MoveInput = { kreta: { playCard: { card: "CARD_ABBOT" } } };
const empty: api.SkerryV1MoveInput = { kreta: { halt: {} } };
const options: api.SkerryV1GameOptionsInput = { kreta: { startSeat: 0 } };

// @ts-expect-error There is no such game.
const game: api.SkerryV1MoveInput = { chess: {} };
// @ts-expect-error There is no such kind of move.
const kind: api.SkerryV1MoveInput = { kreta: { playCrad: { card: "CARD_KING" } } };
// @ts-expect-error There is no such field.
const field: api.SkerryV1MoveInput = { kreta: { playCard: { card: "CARD_KING", copy: "CARD_ADMIRAL" } } };
// @ts-expect-error There is no such value.
const value: api.SkerryV1MoveInput = { kreta: { playCard: { card: "CARD_QUEEN" } } };
// @ts-expect-error A number is no text.
const type: api.SkerryV1MoveInput = { kreta: { recruit: { province: 7 } } };

// A key tells the cases apart, also one inside another, and in a switch over the keys that are there.
if ("kreta" in view) {
  const phase: "PHASE_PLAY_CARD" | string = view.kreta.phase;
}
if ("kreta" in event && "shipSailed" in event.kreta) {
  const way: string[] = [event.kreta.shipSailed.fromHarbour, event.kreta.shipSailed.toHarbour];
}
if (!("tenerife" in view)) {
  // @ts-expect-error It is not there.
  view.tenerife;
}

function provinces(move: api.SkerryGamesKretaV1Move): string[] {
  switch (true) {
    case "placeShip" in move:
      return [move.placeShip.harbour];
    case "recruit" in move:
      return [move.recruit.province];
    default:
      return [];
  }
}

// The details of an error likewise.
function reason(error: api.Error): string | undefined {
  const detail = error.error.details[0];
  return detail && "reason" in detail ? `${detail.reason} ${detail.metadata["field"] ?? ""}` : undefined;
}
