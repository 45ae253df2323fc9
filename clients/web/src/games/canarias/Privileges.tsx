import type { canarias } from "skerry-client";
import type { JSX } from "preact";
import { SelectableCard, type SelectionControl } from "../../selectable.js";
import { SeatMark } from "../../seatMarks.js";
import { hueOf, PieceIcon } from "./symbols.js";

/** The power of each privilege in a few words. */
const POWERS: Partial<Record<canarias.Power, string>> = {
  POWER_TIES: "settlers from the ship choose you in a tie",
  POWER_DRAW: "draw 5 cards instead of 3",
  POWER_MIX: "build palaces from two colours",
  POWER_FREE: "build on any empty square",
  POWER_CARD: "take an extra card each turn",
  POWER_PIRATE: "pirates leave you alone",
};

interface PrivilegesProps {
  board: canarias.Board;
  view: canarias.View;
  names: readonly string[];
  control: SelectionControl;
}

/** The six privileges: owner, points of each seat in the colour, and the buildings left in the supply. */
export function Privileges({ board, view, names, control }: PrivilegesProps): JSX.Element {
  return (
    <div class="strip privileges" tabIndex={0} role="group" aria-label="Privileges and supply">
      {view.privileges.map(({ colour, owner }, place) => {
        const hue = hueOf(colour);
        const power = POWERS[board.powers[place] ?? "POWER_UNSPECIFIED"] ?? "";
        const holder = owner === undefined ? "not taken yet" : `${names[owner]}'s`;
        const left = [view.housesLeft[place], view.palacesLeft[place], view.townsLeft[place]];
        const points = view.seats.map((seat) => seat.points[place] ?? 0);
        return (
          <SelectableCard
            key={colour}
            target={`colour:${hue}`}
            class={`privilege ${owner === undefined ? "" : "owned"}`}
            label={`${power}: the ${hue} privilege, ${holder}. Points: ${points.map((count, seat) => `${names[seat]} ${count}`).join(", ")}`}
            {...control}
          >
            <span class="seal">
              <PieceIcon kind="house" hue={hue} />
              {owner !== undefined && <SeatMark seat={owner} />}
            </span>
            <span class="small">{power}</span>
            <span class="standing small figures" aria-hidden="true">
              {points.map((count, seat) =>
                count ? (
                  <span key={seat}>
                    <SeatMark seat={seat} />
                    {count}
                  </span>
                ) : null,
              )}
            </span>
            <span class="does small figures" aria-hidden="true">
              left: {left.join(" · ")}
            </span>
          </SelectableCard>
        );
      })}
      <p class="soft small">
        3 points in a colour win its privilege. Left in the supply: houses · palaces · towns.
      </p>
    </div>
  );
}
