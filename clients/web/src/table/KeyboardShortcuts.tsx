import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import type { Shortcuts } from "../shortcuts.js";
import { showTab } from "../drawerTab.js";

const CHOOSING: Shortcuts = [
  [["←", "→", "↑", "↓"], "Go to the nearest option on the board or in your hand"],
  [["Shift + arrow"], "Go to the nearest place or piece. Enter says why you cannot choose it now"],
  [["1", "…", "9"], "Choose this move of the list. Type both digits where it shows two"],
  [["Tab"], "Go to the next option. With Shift, go to the previous one"],
  [["Enter", "Space"], "Choose it, and then confirm the move"],
  [["z"], "Take back your latest move, where that is possible"],
  [["Escape"], "Undo the choice, or skip the animation"],
];
const REPLAY: Shortcuts = [
  [["←", "→"], "In the replay: go one entry back or forward"],
  [["Home", "End"], "In the replay: go to the start or the end"],
];
const ITSELF: Shortcuts = [
  [["m"], "Switch the sounds on or off"],
  [["?"], "Show this list"],
];

/** Elements that take text: `?` is typed there. */
const TEXT_INPUTS = "input:not([type=range]), textarea, select";

/** The list of keyboard shortcuts, with those of the game. */
export function KeyboardShortcuts({ own = [] }: { own: Shortcuts | undefined }): JSX.Element {
  return (
    <dl class="keys" aria-label="Keyboard shortcuts">
      {[...CHOOSING, ...own, ...REPLAY, ...ITSELF].map(([names, action]) => (
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
  );
}

/** Shows the list of shortcuts when `?` is pressed outside a text field. */
export function useHelpKey(): void {
  useEffect(() => {
    const pressed = ({ key, target, ctrlKey, altKey, metaKey }: KeyboardEvent): void => {
      const isTyping = target instanceof Element && target.matches(TEXT_INPUTS);
      if (key === "?" && !isTyping && !ctrlKey && !altKey && !metaKey) showTab("keys");
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, []);
}
