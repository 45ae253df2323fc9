import { render } from "preact";
import type { JSX } from "preact";
import { startEmbedding } from "./embedding.js";
import { ErrorBoundary } from "./ErrorBoundary.js";
import { LaddersLink } from "./LaddersLink.js";
import { lazyScreen } from "./lazyScreen.js";
import { Lobby } from "./lobby/Lobby.js";
import { MatchDialog } from "./matching/MatchDialog.js";
import { resumeSearch } from "./matching/matchSearch.js";
import { SearchStatus } from "./matching/SearchStatus.js";
import { decodePathPart, followLink, usePath } from "./router.js";
import { registerServiceWorker } from "./serviceWorker.js";
import { prepareSoundOnUse } from "./sound.js";
import "./style/tokens.css";
import "./style/layout.css";
import "./style/table.css";
import "./style/boards.css";
import "./style/moments.css";

const SESSION = /^\/(sessions\/[^/]+)\/?$/;
const LADDERS = /^\/ladders(?:\/([^/]+))?\/?$/;

// The lobby does without their code, so that it is painted earlier.
const table = lazyScreen("table", async () => (await import("./table/TablePage.js")).TablePage);
const ladders = lazyScreen("ladders", async () => (await import("./ladders/LadderPages.js")).LadderPages);

/** The page: the lobby at `/`, a table at `/sessions/{id}`, ladders at `/ladders` and `/ladders/{id}`. */
function Page(): JSX.Element {
  const path = usePath();
  const [, session] = SESSION.exec(path) ?? [];
  const [ranking, ladder = ""] = LADDERS.exec(path) ?? [];
  return (
    <>
      <header class="top">
        <a href="/" class="brand" onClick={followLink}>
          Skerry
        </a>
        {(session || ranking) && <SearchStatus />}
        <nav aria-label="About">
          {!session && <LaddersLink />}
          <a href="/docs">API docs</a>
        </nav>
      </header>
      <ErrorBoundary key={session ?? ranking} what={session ? "This table" : "This screen"}>
        {session ? <table.Screen name={decodePathPart(session)} /> : ranking ? <ladders.Screen ladder={decodePathPart(ladder)} /> : <Lobby />}
      </ErrorBoundary>
      <MatchDialog />
    </>
  );
}

/** Loads the table at once where it is shown, and otherwise once the lobby has been. */
function prepareTable(): void {
  const load = (): void => void table.load().catch(() => undefined); // The screen tries again, and says so.
  if (SESSION.test(location.pathname)) load();
  else addEventListener("load", () => setTimeout(load, 500));
}

/** Sets the class `hovers` on devices whose pointer can hover. On touch screens, the last element touched keeps its `:hover` style. */
function markHovering(): void {
  const hovering = matchMedia("(hover: hover)");
  const mark = (): boolean => document.documentElement.classList.toggle("hovers", hovering.matches);
  hovering.addEventListener("change", mark);
  mark();
}

markHovering();
startEmbedding();
prepareSoundOnUse();
registerServiceWorker();
resumeSearch();
prepareTable();
render(<Page />, document.getElementById("page")!);
