"""The state, moves, events, view and options of Pairs."""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated

from msgspec import Struct

from skerry_games.annotations import Id, Numbered, PerSeat

VALUES = range(1, 6)
COPIES = 4
HAND = 3
NO_CARD = 0
"""The value of a missing or masked card."""
Card = Annotated[int, Id(("none", "one", "two", "three", "four", "five"), "card")]


class Stage(IntEnum):
    """The stage of the game."""

    DEAL = 0
    LAY = 1
    SWAP = 2
    OVER = 3


class Options(Struct, frozen=True):
    """The options of a game."""

    edition: str = "house"


class Board(Struct, frozen=True):
    """The cards."""

    edition: str
    copies: Annotated[tuple[int, ...], Numbered("card", Card, start=1)]
    """How many there are of each card."""


class State(Struct, frozen=True):
    """The full state. Groups of cards are in ascending order."""

    stage: Stage
    round: int
    hands: tuple[tuple[int, ...], ...]
    laid: tuple[int, ...]
    buried: tuple[tuple[int, ...], ...]
    deck: tuple[int, ...]
    shown: tuple[int, ...]
    scores: tuple[int, ...]


class Deal(Struct, frozen=True, tag=True):
    """Chance: the first seat that lacks a card gets this one."""

    card: Card


class Lay(Struct, frozen=True, tag=True):
    """Lay a card face down."""

    card: Card


class Bury(Struct, frozen=True, tag=True):
    """Bury a card, and get a new one."""

    card: Card


class Stay(Struct, frozen=True, tag=True):
    """Keep the hand as it is."""


Move = Deal | Lay | Bury | Stay


class Dealt(Struct, frozen=True, tag=True):
    """A seat was dealt a card. Here and below, ``NO_CARD`` masks the card for other viewers."""

    seat: int
    card: Card


class Laid(Struct, frozen=True, tag=True):
    """A seat laid a card face down."""

    seat: int
    card: Card


class Buried(Struct, frozen=True, tag=True):
    """A seat buried a card."""

    seat: int
    card: Card


class Stayed(Struct, frozen=True, tag=True):
    """A seat kept its hand."""

    seat: int


class Revealed(Struct, frozen=True, tag=True):
    """The laid cards were turned up, in the order of seats."""

    cards: tuple[Card, ...]


class Scored(Struct, frozen=True, tag=True):
    """A seat scored points."""

    seat: int
    points: int


Event = Dealt | Laid | Buried | Stayed | Revealed | Scored


class View(Struct, frozen=True):
    """What one viewer sees. For a spectator, ``hand``, ``laid`` and ``buried`` are empty."""

    stage: Stage
    round: int
    hand: tuple[Card, ...]
    laid: Card
    buried: tuple[Card, ...]
    hand_sizes: tuple[int, ...]
    has_laid: PerSeat[bool]
    buried_sizes: tuple[int, ...]
    deck_size: int
    shown: tuple[Card, ...]
    scores: PerSeat[int]
