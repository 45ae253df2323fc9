import type { JSX, RefObject } from "preact";
import { useEffect, useState } from "preact/hooks";
import { listen } from "../listen.js";

/** Says what the pointer or the focus is on. Screen readers get the same from the element itself. */
export function Pointed({ root }: { root: RefObject<HTMLElement | null> }): JSX.Element {
  const [text, setText] = useState("");
  useEffect(() => {
    const point = ({ target }: Event): void => {
      const title = (target as Element).closest("[data-id]")?.querySelector(":scope > title");
      setText(title?.textContent ?? "");
    };
    return listen(["pointerover", "focusin"], point, root.current);
  }, []);
  return (
    <p class="pointed small soft" aria-hidden="true">
      {text}
    </p>
  );
}
