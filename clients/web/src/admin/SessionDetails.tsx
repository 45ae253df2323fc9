import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { usePolling } from "../polling.js";
import { ConfirmDialog } from "./ConfirmDialog.js";
import { FactList, Table } from "./factTables.js";
import { call, sentenceOf } from "./operatorApi.js";
import type { InspectedSession, Seat } from "./operatorTypes.js";
import { ageOf, inWords, wordOf } from "./operatorWords.js";
import { Refusal } from "../Refusal.js";

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
        <a href="#sessions">All sessions</a>
      </p>
      <h1 id="title" tabIndex={-1}>
        Session {id}
      </h1>
      <Refusal text={refusal} />
      {found && <Facts {...found} />}
      {found && ONGOING.includes(found.session.state) && (
        <button class="button danger" onClick={() => setAsked(true)}>
          End session
        </button>
      )}
      {found && isAsked && (
        <ConfirmDialog title="End session?" word="end" action={end} onClose={() => setAsked(false)}>
          Session {id} of {found.session.game} ends at once, with {playersIn(found.session.seats)}. Its log says that an operator cancelled it. This
          cannot be undone.
        </ConfirmDialog>
      )}
    </section>
  );
}

function playersIn(seats: readonly Seat[]): string {
  const players = seats.filter(({ occupant }) => occupant === "OCCUPANT_PLAYER").length;
  return players === 1 ? "1 player in it" : `${players} players in it`;
}

function Facts({ session, sequence, changeTime, toAct, clocks, streams }: InspectedSession): JSX.Element {
  const labels = Object.entries(session.labels);
  const facts: [string, string][] = [
    ["State", wordOf(session.state, "SESSION_STATE")],
    ["Game", `${session.game}, ruleset ${session.ruleset}`],
    ["Listed", wordOf(session.visibility, "VISIBILITY")],
    ["Spectators", wordOf(session.spectating, "SPECTATING")],
    ["Entries in the log", sequence === session.sequence ? sequence : `${sequence}, of which spectators see ${session.sequence}`],
    ["Age", ageOf(session.createTime)],
    ["Idle for", ageOf(changeTime)],
    ["Open streams here", String(streams)],
    ["Labels", labels.map(([key, value]) => `${key}: ${value}`).join(", ") || "none"],
  ];
  return (
    <div class="columns">
      <div class="panel">
        <h2>State</h2>
        <FactList facts={facts} />
      </div>
      <div class="panel">
        <h2>Seats</h2>
        <Table
          name="seats"
          head={["Seat", "Occupant", "Turn", "#Clock"]}
          rows={session.seats.map((seat) => [seat.seat, occupantOf(seat), toAct.includes(seat.seat) ? "to act" : "", clockOf(clocks, seat.seat)])}
        />
      </div>
    </div>
  );
}

/** Returns the kind of occupant of a seat, without the player's name. */
function occupantOf(seat: Seat): string {
  const kind = wordOf(seat.occupant, "OCCUPANT");
  if (seat.substitute) return `bot (${seat.level ?? ""}) for a player (${wordOf(seat.substitute.cause, "SUBSTITUTE_CAUSE")})`;
  if (seat.level) return `${kind} (${seat.level})`;
  return seat.away ? `${kind}, away` : kind;
}

function clockOf(clocks: InspectedSession["clocks"], seat: number): string {
  const clock = clocks?.seats[seat];
  if (!clocks || !clock) return "–";
  if (clock.deadlineMs) return `${inWords((Number(clock.deadlineMs) - Number(clocks.serverTimeMs)) / 1000)}, running`;
  return inWords((Number(clock.leftMs) + Number(clock.graceMs)) / 1000);
}
