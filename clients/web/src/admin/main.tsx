import { render } from "preact";
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { AuditLog } from "./AuditLog.js";
import { BanList } from "./BanList.js";
import { call, CallError, setKey } from "./operatorApi.js";
import { ServiceOverview } from "./ServiceOverview.js";
import { SessionDetails } from "./SessionDetails.js";
import { SessionList } from "./SessionList.js";
import "../style/tokens.css";
import "./operators.css";
import { Refusal } from "../Refusal.js";

const SCREENS: readonly [hash: string, title: string, screen: () => JSX.Element][] = [
  ["", "Overview", ServiceOverview],
  ["sessions", "Sessions", SessionList],
  ["bans", "Bans", BanList],
  ["audit", "Audit log", AuditLog],
];

/** The operators' page: a screen for each hash of its address. */
function OperatorsPage(): JSX.Element {
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
  useEffect(() => main.current?.querySelector("h1")?.focus(), [screen]);
  const Screen = SCREENS.find(([hash]) => hash === screen)?.[2] ?? ServiceOverview;
  const session = /^sessions\/([\w-]+)$/.exec(screen)?.[1];
  return (
    <>
      <header class="top">
        <a class="brand" href="#">
          Skerry
        </a>
        <nav aria-label="Operators">
          {SCREENS.map(([hash, title]) => (
            <a href={`#${hash}`} aria-current={screen === hash ? "page" : undefined} key={hash}>
              {title}
            </a>
          ))}
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
      setRefusal(error instanceof CallError ? error.message : String(error));
    }
  };
  return (
    <form class="panel key" onSubmit={(event) => void submit(event)}>
      <h1 tabIndex={-1}>API key</h1>
      <p>This server requires an API key with the scope “admin”. The page keeps it until you close this tab.</p>
      <label>
        Key
        <input name="key" type="password" autocomplete="off" required />
      </label>
      <Refusal text={refusal} />
      <div class="row">
        <button class="button now">Continue</button>
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

render(<OperatorsPage />, document.getElementById("page")!);
