import type { Call, CallOptions, Calls, ObserveOptions } from "./calls.js";
import type { Client, OptionsOf } from "./client.js";
import { SkerryError } from "./errors.js";
import type * as api from "./generated/api.js";
import { Seat } from "./seat.js";
import { linked } from "./timer.js";

/** The criteria of a search for a match, and how it is observed. List the preferred value first. */
export interface FindMatchOptions<Options = unknown> extends CallOptions {
  /** The acceptable number of seats, or several. Absent: all that the game supports. */
  seats?: number | readonly number[] | undefined;
  /** The acceptable options of the game. Absent: its defaults. */
  options?: readonly Options[] | undefined;
  /** The acceptable clocks: `{ least: { bank: { timeMs: 180_000 } } }`. `most` makes a range of times. Absent: no clock. */
  clocks?: readonly api.ClockRange[] | undefined;
  /** The player's skill, and the greatest acceptable difference. Absent: any skill is acceptable. */
  skill?: api.SkillRange | undefined;
  /** Players who sit at the same table: `[{ displayName: "Bob" }]`. */
  party?: readonly api.PartyMember[] | undefined;
  /** Your program's id of the player. */
  playerId?: string | undefined;
  /** The `requestId` of an earlier search, to continue it, for example after a reload. */
  requestId?: string | undefined;
  /** Called whenever the connection changes. */
  onConnection?: ObserveOptions["onConnection"];
}

/** The state of a search for a match. Times are by `Date.now()`. */
export type MatchUpdate =
  | {
      state: "waiting";
      /** How many other players wait for such a table. `undefined` until the server knows. */
      otherPlayers: number | undefined;
      /** Until then there is no proposal, because this caller did not confirm one. `undefined`: there may be one at once. */
      heldUntil: number | undefined;
    }
  /** A match to confirm with `confirm` by `expires`. `leave` declines it. */
  | { state: "proposed"; proposal: api.MatchProposal; expires: number }
  /** The player has a seat, and each member of the party. The search is over. */
  | { state: "seated"; seat: Seat; party: Seat[]; session: api.Session };

/**
 * Searches for a seat at a table with other players. Iterate over the search, or await its `seat()`. A function and not a
 * method of `Client`, so that only programs that use it load it.
 */
export function findMatch<Game extends string>(
  client: Client,
  game: Game,
  displayName: string,
  options: FindMatchOptions<OptionsOf<Game>> = {},
): MatchSearch {
  const { seats, options: accepted, clocks, skill, party, playerId } = options;
  const id = game.replace(/^games\//, "");
  const request = {
    ...{ game: id, displayName, skill, playerId },
    seats: typeof seats === "number" ? [seats] : seats?.slice(),
    options: accepted?.map((one) => ({ [id]: one }) as api.GameOptionsInput),
    clocks: clocks?.slice(),
    party: party?.slice(),
  } satisfies api.FindMatchRequest;
  return new MatchSearch(client.calls, request, options);
}

/** A search for a match. It begins with the first iteration. */
export class MatchSearch implements AsyncIterable<MatchUpdate> {
  /** Identifies the search. Keep it secret: `findMatch` continues the search with it, and returns a seat that was found. */
  readonly requestId: string;
  readonly #calls: Calls;
  readonly #request: api.FindMatchRequest;
  readonly #options: Pick<FindMatchOptions, "signal" | "onConnection">;
  readonly #leaving = new AbortController();
  #ticket: string | undefined;
  #proposed: Extract<MatchUpdate, { state: "proposed" }> | undefined;

  /** @internal `findMatch` creates searches. */
  constructor(calls: Calls, request: api.FindMatchRequest, options: FindMatchOptions) {
    this.requestId = options.requestId ?? calls.newId();
    this.#calls = calls;
    this.#request = { ...request, requestId: this.requestId };
    this.#options = options;
  }

  /**
   * Yields the state of the search, and each change, until the player has a seat. The client reconnects after lost
   * connections, with the same place in the queue if the server still has it. Leave the loop to withdraw. Throws
   * `PROPOSAL_EXPIRED` after a proposal that was not confirmed, `GAME_NOT_FOUND`, `BAD_OPTIONS`, `LIMIT_REACHED`.
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<MatchUpdate, void, undefined> {
    const { signal, onConnection } = this.#options;
    const left = this.#leaving.signal;
    const [controller, unlink] = linked(signal);
    const leave = (): void => controller.abort(left.reason);
    left.addEventListener("abort", leave);
    try {
      if (left.aborted) return;
      const next = (): Call => ({ path: "sessions:find", body: this.#request, ticket: this.#ticket });
      const messages = this.#calls.follow<api.FindMatchResponse>(next, controller.signal, onConnection);
      for await (const message of messages) {
        this.#ticket = message.ticket;
        const update = this.#update(message);
        yield update;
        if (update.state === "seated") return;
      }
      throw new SkerryError("UNEXPECTED_ANSWER", "The stream ended.", { status: "UNKNOWN" });
    } catch (error) {
      if (!left.aborted) throw error;
    } finally {
      left.removeEventListener("abort", leave);
      unlink();
    }
  }

  /**
   * Confirms the proposal. Resolves with whether the confirmation counts: it does not after the time is up, or if another
   * player has left. The iteration reports what follows.
   */
  async confirm(options: CallOptions = {}): Promise<boolean> {
    if (!this.#proposed) return false;
    const ticket = this.#ticket!;
    const body = { ticket, proposal: this.#proposed.proposal.id } satisfies api.ConfirmMatchRequest;
    try {
      await this.#calls.call({ path: "sessions:confirm", body, ticket }, options);
      return true;
    } catch (error) {
      if (error instanceof SkerryError && error.is("PROPOSAL_EXPIRED")) return false;
      throw error;
    }
  }

  /** Ends the search: the iteration ends, and a proposal is declined. The caller then waits before its next proposal. */
  leave(): void {
    this.#leaving.abort();
  }

  /** Waits for the seat, and confirms every proposal. */
  async seat(): Promise<Seat> {
    for await (const update of this) {
      if (update.state === "proposed") await this.confirm();
      if (update.state === "seated") return update.seat;
    }
    throw this.#leaving.signal.reason;
  }

  #update({ proposal, session, seat, seatToken, party, waiting }: api.FindMatchResponse): MatchUpdate {
    if (session && seat !== undefined && seatToken !== undefined) {
      const [own, ...others] = [{ seat, seatToken }, ...party].map((one) => new Seat(this.#calls, session.name, one.seatToken, one.seat));
      return { state: "seated", seat: own!, party: others, session };
    }
    const now = Date.now();
    if (!proposal) {
      this.#proposed = undefined;
      const heldUntil = waiting?.heldMs ? now + waiting.heldMs : undefined;
      return { state: "waiting", otherPlayers: waiting?.otherPlayers, heldUntil };
    }
    // A proposal that arrives again after a lost connection still expires at its time.
    if (this.#proposed?.proposal.id !== proposal.id) {
      this.#proposed = { state: "proposed", proposal, expires: now + proposal.withinMs };
    }
    return this.#proposed!;
  }
}
