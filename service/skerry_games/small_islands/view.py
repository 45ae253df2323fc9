"""The view of each viewer. Views copy fields one by one, so a new field of the state stays hidden by default."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Final

from msgspec import Struct
from msgspec.structs import replace

from skerry_games.annotations import Numbered, PerSeat
from skerry_games.api import Viewer
from skerry_games.small_islands.events import (
    CardDealt,
    DiscoveryDrawn,
    DiscoveryKept,
    Event,
    ObjectiveChosen,
    TileDealt,
)
from skerry_games.small_islands.moves import (
    HIDDEN,
    ChooseObjective,
    DealCard,
    DealTile,
    DrawDiscovery,
    KeepDiscovery,
    Move,
)
from skerry_games.small_islands.phases.ending import kept_by, ports_around
from skerry_games.small_islands.phases.reward_phase import discovery_pool
from skerry_games.small_islands.printed.components import Bonus, CardNumber, Symbol, TileNumber
from skerry_games.small_islands.state import (
    ASIDE,
    CHOSEN,
    LAST_CHANCE_PHASE,
    NOTHING,
    RETURNED,
    End,
    Mode,
    Phase,
    State,
    cards_of,
    grey_ships_left,
    held_by,
    houses_left,
    reserve,
)
from skerry_games.small_islands.tabletop.cells import Cell, Cells, first, members
from skerry_games.small_islands.tabletop.chart import IslandSummary
from skerry_games.small_islands.tabletop.table import Laid, Ship, Token


class IslandView(Struct, frozen=True):
    """An island: its cells, its symbols, and the houses on it."""

    cells: tuple[Cell, ...]
    symbols: Annotated[tuple[int, ...], Numbered("symbol", Symbol, sparse=True)]
    """The count of each symbol, in the order of ``Symbol``."""
    houses: tuple[int, ...]
    """The number of houses of each seat."""


class SeatView(Struct, frozen=True):
    """A seat, as the viewer sees it. Hidden fields are empty. When the game is over, nothing is hidden."""

    score: int
    hand: tuple[TileNumber, ...]
    """The tiles in hand that the viewer knows."""
    tiles_in_hand: int
    open_hand: tuple[TileNumber, ...]
    """The tiles in hand that all viewers know."""
    has_chosen: bool
    """Whether the seat has chosen an objective for this round."""
    cards: tuple[CardNumber, ...]
    """While the seat chooses: the cards to choose from."""
    objective: tuple[CardNumber, ...]
    """The chosen cards, one of each kind. Hidden from other viewers until revealed."""
    aside: tuple[CardNumber, ...]
    returned: tuple[CardNumber, ...]
    tokens: tuple[Bonus, ...]
    houses: tuple[Cell, ...]
    houses_at_hand: int
    houses_left: int
    ship: Cell | None
    ports: int
    """The number of ports on the tiles around its ship."""
    last_laid: int | None
    """Number of tiles and ships on the table after the seat laid its latest landscape tile or ship (SMALL-TIE-1)."""
    discoveries: tuple[int, ...]
    """Values of the discovery tokens that the seat has kept."""
    discovery_count: int
    drawn: tuple[int, ...]
    """Values of the drawn discovery tokens, while the seat decides which one to keep."""
    tokens_drawn: int


class View(Struct, frozen=True):
    """A game in play, as one viewer sees it."""

    mode: Mode
    phase: Phase
    acting_seat: int | None
    round: int
    first_seat: int | None
    table_size: int
    tiles: tuple[Laid, ...]
    ships: tuple[Ship, ...]
    tokens: tuple[Token, ...]
    islands: tuple[IslandView, ...]
    grey_ships: int
    display: tuple[TileNumber, ...]
    navigation_stack: int
    reserve: int
    gone: tuple[TileNumber, ...]
    taken: TileNumber | None
    picked: TileNumber | None
    token: Bonus | None
    shows: Symbol | None
    housed: Cell | None
    discoveries_left: int
    end: End | None
    seats: PerSeat[SeatView]


def view(state: State, viewer: Viewer) -> View:
    """Return the game as that viewer sees it."""
    table = state.table
    alone = state.phase not in (Phase.CHOOSE_OBJECTIVE, Phase.OVER) and state.phase > LAST_CHANCE_PHASE
    return View(
        mode=Mode(len(state.decks)),
        phase=state.phase,
        acting_seat=state.turn if alone else None,
        round=state.round,
        first_seat=_seat(state.first),
        table_size=table.size,
        tiles=table.tiles,
        ships=table.ships,
        tokens=table.tokens,
        islands=_islands(state),
        grey_ships=grey_ships_left(state),
        display=state.display,
        navigation_stack=state.stack,
        reserve=reserve(state),
        gone=state.gone,
        taken=_thing(state.taken),
        picked=_thing(state.picked),
        token=state.token,
        shows=state.shows,
        housed=_thing(state.housed),
        discoveries_left=len(discovery_pool(state)),
        end=state.end,
        seats=tuple([_seat_view(state, seat, viewer) for seat in range(len(state.seats))]),
    )


def _seat(seat: int) -> int | None:
    return seat if seat >= 0 else None


def _thing(number: int) -> int | None:
    return number if number != NOTHING else None


def _islands(state: State) -> tuple[IslandView, ...]:
    """Return the islands in the order of their first cells."""
    owned = tuple([sum([1 << cell for cell in seat.houses]) for seat in state.seats])
    islands = sorted(state.table.chart.summaries, key=lambda island: first(island.cells))
    return tuple([_island(island, owned) for island in islands])


@lru_cache(maxsize=1 << 12)
def _island(island: IslandSummary, owned: tuple[Cells, ...]) -> IslandView:
    houses = tuple([(island.cells & houses).bit_count() for houses in owned])
    return IslandView(tuple(members(island.cells)), island.counts[1:], houses)


def _seat_view(state: State, number: int, viewer: Viewer) -> SeatView:
    seat, over = state.seats[number], state.phase is Phase.OVER
    # When the game is over, nothing is hidden.
    own = number == viewer or over
    drawn = _drawn(state, number)
    kept = kept_by(state, number)
    known_open = tuple([tile for tile in seat.hand if state.open_tiles >> tile & 1])
    chosen = bool(state.chosen >> number & 1)
    return SeatView(
        score=seat.score,
        hand=seat.hand if own else known_open,
        tiles_in_hand=len(seat.hand),
        open_hand=known_open,
        has_chosen=chosen,
        cards=held_by(state, number) if own and not chosen and not over else (),
        objective=cards_of(state, number, CHOSEN) if chosen and (own or state.revealed >> number & 1) else (),
        aside=_aside(state, number) if own else (),
        returned=cards_of(state, number, RETURNED) if own and chosen else (),
        tokens=_tokens(seat.tokens),
        houses=seat.houses,
        houses_at_hand=seat.at_hand,
        houses_left=houses_left(seat),
        ship=_thing(seat.ship),
        ports=ports_around(state, number),
        last_laid=seat.laid or None,
        discoveries=kept if own else (),
        discovery_count=len(kept),
        drawn=drawn if own else (),
        tokens_drawn=len(drawn),
    )


@lru_cache(maxsize=1 << len(Bonus))
def _tokens(tokens: int) -> tuple[Bonus, ...]:
    return tuple([token for token in Bonus if tokens >> token & 1])


def _aside(state: State, seat: int) -> tuple[int, ...]:
    if state.chosen >> seat & 1:
        return cards_of(state, seat, ASIDE)
    # If no further round begins, a seat has only the cards that it put aside.
    return held_by(state, seat) if state.phase is Phase.OVER else ()


def _drawn(state: State, seat: int) -> tuple[int, ...]:
    """Return the discovery tokens that the seat has drawn and not yet chosen from."""
    last = state.discoveries[-1:]
    return last[0].drawn if last and last[0].seat == seat and not last[0].kept else ()


_HIDDEN: Final[dict[type, dict[str, object]]] = {
    TileDealt: {"tile": None},
    CardDealt: {"card": None},
    ObjectiveChosen: {"chosen": (), "aside": (), "returned": ()},
    DiscoveryDrawn: {"values": ()},
    DiscoveryKept: {"value": None},
}
"""The hidden fields of each type of event, and the values that other viewers see in them."""


def show(event: Event, viewer: Viewer) -> Event | None:
    """Return the event as the viewer sees it, with hidden fields masked."""
    if isinstance(event, TileDealt | CardDealt | ObjectiveChosen | DiscoveryDrawn | DiscoveryKept):
        return event if event.seat == viewer else replace(event, **_HIDDEN[type(event)])
    return event


def show_move(move: Move, actor: int, viewer: Viewer) -> Move | None:
    """Return the move as the viewer sees it. Hidden fields are masked unless the viewer's seat may know them."""
    if isinstance(move, DealTile | DealCard | DrawDiscovery):
        return move if move.seat == viewer else replace(move, **HIDDEN[type(move)])
    if isinstance(move, ChooseObjective | KeepDiscovery):
        return move if actor == viewer else replace(move, **HIDDEN[type(move)])
    return move


def reveals(before: State, actor: int, after: State) -> bool:
    """Return whether an objective was revealed or a hand shown (SMALL-REWARD-1, SMALL-EXPLORE-3)."""
    newly = after.revealed & ~before.revealed
    return newly != 0 or after.round != before.round or len(after.gone) > len(before.gone)
