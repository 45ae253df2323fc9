"""The view of a game, the same for all viewers. Nothing is hidden: unseen fort cards are not drawn yet."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Final

from msgspec import Struct

from skerry_games.annotations import Numbered, PerSeat
from skerry_games.api import Viewer
from skerry_games.kreta.actions.castellan import influence
from skerry_games.kreta.actions.commander import can_march
from skerry_games.kreta.events import Event
from skerry_games.kreta.moves import Move, ProvinceNumber
from skerry_games.kreta.province_sets import ProvinceCounts, fort_numbers, unpacked
from skerry_games.kreta.state import (
    FULL_HAND,
    MOVEMENT_POINTS,
    NOBODY,
    KretaCard,
    Phase,
    SeatState,
    State,
    Tile,
    face_down,
    forts_left,
    pile,
    scored_forts,
    ships_left,
    villagers_left,
    villages_left,
)
from skerry_games.rng import Rng

_TILES: Final[tuple[Tile | None, ...]] = (None, *Tile)
"""Kinds of tile, by their number in ``State.tiles``. 0 is no tile."""


class ProvinceView(Struct, frozen=True):
    """A province. ``villagers``, ``villages`` and ``influence`` are per seat; ``abbots`` and ``ships`` list seats."""

    tile: Tile | None
    """``None`` if the tile is harvested or not dealt yet."""
    villagers: tuple[int, ...]
    villages: tuple[int, ...]
    abbots: tuple[int, ...]
    ships: tuple[int, ...]
    figures: int
    influence: tuple[int, ...]


class SupplyView(Struct, frozen=True):
    """Pieces that a seat has not put on the board."""

    ships: int
    forts: int
    villages: int
    villagers: int
    abbots: int


class SeatView(Struct, frozen=True):
    """The points, cards, supply and tiles of a seat."""

    score: int
    hand: tuple[KretaCard, ...]
    table: tuple[KretaCard, ...]
    supply: SupplyView
    harvested: Annotated[tuple[int, ...], Numbered("tile", Tile, sparse=True)]
    """Number of tiles of each kind, in the order of ``Tile``."""


class View(Struct, frozen=True):
    """A game in play, as every viewer sees it."""

    phase: Phase
    acting_seat: int | None
    """The seat whose turn it is. ``None`` until the start seat is set, and when the game is over."""
    action: KretaCard | None
    """The card whose action is being carried out, for a king the copied card. ``None`` if there is none."""
    movement_points: int | None
    """4 to 1 while the acting seat carries out a commander and has a legal march. Otherwise ``None``."""
    provinces: Annotated[tuple[ProvinceView, ...], Numbered("province", ProvinceNumber)]
    forts: tuple[tuple[int, int], ...]
    """Pairs of fort space and owner, in ascending order of the spaces."""
    seats: PerSeat[SeatView]
    fort_row: tuple[int, ...]
    face_down: int
    pile: int
    scored_forts: tuple[int, ...]
    buried_forts: tuple[int, ...]
    scorings_done: int


def view(state: State, viewer: Viewer) -> View:
    """Return the game as any viewer sees it."""
    return View(
        phase=state.phase,
        acting_seat=None if state.turn == NOBODY or state.phase is Phase.OVER else state.turn,
        action=state.action,
        movement_points=_movement_points(state),
        provinces=_provinces(state),
        forts=_forts(tuple([seat.forts for seat in state.seats])),
        seats=tuple([_seat_view(seat) for seat in state.seats]),
        fort_row=state.row,
        face_down=face_down(state),
        pile=pile(state),
        scored_forts=fort_numbers(scored_forts(state)),
        buried_forts=fort_numbers(state.buried),
        scorings_done=state.scorings,
    )


@lru_cache(maxsize=1 << 12)
def _forts(forts: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    return tuple(sorted((space, owner) for owner, built in enumerate(forts) for space in fort_numbers(built)))


def _movement_points(state: State) -> int | None:
    if state.phase is Phase.MARCH:
        return state.points
    begins = state.phase is Phase.ACTION and state.action is KretaCard.COMMANDER
    return MOVEMENT_POINTS if begins and can_march(state, state.turn, MOVEMENT_POINTS) else None


def _provinces(state: State) -> tuple[ProvinceView, ...]:
    pieces = [(seat.villagers, seat.villages, seat.abbot, seat.ships, influence(seat)) for seat in state.seats]
    return _provinces_of(state.tiles, state.figures, tuple(pieces))


@lru_cache(maxsize=1 << 8)  # Two moves of three leave the provinces as they are.
def _provinces_of(
    tiles: ProvinceCounts, figures: ProvinceCounts, pieces: tuple[tuple[int, int, int, int, int], ...]
) -> tuple[ProvinceView, ...]:
    """``pieces``: for each seat its villagers, villages, abbot, ships and influence."""
    kinds = [unpacked(counts) for of_seats in zip(*pieces, strict=True) for counts in of_seats]
    return tuple(map(_province, zip(unpacked(tiles), unpacked(figures), *kinds, strict=True)))


@lru_cache(maxsize=1 << 12)  # A move changes few provinces.
def _province(counts: tuple[int, ...]) -> ProvinceView:
    """``counts``: kind of tile, figures, and for each seat the villagers; then villages, abbots, ships, influence."""
    seats = len(counts) // 5
    villagers, villages, abbots, ships, influences = (counts[2 + seats * at :][:seats] for at in range(5))
    return ProvinceView(
        _TILES[counts[0]],
        villagers,
        villages,
        tuple(seat for seat, one in enumerate(abbots) if one),
        tuple(seat for seat, one in enumerate(ships) if one),
        counts[1],
        influences,
    )


@lru_cache(maxsize=1 << len(KretaCard))
def _cards(cards: int) -> tuple[KretaCard, ...]:
    return tuple(card for card in KretaCard if cards >> card & 1)


@lru_cache(maxsize=1 << 12)
def _seat_view(seat: SeatState) -> SeatView:
    return SeatView(
        score=seat.score,
        hand=_cards(seat.hand),
        table=_cards(FULL_HAND & ~seat.hand),
        supply=SupplyView(
            ships=ships_left(seat),
            forts=forts_left(seat),
            villages=villages_left(seat),
            villagers=villagers_left(seat),
            abbots=0 if seat.abbot else 1,
        ),
        harvested=seat.harvested,
    )


def show(event: Event, viewer: Viewer) -> Event | None:
    """Return the event unchanged, because all events are public."""
    return event


def show_move(move: Move, actor: int, viewer: Viewer) -> Move | None:
    """Return the move unchanged, because all moves are public."""
    return move


def redeal(state: State, viewer: Viewer, rng: Rng) -> State:
    """Return the state unchanged, because it hides nothing.

    The order of unseen fort cards is not part of the state. Chance draws each card when it is turned up.
    """
    return state


def reveals(before: State, actor: int, after: State) -> bool:
    """Return ``False``: no seat hides anything, and chance turns up the fort cards."""
    return False
