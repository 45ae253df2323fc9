"""Upper bounds for the sizes of views and moves of Islas Canarias."""

from __future__ import annotations

from typing import Final

from skerry_games.canarias.moves import (
    Build,
    BuildPalace,
    BuildTown,
    ChooseColour,
    Divert,
    Draw,
    GiveUp,
    Load,
    Place,
    TakeExtra,
    TakeIsland,
)
from skerry_games.canarias.printed.cards import ALL_CARDS
from skerry_games.canarias.printed.squares import ALL_SQUARES
from skerry_games.canarias.printed.terms import Colour
from skerry_games.canarias.state import SEATS, DeckOption, Options
from skerry_games.shapes import AllowedValues, Bounds, FixedLength, GroupedBy, Multiset, Shapes


def _shapes(options: Options, seats: int) -> Shapes:
    cards = Multiset(ALL_CARDS)
    return {
        "seats": FixedLength(seats),
        "seats[].buildings": GroupedBy("square", ALL_SQUARES),
        "seats[].cards": cards,
        "privileges": FixedLength(len(Colour)),
        "discard": cards,
        "material": Multiset(ALL_SQUARES),
        "victims": Multiset(range(seats)),
        "hand": cards,
        # A seat can know two cards: one that stayed from the last ship, and one that it has put on this ship.
        "aboard": GroupedBy("card", ALL_CARDS, max_equal=2 if options.deck == DeckOption.TRIPLES else 1),
    }


BOUNDS: Final = Bounds(
    decisions=(
        TakeIsland,
        Build,
        Draw,
        TakeExtra,
        BuildPalace,
        BuildTown,
        Load,
        ChooseColour,
        Place,
        GiveUp,
        Divert,
    ),
    numbers={"Divert.seat": AllowedValues(range(max(SEATS)))},
    lengths={},
    shapes=_shapes,
    seat_numbers=frozenset({"aboard[].seat", "acting_seat", "privileges[]", "start_seat", "turn"}),
)
