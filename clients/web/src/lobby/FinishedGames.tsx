import type { api } from "skerry-client";
import type { JSX } from "preact";
import { Emblem } from "../Emblem.js";
import { finishedGames, statisticsOf } from "../finishedGames.js";
import { followLink } from "../router.js";
import { SeatMark } from "../seatMarks.js";
import { dateText } from "../texts/formats.js";
import { t } from "../texts/texts.js";

/** The games that this browser's player has finished, and how often the player has won. */
export function FinishedGames({ games }: { games: readonly api.Game[] }): JSX.Element | null {
  const finished = finishedGames();
  if (!finished.length) return null;
  const titleOf = (id: string): string => games.find((game) => game.id === id)?.title ?? id;
  return (
    <section class="panel finished">
      <h2>{t("finished-title")}</h2>
      <p class="soft small">
        {statisticsOf(finished)
          .map(({ game, games: count, wins }) => t("finished-counts", { title: titleOf(game), games: count, wins }))
          .join(" · ")}
      </p>
      <ul class="tables">
        {finished.map(({ session, game, date, players, place, points }) => (
          <li key={session}>
            <Emblem game={game} />
            <div>
              <strong>{titleOf(game)}</strong>
              <span class="small soft">
                {" "}
                {t("finished-result", { date: dateText(date), place: t("place", { place }), points })}
              </span>
              <span class="sitting small">
                {players.map((name, seat) => (
                  <span key={seat}>
                    <SeatMark seat={seat} />
                    <bdi class="name">{name}</bdi>
                  </span>
                ))}
              </span>
            </div>
            <a class="button" href={`/${session}`} onClick={followLink} aria-label={t("lobby-action", { verb: t("replay"), title: titleOf(game) })}>
              {t("replay")}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
