import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { usePolling } from "../polling.js";
import { ConfirmDialog } from "./ConfirmDialog.js";
import { FactList, Table } from "./factTables.js";
import { call, sentenceOf } from "./operatorApi.js";
import type { InspectedSession, Seat } from "./operatorTypes.js";
import { ageOf, inWords } from "./operatorWords.js";
import { Refusal } from "../Refusal.js";
import { t } from "../texts/texts.js";

const ONGOING = ["SESSION_STATE_LOBBY", "SESSION_STATE_PLAYING"];
const PAUSE_MS = 3000;

/** What a spectator may know of a session, and how the server serves it. */
export function SessionDetails({ id }: { id: string }): JSX.Element {
  const [refusal, setRefusal] = useState("");
  const [isAsked, setAsked] = useState(false);
  const [reads, setReads] = useState(0);
  const name = `sessions/${id}`;
  const found = usePolling(
    async (signal) => {
      try {
        const answer = await call<InspectedSession>("InspectSession", { name }, signal);
        setRefusal("");
        return answer;
      } catch (error) {
        if (!signal.aborted) setRefusal(sentenceOf(error));
        throw error;
      }
    },
    { key: `${id} ${reads}`, pauseMs: PAUSE_MS, isDone: ({ session }) => !ONGOING.includes(session.state) },
  );
  const end = async (): Promise<void> => {
    await call("EndSession", { name, requestId: crypto.randomUUID() });
    setReads((before) => before + 1);
  };
  return (
    <section aria-labelledby="title">
      <p>
        <a href="#sessions">{t("op-all-sessions")}</a>
      </p>
      <h1 id="title" tabIndex={-1}>
        {t("op-session-title", { session: id })}
      </h1>
      <Refusal text={refusal} />
      {found && <Facts {...found} />}
      {found && ONGOING.includes(found.session.state) && (
        <button class="button danger" onClick={() => setAsked(true)}>
          {t("op-end")}
        </button>
      )}
      {found && isAsked && (
        <ConfirmDialog title={t("op-end-title")} word={t("op-end-word")} action={end} onClose={() => setAsked(false)}>
          {t("op-end-effect", { session: id, game: found.session.game, players: playersIn(found.session.seats) })}
        </ConfirmDialog>
      )}
    </section>
  );
}

function playersIn(seats: readonly Seat[]): number {
  return seats.filter(({ occupant }) => occupant === "OCCUPANT_PLAYER").length;
}

function Facts({ session, sequence, changeTime, toAct, clocks, streams }: InspectedSession): JSX.Element {
  const labels = Object.entries(session.labels);
  const facts: [string, string][] = [
    [t("op-state"), t("op-session-state", { state: session.state })],
    [t("op-game"), t("op-game-ruleset", { game: session.game, ruleset: session.ruleset })],
    [t("op-listed"), t("op-visibility", { visibility: session.visibility })],
    [t("op-spectators"), t("op-spectating", { spectating: session.spectating })],
    [t("op-log-entries"), sequence === session.sequence ? sequence : t("op-delayed-entries", { sequence, shown: session.sequence })],
    [t("op-age"), ageOf(session.createTime)],
    [t("op-idle"), ageOf(changeTime)],
    [t("op-streams-here"), String(streams)],
    [t("op-labels"), labels.map(([key, value]) => `${key}: ${value}`).join(", ") || t("op-none")],
  ];
  return (
    <div class="columns">
      <div class="panel">
        <h2>{t("op-state")}</h2>
        <FactList facts={facts} />
      </div>
      <div class="panel">
        <h2>{t("op-seats")}</h2>
        <Table
          name={t("op-seats")}
          head={[t("op-seat"), t("op-occupant"), t("op-turn"), `#${t("op-clock")}`]}
          rows={session.seats.map((seat) => [seat.seat, occupantOf(seat), toAct.includes(seat.seat) ? t("op-to-act") : "", clockOf(clocks, seat.seat)])}
        />
      </div>
    </div>
  );
}

/** Returns the kind of occupant of a seat, without the player's name. */
function occupantOf(seat: Seat): string {
  const kind = t("op-occupant-kind", { kind: seat.occupant });
  const level = t("op-level", { level: seat.level ?? "" });
  if (seat.substitute) return t("op-substitute", { level, cause: seat.substitute.cause });
  if (seat.level) return t("op-with-level", { kind, level });
  return seat.away ? t("op-away", { kind }) : kind;
}

function clockOf(clocks: InspectedSession["clocks"], seat: number): string {
  const clock = clocks?.seats[seat];
  if (!clocks || !clock) return "–";
  if (clock.deadlineMs) return t("op-running", { time: inWords((Number(clock.deadlineMs) - Number(clocks.serverTimeMs)) / 1000) });
  return inWords((Number(clock.leftMs) + Number(clock.graceMs)) / 1000);
}
