import type { api } from "skerry-client";
import type { Onlooker } from "skerry-client";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { makeTable } from "../lobby/NewTable.js";
import { lastName } from "../keep.js";
import { stay } from "../router.js";
import { sentence } from "../server.js";
import { Name, namesOf } from "../words.js";
import type { Printed } from "./TablePage.js";

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
  const again = async (): Promise<void> => {
    const bots = session.seats.filter(({ occupant }) => occupant === "OCCUPANT_BOT").length;
    const seats = session.seats.length;
    const wanted = { game: session.game, seats, bots: Math.min(bots, seats - 1), options: optionsOf(session), listed: false };
    await makeTable(wanted, lastName() || "Player").catch((error: unknown) => setRefused(sentence(error)));
  };
  return (
    <div class="row">
      <button class="button now" onClick={again}>
        Play again
      </button>
      <button class="button" onClick={() => handle && download(handle, `${title} ${session.name.slice(9)}.json`)}>
        Download the replay
      </button>
      <a class="button" href="/" onClick={stay}>
        All tables
      </a>
      {refused && (
        <p class="refusal" role="alert">
          {refused}
        </p>
      )}
    </div>
  );
}

/** Returns the options of a session, without the seat that began it: the next game draws it anew. */
function optionsOf(session: api.Session): Record<string, unknown> {
  const [options] = Object.values<object>(session.options);
  const { startSeat: _, ...others } = (options ?? {}) as Record<string, unknown>;
  return others;
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
