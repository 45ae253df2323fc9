import type { api } from "skerry-client";
import type { JSX } from "preact";
import { usePolling } from "./polling.js";
import { followLink } from "./router.js";
import { client } from "./server.js";

/** A link to the ladders, if the server has any. The call is made here, so that the lobby does without those of ladders. */
export function LaddersLink(): JSX.Element | null {
  const found = usePolling((signal) => client.calls.call<api.ListLaddersResponse>({ path: "ladders" }, { signal }), { isDone: () => true, maxReads: 3 });
  return found?.ladders.length ? (
    <a href="/ladders" onClick={followLink}>
      Ladders
    </a>
  ) : null;
}
