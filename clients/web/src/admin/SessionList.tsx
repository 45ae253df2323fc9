import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Table } from "./factTables.js";
import { call, sentenceOf } from "./operatorApi.js";
import type { SessionSummary } from "./operatorTypes.js";
import { ageOf, idOf, wordOf } from "./operatorWords.js";
import { Refusal } from "../Refusal.js";

interface Page {
  sessions: SessionSummary[];
  nextPageToken: string;
  incomplete: boolean;
}

const STATES = ["LOBBY", "PLAYING", "FINISHED", "CANCELLED"];
const AGES = [
  ["0", "any"],
  ["3600", "1 hour or more"],
  ["86400", "1 day or more"],
  ["604800", "7 days or more"],
] as const;
const PAGE_SIZE = 50;
const NO_FILTER = { game: "", state: "SESSION_STATE_UNSPECIFIED", label: "", minAge: "0", order: "SESSION_ORDER_NEWEST" };

/** All sessions of the store, filtered and in an order. They are read when the operator asks, never by themselves. */
export function SessionList(): JSX.Element {
  const [filter, setFilter] = useState(NO_FILTER);
  const [found, setFound] = useState<Page>();
  const [refusal, setRefusal] = useState("");
  const read = async (wanted: typeof NO_FILTER, before?: Page): Promise<void> => {
    setRefusal("");
    try {
      const request = { ...wanted, minAge: `${wanted.minAge}s`, pageSize: PAGE_SIZE, pageToken: before?.nextPageToken ?? "" };
      const page = await call<Page>("ListAllSessions", request);
      const byName = new Map([...(before?.sessions ?? []), ...page.sessions].map((one) => [one.name, one]));
      setFound({ ...page, sessions: [...byName.values()] });
    } catch (error) {
      setRefusal(sentenceOf(error));
    }
  };
  useEffect(() => void read(filter), []);
  const search = (event: Event): void => {
    event.preventDefault();
    void read(filter);
  };
  const change = (name: keyof typeof NO_FILTER) => (event: { currentTarget: HTMLInputElement | HTMLSelectElement }) =>
    setFilter({ ...filter, [name]: event.currentTarget.value.trim() });
  return (
    <section aria-labelledby="title">
      <h1 id="title" tabIndex={-1}>
        Sessions
      </h1>
      <form class="row" onSubmit={search}>
        <label>
          Game
          <input class="short" value={filter.game} placeholder="any" onInput={change("game")} />
        </label>
        <label>
          State
          <select value={filter.state} onChange={change("state")}>
            <option value="SESSION_STATE_UNSPECIFIED">any</option>
            {STATES.map((state) => (
              <option value={`SESSION_STATE_${state}`}>{state.toLowerCase()}</option>
            ))}
          </select>
        </label>
        <label>
          Label
          <input class="short" value={filter.label} placeholder="key:value" onInput={change("label")} />
        </label>
        <label>
          Age
          <select value={filter.minAge} onChange={change("minAge")}>
            {AGES.map(([seconds, words]) => (
              <option value={seconds}>{words}</option>
            ))}
          </select>
        </label>
        <label>
          Order
          <select value={filter.order} onChange={change("order")}>
            <option value="SESSION_ORDER_NEWEST">newest first</option>
            <option value="SESSION_ORDER_IDLE">longest idle first</option>
          </select>
        </label>
        <button class="button">Search</button>
      </form>
      <OpenForm />
      <p role="status" class="soft">
        {found && !refusal && countOf(found)}
      </p>
      <Refusal text={refusal} />
      {found && found.sessions.length > 0 && (
        <div class="panel">
          <Table name="sessions" head={["Session", "Game", "State", "Listed", "#Players", "#Entries", "#Age", "#Idle for", "Labels"]} rows={found.sessions.map(rowOf)} />
        </div>
      )}
      {found?.nextPageToken && (
        <button class="button" onClick={() => void read(filter, found)}>
          Show more
        </button>
      )}
    </section>
  );
}

/** Opens a session by its id, also one that the list does not show. */
function OpenForm(): JSX.Element {
  const open = (event: Event): void => {
    event.preventDefault();
    const id = String(new FormData(event.currentTarget as HTMLFormElement).get("id")).trim();
    if (id) location.hash = `#sessions/${idOf(id)}`;
  };
  return (
    <form class="row" onSubmit={open}>
      <label>
        Session id
        <input name="id" autocomplete="off" />
      </label>
      <button class="button">Open</button>
    </form>
  );
}

function countOf({ sessions, nextPageToken, incomplete }: Page): string {
  const count = `${sessions.length} ${sessions.length === 1 ? "session" : "sessions"}${nextPageToken ? ", and more" : ""}.`;
  return incomplete ? `${count} The store has more sessions than the server reads for a list, so some may be missing.` : count;
}

function rowOf(one: SessionSummary): (JSX.Element | string)[] {
  const link = <a href={`#${one.name}`}>{idOf(one.name)}</a>;
  if (one.damaged) return [link, "", <strong>damaged</strong>, "", "", one.sequence, "", "", ""];
  return [
    link,
    one.game,
    wordOf(one.state, "SESSION_STATE"),
    wordOf(one.visibility, "VISIBILITY"),
    `${one.players} of ${one.seats}`,
    one.sequence,
    ageOf(one.createTime),
    ageOf(one.changeTime),
    Object.entries(one.labels)
      .map(([key, value]) => `${key}: ${value}`)
      .join(", "),
  ];
}
