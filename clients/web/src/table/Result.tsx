import type { api, Onlooker, Seat, Table } from "skerry-client";
import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import { useRead } from "../again.js";
import { proposed } from "../levels.js";
import { playAgain, playOn } from "../lobby/making.js";
import { stay } from "../router.js";
import { sentence } from "../server.js";
import { Name, namesOf, RuleLink } from "../words.js";
import { isSeat } from "./follow.js";
import type { Past } from "./past.js";
import { Sources } from "./Sources.js";
import type { Printed } from "./TablePage.js";

interface ResultProps {
  session: api.Session;
  handle: Seat | Table | undefined;
  /** The whole log, as far as it is here. */
  entries: readonly api.Entry[];
  printed: Printed;
  past: Past;
}

/** How it ended, and where to go from here. */
export function Result({ session, handle, entries, printed, past }: ResultProps): JSX.Element | null {
  const { outcome } = session;
  if (!outcome) return null;
  const names = namesOf(session);
  const seats = [...names.keys()].sort((one, other) => outcome.ranks[one]! - outcome.ranks[other]!);
  return (
    <section class="panel result" aria-label="Result">
      <table aria-label="Ranking">
        <thead>
          <tr>
            <th scope="col">Rank</th>
            <th scope="col">Player</th>
            <th scope="col">Points</th>
          </tr>
        </thead>
        <tbody>
          {seats.map((seat) => (
            <tr key={seat}>
              <td class="figures">{outcome.ranks[seat]}</td>
              <td>
                <Name seat={seat} name={names[seat] ?? ""} />
                {hasResigned(session.seats[seat]) && <span class="soft small"> resigned</span>}
              </td>
              <td class="figures">{outcome.scores[seat]}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {isTied(session, outcome, printed.game) && <TieBreak {...printed} />}
      <Sources {...{ entries, names, seats }} scores={outcome.scores} ui={printed.ui} />
      <Onwards {...{ session, handle, printed, past }} />
    </section>
  );
}

/** Whether a seat ranks behind the others whatever its points, as a bot has played it to the end. */
function hasResigned(seat: api.Seat | undefined): boolean {
  return seat?.substitute?.cause === "SUBSTITUTE_CAUSE_RESIGNED";
}

/** Whether the rules have ended the game, and ranked two of those who ended it on as many points. */
function isTied({ seats }: api.Session, { ranks, scores, reason }: api.Outcome, { rules }: api.Game): boolean {
  if (!rules.some(({ id }) => reason.startsWith(`${id}:`))) return false;
  const ended = [...scores.keys()].filter((seat) => !hasResigned(seats[seat]));
  return ended.some((one) => ended.some((other) => scores[one] === scores[other] && ranks[one] !== ranks[other]));
}

/** Tells what ranks those who have as many points. */
function TieBreak({ game, ui }: Printed): JSX.Element | null {
  const rule = game.rules.find(({ id }) => id === ui?.tieRule);
  if (!rule) return null;
  return (
    <p class="soft small">
      <RuleLink id={rule.id} />: {rule.text}
    </p>
  );
}

function Onwards({ session, handle, printed: { game }, past }: Omit<ResultProps, "entries">): JSX.Element {
  const [refused, setRefused] = useState("");
  // The session in which this game is played again, as soon as there is one.
  const rematch = useRead(async (signal) => (await handle?.read({ signal }))?.rematch, { key: handle });
  const isUnderWay = useRef(false);
  const attempt = (doing: () => Promise<void>): void => {
    if (isUnderWay.current) return; // a second click would make a second table
    isUnderWay.current = true;
    setRefused("");
    const refuse = (error: unknown): void => setRefused(sentence(error));
    void doing().catch(refuse).finally(() => (isUnderWay.current = false));
  };
  return (
    <div class="row">
      <PlayOn {...{ session, past, attempt }} level={proposed(game.levels)} />
      {isSeat(handle) && (
        <button class="button now" onClick={() => attempt(() => playAgain(handle, session))}>
          {rematch ? "Join the rematch" : "Play again"}
        </button>
      )}
      <button class="button" onClick={() => handle && attempt(() => download(handle, `${game.title} ${session.name.slice(9)}.json`))}>
        Download replay
      </button>
      <a class="button" href="/" onClick={stay}>
        All tables
      </a>
      {rematch && (
        <p class="soft small">
          The table for the rematch is ready.{" "}
          {!isSeat(handle) && (
            <a href={`/${rematch}`} onClick={stay}>
              Go to the rematch
            </a>
          )}
        </p>
      )}
      {refused && (
        <p class="refusal" role="alert">
          {refused}
        </p>
      )}
    </div>
  );
}

interface PlayOnProps {
  session: api.Session;
  past: Past;
  /** Of bots on seats where players were. */
  level: string;
  attempt: (doing: () => Promise<void>) => void;
}

/** Goes on against bots from the position that is looked at, on the own seat or else that of who was to move. */
function PlayOn({ session, past: { at, position }, level, attempt }: PlayOnProps): JSX.Element | null {
  if (at === undefined || Number(position.sequence) !== at || position.outcome) return null;
  const [mover = 0] = position.toAct;
  const seat = position.seat ?? mover;
  return (
    <button class="button now" onClick={() => attempt(() => playOn(session, at, seat, level))}>
      Play on from here
    </button>
  );
}

/** Saves the log of a game as a file, as `skerry verify` reads it. */
async function download(handle: Onlooker, name: string): Promise<void> {
  const text = JSON.stringify(await handle.replay(), null, 1);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
