import type { JSX, RefObject } from "preact";
import { useEffect, useState } from "preact/hooks";

/** Says what the pointer or the focus is on. Screen readers get the same from the element itself. */
export function Pointed({ root }: { root: RefObject<HTMLElement | null> }): JSX.Element {
  const [text, setText] = useState("");
  useEffect(() => {
    const { current } = root;
    const point = ({ target }: Event): void => {
      const title = (target as Element).closest("[data-id]")?.querySelector(":scope > title");
      setText(title?.textContent ?? "");
    };
    current?.addEventListener("pointerover", point);
    current?.addEventListener("focusin", point);
    return () => {
      current?.removeEventListener("pointerover", point);
      current?.removeEventListener("focusin", point);
    };
  }, []);
  return (
    <p class="pointed small soft" aria-hidden="true">
      {text}
    </p>
  );
}
