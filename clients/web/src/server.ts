import { Client, SkerryError } from "skerry-client";

/** The server that served this page. Whatever is asked is asked again until it answers: a page has time. */
export const client = new Client(location.origin, { retryForMs: Infinity });

/** Returns what went wrong, for people. */
export function sentence(error: unknown): string {
  if (error instanceof SkerryError) return error.message;
  return "Something went wrong in this page. Reload it to go on.";
}
