import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Table } from "./factTables.js";
import { call, sentenceOf } from "./operatorApi.js";
import type { SessionSummary } from "./operatorTypes.js";
import { ageOf, idOf } from "./operatorWords.js";
import { Refusal } from "../Refusal.js";
import { unitText } from "../texts/formats.js";
import { t } from "../texts/texts.js";

interface Page {
  sessions: SessionSummary[];
  nextPageToken: string;
  incomplete: boolean;
}

const STATES = ["SESSION_STATE_LOBBY", "SESSION_STATE_PLAYING", "SESSION_STATE_FINISHED", "SESSION_STATE_CANCELLED"];
const AGES = [
  ["3600", 1, "hour"],
  ["86400", 1, "day"],
  ["604800", 7, "day"],
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
        {t("op-sessions")}
      </h1>
      <form class="row" onSubmit={search}>
        <label>
          {t("op-game")}
          <input class="short" value={filter.game} placeholder={t("op-any")} onInput={change("game")} />
        </label>
        <label>
          {t("op-state")}
          <select value={filter.state} onChange={change("state")}>
            <option value="SESSION_STATE_UNSPECIFIED">{t("op-any")}</option>
            {STATES.map((state) => (
              <option value={state}>{t("op-session-state", { state })}</option>
            ))}
          </select>
        </label>
        <label>
          {t("op-label")}
          <input class="short" value={filter.label} placeholder={t("op-label-form")} onInput={change("label")} />
        </label>
        <label>
          {t("op-age")}
          <select value={filter.minAge} onChange={change("minAge")}>
            <option value="0">{t("op-any")}</option>
            {AGES.map(([seconds, count, unit]) => (
              <option value={seconds}>{t("op-at-least", { time: unitText(count, unit) })}</option>
            ))}
          </select>
        </label>
        <label>
          {t("op-order")}
          <select value={filter.order} onChange={change("order")}>
            <option value="SESSION_ORDER_NEWEST">{t("op-newest")}</option>
            <option value="SESSION_ORDER_IDLE">{t("op-idle-first")}</option>
          </select>
        </label>
        <button class="button">{t("op-search")}</button>
      </form>
      <OpenForm />
      <p role="status" class="soft">
        {found && !refusal && countOf(found)}
      </p>
      <Refusal text={refusal} />
      {found && found.sessions.length > 0 && (
        <div class="panel">
          <Table name={t("op-sessions")} head={headings()} rows={found.sessions.map(rowOf)} />
        </div>
      )}
      {found?.nextPageToken && (
        <button class="button" onClick={() => void read(filter, found)}>
          {t("op-more")}
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
        {t("op-session-id")}
        <input name="id" autocomplete="off" />
      </label>
      <button class="button">{t("op-open")}</button>
    </form>
  );
}

function countOf({ sessions, nextPageToken, incomplete }: Page): string {
  const count = t("op-session-count", { count: sessions.length, more: nextPageToken ? "yes" : "no" });
  return incomplete ? `${count} ${t("op-incomplete")}` : count;
}

function headings(): string[] {
  const times = [`#${t("op-age")}`, `#${t("op-idle")}`];
  return [t("op-session"), t("op-game"), t("op-state"), t("op-listed"), `#${t("op-players")}`, `#${t("op-entries")}`, ...times, t("op-labels")];
}

function rowOf(one: SessionSummary): (JSX.Element | string)[] {
  const link = <a href={`#${one.name}`}>{idOf(one.name)}</a>;
  if (one.damaged) return [link, "", <strong>{t("op-damaged")}</strong>, "", "", one.sequence, "", "", ""];
  return [
    link,
    one.game,
    t("op-session-state", { state: one.state }),
    t("op-visibility", { visibility: one.visibility }),
    t("op-count-of", { count: one.players, all: one.seats }),
    one.sequence,
    ageOf(one.createTime),
    ageOf(one.changeTime),
    Object.entries(one.labels)
      .map(([key, value]) => `${key}: ${value}`)
      .join(", "),
  ];
}
