import { type Seat, SkerryError, type Table } from "skerry-client";
import { client } from "../server.js";
import { forgetSeat, forgetSession, seatTokenOf, storedSession } from "../storage.js";

/** Opens a session with the best stored token. Removes a token that is no longer valid. */
export async function openSession(name: string, signal?: AbortSignal): Promise<Seat | Table> {
  const [seatToken, hostToken] = [seatTokenOf(name), storedSession(name)?.hostToken];
  try {
    return seatToken ? await client.seat(name, seatToken, { signal }) : await client.table(name, { hostToken, signal });
  } catch (error) {
    if (!(isVoid(error) && (seatToken || hostToken))) throw error;
    if (seatToken) forgetSeat(name, seatToken);
    else forgetSession(name);
    return await openSession(name, signal);
  }
}

/** Whether an error says that a token is no longer valid: its player left, or the host removed the player. */
export function isVoid(error: unknown): boolean {
  return error instanceof SkerryError && error.status === "UNAUTHENTICATED";
}
