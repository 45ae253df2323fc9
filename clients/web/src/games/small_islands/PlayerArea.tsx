import type { smallIslands } from "skerry-client";
import type { JSX } from "preact";
import { SelectableCard, type SelectionControl } from "../../selectable.js";
import { PlayerName } from "../../text.js";
import { ObjectiveCard } from "./Cards.js";
import { Icon, symbolName, tokenName } from "./symbols.js";
import { Ship } from "./LaidTiles.js";
import { describeTile, TilePicture, tilesOf } from "./Tile.js";

interface PlayerAreaProps {
  board: smallIslands.Board;
  view: smallIslands.View;
  control: SelectionControl;
}

interface TileCardProps {
  board: smallIslands.Board;
  id: string;
  control: SelectionControl;
  /** Shown below the tile in place of its id. */
  note?: string;
}

/** A card with a tile. */
function TileCard({ board, id, control, note }: TileCardProps): JSX.Element | null {
  const tile = tilesOf(board).get(id);
  if (!tile) return null;
  return (
    <SelectableCard target={`tile:${id}`} class="tile-card" label={`Tile ${id}: ${describeTile(tile, symbolName)}`} {...control}>
      <TilePicture tile={tile} />
      <span class="small soft">{note ?? id}</span>
    </SelectableCard>
  );
}

/** The open tiles beside the table, and the number of face-down tiles. */
export function Display({ board, view, control }: PlayerAreaProps): JSX.Element {
  return (
    <div class="pile" role="group" aria-label="Open tiles">
      <h2>Open tiles</h2>
      <div class="cards">
        {view.display.map((id) => (
          <TileCard key={id} board={board} id={id} control={control} />
        ))}
      </div>
      <p class="soft small">
        {view.navigationStack > 0 ? `${view.navigationStack} more tiles, then ships may land` : "Ships may land now"} ·{" "}
        {view.reserve} in reserve
      </p>
    </div>
  );
}

/** Everything that a seat has: tiles, objective, tokens, ships, and other things it can select. */
export function OwnPieces({ board, view, control, seat }: PlayerAreaProps & { seat: number }): JSX.Element {
  const own = view.seats[seat]!;
  return (
    <>
      <div class="pile" role="group" aria-label="Your tiles">
        <h2>Your tiles</h2>
        <div class="cards">
          {own.hand.map((id) => (
            <TileCard key={id} board={board} id={id} control={control} {...(id === view.picked && { note: "lay this one" })} />
          ))}
          <StartTiles board={board} control={control} />
        </div>
      </div>
      <Objectives own={own} board={board} control={control} />
      {view.phase !== "PHASE_OVER" && <TokensAndShips own={own} control={control} />}
    </>
  );
}

/** The starting tiles that can be laid. They belong to no hand. */
function StartTiles({ board, control }: { board: smallIslands.Board; control: SelectionControl }): JSX.Element {
  const { next, targets } = control.selection;
  const open = board.startTiles.filter(({ id }) => next.has(`tile:${id}`) || targets.includes(`tile:${id}`));
  return (
    <>
      {open.map(({ id }) => (
        <TileCard key={id} board={board} id={id} control={control} />
      ))}
    </>
  );
}

interface OwnPiecesProps {
  own: smallIslands.SeatState;
  board: smallIslands.Board;
  control: SelectionControl;
}

function Objectives({ own, board, control }: OwnPiecesProps): JSX.Element | null {
  const [chosen, ...others] = [own.objective, own.cards, own.aside];
  if (!chosen.length && others.every((cards) => !cards.length)) return null;
  return (
    <div class="pile" role="group" aria-label="Your objectives">
      <h2>Your objective</h2>
      <div class="cards">
        {own.cards.map((id) => (
          <ObjectiveCard key={id} board={board} id={id} use={useOf(id, own, control)} control={control} />
        ))}
        {own.objective.map((id) => (
          <ObjectiveCard key={id} board={board} id={id} use="this round" control={control} />
        ))}
        {own.aside.map((id) => (
          <ObjectiveCard key={id} board={board} id={id} use="put aside" control={control} />
        ))}
      </div>
    </div>
  );
}

