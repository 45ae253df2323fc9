import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** Whether no screen was shown before: a freshly loaded page keeps the focus at its top. */
let isFirst = true;

/**
 * The heading of a screen. It takes the focus if the element that had it disappeared with the previous screen, so that
 * keyboard and screen-reader users continue here. An element that still has the focus keeps it.
 */
export function ScreenTitle({ text }: { text: string }): JSX.Element {
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
