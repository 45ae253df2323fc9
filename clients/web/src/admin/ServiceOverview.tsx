import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { usePolling } from "../polling.js";
import { ConfirmDialog } from "./ConfirmDialog.js";
import { FactList, Table } from "./factTables.js";
import { call, sentenceOf } from "./operatorApi.js";
import type { OperatorOverview } from "./operatorTypes.js";
import { ageOf, bytesOf, inWords, secondsOf } from "./operatorWords.js";
import { Refusal } from "../Refusal.js";

type Replica = OperatorOverview["replicas"][number];

const PAUSE_MS = 5000;
/** A replica announces itself every four seconds. */
const LIVE_SECONDS = 7;

/** The state of the service, read again while the page is visible. */
export function ServiceOverview(): JSX.Element {
  const [refusal, setRefusal] = useState("");
  const [asked, setAsked] = useState<Replica>();
  const [drained, setDrained] = useState("");
  const found = usePolling(
    async (signal) => {
      try {
        const overview = await call<OperatorOverview>("GetOverview", {}, signal);
        setRefusal("");
        return overview;
      } catch (error) {
        if (!signal.aborted) setRefusal(sentenceOf(error));
        throw error;
      }
    },
    { pauseMs: PAUSE_MS },
  );
  const drain = async ({ name }: Replica): Promise<void> => {
    await call("DrainReplica", { name });
    setDrained(idOf(name));
  };
  return (
    <section aria-labelledby="title">
      <h1 id="title" tabIndex={-1}>
        Overview
      </h1>
      <Refusal text={refusal} />
      {found && refusal && <p role="status">The figures below are those of {new Date(found.time).toLocaleTimeString()}.</p>}
      {drained && <p role="status">Replica {drained} is draining. If it answers this page, another one may answer from now on.</p>}
      {found && <Panels {...found} onDrain={setAsked} />}
      {asked && (
        <ConfirmDialog title={`Drain replica ${idOf(asked.name)}?`} word="drain" action={() => drain(asked)} onClose={() => setAsked(undefined)}>
          {asked.answers ? "The replica that answers this page" : "The replica"} ends its streams, answers the calls in progress and stops, as after SIGTERM.
          Games stay in the store. Without another replica and without a supervisor, the service is down.
        </ConfirmDialog>
      )}
    </section>
  );
}

function Panels({ onDrain, replicas, store, limits, rejected, bots, queues, webhooks }: OperatorOverview & { onDrain: (replica: Replica) => void }): JSX.Element {
  return (
    <div class="columns">
      <Panel title="Replicas" wide>
        <Table
          name="Replicas"
          head={["Replica", "State", "Host", "Version", "Up for", "#Sessions", "#Streams", "#Connections", "#Calls/s", "#Memory", "Action"]}
          rows={replicas.map((replica) => {
            const { name, build, startTime, host, processId, figuresMissing: none } = replica;
            const state = stateOf(replica);
            return [
              idOf(name),
              state === "live" || state === "answers this page" || state === "draining" ? state : <strong class="silent">{state}</strong>,
              none ? "–" : `${host}, process ${processId}`,
              build,
              ageOf(startTime),
              none ? "–" : replica.cachedSessions,
              none ? "–" : replica.streams,
              none ? "–" : replica.connections,
              replica.callsPerSecond?.toFixed(1) ?? "–",
              Number(replica.memoryBytes) ? bytesOf(replica.memoryBytes) : "–",
              <button
                class="button danger"
                aria-label={`Drain replica ${idOf(name)}`}
                disabled={none || replica.draining || silenceOf(replica) > LIVE_SECONDS}
                onClick={() => onDrain(replica)}
              >
                Drain
              </button>,
            ];
          })}
        />
        <p class="soft small">Figures of other replicas are up to four seconds old. Limits, rejected callers, bots and tickets are those of the replica that answers.</p>
      </Panel>
      <Panel title="Store">
        {[...store.problems, ...store.warnings].map((sentence) => (
          <p class="refusal" key={sentence}>
            {sentence}
          </p>
        ))}
        <FactList
          facts={[
            ["Round trip", store.roundTrip ? `${(secondsOf(store.roundTrip) * 1000).toFixed(1)} ms` : "no answer"],
            ["Memory", store.servers.map(({ usedBytes, maxBytes }) => `${bytesOf(usedBytes)}${maxBytes === "0" ? "" : ` of ${bytesOf(maxBytes)}`}`).join(", ") || "–"],
            ["Sessions", store.sessions],
            ["Overdue timers", store.overdueSessions],
          ]}
        />
      </Panel>
      <Panel title="Bots">
        <FactList
          facts={[
            ["Decisions in progress or waiting", String(bots.decisions)],
            ["Waiting for a process", String(bots.waiting)],
          ]}
        />
      </Panel>
      <Panel title="Matchmaking">
        <Table
          name="Matchmaking"
          none="No tickets wait at this replica."
          head={["Ruleset", "#Tickets", "#All replicas", "Longest wait"]}
          rows={queues.map(({ ruleset, tickets, allTickets, longestWait }) => [
            ruleset,
            tickets,
            allTickets ?? "–",
            longestWait ? inWords(secondsOf(longestWait)) : "–",
          ])}
        />
      </Panel>
      <Panel title="Webhooks">
        <FactList
          facts={[
            ["Sessions with deliveries to make", webhooks.pendingSessions],
            ["Endpoints", String(webhooks.endpoints)],
          ]}
        />
        <Table
          name="Failing endpoints"
          none="No endpoint fails."
          head={["Application", "Endpoint", "Host", "Failing for"]}
          rows={webhooks.failing.map(({ application, endpoint, origin, failingFor, off }) => [
            application,
            endpoint,
            origin,
            `${failingFor ? inWords(secondsOf(failingFor)) : ""}${off ? " (switched off)" : ""}`,
          ])}
        />
      </Panel>
      <Panel title="Limits">
        <Table name="Limits" none="No limit was reached." head={["Limit", "#Reached"]} rows={limits.map(({ name, count }) => [name, count])} />
      </Panel>
      <Panel title="Rejected callers" wide>
        <Table
          name="Rejected callers"
          none="No caller was rejected."
          head={["API key", "Address", "Reason", "#Times", "Last"]}
          rows={rejected.map(({ key, address, reason, count, lastTime }) => [key || "–", address, reason, count, `${ageOf(lastTime)} ago`])}
        />
      </Panel>
    </div>
  );
}

function idOf(name: string): string {
  return name.replace("replicas/", "");
}

function silenceOf({ silentFor }: Replica): number {
  return silentFor ? secondsOf(silentFor) : 0;
}

function stateOf(replica: Replica): string {
  if (silenceOf(replica) > LIVE_SECONDS && !replica.draining) return `silent for ${Math.round(silenceOf(replica))} s`;
  if (replica.draining) return "draining";
  return replica.answers ? "answers this page" : "live";
}

function Panel({ title, wide = false, children }: { title: string; wide?: boolean; children: ComponentChildren }): JSX.Element {
  return (
    <section class={wide ? "panel wide" : "panel"} aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}
