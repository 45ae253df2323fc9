"""What a seat would mean at Small Islands by touching a place or a piece, legal or not."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Final

from skerry_games.looks.guidance import Explanation
from skerry_games.sentences import phrase, player
from skerry_games.small_islands import moves
from skerry_games.small_islands.moves import Move
from skerry_games.small_islands.phases.starting_tiles import START_FACES
from skerry_games.small_islands.printed.components import COMPONENTS, RESOURCES, Bonus, Symbol
from skerry_games.small_islands.state import Phase
from skerry_games.small_islands.tabletop.cells import TURNS, Cell, cell_at, middle
from skerry_games.small_islands.tabletop.piece_ids import bonus_id, card_id, cell_id, own_ship_id, tile_id
from skerry_games.small_islands.view import View

Attempts = Iterator[Move | Explanation]
_TILES: Final = {tile_id(number): number for number in range(len(COMPONENTS.faces))}
_CARDS: Final = {card_id(number): number for number in range(len(COMPONENTS.cards))}


@lru_cache(maxsize=1 << 4)
def _cells(size: int) -> Mapping[str, Cell]:
    return {cell_id(cell): cell for cell in (cell_at(x, y) for y in range(size) for x in range(size))}


def attempts(view: View, seat: int, touched: tuple[str, ...]) -> tuple[Move | Explanation, ...]:
    """Return the moves that touching these ids in order would mean, and reasons for what is never played."""
    target, chosen = touched[-1], touched[:-1]
    cell = _cells(view.table_size).get(target)
    if cell is not None:
        return tuple(_at_cell(view, seat, cell, chosen))
    meant = _KINDS.get(target.partition(":")[0])
    return () if meant is None else tuple(meant(view, seat, target, chosen))


def _at_cell(view: View, seat: int, cell: Cell, chosen: tuple[str, ...]) -> Attempts:
    """Yield what touching a cell means in the phase."""
    phase = view.phase
    if phase is Phase.LAY_START:
        tiles = [_TILES[each] for each in chosen if each in _TILES] or START_FACES
        yield from (moves.LayStart(tile, cell, turns) for tile in tiles for turns in TURNS)
    elif phase is Phase.TURN and chosen:
        yield moves.LandShip(cell, grey=chosen[0] != own_ship_id(seat))
    elif phase is Phase.PLACE_TOKEN and view.token is not None and view.shows is not None:
        covered = (None,) if view.shows is Symbol.PORT else [each for each in RESOURCES if each is not view.shows]
        yield from (moves.PlaceToken(view.token, view.shows, cell, covers) for covers in covered)
    elif phase is Phase.PLACE_HOUSES:
        yield moves.PlaceHouse(cell)
    else:
        yield from (moves.LayTile(cell, turns) for turns in TURNS)


def _tile(view: View, seat: int, target: str, chosen: tuple[str, ...]) -> Attempts:
    tile = _TILES[target]
    laid = next((one.at for one in view.tiles if one.tile == tile), None)
    if laid is not None:
        yield from _at_cell(view, seat, laid, chosen)
    elif view.phase is Phase.LAY_START:
        yield from (moves.LayStart(tile, cell, turns) for cell in middle(view.table_size) for turns in TURNS)
    elif tile in view.display:
        yield moves.TakeTile(tile)
    elif tile in view.seats[seat].hand:
        yield moves.PickTile(tile)


def _ship(view: View, seat: int, target: str, chosen: tuple[str, ...]) -> Attempts:
    grey = target == "grey-ships"
    if grey or target == own_ship_id(seat):
        yield moves.LandShip(middle(view.table_size)[0], grey)


def _bonus(view: View, seat: int, target: str, chosen: tuple[str, ...]) -> Attempts:
    for token, shows in moves.TAKE_TOKEN:
        if target == bonus_id(seat, Bonus(token)):
            yield moves.TAKE_TOKEN[token, shows]


def _card(view: View, seat: int, target: str, chosen: tuple[str, ...]) -> Attempts:
    one, card = view.seats[seat], _CARDS[target]
    if card in (*one.cards, *one.objective, *one.aside):
        yield moves.ChooseObjective((card,), (card,))


def _houses(view: View, seat: int, target: str, chosen: tuple[str, ...]) -> Attempts:
    if target == f"houses:{seat}":
        if view.phase is Phase.PLACE_HOUSES:
            yield Explanation(
                "Choose the tile on which the house goes: one with a free house symbol.", "SMALL-REWARD-2"
            )
        else:
            yield Explanation(
                "Houses are placed after a landing, on islands that fulfil your mission.", "SMALL-REWARD-1"
            )


def _discoveries(view: View, seat: int, target: str, chosen: tuple[str, ...]) -> Attempts:
    yield Explanation("Discovery tokens come from a reward that draws one for each temple of an island.", "SMALL-PAY-1")


def _stack(view: View, seat: int, target: str, chosen: tuple[str, ...]) -> Attempts:
    yield Explanation("The stacks refill the open tiles. Take one of the open tiles.", "SMALL-EXPLORE-2")


def _kept(view: View, seat: int, target: str, chosen: tuple[str, ...]) -> Attempts:
    owner = int(target.partition(":")[2].partition(":")[0])
    if owner != seat:
        yield Explanation(phrase("small_islands-only-sees-what-kept", owner=player(owner)), "SMALL-PREP-2")


_KINDS: Final[Mapping[str, Callable[[View, int, str, tuple[str, ...]], Attempts]]] = {
    "tile": _tile,
    "own-ship": _ship,
    "grey-ships": _ship,
    "bonus": _bonus,
    "card": _card,
    "houses": _houses,
    "discoveries": _discoveries,
    "stack": _stack,
    "hidden": _kept,
    "chosen": _kept,
}
