import { type api, findMatch, type MatchSearch, type MatchUpdate, SkerryError } from "skerry-client";
import { go } from "../router.js";
import { client, errorMessage } from "../server.js";
import { forgetSearch, type SearchSetup, storedSearch, storePlayerName, storeSearch, storeSession } from "../storage.js";
import { play, prepareSound } from "../sound.js";
import { messageId } from "../texts/texts.js";
import { useLatest } from "../useLatest.js";

/** A search that stopped longer ago does not go on by itself when the page is loaded: its player may be gone. */
const RESUME_MS = 30_000;
/** For as long, the server returns the seat that a search has found. */
const SEAT_KEPT_MS = 600_000;
/** How often the time of a running search is stored. */
const STORE_MS = 5000;

/** How far a search has come. */
export type Progress =
  | Extract<MatchUpdate, { state: "waiting" | "proposed" }>
  /** The player has accepted, and the others have not yet. */
  | { state: "accepted"; proposal: api.MatchProposal; expires: number }
  /** The search has ended without a seat. `why`: the id of the reason. `refused`: the server's instead. */
  | { state: "ended"; why?: string; refused?: string; /** When the next one is allowed, by `Date.now()`. */ retryAt?: number | undefined };

/** The search of this tab. A tab has at most one. */
export interface Search {
  setup: SearchSetup;
  /** When it began, by `Date.now()`. */
  since: number;
  progress: Progress;
  /** Whether the connection is lost. */
  isOffline: boolean;
  /** Whether another player did not accept the last match. */
  wasDeclined: boolean;
}

const WAITING: Progress = { state: "waiting", otherPlayers: undefined, heldUntil: undefined };
const CHANGED = "skerry-match-search";
let current: Search | undefined;
let running: MatchSearch | undefined;
let timer: ReturnType<typeof setInterval> | undefined;

/** Returns the search of this tab. */
export function useMatchSearch(): Search | undefined {
  return useLatest(() => current, CHANGED);
}

/** Starts a search. */
export function startSearch(setup: SearchSetup): void {
  if (running) return; // A second click arrived before the button was gone.
  prepareSound();
  storePlayerName(setup.name);
  void run(setup, Date.now());
}

/** Continues the search that a reload of the page interrupted. A search that stopped long ago is only mentioned. */
export function resumeSearch(): void {
  const stored = storedSearch();
  if (!stored) return;
  const { setup, since, requestId, seenAt, hasAccepted } = stored;
  // A player who accepted may have a seat by now.
  if (Date.now() - seenAt < (hasAccepted ? SEAT_KEPT_MS : RESUME_MS)) return void run(setup, since, requestId);
  show({ setup, since, progress: { state: "ended", why: messageId("search-page-closed") } });
  forgetSearch();
}

/** Accepts the proposed match. */
export async function acceptMatch(): Promise<void> {
  const search = running;
  if (!search || current?.progress.state !== "proposed") return;
  const { proposal, expires } = current.progress;
  show({ ...current, progress: { state: "accepted", proposal, expires } });
  store();
  try {
    await search.confirm(); // If it does not count, the next update says why.
  } catch (error) {
    if (search === running) end({ refused: errorMessage(error) });
  }
}

/** Ends the search. A proposed match is declined. */
export function stopSearch(): void {
  const declines = current?.progress.state === "proposed" || current?.progress.state === "accepted";
  running?.leave();
  if (declines) return end({ why: messageId("search-you-declined") });
  dismissSearch();
}

function show(changed: Partial<Search> & Pick<Search, "setup" | "since" | "progress">): void {
  current = { isOffline: false, wasDeclined: false, ...changed };
  dispatchEvent(new Event(CHANGED));
}

function end(why: Omit<Extract<Progress, { state: "ended" }>, "state">): void {
  if (current) show({ ...current, progress: { state: "ended", ...why } });
  stopStoring();
}

/** Removes the search, or the message about one that has ended. */
export function dismissSearch(): void {
  current = undefined;
  stopStoring();
  dispatchEvent(new Event(CHANGED));
}

function stopStoring(): void {
  running = undefined;
  clearInterval(timer);
  removeEventListener("pagehide", store);
  forgetSearch();
}

/** Stores the running search, so that a reload of the page can continue it. */
function store(): void {
  if (!running || !current) return;
  const { setup, since, progress } = current;
  storeSearch({ setup, since, requestId: running.requestId, seenAt: Date.now(), hasAccepted: progress.state === "accepted" });
}

async function run(setup: SearchSetup, since: number, requestId?: string): Promise<void> {
  const { game, name, seats, options, clock } = setup;
  const search = findMatch<string>(client, game, name, {
    ...{ seats, requestId },
    options: [options],
    clocks: clock && [{ least: clock }],
    onConnection: ({ state }) => {
      if (search !== running || !current) return;
      // The server withdraws a proposal when it loses the connection.
      show(state === "open" ? { ...current, isOffline: false } : { ...current, progress: WAITING, isOffline: true });
    },
  });
  running = search;
  show({ setup, since, progress: WAITING });
  clearInterval(timer);
  timer = setInterval(store, STORE_MS);
  addEventListener("pagehide", store);
  store();
  try {
    for await (const update of search) {
      if (search !== running || !current) return;
      if (update.state === "seated") return arrive(update, setup);
      advance(current, update);
    }
  } catch (error) {
    if (search === running) fail(error);
  }
}

function advance(known: Search, update: Extract<MatchUpdate, { state: "waiting" | "proposed" }>): void {
  const { progress } = known;
  if (update.state === "proposed") {
    const isKnown = "proposal" in progress && progress.proposal.id === update.proposal.id;
    if (isKnown) return show({ ...known, isOffline: false });
    play("match");
    return show({ ...known, progress: update, isOffline: false, wasDeclined: false });
  }
  const wasDeclined = known.wasDeclined || progress.state === "accepted";
  show({ ...known, progress: update, isOffline: false, wasDeclined });
}

function arrive({ seat, session }: Extract<MatchUpdate, { state: "seated" }>, { game }: SearchSetup): void {
  storeSession({ session: session.name, game, seatToken: seat.token });
  play("match");
  dismissSearch();
  go(`/${session.name}`);
}

function fail(error: unknown): void {
  if (error instanceof SkerryError && error.is("PROPOSAL_EXPIRED")) {
    return end({ why: messageId("search-no-answer") });
  }
  const retryAfterMs = error instanceof SkerryError ? error.retryAfterMs : undefined;
  end({ refused: errorMessage(error), retryAt: retryAfterMs && Date.now() + retryAfterMs });
}
