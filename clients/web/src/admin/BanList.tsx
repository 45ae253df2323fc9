import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ConfirmDialog } from "./ConfirmDialog.js";
import { Table } from "./factTables.js";
import { call, sentenceOf } from "./operatorApi.js";
import type { Ban } from "./operatorTypes.js";
import { inWords, secondsOf } from "./operatorWords.js";
import { Refusal } from "../Refusal.js";
import { unitText } from "../texts/formats.js";
import { messageId, t } from "../texts/texts.js";

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

const KINDS = { address: messageId("op-kind-address"), key: messageId("op-kind-key"), playerId: messageId("op-kind-player") } as const;
const TIMES = [
  [1, "hour", 3600],
  [1, "day", 86_400],
  [7, "day", 86_400],
  [30, "day", 86_400],
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
        {t("op-bans")}
      </h1>
      <BanForm onWanted={setWanted} />
      <Refusal text={refusal} />
      {found && (
        <div class="panel">
          <Table
            name={t("op-bans")}
            none={t("op-no-bans")}
            head={[t("op-banned"), t("op-reason"), t("op-left"), t("op-by"), t("op-lift")]}
            rows={found.bans.map((one) => [
              subjectOf(one),
              one.reason,
              inWords(secondsOf(one.remaining)),
              one.operator,
              <button class="button" aria-label={t("op-lift-ban", { subject: subjectOf(one) })} onClick={() => setLifted(one)}>
                {t("op-lift")}
              </button>,
            ])}
          />
        </div>
      )}
      {found?.nextPageToken && (
        <button class="button" onClick={() => void read(found)}>
          {t("op-more")}
        </button>
      )}
      {wanted && (
        <ConfirmDialog title={t("op-ban-title")} word={t("op-ban-word")} action={() => ban(wanted)} onClose={() => setWanted(undefined)}>
          {t("op-ban-effect", { ...wanted, time: inWords(wanted.seconds) })}
        </ConfirmDialog>
      )}
      {lifted && (
        <ConfirmDialog title={t("op-lift-title")} word={t("op-lift-word")} action={() => lift(lifted)} onClose={() => setLifted(undefined)}>
          {t("op-lift-effect", { subject: subjectOf(lifted) })}
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
        {t("op-kind")}
        <select name="kind">
          {Object.entries(KINDS).map(([kind, words]) => (
            <option value={kind}>{t(words)}</option>
          ))}
        </select>
      </label>
      <label>
        {t("op-subject")}
        <input name="subject" autocomplete="off" spellcheck={false} required />
      </label>
      <label>
        {t("op-for")}
        <select name="seconds">
          {TIMES.map(([count, unit, seconds]) => (
            <option value={count * seconds}>{unitText(count, unit)}</option>
          ))}
        </select>
      </label>
      <label>
        {t("op-reason")}
        <input name="reason" autocomplete="off" maxLength={200} required />
      </label>
      <button class="button danger">{t("op-ban")}</button>
    </form>
  );
}

function subjectOf({ address, key, playerId }: Ban): string {
  return address || (key ? t("op-banned-key", { key }) : t("op-banned-player", { player: playerId ?? "" }));
}
