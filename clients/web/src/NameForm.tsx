import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Refusal } from "./Refusal.js";
import { t } from "./texts/texts.js";
import { useAttempt } from "./useAttempt.js";

interface NameFormProps {
  /** The name and the join code before the player changes them. */
  known: { name: string; code: string };
  /** Whether a join code is required. */
  asksCode: boolean;
  /** The text of the button. */
  verb: string;
  /** Why the server has refused the name. */
  before?: string | undefined;
  /** Sends the form. `code`: absent if none is required. */
  onSubmit: (name: string, code: string | undefined) => Promise<void>;
}

/** The form with which a player joins a table or enters a tournament. */
export function NameForm({ known, asksCode, verb, before, onSubmit }: NameFormProps): JSX.Element {
  const [name, setName] = useState(known.name);
  const [code, setCode] = useState(known.code);
  const { refused, isBusy, attempt } = useAttempt(before);
  const submit = (event: Event): void => {
    event.preventDefault();
    attempt(() => onSubmit(name.trim(), asksCode ? code : undefined));
  };
  return (
    <form class="sit" onSubmit={submit}>
      <label>
        {t("your-name")}
        <input value={name} maxLength={80} autocomplete="nickname" required onInput={(event) => setName(event.currentTarget.value)} />
      </label>
      {asksCode && (
        <label>
          {t("join-code")}
          <input class="code" value={code} maxLength={16} autocomplete="off" autocapitalize="characters" required onInput={(event) => setCode(event.currentTarget.value)} />
        </label>
      )}
      <button class="button now" disabled={isBusy || !name.trim() || (asksCode && !code.trim())}>
        {verb}
      </button>
      <Refusal text={refused} />
    </form>
  );
}
