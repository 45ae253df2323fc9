import type { api } from "skerry-client";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { kept, lastName } from "../keep.js";
import { sitDown, type Unseated } from "../lobby/making.js";
import { client, sentence } from "../server.js";

/** The join code that the link carries, behind the #: what stands there is never sent to a server. */
function linkedCode(): string {
  return /^#code=([\w-]+)$/.exec(location.hash)?.[1] ?? "";
}

interface SitDownProps {
  session: api.Session;
  onSeat: (token: string) => void;
}

/** Takes a seat by name, and with the code where the table asks for one. */
export function SitDown({ session, onSeat }: SitDownProps): JSX.Element {
  const before = (history.state ?? {}) as Partial<Unseated>;
  const [name, setName] = useState(before.name ?? lastName());
  const [code, setCode] = useState(kept(session.name)?.joinCode ?? linkedCode());
  const [refused, setRefused] = useState(before.refused ?? "");
  const [busy, setBusy] = useState(false);
  const asksCode = session.joinCodeRequired;
  const sit = async (event: Event): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    try {
      const table = await client.table(session.name, asksCode ? { joinCode: code } : {});
      const token = await sitDown(table, session.game, name.trim());
      history.replaceState(null, "", location.href);
      onSeat(token);
    } catch (error) {
      setRefused(sentence(error));
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

/** The link by which others come. It carries the join code, if the table asks for one and it is known here. */
export function Share({ session, code = linkedCode() }: { session: api.Session; code: string | undefined }): JSX.Element {
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
