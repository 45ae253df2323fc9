import { language } from "../texts/language.js";
import { t } from "../texts/texts.js";

/** A call that failed. */
export class CallError extends Error {
  constructor(
    /** The status, for example `not_found`. */
    readonly code: string,
    message: string,
  ) {
    super(message);
  }

  /** Whether another API key may help. */
  get isAboutKey(): boolean {
    return this.code === "unauthenticated" || this.code === "permission_denied";
  }
}

const KEY = "skerry-operator-key";
const SECONDS = 30;

/** Uses an API key for all calls of this tab. Other tabs, and this one after it is closed, have none. */
export function setKey(key: string): void {
  sessionStorage.setItem(KEY, key);
}

/** Calls an RPC of `skerry.admin.v1.AdminService`. Rejects with a CallError. */
export async function call<Response>(rpc: string, request: object = {}, signal?: AbortSignal): Promise<Response> {
  const headers = new Headers({ "Content-Type": "application/json", "Connect-Protocol-Version": "1", "Accept-Language": language() });
  const key = sessionStorage.getItem(KEY);
  if (key) headers.set("X-API-Key", key);
  const limits = [AbortSignal.timeout(SECONDS * 1000), ...(signal ? [signal] : [])];
  const options = { method: "POST", headers, body: JSON.stringify(request), credentials: "omit", signal: AbortSignal.any(limits) } as const;
  let response: globalThis.Response;
  try {
    response = await fetch(`/skerry.admin.v1.AdminService/${rpc}`, options);
  } catch (error) {
    throw signal?.aborted ? error : new CallError("unavailable", t("op-silent-server"));
  }
  const answer = await response.json().catch(() => ({}));
  if (response.ok) return answer as Response;
  throw new CallError(answer.code ?? "unknown", messageIn(answer) ?? t("op-status", { status: response.status }));
}

/** Returns the sentence of an error, in the language of the page if the server has it. */
function messageIn(answer: { message?: string; error?: { message: string }; details?: { debug?: { locale?: string; message?: string } }[] }): string | undefined {
  return answer.details?.find(({ debug }) => debug?.locale)?.debug?.message ?? answer.message ?? answer.error?.message;
}

/** Returns an error as a sentence. */
export function sentenceOf(error: unknown): string {
  return error instanceof CallError ? error.message : t("op-wrong");
}
