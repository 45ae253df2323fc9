import type { JSX } from "preact";
import { followLink } from "../router.js";
import { Stopwatch } from "./Countdown.js";
import { stopSearch, useMatchSearch } from "./matchSearch.js";

/** The search above a table, in one line: it goes on while its player plays something else. */
export function SearchStatus(): JSX.Element | null {
  const search = useMatchSearch();
  if (!search) return null;
  const isOver = search.progress.state === "ended";
  return (
    <p class="searching small">
      <a href="/" onClick={followLink}>
        {isOver ? "Search ended" : "Looking for opponents"}
      </a>
      {!isOver && (
        <>
          <Stopwatch since={search.since} />
          <button class="button" onClick={stopSearch}>
            Stop
          </button>
        </>
      )}
    </p>
  );
}
