import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ConfirmDialog } from "./ConfirmDialog.js";
import { Table } from "./factTables.js";
import { call, sentenceOf } from "./operatorApi.js";
import type { Ban } from "./operatorTypes.js";
import { inWords, secondsOf } from "./operatorWords.js";
import { Refusal } from "../Refusal.js";

interface Page {
  bans: Ban[];
  nextPageToken: string;
}

interface Wanted {
  kind: "address" | "key" | "playerId";
  subject: string;
  seconds: number;
  reason: string;
}

const KINDS = { address: "address or network", key: "API key", playerId: "player id" } as const;
const TIMES = [
  [3600, "1 hour"],
  [86_400, "1 day"],
  [604_800, "7 days"],
  [2_592_000, "30 days"],
] as const;

/** The bans that have not ended, and a form for another. */
export function BanList(): JSX.Element {
  const [found, setFound] = useState<Page>();
  const [refusal, setRefusal] = useState("");
  const [wanted, setWanted] = useState<Wanted>();
  const [lifted, setLifted] = useState<Ban>();
  const read = async (before?: Page): Promise<void> => {
    setRefusal("");
    try {
      const page = await call<Page>("ListBans", { pageToken: before?.nextPageToken ?? "" });
      setFound({ ...page, bans: [...(before?.bans ?? []), ...page.bans] });
    } catch (error) {
      setRefusal(sentenceOf(error));
    }
  };
  useEffect(() => void read(), []);
  const ban = async ({ kind, subject, seconds, reason }: Wanted): Promise<void> => {
    await call("CreateBan", { [kind]: subject, duration: `${seconds}s`, reason });
    await read();
  };
  const lift = async ({ name }: Ban): Promise<void> => {
    await call("LiftBan", { name });
    await read();
  };
  return (
    <section aria-labelledby="title">
      <h1 id="title" tabIndex={-1}>
        Bans
      </h1>
      <BanForm onWanted={setWanted} />
      <Refusal text={refusal} />
      {found && (
        <div class="panel">
          <Table
            name="bans"
            none="Nobody is banned."
            head={["Banned", "Reason", "Left", "By", "Lift"]}
            rows={found.bans.map((one) => [
              subjectOf(one),
              one.reason,
              inWords(secondsOf(one.remaining)),
              one.operator,
              <button class="button" aria-label={`Lift the ban of ${subjectOf(one)}`} onClick={() => setLifted(one)}>
                Lift
              </button>,
            ])}
          />
        </div>
      )}
      {found?.nextPageToken && (
        <button class="button" onClick={() => void read(found)}>
          Show more
        </button>
      )}
      {wanted && (
        <ConfirmDialog title="Ban caller?" word="ban" action={() => ban(wanted)} onClose={() => setWanted(undefined)}>
          The server rejects all calls of the {KINDS[wanted.kind]} {wanted.subject} for {inWords(wanted.seconds)} and ends their streams. Games go on.
          The caller receives the reason: {wanted.reason}
        </ConfirmDialog>
      )}
      {lifted && (
        <ConfirmDialog title="Lift ban?" word="lift" action={() => lift(lifted)} onClose={() => setLifted(undefined)}>
          The server accepts calls of {subjectOf(lifted)} again.
        </ConfirmDialog>
      )}
    </section>
  );
}

function BanForm({ onWanted }: { onWanted: (wanted: Wanted) => void }): JSX.Element {
  const submit = (event: Event): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const field = (name: string): string => String(form.get(name)).trim();
    onWanted({ kind: field("kind") as Wanted["kind"], subject: field("subject"), seconds: Number(field("seconds")), reason: field("reason") });
  };
  return (
    <form class="row" onSubmit={submit}>
      <label>
        Kind
        <select name="kind">
          {Object.entries(KINDS).map(([kind, words]) => (
            <option value={kind}>{words}</option>
          ))}
        </select>
      </label>
      <label>
        Address, key or id
        <input name="subject" autocomplete="off" spellcheck={false} required />
      </label>
      <label>
        For
        <select name="seconds">
          {TIMES.map(([seconds, words]) => (
            <option value={seconds}>{words}</option>
          ))}
        </select>
      </label>
      <label>
        Reason
        <input name="reason" autocomplete="off" maxLength={200} required />
      </label>
      <button class="button danger">Ban</button>
    </form>
  );
}

function subjectOf({ address, key, playerId }: Ban): string {
  return address || (key ? `key ${key}` : `player ${playerId}`);
}
