import type { api } from "skerry-client";
import type { JSX } from "preact";
import { forGame } from "../games/ui.js";
import { strengthOf } from "../botLevels.js";
import { PlayerName, seatName } from "../text.js";
import { Clock, type ReadClocks } from "./Clock.js";
import { SeatStatus } from "./SeatStatus.js";
import type { Playback } from "./usePlayback.js";
import type { GameAssets } from "./TablePage.js";

interface PlayerListProps {
  session: api.Session;
  position: api.Position;
  assets: GameAssets;
  playback: Playback;
  /** Returns the clocks as of now. Absent for an earlier position and for a finished game. */
  readClocks: ReadClocks | undefined;
}

/** The players, with points, clock, status and pieces. The seats whose turn it is are highlighted. */
export function PlayerList({ session, position, assets: { game, ui }, playback, readClocks }: PlayerListProps): JSX.Element {
  const { view } = playback;
  const board = ui && game.board && forGame(game.board, ui);
  const scores = (playback.isRunning ? undefined : position.outcome?.scores) ?? (ui ? ui.scores(view) : []);
  return (
    <ul class="players" tabIndex={0} aria-label="Players">
      {session.seats.map((seat) => {
        const isNow = position.toAct.includes(seat.seat);
        return (
          <li key={seat.seat} class={isNow ? "panel player now" : "panel player"}>
            <span class="line">
              <PlayerName seat={seat.seat} name={seatName(seat)} />
              {seat.seat === position.seat && <span class="soft small">you</span>}
              {seat.level && !seat.substitute && <span class="soft small level">{strengthOf(seat.level)}</span>}
              {readClocks && seat.occupant === "OCCUPANT_PLAYER" && (
                <Clock seat={seat.seat} owner={`${seatName(seat)} has`} read={readClocks} />
              )}
              <strong class="figures score">
                {scores[seat.seat]}
                <span class="visually-hidden"> points</span>
              </strong>
            </span>
            <SeatStatus seat={seat} />
            <span class="facts small soft">
              {isNow && <span class="turn">to move</span>}
              {ui?.facts(view, seat.seat, board).map(({ label, value }) => (
                <span key={label} class="figures">
                  {label} {value}
                </span>
              ))}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
