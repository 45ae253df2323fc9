import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { usePolling } from "../polling.js";
import { ConfirmDialog } from "./ConfirmDialog.js";
import { FactList, Table } from "./factTables.js";
import { call, sentenceOf } from "./operatorApi.js";
import type { OperatorOverview } from "./operatorTypes.js";
import { ageOf, bytesOf, inWords, secondsOf } from "./operatorWords.js";
import { Refusal } from "../Refusal.js";

const PAUSE_MS = 5000;

/** The state of the service, read again while the page is visible. */
export function ServiceOverview(): JSX.Element {
  const [refusal, setRefusal] = useState("");
  const [isAsked, setAsked] = useState(false);
  const [isDrained, setDrained] = useState(false);
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
  const drain = async (): Promise<void> => {
    await call("DrainReplica");
    setDrained(true);
  };
  return (
    <section aria-labelledby="title">
      <h1 id="title" tabIndex={-1}>
        Overview
      </h1>
      <Refusal text={refusal} />
      {isDrained && <p role="status">This replica is draining. Another one may answer from now on.</p>}
      {found && <Panels {...found} onDrain={() => setAsked(true)} />}
      {isAsked && (
        <ConfirmDialog title="Drain replica?" word="drain" action={drain} onClose={() => setAsked(false)}>
          The replica that answers this page ends its streams, answers the calls in progress and stops, as after SIGTERM. Games stay in the store.
          Without another replica and without a supervisor, the service is down.
        </ConfirmDialog>
      )}
    </section>
  );
}

function Panels({ onDrain, replicas, store, limits, rejected, bots, queues, webhooks }: OperatorOverview & { onDrain: () => void }): JSX.Element {
  return (
    <div class="columns">
      <Panel title="Replicas" wide>
        <Table
          name="Replicas"
          head={["Version", "Up for", "#Connections", "#Streams", "#Cached sessions", "State"]}
          rows={replicas.map(({ build, answers, startTime, connections, streams, cachedSessions, draining }) => [
            build,
            ageOf(startTime),
            answers ? connections : "–",
            answers ? streams : "–",
            answers ? cachedSessions : "–",
            answers ? (draining ? "draining" : "answers this page") : "live",
          ])}
        />
        <p class="soft small">Each replica has an operators' port of its own. Numbers of connections, limits, bots and tickets are those of the one that answers.</p>
        <button class="button danger" onClick={onDrain}>
          Drain replica
        </button>
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

function Panel({ title, wide = false, children }: { title: string; wide?: boolean; children: ComponentChildren }): JSX.Element {
  return (
    <section class={wide ? "panel wide" : "panel"} aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}
