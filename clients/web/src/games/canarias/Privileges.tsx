import type { canarias } from "skerry-client";
import type { JSX } from "preact";
import { HotCard, type Touching } from "../../hot.js";
import { Mark } from "../../marks.js";
import { hueOf, PieceIcon } from "./symbols.js";

/** What the owner of a privilege may do, in a few words. */
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
  touching: Touching;
}

/** The six privileges with their owners, who has how many points in each colour, and what the supply still has. */
export function Privileges({ board, view, names, touching }: PrivilegesProps): JSX.Element {
  return (
    <div class="strip privileges" tabIndex={0} role="group" aria-label="Privileges and supply">
      {view.privileges.map(({ colour, owner }, place) => {
        const hue = hueOf(colour);
        const power = POWERS[board.powers[place] ?? "POWER_UNSPECIFIED"] ?? "";
        const holder = owner === undefined ? "not taken yet" : `${names[owner]}'s`;
        const left = [view.housesLeft[place], view.palacesLeft[place], view.townsLeft[place]];
        const points = view.seats.map((seat) => seat.points[place] ?? 0);
        return (
          <HotCard
            key={colour}
            at={`colour:${hue}`}
            class={`privilege ${owner === undefined ? "" : "owned"}`}
            label={`${power}: the ${hue} privilege, ${holder}. Points: ${points.map((count, seat) => `${names[seat]} ${count}`).join(", ")}`}
            {...touching}
          >
            <span class="seal">
              <PieceIcon kind="house" hue={hue} />
              {owner !== undefined && <Mark seat={owner} />}
            </span>
            <span class="small">{power}</span>
            <span class="standing small figures" aria-hidden="true">
              {points.map((count, seat) =>
                count ? (
                  <span key={seat}>
                    <Mark seat={seat} />
                    {count}
                  </span>
                ) : null,
              )}
            </span>
            <span class="does small figures" aria-hidden="true">
              left: {left.join(" · ")}
            </span>
          </HotCard>
        );
      })}
      <p class="soft small">
        3 points in a colour win its privilege. Left in the supply: houses · palaces · towns.
      </p>
    </div>
  );
}
