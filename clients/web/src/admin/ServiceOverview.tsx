import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { usePolling } from "../polling.js";
import { ConfirmDialog } from "./ConfirmDialog.js";
import { FactList, Panel, Table } from "./factTables.js";
import { call, sentenceOf } from "./operatorApi.js";
import type { OperatorOverview } from "./operatorTypes.js";
import { ageOf, bytesOf, decimal, idOf, inWords, secondsOf } from "./operatorWords.js";
import { Refusal } from "../Refusal.js";
import { dateText } from "../texts/formats.js";
import { t } from "../texts/texts.js";

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
        {t("op-overview")}
      </h1>
      <Refusal text={refusal} />
      {found && refusal && <p role="status">{t("op-old-figures", { time: dateText(found.time, { timeStyle: "medium" }) })}</p>}
      {drained && <p role="status">{t("op-drained", { replica: drained })}</p>}
      {found && <Panels {...found} onDrain={setAsked} />}
      {asked && (
        <ConfirmDialog title={t("op-drain-title", { replica: idOf(asked.name) })} word={t("op-drain-word")} action={() => drain(asked)} onClose={() => setAsked(undefined)}>
          {t("op-drain-effect", { which: asked.answers ? "own" : "other" })}
        </ConfirmDialog>
      )}
    </section>
  );
}

function Panels({ onDrain, replicas, store, limits, rejected, bots, queues, webhooks }: OperatorOverview & { onDrain: (replica: Replica) => void }): JSX.Element {
  return (
    <div class="columns">
      <Panel title={t("op-replicas")} wide>
        <Table
          name={t("op-replicas")}
          head={replicaHeadings()}
          rows={replicas.map((replica) => {
            const { name, build, startTime, host, processId, figuresMissing: none } = replica;
            return [
              idOf(name),
              isSilent(replica) ? <strong class="silent">{stateOf(replica)}</strong> : stateOf(replica),
              none ? "–" : t("op-host-process", { host, process: String(processId) }),
              build,
              ageOf(startTime),
              none ? "–" : replica.cachedSessions,
              none ? "–" : replica.streams,
              none ? "–" : replica.connections,
              replica.callsPerSecond === undefined ? "–" : decimal(replica.callsPerSecond),
              Number(replica.memoryBytes) ? bytesOf(replica.memoryBytes) : "–",
              <button
                class="button danger"
                aria-label={t("op-drain-replica", { replica: idOf(name) })}
                disabled={none || replica.draining || silenceOf(replica) > LIVE_SECONDS}
                onClick={() => onDrain(replica)}
              >
                {t("op-drain")}
              </button>,
            ];
          })}
        />
        <p class="soft small">{t("op-replica-figures")}</p>
      </Panel>
      <Panel title={t("op-store")}>
        {[...store.problems, ...store.warnings].map((sentence) => (
          <p class="refusal" key={sentence}>
            {sentence}
          </p>
        ))}
        <FactList
          facts={[
            [t("op-round-trip"), store.roundTrip ? `${decimal(secondsOf(store.roundTrip) * 1000)} ms` : t("op-no-answer")],
            [t("op-memory"), store.servers.map(memoryOf).join(", ") || "–"],
            [t("op-sessions"), store.sessions],
            [t("op-overdue"), store.overdueSessions],
          ]}
        />
      </Panel>
      <Panel title={t("op-bots")}>
        <FactList
          facts={[
            [t("op-decisions"), String(bots.decisions)],
            [t("op-waiting-decisions"), String(bots.waiting)],
          ]}
        />
      </Panel>
      <Panel title={t("op-matchmaking")}>
        <Table
          name={t("op-matchmaking")}
          none={t("op-no-tickets")}
          head={[t("op-ruleset"), `#${t("op-tickets")}`, `#${t("op-all-tickets")}`, `#${t("op-longest-wait")}`]}
          rows={queues.map(({ ruleset, tickets, allTickets, longestWait }) => [
            ruleset,
            tickets,
            allTickets ?? "–",
            longestWait ? inWords(secondsOf(longestWait)) : "–",
          ])}
        />
      </Panel>
      <Panel title={t("op-webhooks")}>
        <FactList
          facts={[
            [t("op-pending"), webhooks.pendingSessions],
            [t("op-endpoints"), String(webhooks.endpoints)],
          ]}
        />
      </Panel>
      <Panel title={t("op-limits")}>
        <Table name={t("op-limits")} none={t("op-no-limits")} head={[t("op-limit"), `#${t("op-reached")}`]} rows={limits.map(({ name, count }) => [name, count])} />
      </Panel>
      <Panel title={t("op-failing")} wide>
        <Table
          name={t("op-failing")}
          none={t("op-none-failing")}
          head={[t("op-application"), t("op-endpoint"), t("op-host"), t("op-failing-for"), t("op-failure")]}
          rows={webhooks.failing.map(({ application, endpoint, origin, failingFor, off, failure }) => [
            application,
            endpoint,
            origin,
            [failingFor && inWords(secondsOf(failingFor)), off && t("op-switched-off")].filter(Boolean).join(" "),
            failureText(failure),
          ])}
        />
      </Panel>
      <Panel title={t("op-rejected")} wide>
        <Table
          name={t("op-rejected")}
          none={t("op-none-rejected")}
          head={[t("op-key-title"), t("op-address"), t("op-reason"), `#${t("op-times")}`, t("op-last")]}
          rows={rejected.map(({ key, address, reason, count, lastTime }) => [key || "–", address, reason, count, t("op-ago", { time: ageOf(lastTime) })])}
        />
      </Panel>
    </div>
  );
}

function silenceOf({ silentFor }: Replica): number {
  return silentFor ? secondsOf(silentFor) : 0;
}

function isSilent(replica: Replica): boolean {
  return silenceOf(replica) > LIVE_SECONDS && !replica.draining;
}

function stateOf(replica: Replica): string {
  if (isSilent(replica)) return t("op-replica-silent", { time: inWords(Math.round(silenceOf(replica))) });
  if (replica.draining) return t("op-replica-draining");
  return replica.answers ? t("op-replica-answers") : t("op-replica-live");
}

/** Returns why a request to an endpoint failed. The names of rare system errors are shown as they are. */
function failureText(failure: string): string {
  const [, status] = /^status (\d+)$/.exec(failure) ?? [];
  if (status) return t("op-failed-status", { status });
  if (failure === "timeout") return t("op-failed-timeout");
  if (failure === "ConnectionRefusedError") return t("op-failed-refused");
  if (failure === "gaierror") return t("op-failed-host");
  return failure || "–";
}

function replicaHeadings(): string[] {
  const names = [t("op-replica"), t("op-state"), t("op-host"), t("op-version"), t("op-up")];
  const figures = [t("op-sessions"), t("op-streams"), t("op-connections"), t("op-calls"), t("op-memory")];
  return [...names, ...figures.map((name) => `#${name}`), t("op-action")];
}

function memoryOf({ usedBytes, maxBytes }: OperatorOverview["store"]["servers"][number]): string {
  const used = bytesOf(usedBytes);
  return maxBytes === "0" ? used : t("op-memory-of", { used, most: bytesOf(maxBytes) });
}
