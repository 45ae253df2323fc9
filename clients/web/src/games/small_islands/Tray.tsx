import type { smallIslands } from "skerry-client";
import type { JSX } from "preact";
import { HotCard, type Touching } from "../../hot.js";
import { Name } from "../../words.js";
import { ObjectiveCard } from "./Cards.js";
import { Icon, nameOf, tokenName } from "./symbols.js";
import { Ship } from "./Table.js";
import { saidOf, TilePicture, tilesOf } from "./Tile.js";

interface TrayProps {
  board: smallIslands.Board;
  view: smallIslands.View;
  touching: Touching;
}

interface TileCardProps {
  board: smallIslands.Board;
  id: string;
  touching: Touching;
  /** What stands below it instead of its name. */
  note?: string;
}

/** A card with a tile. */
function TileCard({ board, id, touching, note }: TileCardProps): JSX.Element | null {
  const tile = tilesOf(board).get(id);
  if (!tile) return null;
  return (
    <HotCard at={`tile:${id}`} class="tile-card" label={`Tile ${id}: ${saidOf(tile, nameOf)}`} {...touching}>
      <TilePicture tile={tile} />
      <span class="small soft">{note ?? id}</span>
    </HotCard>
  );
}

/** What lies open beside the table, and how much is left face down. */
export function Display({ board, view, touching }: TrayProps): JSX.Element {
  return (
    <div class="pile" role="group" aria-label="Open tiles">
      <h2>Open tiles</h2>
      <div class="cards">
        {view.display.map((id) => (
          <TileCard key={id} board={board} id={id} touching={touching} />
        ))}
      </div>
      <p class="soft small">
        {view.navigationStack > 0 ? `${view.navigationStack} more tiles, then ships may land` : "Ships may land now"} ·{" "}
        {view.reserve} in reserve
      </p>
    </div>
  );
}

/** Everything that one seat has: tiles, the objective, tokens, ships, and what else it can choose. */
export function Own({ board, view, touching, seat }: TrayProps & { seat: number }): JSX.Element {
  const own = view.seats[seat]!;
  return (
    <>
      <div class="pile" role="group" aria-label="Your tiles">
        <h2>Your tiles</h2>
        <div class="cards">
          {own.hand.map((id) => (
            <TileCard key={id} board={board} id={id} touching={touching} {...(id === view.picked && { note: "lay this one" })} />
          ))}
          <StartTiles board={board} touching={touching} />
        </div>
      </div>
      <Objectives own={own} board={board} touching={touching} />
      {view.phase !== "PHASE_OVER" && <Chest own={own} touching={touching} />}
    </>
  );
}

/** The starting tiles that can be laid: they are in nobody's hand. */
function StartTiles({ board, touching }: { board: smallIslands.Board; touching: Touching }): JSX.Element {
  const { next, taken } = touching.choice;
  const open = board.startTiles.filter(({ id }) => next.has(`tile:${id}`) || taken.includes(`tile:${id}`));
  return (
    <>
      {open.map(({ id }) => (
        <TileCard key={id} board={board} id={id} touching={touching} />
      ))}
    </>
  );
}

interface OwnProps {
  own: smallIslands.SeatState;
  board: smallIslands.Board;
  touching: Touching;
}

function Objectives({ own, board, touching }: OwnProps): JSX.Element | null {
  const [chosen, ...others] = [own.objective, own.cards, own.aside];
  if (!chosen.length && others.every((cards) => !cards.length)) return null;
  return (
    <div class="pile" role="group" aria-label="Your objectives">
      <h2>Your objective</h2>
      <div class="cards">
        {own.cards.map((id) => (
          <ObjectiveCard key={id} board={board} id={id} use={useOf(id, own, touching)} touching={touching} />
        ))}
        {own.objective.map((id) => (
          <ObjectiveCard key={id} board={board} id={id} use="this round" touching={touching} />
        ))}
        {own.aside.map((id) => (
          <ObjectiveCard key={id} board={board} id={id} use="put aside" touching={touching} />
        ))}
      </div>
    </div>
  );
}

