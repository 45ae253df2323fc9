import { render } from "preact";
import type { JSX } from "preact";
import { startEmbedding } from "./embedding.js";
import { ErrorBoundary } from "./ErrorBoundary.js";
import { type LazyScreen, lazyScreen } from "./lazyScreen.js";
import { Lobby } from "./lobby/Lobby.js";
import { MatchDialog } from "./matching/MatchDialog.js";
import { resumeSearch } from "./matching/matchSearch.js";
import { SearchStatus } from "./matching/SearchStatus.js";
import { RankingLinks } from "./RankingLinks.js";
import { decodePathPart, followLink, usePath } from "./router.js";
import { LanguageSelect } from "./LanguageSelect.js";
import { registerServiceWorker } from "./serviceWorker.js";
import { prepareSoundOnUse } from "./sound.js";
import { loadTexts, useLanguage } from "./texts/language.js";
import { t } from "./texts/texts.js";
import "./analysis/analysis.css";
import "./style/tokens.css";
import "./style/layout.css";
import "./style/table.css";
import "./style/boards.css";
import "./style/moments.css";

const SCREEN = /^\/(?:sessions\/([^/]+)|(ladders|tournaments)(?:\/([^/]+))?)\/?$/;

// The lobby does without their code, so that it is painted earlier.
const table = lazyScreen("table", () => import("./table/TablePage.js"), ["table"]);
const rankings: Readonly<Record<string, LazyScreen<{ id: string }>>> = {
  ladders: lazyScreen("ladders", () => import("./ladders/LadderPages.js"), ["rankings", "ladders"]),
  tournaments: lazyScreen("tournaments", () => import("./tournaments/TournamentPages.js"), ["rankings", "tournaments"]),
};

/** The page: the lobby at `/`, a table at `/sessions/{id}`; ladders and tournaments, their lists and one of them each. */
function Page(): JSX.Element {
  useLanguage(); // draws everything again
  const path = usePath();
  const [screen, session, kind = "", id = ""] = SCREEN.exec(path) ?? [];
  const Ranking = rankings[kind]?.Screen;
  return (
    <>
      <header class="top">
        <a href="/" class="brand" onClick={followLink}>
          Skerry
        </a>
        {screen && <SearchStatus />}
        <nav aria-label={t("page-about")}>
          {!session && <RankingLinks />}
          <a href="/docs">{t("page-api-docs")}</a>
          {!session && <LanguageSelect label={t("page-language")} />}
        </nav>
      </header>
      <ErrorBoundary key={screen} what={session ? "table" : "screen"}>
        {session ? <table.Screen name={`sessions/${decodePathPart(session)}`} /> : Ranking ? <Ranking id={decodePathPart(id)} /> : <Lobby />}
      </ErrorBoundary>
      <MatchDialog />
    </>
  );
}

/** Loads the table at once where it is shown, and otherwise once the lobby has been. */
function prepareTable(): void {
  const load = (): void => void table.load().catch(() => undefined); // The screen tries again, and says so.
  if (location.pathname.startsWith("/sessions/")) load();
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
const page = document.getElementById("page")!;
loadTexts("lobby").then(
  () => render(<Page />, page),
  () => (page.textContent = "Skerry could not be loaded. Reload the page to try again."), // without texts, in no other language
);
