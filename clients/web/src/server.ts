import { Client, SkerryError } from "skerry-client";
import { useEffect, useState } from "preact/hooks";

/** The server that served this page. Whatever is asked is asked again until it answers: a page has time. */
export const client = new Client(location.origin, { retryForMs: Infinity, fetch: (...asked) => heard(...asked) });

/** Returns what went wrong, for people. */
export function sentence(error: unknown): string {
  if (error instanceof SkerryError) return error.message;
  return "Something went wrong on this page. Reload it to continue.";
}

const CHANGED = "skerry-answering";
let isAnswering = true;

/** Returns whether the server answered when it was last asked. */
export function useAnswering(): boolean {
  const [answering, setAnswering] = useState(isAnswering);
  useEffect(() => {
    const changed = (): void => setAnswering(isAnswering);
    changed();
    addEventListener(CHANGED, changed);
    return () => removeEventListener(CHANGED, changed);
  }, []);
  return answering;
}

/** Asks, and notes whether there was an answer. What is called off is none of the server's doing, unless it took too long. */
async function heard(...[what, how]: Parameters<typeof fetch>): Promise<Response> {
  try {
    const response = await fetch(what, how);
    note(response.status < 500);
    return response;
  } catch (error) {
    if (!how?.signal?.aborted || how.signal.reason instanceof SkerryError) note(false);
    throw error;
  }
}

function note(answers: boolean): void {
  if (answers === isAnswering) return;
  isAnswering = answers;
  dispatchEvent(new Event(CHANGED));
}
