import type { api } from "skerry-client";
import type { JSX } from "preact";
import { PlayerName, seatName } from "../text.js";
import { Clock, type ReadClocks } from "./Clock.js";
import { EmoteBubble } from "./EmoteMenu.js";
import { useFlights } from "./flights.js";
import { FlyingPoints } from "./FlyingPoints.js";
import { SeatStatus } from "./SeatStatus.js";
import type { Playback } from "./usePlayback.js";
import { levelName } from "../LevelSelect.js";
import { t } from "../texts/texts.js";

interface PlayerListProps {
  session: api.Session;
  position: api.Position;
  playback: Playback;
  /** What players have just said, by seat. */
  said: ReadonlyMap<number, string>;
  /** Returns the clocks as of now. Absent for an earlier position and for a finished game. */
  readClocks: ReadClocks | undefined;
  /** The seat that the viewer has opened. */
  opened: number | undefined;
  onOpen: (seat: number | undefined) => void;
}

/**
 * The players, with points, clock and status, as far as they are shown. The seats whose turn it is are marked. A button on each shows its figures, and
 * what lies in front of it.
 */
export function PlayerList({ session, position, playback, said, readClocks, opened, onOpen }: PlayerListProps): JSX.Element {
  const [flights, onCount] = useFlights(playback);
  const flying = flights.map(({ seat, left }) => ({ seat, points: left }));
  const scores = shownScores(position, [...playback.pending, ...flying]);
  const { step } = playback;
  const { scene } = step?.before ?? position;
  return (
    <ul class="players" aria-label={t("players-list")}>
      {session.seats.map((seat) => {
        const isNow = step ? step.seat === seat.seat : position.toAct.includes(seat.seat);
        const isOpen = opened === seat.seat;
        const name = seatName(seat);
        return (
          <li key={seat.seat} class={["player", isNow && "now", seat.seat === position.seat && "own", isOpen && "opened"].filter(Boolean).join(" ")}>
            <span class="line">
              <PlayerName seat={seat.seat} name={name} />
              {seat.seat === position.seat && <span class="you">{t("players-you")}</span>}
            </span>
            <span class="line">
              <strong class="figures score">
                {scores[seat.seat]}
                <span class="visually-hidden">{t("players-points")}</span>
              </strong>
              {flights.map((flight) => flight.seat === seat.seat && <FlyingPoints key={flight.key} {...{ flight, onCount }} />)}
              {readClocks && seat.occupant === "OCCUPANT_PLAYER" && <Clock seat={seat.seat} owner={name} read={readClocks} />}
              {isNow && <span class="turn small">{step ? t("players-moves") : t("players-to-move")}</span>}
            </span>
            <SeatStatus seat={seat} />
            <EmoteBubble text={said.get(seat.seat)} />
            <span class="facts small soft">
              {seat.level && !seat.substitute && <span class="level">{levelName(seat.level)}</span>}
              {scene?.seats[seat.seat]?.facts.map(({ label, value }) => (
                <span key={label} class="figures">
                  {label} {value}
                </span>
              ))}
            </span>
            <button class="open-seat" aria-expanded={isOpen} aria-label={t("players-has", { name })} onClick={() => onOpen(isOpen ? undefined : seat.seat)} />
          </li>
        );
      })}
    </ul>
  );
}

/** Returns the points of each seat without those that are still to come. */
function shownScores({ scene, outcome }: api.Position, later: readonly Omit<api.Gain, "source">[]): number[] {
  const scores = outcome?.scores ?? scene?.seats.map(({ score }) => score) ?? [];
  return scores.map((score, seat) => later.reduce((sum, gain) => sum - (gain.seat === seat ? gain.points : 0), score));
}
