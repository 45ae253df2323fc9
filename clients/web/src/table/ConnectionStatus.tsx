import type { JSX } from "preact";
import { useServerResponds } from "../server.js";
import type { Followed } from "../session/followed.js";
import { useLatest } from "../useLatest.js";
import { t } from "../texts/texts.js";

/**
 * A message while the connection is lost, with the time of the next attempt. Screen readers announce the loss once, not
 * each attempt.
 */
export function ConnectionStatus({ connection }: Pick<Followed, "connection">): JSX.Element {
  const isOnline = useOnline();
  const responds = useServerResponds();
  const isWaiting = connection.state === "waiting";
  const isLost = isWaiting || !isOnline || (connection.state === "opening" && !responds);
  const retry = isWaiting && t("table-retry", { seconds: Math.max(1, Math.round(connection.delayMs / 1000)) });
  return (
    <p class="connecting">
      <span role="status">{isLost && t("table-lost")}</span>{" "}
      {isOnline ? retry : t("table-offline")}
    </p>
  );
}

/** Returns whether the browser is online. It reports a lost network at once; a dead stream takes longer to notice. */
function useOnline(): boolean {
  return useLatest(() => navigator.onLine, "online", "offline");
}
