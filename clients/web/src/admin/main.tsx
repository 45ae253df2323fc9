import { render } from "preact";
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { AuditLog } from "./AuditLog.js";
import { BanList } from "./BanList.js";
import { Competitions } from "./Competitions.js";
import { call, CallError, sentenceOf, setKey } from "./operatorApi.js";
import { ServiceOverview } from "./ServiceOverview.js";
import { SessionDetails } from "./SessionDetails.js";
import { SessionList } from "./SessionList.js";
import { LanguageSelect } from "../LanguageSelect.js";
import { Refusal } from "../Refusal.js";
import { loadTexts, useLanguage } from "../texts/language.js";
import { messageId, t } from "../texts/texts.js";
import "../style/tokens.css";
import "./operators.css";

const SCREENS: readonly [hash: string, title: string, screen: () => JSX.Element][] = [
  ["", messageId("op-overview"), ServiceOverview],
  ["sessions", messageId("op-sessions"), SessionList],
  ["competitions", messageId("op-competitions"), Competitions],
  ["bans", messageId("op-bans"), BanList],
  ["audit", messageId("op-audit"), AuditLog],
];

/** The operators' page: a screen for each hash of its address. */
function OperatorsPage(): JSX.Element {
  const spoken = useLanguage(); // draws everything again
  const screen = useHash();
  const [needsKey, setNeedsKey] = useState<boolean>();
  const main = useRef<HTMLElement>(null);
  useEffect(() => {
    const isAboutKey = (error: unknown): boolean => error instanceof CallError && error.isAboutKey;
    call("GetOverview").then(
      () => setNeedsKey(false),
      (error: unknown) => setNeedsKey(isAboutKey(error)),
    );
  }, []);
  useEffect(() => void (document.title = t("op-title")), [spoken]);
  useEffect(() => main.current?.querySelector("h1")?.focus(), [screen]);
  const Screen = SCREENS.find(([hash]) => hash === screen)?.[2] ?? ServiceOverview;
  const session = /^sessions\/([\w-]+)$/.exec(screen)?.[1];
  return (
    <>
      <header class="top">
        <a class="brand" href="#">
          Skerry
        </a>
        <nav aria-label={t("op-about")}>
          {SCREENS.map(([hash, title]) => (
            <a href={`#${hash}`} aria-current={screen === hash ? "page" : undefined} key={hash}>
              {t(title)}
            </a>
          ))}
          <LanguageSelect label={t("op-language")} />
        </nav>
      </header>
      <main ref={main}>
        {needsKey && <KeyForm onKey={() => setNeedsKey(false)} />}
        {needsKey === false && (session ? <SessionDetails key={session} id={session} /> : <Screen />)}
      </main>
    </>
  );
}

function KeyForm({ onKey }: { onKey: () => void }): JSX.Element {
  const [refusal, setRefusal] = useState("");
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    setKey(String(new FormData(event.currentTarget as HTMLFormElement).get("key")).trim());
    try {
      await call("GetOverview");
      onKey();
    } catch (error) {
      setRefusal(sentenceOf(error));
    }
  };
  return (
    <form class="panel key" onSubmit={(event) => void submit(event)}>
      <h1 tabIndex={-1}>{t("op-key-title")}</h1>
      <p>{t("op-key-needed")}</p>
      <label>
        {t("op-key")}
        <input name="key" type="password" autocomplete="off" required />
      </label>
      <Refusal text={refusal} />
      <div class="row">
        <button class="button now">{t("op-key-send")}</button>
      </div>
    </form>
  );
}

function useHash(): string {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const changed = (): void => setHash(location.hash);
    addEventListener("hashchange", changed);
    return () => removeEventListener("hashchange", changed);
  }, []);
  return hash.slice(1);
}

const page = document.getElementById("page")!;
loadTexts("operators").then(
  () => render(<OperatorsPage />, page),
  () => (page.textContent = "The operators' page could not be loaded. Reload it to try again."), // without texts, in no other language
);
