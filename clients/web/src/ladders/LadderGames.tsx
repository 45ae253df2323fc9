import type { api } from "skerry-client";
import type { JSX } from "preact";
import { followLink } from "../router.js";
import { SeatMark } from "../seatMarks.js";
import { endNotesOf, resultOf, since } from "./ladderText.js";

interface LadderGamesProps {
  games: readonly api.LadderGame[];
  /** The bot for which results are shown: `bots/{bot}`. Absent: the winner is marked. */
  bot?: string;
}

/** Games of a ladder, each with a link to its table. */
export function LadderGames({ games, bot }: LadderGamesProps): JSX.Element {
  return (
    <ul class="tables ladder-games">
      {games.map((game) => {
        const verb = game.endTime ? "Replay" : "Watch";
        const own = game.seats.find((seat) => bot && seat.bot === bot);
        return (
          <li key={game.session}>
            {own && <strong class="result-word">{resultOf(game, own) || "plays"}</strong>}
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
            <a class="button" href={`/${game.session}`} onClick={followLink} aria-label={`${verb}: ${game.seats.map(({ displayName }) => displayName).join(" against ")}`}>
              {verb}
            </a>
          </li>
        );
      })}
    </ul>
  );
}

interface PlayerOfGameProps {
  game: api.LadderGame;
  seat: api.LadderGameSeat;
  number: number;
}

function PlayerOfGame({ game, seat, number }: PlayerOfGameProps): JSX.Element {
  return (
    <span class={seat.rank === 1 ? "first-place" : ""}>
      <SeatMark seat={number} />
      <bdi class="name">{seat.displayName}</bdi>
      {game.endTime && <span class="figures">{seat.score}</span>}
      {seat.rank === 1 && <span class="visually-hidden">({resultOf(game, seat)})</span>}
    </span>
  );
}

/** How long ago something was, with the exact time on hover. */
export function Since({ time }: { time: string }): JSX.Element {
  const date = new Date(time);
  return (
    <time dateTime={time} title={date.toLocaleString()}>
      {since(date.getTime(), Date.now())}
    </time>
  );
}
