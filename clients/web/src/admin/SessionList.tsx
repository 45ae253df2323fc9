import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { call, sentenceOf } from "./operatorApi.js";
import type { SessionSummary } from "./operatorTypes.js";
import { ageOf, idOf, wordOf } from "./operatorWords.js";

interface Page {
  sessions: SessionSummary[];
  nextPageToken: string;
}

const STATES = ["LOBBY", "PLAYING", "FINISHED", "CANCELLED"];
const PAGE_SIZE = 100;
/** A page of the server can be empty although others follow. */
const MAX_PAGES = 50;

/** All sessions of the store, by game and state, in pages. It reads them when the operator asks, never by itself. */
export function SessionList(): JSX.Element {
  const [filter, setFilter] = useState({ game: "", state: "SESSION_STATE_UNSPECIFIED" });
  const [found, setFound] = useState<Page>();
  const [refusal, setRefusal] = useState("");
  const read = async (before?: Page): Promise<void> => {
    setRefusal("");
    try {
      const byName = new Map(before?.sessions.map((one) => [one.name, one]));
      const wanted = byName.size + PAGE_SIZE;
      let pageToken = before?.nextPageToken ?? "";
      for (let pages = 0; byName.size < wanted && pages < MAX_PAGES; pages += 1) {
        const page = await call<Page>("ListAllSessions", { ...filter, pageSize: PAGE_SIZE, pageToken });
        for (const one of page.sessions) byName.set(one.name, one);
        pageToken = page.nextPageToken;
        if (!pageToken) break;
      }
      setFound({ sessions: [...byName.values()], nextPageToken: pageToken });
    } catch (error) {
      setRefusal(sentenceOf(error));
    }
  };
  useEffect(() => void read(), []);
  const search = (event: Event): void => {
    event.preventDefault();
    void read();
  };
  const open = (event: Event): void => {
    event.preventDefault();
    const id = String(new FormData(event.currentTarget as HTMLFormElement).get("id")).trim();
    if (id) location.hash = `#sessions/${idOf(id)}`;
  };
  return (
    <section aria-labelledby="title">
      <h1 id="title" tabIndex={-1}>
        Sessions
      </h1>
      <div class="row">
        <form class="row" onSubmit={search}>
          <label>
            Game
            <input value={filter.game} placeholder="all games" onInput={({ currentTarget }) => setFilter({ ...filter, game: currentTarget.value.trim() })} />
          </label>
          <label>
            State
            <select value={filter.state} onChange={({ currentTarget }) => setFilter({ ...filter, state: currentTarget.value })}>
              <option value="SESSION_STATE_UNSPECIFIED">any</option>
              {STATES.map((state) => (
                <option value={`SESSION_STATE_${state}`}>{state.toLowerCase()}</option>
              ))}
            </select>
          </label>
          <button class="button">Search</button>
        </form>
        <form class="row" onSubmit={open}>
          <label>
            Session id
            <input name="id" autocomplete="off" />
          </label>
          <button class="button">Open</button>
        </form>
      </div>
      <p role="status" class="soft">
        {found && !refusal ? `${found.sessions.length} sessions${found.nextPageToken ? " so far" : ""}` : ""}
      </p>
      {refusal && (
        <p class="refusal" role="alert">
          {refusal}
        </p>
      )}
      {found && <SessionTable sessions={found.sessions} />}
      {found?.nextPageToken && (
        <button class="button" onClick={() => void read(found)}>
          Read more
        </button>
      )}
    </section>
  );
}

function SessionTable({ sessions }: { sessions: readonly SessionSummary[] }): JSX.Element {
  return (
    <div class="panel wide-table" tabIndex={0} role="region" aria-label="Table of sessions">
      <table>
        <thead>
          <tr>
            <th scope="col">Session</th>
            <th scope="col">Game</th>
            <th scope="col">State</th>
            <th scope="col">Listed</th>
            <th scope="col" class="number">
              Players
            </th>
            <th scope="col" class="number">
              Entries
            </th>
            <th scope="col" class="number">
              Age
            </th>
          </tr>
        </thead>
        <tbody>
          {sessions.map((one) => (
            <tr key={one.name}>
              <th scope="row">
                <a href={`#${one.name}`}>{idOf(one.name)}</a>
              </th>
              <td>{one.game}</td>
              <td>{one.damaged ? <strong>damaged</strong> : wordOf(one.state, "SESSION_STATE")}</td>
              <td>{one.damaged ? "" : wordOf(one.visibility, "VISIBILITY")}</td>
              <td class="number">{one.damaged ? "" : `${one.players} of ${one.seats}`}</td>
              <td class="number">{one.sequence}</td>
              <td class="number">{ageOf(one.createTime)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
