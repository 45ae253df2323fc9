import type { FunctionComponent, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";

type Table = FunctionComponent<{ name: string }>;

let loaded: Table | undefined;

/** Loads the code of the table. The lobby does without it, so that it is painted earlier. */
export async function loadTable(): Promise<void> {
  loaded = (await import("./table/TablePage.js")).TablePage;
}

/** The table, once its code is there. */
export function TableScreen({ name }: { name: string }): JSX.Element {
  const [, setLoaded] = useState(loaded !== undefined);
  const [isMissing, setMissing] = useState(false);
  useEffect(() => {
    // Also if it is loaded already: it may have been since this was drawn.
    loadTable().then(
      () => setLoaded(true),
      () => setMissing(true),
    );
  }, []);
  const TablePage = loaded;
  if (TablePage) return <TablePage name={name} />;
  // Never empty: a page that embeds this one makes its frame as high as this, and a frame without a height stands still.
  return (
    <main class="wait">
      <p role="status">{isMissing ? "The table could not be loaded. Reload the page to try again." : "Opening the table …"}</p>
    </main>
  );
}
