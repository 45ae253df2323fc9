import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { TournamentList } from "./TournamentList.js";
import { TournamentPage } from "./TournamentPage.js";
import "../rankings/rankings.css";
import "./tournaments.css";
import { useLanguage } from "../texts/language.js";
import { t } from "../texts/texts.js";

/** The screens of tournaments: one of them, or the list if `id` is empty. */
export default function TournamentPages({ id }: { id: string }): JSX.Element {
  const spoken = useLanguage();
  useEffect(() => {
    document.title = `${id ? t("tournament") : t("page-tournaments")} – Skerry`;
  }, [id, spoken]);
  return id ? <TournamentPage key={id} name={id} /> : <TournamentList />;
}
