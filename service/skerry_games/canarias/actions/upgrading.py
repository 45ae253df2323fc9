"""Turning houses into palaces and towns. ``construction.py`` chooses colour and square."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from skerry_games.api import IllegalMove, MalformedMove, Step
from skerry_games.canarias.actions.construction import begin_piece, find_colour, pieces_left
from skerry_games.canarias.events import Event, MaterialChosen
from skerry_games.canarias.moves import BUILD_PALACE, BUILD_TOWN, BuildPalace, BuildTown, Move
from skerry_games.canarias.printed.cards import COLOUR_OF
from skerry_games.canarias.printed.components_file import SQUARES
from skerry_games.canarias.printed.squares import Squares, bits, chooser, members
from skerry_games.canarias.printed.terms import NOTHING, PALACE, TOWN, Piece, Power
from skerry_games.canarias.state import PLACING, State, all_houses, colour_at
from skerry_games.sentences import phrase

MIX: Final = COLOUR_OF[Power.MIX]
"""Comparing the owner of this colour directly saves each listing a call of ``holds``."""

_KINDS: Final = {PALACE: ("CANARIAS-PALACE-1", "palace", 2), TOWN: ("CANARIAS-TOWN-1", "town", 3)}
"""The rule, the name, and the number of houses as material."""
_MATERIAL: Final[dict[tuple[int, ...], Squares]] = {
    squares: bits(squares) for moves in (BUILD_PALACE, BUILD_TOWN) for squares in moves
}
"""The set for the squares that a move names: 2 or 3 different squares, ascending."""

_pairs = chooser(BUILD_PALACE, 2)
_threes = chooser(BUILD_TOWN, 3)


def palaces_and_towns(state: State, me: int) -> list[Move]:
    """Return the moves that turn houses of the seat into a palace or town that the supply has."""
    palaces: list[Move] = []
    towns: list[Move] = []
    seat = state.seats[me]
    for alike in seat.houses:
        if alike and alike & (alike - 1):  # two or more houses; most colours have none
            palaces += _pairs(alike)
            towns += _threes(alike)
    if state.privileges[MIX] == me:
        palaces = list(_pairs(all_houses(seat)))
    if palaces and not any(state.palaces_left):
        palaces = []
    return palaces + towns if towns and any(state.towns_left) else palaces


def build_palace(state: State, me: int, move: BuildPalace) -> Step[State, Event]:
    """Begin to build a palace. Raises IllegalMove (CANARIAS-PALACE-1, CANARIAS-SUPPLY-1) or MalformedMove."""
    return _upgrade(state, me, move.squares, PALACE)


def build_town(state: State, me: int, move: BuildTown) -> Step[State, Event]:
    """Begin to build a town. Raises IllegalMove (CANARIAS-TOWN-1, CANARIAS-SUPPLY-1) or MalformedMove."""
    return _upgrade(state, me, move.squares, TOWN)


def _upgrade(state: State, me: int, squares: tuple[int, ...], piece: Piece) -> Step[State, Event]:
    _, _, count = _KINDS[piece]
    material = _MATERIAL.get(squares)
    if material is None or len(squares) != count:
        raise MalformedMove(phrase("canarias-name-ascending", count=count))
    colour = colour_at(state.seats[me], material)
    if refusal := _why_not(state, me, material, piece, colour):
        raise refusal
    begun = replace(state, phase=PLACING, resume=state.phase, piece=piece, material=material, colour=colour)
    chosen = MaterialChosen(me, piece, members(material))
    if colour == NOTHING:
        return find_colour(begun, (chosen,))
    return begin_piece(begun, pieces_left(state, piece), (chosen,))


def _why_not(state: State, me: int, material: Squares, piece: Piece, colour: int) -> IllegalMove | None:
    """Return the reason why these houses cannot become a palace or town, or ``None`` if they can.

    ``colour``: the colour of all these houses, or NOTHING if their colours differ.
    """
    seat = state.seats[me]
    rule, name, count = _KINDS[piece]
    if colour == NOTHING and (empty := material & ~all_houses(seat)):
        square = SQUARES[members(empty)[0]]
        return IllegalMove(rule, phrase("canarias-need-houses-have-no", count=count, name=name, square=square))
    if not any(pieces_left(state, piece)):
        return IllegalMove("CANARIAS-SUPPLY-1", phrase("canarias-no-any-colour-left", name=name))
    if colour != NOTHING or (piece is PALACE and state.privileges[MIX] == me):
        return None
    return IllegalMove(rule, phrase("canarias-need-houses-one-colour", count=count, name=name))
