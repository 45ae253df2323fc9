import type { JSX } from "preact";
import { useServerResponds } from "./server.js";

/** A message while the server does not respond. */
export function ServerStatus(): JSX.Element {
  const responds = useServerResponds();
  return (
    <p class="connecting">
      <span role="status">{!responds && "The server is not responding. Trying again …"}</span>
    </p>
  );
}
