import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { GameUi } from "../games/ui.js";

/** What is listed: names of keys, and what they do. */
type Listed = readonly (readonly [readonly string[], string])[];

const PICTURE: Listed = [[["←", "→", "↑", "↓"], "On the board: go to the nearest option"]];
const CHOOSING: Listed = [
  [["Tab"], "Go to the next option. With Shift, go to the previous one"],
  [["Enter", "Space"], "Choose it"],
  [["Escape"], "Undo the choice, or skip the animation"],
];
const REPLAY: Listed = [
  [["←", "→"], "In the replay: go one entry back or forward"],
  [["Home", "End"], "In the replay: go to the start or the end"],
];
const ITSELF: Listed = [[["?"], "Show or hide this list"]];

/** Where a question mark is a question mark. */
const WRITTEN = "input:not([type=range]), textarea, select";

/** The keys that work at a table. A button and `?` show them; `?`, Escape or a touch beside it takes the list away. */
export function Keys({ ui }: { ui: GameUi | undefined }): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const open = (): void => dialog.current?.showModal();
  const close = (): void => dialog.current?.close();
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      const { key, target, ctrlKey, altKey, metaKey } = event;
      const isOpen = dialog.current?.open;
      const isWritten = target instanceof Element && target.matches(WRITTEN);
      // The table hears of no key meanwhile: Escape would take a selection back too.
      if (isOpen) event.stopPropagation();
      if (key === "?" && !isWritten && !ctrlKey && !altKey && !metaKey) (isOpen ? close : open)();
    };
    addEventListener("keydown", pressed, { capture: true });
    return () => removeEventListener("keydown", pressed, { capture: true });
  }, []);
  const onClick = ({ target }: Event): void => {
    if (target === dialog.current) close();
  };
  const listed = [...CHOOSING, ...(ui ? PICTURE : []), ...(ui?.keys ?? []), ...REPLAY, ...ITSELF];
  return (
    <div>
      <button class="button" aria-keyshortcuts="?" onClick={open}>
        Keyboard shortcuts
      </button>
      <dialog class="panel keys" aria-label="Keyboard shortcuts" ref={dialog} onClick={onClick}>
        <h2>Keyboard shortcuts</h2>
        <dl>
          {listed.map(([names, what]) => (
            <div key={what}>
              <dt>
                {names.map((name) => (
                  <kbd key={name}>{name}</kbd>
                ))}
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
        <button class="button" onClick={close}>
          Close
        </button>
      </dialog>
    </div>
  );
}
