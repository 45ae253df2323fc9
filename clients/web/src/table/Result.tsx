import type { api } from "skerry-client";
import type { Onlooker } from "skerry-client";
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { playAgain, rematchOf } from "../lobby/making.js";
import { lastName } from "../keep.js";
import { stay } from "../router.js";
import { sentence } from "../server.js";
import { Name, namesOf } from "../words.js";
import type { Printed } from "./TablePage.js";

/** How often it is looked whether somebody wants to play again. */
const LOOK_MS = 5000;

interface ResultProps {
  session: api.Session;
  handle: Onlooker | undefined;
  printed: Printed;
}

/** How it ended, and where to go from here. */
export function Result({ session, handle, printed }: ResultProps): JSX.Element | null {
  const { outcome } = session;
  if (!outcome) return null;
  const names = namesOf(session);
  const seats = [...names.keys()].sort((one, other) => outcome.ranks[one]! - outcome.ranks[other]!);
  return (
    <section class="panel result" aria-label="Result">
      <table>
        <thead>
          <tr>
            <th>Rank</th>
            <th>Player</th>
            <th>Points</th>
          </tr>
        </thead>
        <tbody>
          {seats.map((seat) => (
            <tr key={seat}>
              <td class="figures">{outcome.ranks[seat]}</td>
              <td>
                <Name seat={seat} name={names[seat] ?? ""} />
              </td>
              <td class="figures">{outcome.scores[seat]}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <Onwards session={session} handle={handle} title={printed.game.title} />
    </section>
  );
}

function Onwards({ session, handle, title }: { session: api.Session; handle: Onlooker | undefined; title: string }): JSX.Element {
  const [refused, setRefused] = useState("");
  const rematch = useRematch(session);
  const again = (): void => {
    const seat = handle?.lastPosition?.seat;
    playAgain(session, lastName() || "Player", seat).catch((error: unknown) => setRefused(sentence(error)));
  };
  return (
    <div class="row">
      <button class="button now" onClick={again}>
        {rematch ? "Sit down to play again" : "Play again"}
      </button>
      <button class="button" onClick={() => handle && download(handle, `${title} ${session.name.slice(9)}.json`)}>
        Download the replay
      </button>
      <a class="button" href="/" onClick={stay}>
        All tables
      </a>
      {rematch && <p class="soft small">A table for the next game is laid.</p>}
      {refused && (
        <p class="refusal" role="alert">
          {refused}
        </p>
      )}
    </div>
  );
}

/** Returns the table at which somebody plays this game again, as soon as there is one that can be found. */
function useRematch(session: api.Session): api.Session | undefined {
  const [rematch, setRematch] = useState<api.Session>();
  useEffect(() => {
    if (session.visibility !== "VISIBILITY_PUBLIC") return undefined;
    const ending = new AbortController();
    const look = (): void => {
      if (document.visibilityState === "hidden") return;
      rematchOf(session, ending.signal).then(setRematch, () => undefined);
    };
    look();
    const timer = setInterval(look, LOOK_MS);
    return () => {
      clearInterval(timer);
      ending.abort();
    };
  }, [session.name, session.visibility]);
  return rematch;
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
