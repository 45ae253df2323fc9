"""How large what Islas Canarias shows and asks can become."""

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
from skerry_games.shapes import Bounds, By, Counts, Exactly, Shapes, Values


def _shapes(options: Options, seats: int) -> Shapes:
    cards = Counts(ALL_CARDS)
    return {
        "seats": Exactly(seats),
        "seats[].buildings": By("square", ALL_SQUARES),
        "seats[].cards": cards,
        "privileges": Exactly(len(Colour)),
        "discard": cards,
        "material": Counts(ALL_SQUARES),
        "victims": Counts(range(seats)),
        "hand": cards,
        # A seat can know of two: the one that stayed from the ship before, and the one that it has put on this one.
        "aboard": By("card", ALL_CARDS, alike=2 if options.deck == DeckOption.TRIPLES else 1),
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
    numbers={"Divert.seat": Values(range(max(SEATS)))},
    lengths={},
    shapes=_shapes,
)
