import { afterEach, beforeEach, expect, it, vi } from "vitest";

/** The server: one tournament, which answers as the service does. */
const entrants = new Map<string, { name: string; number: number }>();
let losesResponse = false;

async function serve(url: string, options?: RequestInit): Promise<Response> {
  if (!url.endsWith(":enter")) return Response.json({ tournament: { entrants: [...entrants.values()] } });
  const { displayName, requestId } = JSON.parse(String(options?.body)) as { displayName: string; requestId: string };
  const entry = entrants.get(requestId) ?? { name: displayName, number: entrants.size + 1 };
  entrants.set(requestId, entry);
  if (losesResponse) return new Promise(() => undefined);
  if (entry.name === displayName) return Response.json({ entrant: entry.number, entrantToken: `token ${entry.number}` });
  const details = [{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "REQUEST_ID_REUSED", domain: "skerry", metadata: {} }];
  return Response.json({ error: { code: 400, status: "INVALID_ARGUMENT", message: "reused", details } }, { status: 400 });
}

beforeEach(() => {
  entrants.clear();
  losesResponse = false;
  vi.resetModules();
  vi.stubGlobal("location", { origin: "http://localhost" });
  vi.stubGlobal("fetch", (url: string | URL, options?: RequestInit) => serve(String(url), options));
});
afterEach(() => vi.unstubAllGlobals());

it("an entry whose responses were lost is found again with any name", async () => {
  const { enter } = await import("../src/tournaments/entry.js");
  const { storedEntry } = await import("../src/tournaments/storedEntry.js");
  losesResponse = true;
  for (const name of ["Ada", "ada"]) {
    void enter("cup", name, undefined);
    await vi.waitFor(() => expect(storedEntry("cup")?.name).toBe(name));
  }
  await vi.waitFor(() => expect(entrants.size).toBe(1));
  losesResponse = false;
  await enter("cup", "Ada L.", undefined);
  expect(storedEntry("cup")).toMatchObject({ name: "Ada", number: 1, token: "token 1" });
  expect(entrants.size).toBe(1);
});

it("a second tab keeps an entry, until the organizer removes it", async () => {
  const { enter } = await import("../src/tournaments/entry.js");
  const { forgetEntrantToken, storedEntry } = await import("../src/tournaments/storedEntry.js");
  await enter("cup", "Ada", undefined);
  await enter("cup", "Ben", undefined);
  expect([storedEntry("cup")?.name, entrants.size]).toEqual(["Ada", 1]);
  entrants.clear();
  await enter("cup", "Ben", undefined);
  expect([storedEntry("cup")?.name, entrants.size]).toEqual(["Ben", 1]);
  forgetEntrantToken("cup");
  expect(storedEntry("cup")).toMatchObject({ name: "Ben", number: 1 });
  expect(storedEntry("cup")?.token).toBeUndefined();
});
