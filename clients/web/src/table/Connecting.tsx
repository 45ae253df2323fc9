import type { Connection } from "skerry-client";
import type { JSX } from "preact";

/** Says calmly that there is no connection, and when it is tried again. Says nothing while there is one. */
export function Connecting({ connection }: { connection: Connection }): JSX.Element {
  return (
    <div class="connecting" role="status">
      {connection.state === "waiting" && (
        <p>
          The connection is lost; nothing of the game is. Trying again in{" "}
          {Math.max(1, Math.round(connection.delayMs / 1000))} s.
        </p>
      )}
    </div>
  );
}
