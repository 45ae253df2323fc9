import type { JSX } from "preact";
import { followLink } from "../router.js";
import { SeatMark } from "../seatMarks.js";
import { endNotesOf, type RankedGame, type RankedSeat, resultOf, since } from "./rankingText.js";
import { dateText } from "../texts/formats.js";
import { t } from "../texts/texts.js";

interface GameListProps<Game extends RankedGame> {
  games: readonly Game[];
  /** Whether a seat is the one for which results are shown. Absent: the winner is marked. */
  isOwn?: (seat: Game["seats"][number]) => boolean;
}

/** Games of a ladder or a tournament, each with a link to its table. */
export function GameList<Game extends RankedGame>({ games, isOwn }: GameListProps<Game>): JSX.Element {
  return (
    <ul class="tables ranked-games">
      {games.map((game) => {
        const verb = game.endTime ? t("replay") : t("watch");
        const own = isOwn && game.seats.find(isOwn);
        return (
          <li key={game.session}>
            {own && <strong class="result-word">{resultOf(game, own) || t("rankings-plays")}</strong>}
            <div>
              <span class="sitting">
                {game.seats.map((seat, number) => (
                  <PlayerOfGame key={number} game={game} seat={seat} number={number} />
                ))}
              </span>
              <span class="small soft block">
                <Since time={game.endTime ?? game.startTime} />
                {endNotesOf(game).map((note) => ` · ${note}`)}
              </span>
            </div>
            <a class="button" href={`/${game.session}`} onClick={followLink} aria-label={t("lobby-action", { verb, title: game.seats.map(({ displayName }) => displayName).join(" – ") })}>
              {verb}
            </a>
          </li>
        );
      })}
    </ul>
  );
}

interface PlayerOfGameProps {
  game: RankedGame;
  seat: RankedSeat;
  number: number;
}

function PlayerOfGame({ game, seat, number }: PlayerOfGameProps): JSX.Element {
  const isFirst = seat.rank === 1 && !game.void;
  return (
    <span class={isFirst ? "first-place" : ""}>
      <SeatMark seat={number} />
      <bdi class="name">{seat.displayName}</bdi>
      {game.endTime && !game.void && <span class="figures">{seat.score}</span>}
      {isFirst && <span class="visually-hidden">({resultOf(game, seat)})</span>}
    </span>
  );
}

/** How long ago something was, with the exact time on hover. */
export function Since({ time }: { time: string }): JSX.Element {
  return (
    <time dateTime={time} title={dateText(time, { dateStyle: "medium", timeStyle: "medium" })}>
      {since(new Date(time).getTime(), Date.now())}
    </time>
  );
}
