import type { api } from "skerry-client";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { storedSession, lastPlayerName } from "../storage.js";
import { takeSeat, type RefusedName } from "../session/tableActions.js";
import { client, errorMessage } from "../server.js";

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
  const before = (history.state ?? {}) as Partial<RefusedName>;
  const [name, setName] = useState(before.name ?? lastPlayerName());
  const [code, setCode] = useState(storedSession(session.name)?.joinCode ?? linkedCode());
  const [refused, setRefused] = useState(before.refused ?? "");
  const [busy, setBusy] = useState(false);
  const asksCode = session.joinCodeRequired;
  const sit = async (event: Event): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    try {
      const table = await client.table(session.name, asksCode ? { joinCode: code } : {});
      const token = await takeSeat(table, session.game, name.trim(), { hasFixedChance: session.lesson || session.state !== "SESSION_STATE_LOBBY" });
      history.replaceState(null, "", location.href);
      onSeat(token);
    } catch (error) {
      setRefused(errorMessage(error));
      setBusy(false);
    }
  };
  return (
    <form class="sit" onSubmit={sit}>
      <label>
        Your name
        <input value={name} maxLength={80} autocomplete="nickname" required onInput={(event) => setName(event.currentTarget.value)} />
      </label>
      {asksCode && (
        <label>
          Join code
          <input
            class="code"
            value={code}
            maxLength={16}
            autocomplete="off"
            autocapitalize="characters"
            required
            onInput={(event) => setCode(event.currentTarget.value)}
          />
        </label>
      )}
      <button class="button now" disabled={busy || !name.trim() || (asksCode && !code.trim())}>
        Join
      </button>
      {refused && (
        <p class="refusal" role="alert">
          {refused}
        </p>
      )}
    </form>
  );
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
          ? "Anyone with this link and the code can join"
          : "Anyone with this link can join"}
        <input id="link" readonly value={link} onFocus={(event) => event.currentTarget.select()} />
      </label>
      <button class="button" onClick={copy}>
        {copied ? "Copied" : "Copy link"}
      </button>
      {carries && (
        <p class="soft small">
          The link includes the join code <strong class="code">{code}</strong>. Without it, players must type the code.
        </p>
      )}
    </div>
  );
}
