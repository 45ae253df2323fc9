import type { JSX } from "preact";
import { useAnswering } from "./server.js";

/** Says that the server does not answer. Says nothing while it does. */
export function Answering(): JSX.Element {
  const isAnswering = useAnswering();
  return (
    <p class="connecting">
      <span role="status">{!isAnswering && "The server is not responding. Trying again …"}</span>
    </p>
  );
}
