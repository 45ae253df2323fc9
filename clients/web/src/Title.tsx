import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** Whether there was no screen yet: a page that has just been loaded is read from its top. */
let isFirst = true;

/**
 * The heading of a screen. It takes the focus if the screen before took that with it: who plays by keys goes on from
 * here, and who listens hears where they are. What has the focus elsewhere keeps it.
 */
export function Title({ text }: { text: string }): JSX.Element {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!isFirst && document.activeElement === document.body) heading.current?.focus();
    isFirst = false;
  }, []);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {text}
    </h1>
  );
}
