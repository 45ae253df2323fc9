import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { LadderList } from "./LadderList.js";
import { LadderPage } from "./LadderPage.js";
import "../rankings/rankings.css";
import "./ladders.css";
import { useLanguage } from "../texts/language.js";
import { t } from "../texts/texts.js";

/** The screens of ladders: one of them, or the list if `id` is empty. */
export default function LadderPages({ id }: { id: string }): JSX.Element {
  const spoken = useLanguage();
  useEffect(() => {
    document.title = `${id || t("page-ladders")} – Skerry`;
  }, [id, spoken]);
  return id ? <LadderPage key={id} name={id} /> : <LadderList />;
}
