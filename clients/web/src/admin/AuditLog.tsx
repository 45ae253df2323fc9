import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Table } from "./factTables.js";
import { call, sentenceOf } from "./operatorApi.js";
import type { AuditEntry } from "./operatorTypes.js";
import { dateText } from "../texts/formats.js";
import { t } from "../texts/texts.js";
import { Refusal } from "../Refusal.js";

interface Page {
  entries: AuditEntry[];
  nextPageToken: string;
}

/** What operators did, the newest first. */
export function AuditLog(): JSX.Element {
  const [found, setFound] = useState<Page>();
  const [refusal, setRefusal] = useState("");
  const read = async (before?: Page): Promise<void> => {
    try {
      const page = await call<Page>("ListAuditEntries", { pageToken: before?.nextPageToken ?? "" });
      setFound({ ...page, entries: [...(before?.entries ?? []), ...page.entries] });
      setRefusal("");
    } catch (error) {
      setRefusal(sentenceOf(error));
    }
  };
  useEffect(() => void read(), []);
  return (
    <section aria-labelledby="title">
      <h1 id="title" tabIndex={-1}>
        {t("op-audit")}
      </h1>
      <Refusal text={refusal} />
      {found && (
        <div class="panel">
          <Table
            name={t("op-audit")}
            none={t("op-no-audit")}
            head={[t("op-time"), t("op-operator"), t("op-action"), t("op-resource"), t("op-outcome"), t("op-details")]}
            rows={found.entries.map(({ time, operator, action, resource, outcome, detail }) => [
              dateText(time, { dateStyle: "medium", timeStyle: "medium" }),
              operator,
              action,
              resource,
              outcome,
              detail,
            ])}
          />
        </div>
      )}
      {found?.nextPageToken && (
        <button class="button" onClick={() => void read(found)}>
          {t("op-more")}
        </button>
      )}
    </section>
  );
}
