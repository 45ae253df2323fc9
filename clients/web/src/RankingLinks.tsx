import type { JSX } from "preact";
import { usePolling } from "./polling.js";
import { followLink } from "./router.js";
import { client } from "./server.js";

/**
 * Links to the ladders and the tournaments, if the server has any. The calls are made here, so that the lobby does without
 * those of ladders and tournaments.
 */
export function RankingLinks(): JSX.Element {
  return (
    <>
      <ListLink kind="ladders" text="Ladders" />
      <ListLink kind="tournaments" text="Tournaments" query="?pageSize=1" />
    </>
  );
}

function ListLink({ kind, text, query = "" }: { kind: string; text: string; query?: string }): JSX.Element | null {
  const found = usePolling((signal) => client.calls.call<Record<string, readonly unknown[]>>({ path: kind + query }, { signal }), {
    isDone: () => true,
    maxReads: 3,
  });
  return found?.[kind]?.length ? (
    <a href={`/${kind}`} onClick={followLink}>
      {text}
    </a>
  ) : null;
}