/** Returns the use of a card that is being selected: the first cards are for this round, the next ones are put aside. */
function useOf(id: string, { cards }: smallIslands.SeatState, { selection: { targets } }: SelectionControl): string | undefined {
  const place = targets.indexOf(`card:${id}`);
  if (place < 0) return undefined;
  return place < cards.length / 3 ? "for this round" : "put aside";
}

/** Tokens, ships and other small things that a seat can select. */
function TokensAndShips({ own, control }: Omit<OwnPiecesProps, "board">): JSX.Element {
  const { next, targets } = control.selection;
  const faces = [...next.keys()].filter((at) => at.startsWith("shows:"));
  const resources = [...next.keys()].filter((at) => at.startsWith("resource:"));
  const canLand = (at: string): boolean => next.has(at) || targets.includes(at);
  return (
    <div class="pile" role="group" aria-label="Your tokens and ships">
      <h2>Your tokens and ships</h2>
      <div class="cards">
        {own.tokens.map((token) => (
          <SelectableCard key={token} target={`token:${token}`} class="round" label={`Bonus token: ${tokenName(token)}`} {...control}>
            {token === "BONUS_TOKEN_ANY" ? <strong>any</strong> : <Icon symbol={resourceOf(token)} />}
          </SelectableCard>
        ))}
        {[...faces, ...resources].map((at) => {
          const symbol = at.slice(at.indexOf(":") + 1) as smallIslands.Symbol;
          return (
            <SelectableCard key={at} target={at} class="face" label={symbolName(symbol)} {...control}>
              <Icon symbol={symbol} size={30} />
              <span class="small">{`as a ${symbolName(symbol)}`}</span>
            </SelectableCard>
          );
        })}
        {own.ship === undefined && <ShipCard target="ship:own" seat={own.seat} label="your ship" control={control} />}
        {canLand("ship:grey") && <ShipCard target="ship:grey" seat={undefined} label="a grey ship" control={control} />}
        {own.drawn.map((value, place) => (
          <SelectableCard key={place} target={`discovery:${value}`} class="round" label={`Discovery token worth ${value}`} {...control}>
            <strong class="figures">{value}</strong>
          </SelectableCard>
        ))}
        {next.has("no-token") && (
          <SelectableCard target="no-token" class="face" label="No bonus token" {...control}>
            <strong>none</strong>
            <span class="small">end the turn</span>
          </SelectableCard>
        )}
        {canLand("stop") && (
          <SelectableCard target="stop" class="face" label="Place no more houses" {...control}>
            <strong>stop</strong>
            <span class="small">no more houses</span>
          </SelectableCard>
        )}
      </div>
    </div>
  );
}

/** Returns the symbol of a token that is not wild. */
function resourceOf(token: smallIslands.BonusToken): smallIslands.Symbol {
  return token.replace("BONUS_TOKEN", "SYMBOL") as smallIslands.Symbol;
}

interface ShipCardProps {
  target: string;
  /** The owner. Absent for a grey ship. */
  seat: number | undefined;
  label: string;
  control: SelectionControl;
}

function ShipCard({ target, seat, label, control }: ShipCardProps): JSX.Element {
  return (
    <SelectableCard target={target} class="face" label={label} {...control}>
      <svg class="symbols" viewBox="10 10 80 80" width="36" height="36" aria-hidden="true">
        <Ship seat={seat} />
      </svg>
      <span class="small">{label}</span>
    </SelectableCard>
  );
}

interface RevealedProps extends PlayerAreaProps {
  /** The viewer's seat. */
  seat: number | undefined;
  names: readonly string[];
}

/** The objectives that other seats have revealed. */
export function Revealed({ board, view, control, seat, names }: RevealedProps): JSX.Element {
  return (
    <>
      {view.seats
        .filter((one) => one.seat !== seat && one.objective.length > 0)
        .map((one) => (
          <div key={one.seat} class="pile" role="group">
            <h2>
              <PlayerName seat={one.seat} name={names[one.seat] ?? ""} />
            </h2>
            <div class="cards">
              {one.objective.map((id) => (
                <ObjectiveCard key={id} board={board} id={id} control={control} />
              ))}
            </div>
          </div>
        ))}
    </>
  );
}
