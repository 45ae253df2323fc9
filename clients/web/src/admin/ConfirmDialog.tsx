import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { sentenceOf } from "./operatorApi.js";
import { Refusal } from "../Refusal.js";
import { t } from "../texts/texts.js";

interface ConfirmDialogProps {
  title: string;
  /** What will happen, as sentences. */
  children: ComponentChildren;
  /** What the operator must type, and the label of the button. */
  word: string;
  /** Rejects if the action fails. The dialog then shows why, and stays open. */
  action: () => Promise<void>;
  onClose: () => void;
}

/** Asks for an action that cannot be undone. The operator types a word, so that no stray click or key confirms it. */
export function ConfirmDialog({ title, children, word, action, onClose }: ConfirmDialogProps): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState("");
  useEffect(() => dialog.current!.showModal(), []);
  const isConfirmed = typed.trim().toLowerCase() === word;
  const confirm = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (!isConfirmed || isBusy) return;
    setBusy(true);
    setRefusal("");
    try {
      await action();
      onClose();
    } catch (error) {
      setRefusal(sentenceOf(error));
    }
    setBusy(false);
  };
  return (
    <dialog ref={dialog} class="panel confirm" aria-labelledby="confirm-title" onClose={onClose}>
      <form onSubmit={(event) => void confirm(event)}>
        <h2 id="confirm-title">{title}</h2>
        <p>
          {children} {t("op-logged")}
        </p>
        <label>
          {t("op-type-word", { word })}
          <input value={typed} autocomplete="off" spellcheck={false} onInput={({ currentTarget }) => setTyped(currentTarget.value)} />
        </label>
        <Refusal text={refusal} />
        <div class="row">
          <button type="button" class="button" onClick={onClose}>
            {t("op-keep")}
          </button>
          <button class="button danger" disabled={!isConfirmed || isBusy}>
            {title.replace("?", "")}
          </button>
        </div>
      </form>
    </dialog>
  );
}
