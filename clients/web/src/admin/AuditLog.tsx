import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Table } from "./factTables.js";
import { call, sentenceOf } from "./operatorApi.js";
import type { AuditEntry } from "./operatorTypes.js";
import { Refusal } from "../Refusal.js";

interface Page {
  entries: AuditEntry[];
  nextPageToken: string;
}

const TIME = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "medium" });

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
        Audit log
      </h1>
      <Refusal text={refusal} />
      {found && (
        <div class="panel">
          <Table
            name="audit log"
            none="No operator has changed anything."
            head={["Time", "Operator", "Action", "Resource", "Outcome", "Details"]}
            rows={found.entries.map(({ time, operator, action, resource, outcome, detail }) => [
              TIME.format(Date.parse(time)),
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
          Show more
        </button>
      )}
    </section>
  );
}
