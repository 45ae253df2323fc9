import { useLayoutEffect } from "preact/hooks";
import { listen } from "./listen.js";

/** Elements in which keys are typed. */
const TEXT_INPUTS = "input:not([type=range], [type=checkbox]), textarea, select";

/** Calls `pressed` for a key of the keyboard, in lower case, except while the player types. */
export function useKey(name: string, pressed: () => void): void {
  // A layout effect: a key that is pressed as soon as the screen shows what it does already does it.
  useLayoutEffect(() => {
    const onKey = ({ key, target, ctrlKey, altKey, metaKey }: KeyboardEvent): void => {
      const isTyping = target instanceof Element && target.matches(TEXT_INPUTS);
      if (key.toLowerCase() === name && !isTyping && !ctrlKey && !altKey && !metaKey) pressed();
    };
    return listen(["keydown"], onKey);
  });
}
