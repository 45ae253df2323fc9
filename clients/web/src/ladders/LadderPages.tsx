import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { LadderList } from "./LadderList.js";
import { LadderPage } from "./LadderPage.js";
import "./ladders.css";

/** The screens of ladders: one of them, or the list if `ladder` is empty. */
export function LadderPages({ ladder }: { ladder: string }): JSX.Element {
  useEffect(() => {
    document.title = `${ladder || "Ladders"} – Skerry`;
  }, [ladder]);
  return ladder ? <LadderPage key={ladder} name={ladder} /> : <LadderList />;
}
