"""How to play Tenerife. The worked example: thieves (TENERIFE-THIEVES-1 to TENERIFE-ROB-MASON-1)."""

from __future__ import annotations

from skerry_games.api import AnyGame
from skerry_games.looks.figures import Moment, figure_of, first_figure, moment
from skerry_games.looks.instructions import Example, Figure, HowToPlay
from skerry_games.sentences import counted, listed, phrase
from skerry_games.tenerife import events
from skerry_games.tenerife.printed.tenerife_board import BOARD
from skerry_games.tenerife.state import CHARACTERS_EACH, MANSIONS, SPACES, STORAGE, TOWNS, Character
from skerry_games.tenerife.words import say

_SEATS = 3
_SEED = 1


def how_to_play(game: AnyGame) -> HowToPlay:
    """Return the instructions."""
    return HowToPlay(
        aim=(
            "Have the most points when the Town Hall of La Laguna is complete. Points come from mansions, goods, your "
            "merchant, your thieves, and lines of your stones in the Town Hall."
        ),
        least_age=10,
        minutes=(30, 40),
        set_up=(
            phrase("tenerife-each-player-has-same", mansions=counted(MANSIONS, "mansion")),
            phrase(
                "tenerife-round-has",
                counts=listed(
                    phrase(
                        "tenerife-spaces-with-players-characters",
                        spaces=spaces,
                        seats=seats,
                        characters_each=CHARACTERS_EACH[seats],
                    )
                    for seats, spaces in SPACES.items()
                ),
            ),
            phrase("tenerife-cards-towns-shuffled-with", number=len(TOWNS)),
            phrase("tenerife-farmhand-stands-first-storage", number=len(STORAGE), value=BOARD.storage[0].value),
        ),
        turn=tuple(_turn(game)),
        example=_example(game),
        hints=(
            "Bring your merchant close to La Laguna before the Town Hall begins: there it counts the stones of all "
            "other players.",
            "Build your stones of the Town Hall side by side in straight lines. Diagonal neighbours count nothing.",
            "A farmer in a town without its symbol has no effect, but the others do not know that it is a farmer.",
        ),
    )


def _turn(game: AnyGame) -> list[Figure]:
    pictures = (
        (
            events.CharacterLaid,
            "Lay a character face down below any vacant space of the column. It is known only to you.",
        ),
        (
            events.MansionBuilt,
            "When the column is full, all characters are turned up and act from space 1 on. A mason builds a mansion "
            "in the town of the round: 2 points.",
        ),
        (
            events.WarehouseBuilt,
            "A farmer puts a mansion on the farmhand's storage space, as a warehouse. It pays nothing yet.",
        ),
        (
            events.WarehouseExported,
            "An exporter takes a ship and sells the goods of one of your warehouses, for the number on its space.",
        ),
        (
            events.MerchantMoved,
            "A merchant takes a ship, goes to a place with mansions of others, and scores 1 point for each.",
        ),
    )
    return [first_figure(game, _SEATS, _SEED, kind, caption) for kind, caption in pictures]


def _example(game: AnyGame) -> Example:
    """Return thieves that rob a mason, and thieves that free the character in front of their row."""
    one = moment(game, _SEATS, _SEED, _robs)
    robbed, built = _robbery(one)[0]
    other = moment(game, _SEATS, _SEED, lambda one: _is_open(one) and bool(one.events_of(events.CharacterFreed)))
    freed = other.events_of(events.CharacterFreed)[0]
    spaces = [f"space:{space}" for space in range(1, SPACES[_SEATS] + 1)]
    towns = [f"place:{BOARD.places[place].id}" for place in (built.town, one.before.place)]
    figures = (
        figure_of(
            game,
            one,
            phrase("tenerife-thieves-act-mason-merchant", robbed=say(robbed)),
            robbed,
            *spaces,
        ),
        figure_of(
            game,
            one,
            phrase("tenerife-thieves-take-building-material", built=say(built)),
            built,
            *towns,
        ),
        figure_of(
            game,
            other,
            phrase("tenerife-several-thieves-row-only", freed=say(freed)),
            freed,
            *spaces,
        ),
    )
    return Example("thieves", "TENERIFE-THIEVES-2", figures)


def _robbery(one: Moment) -> list[tuple[events.CharacterRobbed, events.MansionBuilt]]:
    """Return the masons that were robbed, with what the thieves built in a town at the next road."""
    return [
        (robbed, built)
        for robbed in one.events_of(events.CharacterRobbed)
        for built in one.events_of(events.MansionBuilt)
        if robbed.character is Character.MASON
        and built.space == robbed.by_space
        and built.town in BOARD.places[one.before.place].neighbours
    ]


def _robs(one: Moment) -> bool:
    return _is_open(one) and bool(_robbery(one))


def _is_open(one: Moment) -> bool:
    """Return whether the characters lie open in the column after a move: a seat has to decide what one does."""
    return bool(one.after.active)
