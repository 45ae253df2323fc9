import type { JSX } from "preact";
import { useServerResponds } from "./server.js";
import { t } from "./texts/texts.js";

/** A message while the server does not respond. */
export function ServerStatus(): JSX.Element {
  const responds = useServerResponds();
  return (
    <p class="connecting">
      <span role="status">{!responds && t("page-silent-server")}</span>
    </p>
  );
}
