/**
 * The TypeScript client of Skerry, a game service for island board games.
 *
 *     const table = await new Client().create("kreta", { seats: 2, bots: 1 });
 *     const ada = await table.join("Ada");
 *     for await (const { legalMoves } of ada.turns()) await ada.act(legalMoves[0]!);
 */
export type { CallOptions, Connection, ObserveOptions, PositionView, ReadOptions } from "./calls.js";
export {
  Client,
  type ClientOptions,
  type CreateOptions,
  type ForkOptions,
  type HowToPlayOptions,
  type ReadGameOptions,
  type NewSessionOptions,
  type OptionsOf,
  type ListSessionsOptions,
  type Spectating,
  type State,
  type Visibility,
} from "./client.js";
export { type Reason, type Reasons, SkerryError, type Status } from "./errors.js";
export type { Update } from "./streamCursor.js";
export type * from "./generated/index.js";
export type { ActOptions, RematchOptions, Seat } from "./seat.js";
export type { SessionHandle } from "./sessionHandle.js";
export type { JoinOptions, StartOptions, Table, TableOptions } from "./tableHandle.js";
export { findMatch, type FindMatchOptions, type MatchSearch, type MatchUpdate } from "./matchSearch.js";
export { applyFrame } from "./scene.js";
export { type CaseOf, type CaseValue, match } from "./match.js";
