import type { api } from "skerry-client";
import type { JSX } from "preact";
import { strengthOf } from "../botLevels.js";
import { PlayerName, seatName } from "../text.js";
import { Clock, type ReadClocks } from "./Clock.js";
import { SeatStatus } from "./SeatStatus.js";
import type { Playback } from "./usePlayback.js";

interface PlayerListProps {
  session: api.Session;
  position: api.Position;
  playback: Playback;
  /** Returns the clocks as of now. Absent for an earlier position and for a finished game. */
  readClocks: ReadClocks | undefined;
}

/** The players, with points, clock, status and pieces. The seats whose turn it is are highlighted. */
export function PlayerList({ session, position, playback, readClocks }: PlayerListProps): JSX.Element {
  const scores = shownScores(position, playback);
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
              {position.scene?.seats[seat.seat]?.facts.map(({ label, value }) => (
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

/** Returns the points of each seat after the latest event shown. */
function shownScores({ scene, outcome }: api.Position, { pending }: Playback): number[] {
  const scores = outcome?.scores ?? scene?.seats.map(({ score }) => score) ?? [];
  return scores.map((score, seat) => pending.reduce((sum, gain) => sum - (gain.seat === seat ? gain.points : 0), score));
}
