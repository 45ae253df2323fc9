import type { JSX } from "preact";
import { usePolling } from "./polling.js";
import { followLink } from "./router.js";
import { client } from "./server.js";
import { t } from "./texts/texts.js";

/**
 * Links to the ladders and the tournaments, if the server has any. The calls are made here, so that the lobby does without
 * those of ladders and tournaments.
 */
export function RankingLinks(): JSX.Element {
  return (
    <>
      <ListLink kind="ladders" text={t("page-ladders")} />
      <ListLink kind="tournaments" text={t("page-tournaments")} query="?pageSize=1" />
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
