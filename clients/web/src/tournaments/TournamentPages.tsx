import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { TournamentList } from "./TournamentList.js";
import { TournamentPage } from "./TournamentPage.js";
import "../rankings/rankings.css";
import "./tournaments.css";

/** The screens of tournaments: one of them, or the list if `id` is empty. */
export default function TournamentPages({ id }: { id: string }): JSX.Element {
  useEffect(() => {
    document.title = `${id ? "Tournament" : "Tournaments"} – Skerry`;
  }, [id]);
  return id ? <TournamentPage key={id} name={id} /> : <TournamentList />;
}
