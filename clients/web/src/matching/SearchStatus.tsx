import type { JSX } from "preact";
import { followLink } from "../router.js";
import { Stopwatch } from "../Countdown.js";
import { stopSearch, useMatchSearch } from "./matchSearch.js";
import { t } from "../texts/texts.js";

/** The search above a table, in one line: it goes on while its player plays something else. */
export function SearchStatus(): JSX.Element | null {
  const search = useMatchSearch();
  if (!search) return null;
  const isOver = search.progress.state === "ended";
  return (
    <p class="searching small">
      <a href="/" onClick={followLink}>
        {isOver ? t("search-ended") : t("search-running")}
      </a>
      {!isOver && (
        <>
          <Stopwatch since={search.since} />
          <button class="button" onClick={stopSearch}>
            {t("search-stop-short")}
          </button>
        </>
      )}
    </p>
  );
}
