"""The words of the game as numbers: colours, features of the land, pieces, powers.

A colour and the feature "a building of that colour" have the same number.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final


class Colour(IntEnum):
    """A colour of houses, palaces, towns, privileges and pirates (CANARIAS-SETUP-1)."""

    ORANGE = 0
    BROWN = 1
    GREEN = 2
    BLUE = 3
    BEIGE = 4
    RED = 5


class Feature(IntEnum):
    """What a settler wants to live next to (CANARIAS-BUILD-3): a building of a colour, or a kind of land."""

    ORANGE = 0
    BROWN = 1
    GREEN = 2
    BLUE = 3
    BEIGE = 4
    RED = 5
    COAST = 6
    VILLAGE = 7
    RIVER = 8
    MOUNTAIN = 9
    FARMLAND = 10
    ROAD = 11


class Piece(IntEnum):
    """What is built."""

    HOUSE = 0
    PALACE = 1
    TOWN = 2


# Reading a member through its class costs as much as a rule (81 ns).
HOUSE: Final = Piece.HOUSE
PALACE: Final = Piece.PALACE
TOWN: Final = Piece.TOWN


class Power(IntEnum):
    """What the owner of a privilege may do."""

    TIES = 0
    DRAW = 1
    MIX = 2
    FREE = 3
    CARD = 4
    PIRATE = 5


# A member is looked up by its number here: to call its class takes thirty times as long.
COLOURS: Final = tuple(Colour)
FEATURES: Final = tuple(Feature)
PIECES: Final = tuple(Piece)
LAND: Final = tuple(feature for feature in Feature if feature >= len(COLOURS))
"""The features that an island has from the beginning."""
NOTHING: Final = -1
"""Stands where there is no colour, no feature, no piece."""


def named(kind: type[IntEnum]) -> dict[str, int]:
    """Return the numbers of a kind by their names in lower case, as data files write them."""
    return {member.name.lower(): int(member) for member in kind}
