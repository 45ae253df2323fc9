import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { LadderList } from "./LadderList.js";
import { LadderPage } from "./LadderPage.js";
import "../rankings/rankings.css";
import "./ladders.css";

/** The screens of ladders: one of them, or the list if `id` is empty. */
export default function LadderPages({ id }: { id: string }): JSX.Element {
  useEffect(() => {
    document.title = `${id || "Ladders"} – Skerry`;
  }, [id]);
  return id ? <LadderPage key={id} name={id} /> : <LadderList />;
}
