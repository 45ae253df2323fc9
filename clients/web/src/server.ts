import { Client, SkerryError } from "skerry-client";
import { language } from "./texts/language.js";
import { t } from "./texts/texts.js";
import { useLatest } from "./useLatest.js";

/** The client of the server that served this page. It retries each call until the server answers. */
export const client = new Client(location.origin, { retryForMs: Infinity, fetch: (...request) => trackedFetch(...request) });

/** Returns an error as a sentence for players. */
export function errorMessage(error: unknown): string {
  if (!(error instanceof SkerryError)) return t("page-wrong");
  if (error.is("UNEXPECTED_ANSWER")) return t("page-unexpected"); // from a proxy, say, which knows no languages
  // The field before the sentence is for programs.
  return error.localizedMessage ?? error.message.replace(/^[a-z]\S*: /, "");
}

const CHANGED = "skerry-server-status";
let isResponding = true;

/** Returns whether the server responded to the last request. */
export function useServerResponds(): boolean {
  return useLatest(() => isResponding, CHANGED);
}

/** Fetches in the language of the page, and records whether the server responded. A request that this page aborts does not count, unless it timed out. */
async function trackedFetch(...[resource, options]: Parameters<typeof fetch>): Promise<Response> {
  try {
    const headers = new Headers(options?.headers);
    headers.set("Accept-Language", language());
    const response = await fetch(resource, { ...options, headers });
    setResponding(response.status < 500);
    return response;
  } catch (error) {
    if (!options?.signal?.aborted || options.signal.reason instanceof SkerryError) setResponding(false);
    throw error;
  }
}

function setResponding(responds: boolean): void {
  if (responds === isResponding) return;
  isResponding = responds;
  dispatchEvent(new Event(CHANGED));
}
