import type { api } from "skerry-client";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { storedSession, lastPlayerName } from "../storage.js";
import { takeSeat, type RefusedName } from "../session/tableActions.js";
import { NameForm } from "../NameForm.js";
import { client } from "../server.js";
import { rich, t } from "../texts/texts.js";

/** Returns the join code from the link. It stands after the `#`, a part that browsers never send to a server. */
function linkedCode(): string {
  return /^#code=([\w-]+)$/.exec(location.hash)?.[1] ?? "";
}

interface JoinFormProps {
  session: api.Session;
  onSeat: (token: string) => void;
}

/** The form that takes a seat. It asks for a join code if the table requires one. */
export function JoinForm({ session, onSeat }: JoinFormProps): JSX.Element {
  const { name = lastPlayerName(), refused } = (history.state ?? {}) as Partial<RefusedName>;
  const code = storedSession(session.name)?.joinCode ?? linkedCode();
  const sit = async (wanted: string, joinCode: string | undefined): Promise<void> => {
    const table = await client.table(session.name, { joinCode });
    const token = await takeSeat(table, session.game, wanted, { hasFixedChance: session.lesson || session.state !== "SESSION_STATE_LOBBY" });
    history.replaceState(null, "", location.href);
    onSeat(token);
  };
  return <NameForm known={{ name, code }} asksCode={session.joinCodeRequired} verb={t("lobby-join")} before={refused} onSubmit={sit} />;
}

/** The link that invites others. It includes the join code if the table requires one and this browser knows it. */
export function InviteLink({ session, code = linkedCode() }: { session: api.Session; code: string | undefined }): JSX.Element {
  const [copied, setCopied] = useState(false);
  const carries = session.joinCodeRequired && code !== "";
  const link = location.origin + location.pathname + (carries ? `#code=${code}` : "");
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(link);
      setCopied(true);
    } catch {
      document.querySelector<HTMLInputElement>("#link")?.select();
    }
  };
  return (
    <div class="share">
      <label>
        {session.joinCodeRequired && !carries
          ? t("join-link-code")
          : t("join-link")}
        <input id="link" readonly value={link} onFocus={(event) => event.currentTarget.select()} />
      </label>
      <button class="button" onClick={copy}>
        {copied ? t("join-copied") : t("join-copy")}
      </button>
      {carries && (
        <p class="soft small">
          {rich("join-code-note", { code: <strong class="code">{code}</strong> })}
        </p>
      )}
    </div>
  );
}
