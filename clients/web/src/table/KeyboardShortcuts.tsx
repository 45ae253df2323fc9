import type { JSX } from "preact";
import type { Shortcuts } from "../shortcuts.js";
import { messageId, t } from "../texts/texts.js";

/** Returns the keys of every game, with those of one game after the keys that choose. */
function allShortcuts(own: Shortcuts): Shortcuts {
  return [
    [["←", "→", "↑", "↓"], messageId("keys-arrows")],
    [[t("keys-shift-arrow")], messageId("keys-dark")],
    [["1", "…", "9"], messageId("keys-digits")],
    [["Tab"], messageId("keys-tab")],
    [["Enter", t("keys-space")], messageId("keys-enter")],
    [["z"], messageId("keys-undo")],
    [["Escape"], messageId("keys-escape")],
    ...own,
    [["←", "→"], messageId("keys-replay")],
    [["Home", "End"], messageId("keys-ends")],
    [["m"], messageId("keys-mute")],
    [["?"], messageId("keys-help")],
  ];
}

/** The list of keyboard shortcuts, with those of the game. */
export function KeyboardShortcuts({ own = [] }: { own: Shortcuts | undefined }): JSX.Element {
  return (
    <dl class="keys" aria-label={t("keys")}>
      {allShortcuts(own).map(([names, action]) => (
        <div key={action}>
          <dt>
            {names.map((name) => (
              <kbd key={name}>{name}</kbd>
            ))}
          </dt>
          <dd>{t(action)}</dd>
        </div>
      ))}
    </dl>
  );
}