/** Returns what a card is being chosen for: the first of each kind is for this round, the second is put aside. */
function useOf(id: string, { cards }: smallIslands.SeatState, { choice: { taken } }: Touching): string | undefined {
  const place = taken.indexOf(`card:${id}`);
  if (place < 0) return undefined;
  return place < cards.length / 3 ? "for this round" : "put aside";
}

/** Tokens, ships and what else is small. */
function Chest({ own, touching }: Omit<OwnProps, "board">): JSX.Element {
  const { next, taken } = touching.choice;
  const faces = [...next.keys()].filter((at) => at.startsWith("shows:"));
  const resources = [...next.keys()].filter((at) => at.startsWith("resource:"));
  const canLand = (at: string): boolean => next.has(at) || taken.includes(at);
  return (
    <div class="pile" role="group" aria-label="Your tokens and ships">
      <h2>Your tokens and ships</h2>
      <div class="cards">
        {own.tokens.map((token) => (
          <HotCard key={token} at={`token:${token}`} class="round" label={`Bonus token: ${tokenName(token)}`} {...touching}>
            {token === "BONUS_TOKEN_ANY" ? <strong>any</strong> : <Icon symbol={resourceOf(token)} />}
          </HotCard>
        ))}
        {[...faces, ...resources].map((at) => {
          const symbol = at.slice(at.indexOf(":") + 1) as smallIslands.Symbol;
          return (
            <HotCard key={at} at={at} class="face" label={nameOf(symbol)} {...touching}>
              <Icon symbol={symbol} size={30} />
              <span class="small">{`as a ${nameOf(symbol)}`}</span>
            </HotCard>
          );
        })}
        {own.ship === undefined && <ShipCard at="ship:own" seat={own.seat} label="your ship" touching={touching} />}
        {canLand("ship:grey") && <ShipCard at="ship:grey" seat={undefined} label="a grey ship" touching={touching} />}
        {own.drawn.map((value, place) => (
          <HotCard key={place} at={`discovery:${value}`} class="round" label={`Discovery token worth ${value}`} {...touching}>
            <strong class="figures">{value}</strong>
          </HotCard>
        ))}
        {next.has("no-token") && (
          <HotCard at="no-token" class="face" label="No bonus token" {...touching}>
            <strong>none</strong>
            <span class="small">end the turn</span>
          </HotCard>
        )}
        {canLand("stop") && (
          <HotCard at="stop" class="face" label="Place no more houses" {...touching}>
            <strong>stop</strong>
            <span class="small">no more houses</span>
          </HotCard>
        )}
      </div>
    </div>
  );
}

/** Returns what a token shows that is not wild. */
function resourceOf(token: smallIslands.BonusToken): smallIslands.Symbol {
  return token.replace("BONUS_TOKEN", "SYMBOL") as smallIslands.Symbol;
}

interface ShipCardProps {
  at: string;
  /** Whose ship it is. Absent for a grey one. */
  seat: number | undefined;
  label: string;
  touching: Touching;
}

function ShipCard({ at, seat, label, touching }: ShipCardProps): JSX.Element {
  return (
    <HotCard at={at} class="face" label={label} {...touching}>
      <svg class="symbols" viewBox="10 10 80 80" width="36" height="36" aria-hidden="true">
        <Ship seat={seat} />
      </svg>
      <span class="small">{label}</span>
    </HotCard>
  );
}

interface RevealedProps extends TrayProps {
  /** The viewer's seat. */
  seat: number | undefined;
  names: readonly string[];
}

/** The objectives of the others, once they have shown them. */
export function Revealed({ board, view, touching, seat, names }: RevealedProps): JSX.Element {
  return (
    <>
      {view.seats
        .filter((one) => one.seat !== seat && one.objective.length > 0)
        .map((one) => (
          <div key={one.seat} class="pile" role="group">
            <h2>
              <Name seat={one.seat} name={names[one.seat] ?? ""} />
            </h2>
            <div class="cards">
              {one.objective.map((id) => (
                <ObjectiveCard key={id} board={board} id={id} touching={touching} />
              ))}
            </div>
          </div>
        ))}
    </>
  );
}
