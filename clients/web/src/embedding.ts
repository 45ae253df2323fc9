import type { api } from "skerry-client";
import { giveSeat } from "./storage.js";
import { isTurnOf } from "./session/turns.js";

/**
 * The page inside a frame of another site, or in the web view of an app. `frame-ancestors` lists the origins that may
 * embed it, so a message from the parent window comes from one of them. The element `<skerry-table>` of the package
 * `skerry-client/table` is the other side:
 *
 * 1. The page sends `skerry-ready`, which says nothing, to the window around it.
 * 2. The embedder answers `skerry-open` with a seat token and a theme, both optional.
 * 3. The page sends `skerry-state` and `skerry-size` to the origin of that answer.
 *
 * An app that shows the page without a script of its own puts the token after the `#`, which browsers send to no server.
 */

/** The window that embeds this page. */
const embedder = window.parent === window ? undefined : window.parent;
/** The origin of `embedder`, once it has answered. */
let origin: string | undefined;
/** The last message of each type, for an embedder that answers later. */
const reported = new Map<string, object>();

const SESSION = /^sessions\/[\w.-]+$/;
const TOKEN = /^[\w-]{1,200}$/;
const DARK = "(prefers-color-scheme: dark)";

/** Takes the token in the address, and offers an embedder the page. Call it before the page is rendered. */
export function startEmbedding(): void {
  takeTokenOfAddress();
  addEventListener("hashchange", takeTokenOfAddress);
  if (!embedder) return;
  document.documentElement.classList.add("embedded");
  addEventListener("message", (event) => event.source === embedder && answer(event));
  new ResizeObserver(() => report({ type: "skerry-size", height: height() })).observe(document.body);
  embedder.postMessage({ type: "skerry-ready" }, "*");
}

/** The height that a table asks for, in pixels. A table is as high as its window, so it has no height of its own. */
const TABLE_HEIGHT = 760;

function height(): number {
  return document.querySelector("main.play") ? TABLE_HEIGHT : document.body.offsetHeight;
}

/** Sends the state of the session to the embedder. */
export function reportState(session: api.Session, position: api.Position | undefined): void {
  const { name, state } = session;
  const yourTurn = state === "SESSION_STATE_PLAYING" && !!position && isTurnOf(session, position);
  const over = state === "SESSION_STATE_FINISHED" || state === "SESSION_STATE_CANCELLED";
  report({ type: "skerry-state", session: name, state, sequence: Number(position?.sequence ?? session.sequence), yourTurn, over });
}

function report(message: { type: string; [fact: string]: unknown }): void {
  reported.set(message.type, message);
  if (origin) embedder?.postMessage(message, origin);
}

function answer({ data, origin: from }: MessageEvent): void {
  const { type, session, token, theme } = (data ?? {}) as Record<string, unknown>;
  if (type !== "skerry-open") return;
  if (typeof session === "string" && SESSION.test(session) && typeof token === "string" && TOKEN.test(token)) giveSeat(session, token);
  if (theme === "light" || theme === "dark") setTheme(theme);
  if (from === "null") return; // an origin that cannot be addressed
  origin = from;
  for (const message of reported.values()) embedder?.postMessage(message, origin);
}

/** Takes a seat token from the address, and removes it there at once, so that no link or bookmark contains it. */
function takeTokenOfAddress(): void {
  const [, session] = /^\/(sessions\/[\w.-]+)\/?$/.exec(location.pathname) ?? [];
  const [, token] = /^#token=([\w-]{1,200})$/.exec(location.hash) ?? [];
  if (!session || !token) return;
  history.replaceState(history.state, "", location.pathname + location.search);
  giveSeat(session, token);
}

/** Shows one theme, whatever the system prefers. */
function setTheme(theme: "light" | "dark"): void {
  document.documentElement.style.colorScheme = theme;
  for (const sheet of document.styleSheets) fixTheme(sheet.cssRules, theme);
}

const themed = new Set<CSSMediaRule>();

function fixTheme(rules: CSSRuleList, theme: "light" | "dark"): void {
  for (const rule of rules) {
    if (rule instanceof CSSMediaRule && (themed.has(rule) || rule.conditionText === DARK)) {
      themed.add(rule);
      rule.media.mediaText = theme === "dark" ? "all" : "not all";
    } else if ("cssRules" in rule) {
      fixTheme(rule.cssRules as CSSRuleList, theme);
    }
  }
}
