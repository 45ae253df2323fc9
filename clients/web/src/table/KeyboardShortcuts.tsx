import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** Key names, and what the keys do. */
export type Shortcuts = readonly (readonly [readonly string[], string])[];

const BOARD: Shortcuts = [[["←", "→", "↑", "↓"], "On the board: go to the nearest option"]];
const CHOOSING: Shortcuts = [
  [["Tab"], "Go to the next option. With Shift, go to the previous one"],
  [["Enter", "Space"], "Choose it"],
  [["Escape"], "Undo the choice, or skip the animation"],
];
const REPLAY: Shortcuts = [
  [["←", "→"], "In the replay: go one entry back or forward"],
  [["Home", "End"], "In the replay: go to the start or the end"],
];
const ITSELF: Shortcuts = [[["?"], "Show or hide this list"]];

/** Elements that take text: `?` is typed there. */
const TEXT_INPUTS = "input:not([type=range]), textarea, select";

/**
 * The list of keyboard shortcuts, with those of the game. A button or `?` opens it. `?`, Escape or a click outside closes it.
 */
export function KeyboardShortcuts({ own = [] }: { own: Shortcuts | undefined }): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const open = (): void => dialog.current?.showModal();
  const close = (): void => dialog.current?.close();
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      const { key, target, ctrlKey, altKey, metaKey } = event;
      const isOpen = dialog.current?.open;
      const isTyping = target instanceof Element && target.matches(TEXT_INPUTS);
      // Keep keys from the table while the list is open: Escape would also undo the selection.
      if (isOpen) event.stopPropagation();
      if (key === "?" && !isTyping && !ctrlKey && !altKey && !metaKey) (isOpen ? close : open)();
    };
    addEventListener("keydown", pressed, { capture: true });
    return () => removeEventListener("keydown", pressed, { capture: true });
  }, []);
  const onClick = ({ target }: Event): void => {
    if (target === dialog.current) close();
  };
  const shortcuts = [...CHOOSING, ...BOARD, ...own, ...REPLAY, ...ITSELF];
  return (
    <div>
      <button class="button" aria-keyshortcuts="?" onClick={open}>
        Keyboard shortcuts
      </button>
      <dialog class="panel keys" aria-label="Keyboard shortcuts" ref={dialog} onClick={onClick}>
        <h2>Keyboard shortcuts</h2>
        <dl>
          {shortcuts.map(([names, action]) => (
            <div key={action}>
              <dt>
                {names.map((name) => (
                  <kbd key={name}>{name}</kbd>
                ))}
              </dt>
              <dd>{action}</dd>
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
