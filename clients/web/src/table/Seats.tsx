import type { api } from "skerry-client";
import type { JSX } from "preact";
import { held } from "../games/ui.js";
import { manner } from "../levels.js";
import { Name, nameOf } from "../words.js";
import { Clock, type ReadClocks } from "./Clock.js";
import { Presence } from "./Presence.js";
import type { Stage } from "./stage.js";
import type { Printed } from "./TablePage.js";

interface SeatsProps {
  session: api.Session;
  position: api.Position;
  printed: Printed;
  stage: Stage;
  /** Reads the clocks as they stand now. Absent where an earlier position is looked at, or none runs any more. */
  readClocks: ReadClocks | undefined;
}

/** Who sits at the table, whose turn it is, and what each has. */
export function Seats({ session, position, printed: { game, ui }, stage, readClocks }: SeatsProps): JSX.Element {
  const { view } = stage;
  const board = ui && game.board && held(game.board, ui);
  const scores = (stage.isRunning ? undefined : position.outcome?.scores) ?? (ui ? ui.scores(view) : []);
  return (
    <ul class="players" tabIndex={0} aria-label="Players">
      {session.seats.map((seat) => {
        const isNow = position.toAct.includes(seat.seat);
        return (
          <li key={seat.seat} class={isNow ? "panel player now" : "panel player"}>
            <span class="line">
              <Name seat={seat.seat} name={nameOf(seat)} />
              {seat.seat === position.seat && <span class="soft small">you</span>}
              {seat.level && !seat.substitute && <span class="soft small level">{manner(seat.level)}</span>}
              {readClocks && seat.occupant === "OCCUPANT_PLAYER" && (
                <Clock seat={seat.seat} who={`${nameOf(seat)} has`} read={readClocks} />
              )}
              <strong class="figures score">
                {scores[seat.seat]}
                <span class="unseen"> points</span>
              </strong>
            </span>
            <Presence seat={seat} />
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
