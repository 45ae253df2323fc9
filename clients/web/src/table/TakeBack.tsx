import type { api, Seat, Table } from "skerry-client";
import type { JSX } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";
import { errorMessage } from "../server.js";
import { isSeat } from "../session/followed.js";
import { useKey } from "../useKey.js";
import { t } from "../texts/texts.js";

interface TakeBackProps {
  handle: Seat | Table | undefined;
  position: api.Position;
  positionKey: string;
}

/** The button that takes back the player's latest move, also by the key `z`. The stream shows the position before it. */
export function TakeBack({ handle, position, positionKey }: TakeBackProps): JSX.Element | null {
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState("");
  // A layout effect: a key that is pressed as soon as the button shows already takes the move back.
  useLayoutEffect(() => {
    setBusy(false);
    setRefused("");
  }, [positionKey]);
  const canUndo = isSeat(handle) && position.undoable > 0;
  const takeBack = async (): Promise<void> => {
    if (!isSeat(handle) || busy) return;
    setBusy(true);
    try {
      await handle.undo({ view: "scene" });
    } catch (error) {
      setRefused(errorMessage(error));
      setBusy(false);
    }
  };
  useKey("z", () => canUndo && void takeBack());
  if (!canUndo) return null;
  return (
    <>
      {refused && <span role="alert">{refused}</span>}
      <button class="button undo" disabled={busy} aria-keyshortcuts="z" onClick={() => void takeBack()}>
        {t("choices-undo-move")}
      </button>
    </>
  );
}
