import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useAnswering } from "../server.js";
import type { Followed } from "./follow.js";

/**
 * Says calmly that there is no connection, and when it is tried again. Says nothing while there is one. Screen readers
 * announce that it is lost, not each attempt.
 */
export function Connecting({ connection }: Pick<Followed, "connection">): JSX.Element {
  const isOnline = useOnline();
  const isAnswering = useAnswering();
  const isWaiting = connection.state === "waiting";
  const isLost = isWaiting || !isOnline || (connection.state === "opening" && !isAnswering);
  const again = isWaiting && `Trying again in ${Math.max(1, Math.round(connection.delayMs / 1000))} s.`;
  return (
    <p class="connecting">
      <span role="status">{isLost && "Connection lost. Your game is safe."}</span>{" "}
      {isOnline ? again : "The page reconnects when your network is back."}
    </p>
  );
}

/** Whether this machine is on a network. A stream can be dead for long before it is noticed; this is told at once. */
function useOnline(): boolean {
  const [isOnline, setOnline] = useState(navigator.onLine);
  useEffect(() => {
    const changed = (): void => setOnline(navigator.onLine);
    addEventListener("online", changed);
    addEventListener("offline", changed);
    return () => {
      removeEventListener("online", changed);
      removeEventListener("offline", changed);
    };
  }, []);
  return isOnline;
}
