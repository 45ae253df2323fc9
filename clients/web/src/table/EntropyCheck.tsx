import type { api, Seat, Table } from "skerry-client";
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { addedTo } from "../storage.js";
import { isSeat } from "../session/followed.js";
import { t } from "../texts/texts.js";

interface EntropyCheckProps {
  session: api.Session;
  handle: Seat | Table | undefined;
}

/** Whether a finished game used what this browser added to the seed, and the seed that the server had fixed before. */
export function EntropyCheck({ session, handle }: EntropyCheckProps): JSX.Element | null {
  const added = addedTo(session.name);
  const [isKept, setKept] = useState<boolean>();
  useEffect(() => {
    if (added?.commitment) void commitmentOf(session).then((computed) => setKept(computed === undefined ? computed : computed === added.commitment));
  }, [session.seed]);
  if (!added || !isSeat(handle)) return null;
  if (session.seats[handle.number]?.entropy !== added.entropy) {
    return <p class="refusal">{t("result-entropy-lost")}</p>;
  }
  if (isKept === false) return <p class="refusal">{t("result-seed-changed")}</p>;
  return (
    <p class="soft small">
      {t("result-entropy")} {isKept && t("result-seed-kept")}
    </p>
  );
}

/** Returns the commitment to the published seed, in Base64. `undefined` on pages without TLS: browsers hash nothing there. */
async function commitmentOf({ seed, name }: api.Session): Promise<string | undefined> {
  if (!crypto.subtle || !seed) return undefined;
  const bytes = Uint8Array.from(atob(seed) + name.replace("sessions/", ""), (letter) => letter.charCodeAt(0));
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return btoa(String.fromCharCode(...hash));
}
