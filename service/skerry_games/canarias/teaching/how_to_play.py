"""How to play Islas Canarias. The worked example: the ship of the basket weaver (CANARIAS-ARRIVE-2)."""

from __future__ import annotations

from skerry_games.api import AnyGame
from skerry_games.canarias import events
from skerry_games.canarias.look import square_id
from skerry_games.canarias.printed.cards import CARD_IDS, SETTLERS
from skerry_games.canarias.printed.components_file import SQUARES
from skerry_games.canarias.printed.islands import ISLANDS
from skerry_games.canarias.state import HOUSES_EACH, PALACES_EACH, TOWNS_EACH
from skerry_games.canarias.words import card_name, feature_name, say
from skerry_games.looks.figures import Moment, figure_of, first_figure, moment
from skerry_games.looks.instructions import Example, Figure, HowToPlay
from skerry_games.sentences import counted, joined_by, listed, phrase, player

_SEATS = 3
_SEED = 100


def how_to_play(game: AnyGame) -> HowToPlay:
    """Return the instructions."""
    return HowToPlay(
        aim=(
            "Have the most points on your island. A house is 1 point, a first palace of a colour 3, each further one "
            "2, and a town 5. When a player has 19, one more round is played."
        ),
        least_age=10,
        minutes=(45, 60),
        set_up=(
            phrase("canarias-how-each-player-takes-one", islands=len(ISLANDS), squares=_building_squares()),
            "Each player draws 5 secret cards, with any number of players. One more card starts the ship, face down.",
            phrase(
                "canarias-supply-has-each-colours",
                houses=counted(HOUSES_EACH, "house"),
                palaces=counted(PALACES_EACH, "palace"),
                towns=counted(TOWNS_EACH, "town"),
            ),
            phrase("canarias-how-deck-has-settlers", settlers=len(SETTLERS)),
        ),
        turn=tuple(_turn(game)),
        example=_example(game),
        hints=(
            "Do not fill your island: settlers from the ship choose by empty squares. A palace frees one, a town two.",
            "Put the settlers on the ship that your own island suits best, and pirates of colours that others lead.",
            "Three points in a colour win its privilege. More points than its owner take it away.",
        ),
    )


def _building_squares() -> str:
    """Return the numbers of building squares of the islands."""
    return listed(map(str, sorted({len(island.building) for island in ISLANDS})), "or")


def _turn(game: AnyGame) -> list[Figure]:
    pictures = (
        (
            events.HousePlaced,
            "Play a settler and build a house of its colour, next to the first feature on the card that has an empty "
            "square. Or draw 3 cards.",
        ),
        (
            events.PalaceBuilt,
            "At any moment of your turn, 2 houses of one colour become a palace, or 3 a town, on one of their squares.",
        ),
        (events.PrivilegeTaken, "The first player with 3 points in a colour takes its privilege, which helps at once."),
        (events.CardLoaded, "Then put a card on the ship, face down. That ends your turn."),
        (
            events.SettlerChose,
            "After the turn of the last player the ship arrives: each settler chooses the island that suits it best.",
        ),
    )
    return [first_figure(game, _SEATS, _SEED, kind, caption) for kind, caption in pictures]


def _example(game: AnyGame) -> Example:
    """Return a basket weaver whose first and second priority tie, and whose third one decides."""
    one = moment(game, _SEATS, _SEED, _teaches)
    chose = _weaver(one)[0]
    assert chose.winner is not None
    first = figure_of(
        game,
        one,
        phrase(
            "canarias-comes-ashore-each-player",
            card_name=card_name(chose.card),
            feature_name=feature_name(chose.comparisons[0].feature),
            counts=_counts(chose.comparisons[0]),
        ),
        chose,
    )
    others = [
        Figure(
            _compared(compared, chose.winner if compared is chose.comparisons[-1] else None),
            one.after,
            None,
            _island_of(max(compared.counts, key=lambda each: each[1])[0]),
        )
        for compared in chose.comparisons[1:]
    ]
    last = Figure(
        phrase("canarias-house-still-goes-next", chose=say(chose)),
        one.after,
        None,
        _island_of(chose.winner),
    )
    return Example("the ship of the basket weaver", "CANARIAS-ARRIVE-2", (first, *others, last))


def _compared(compared: events.Comparison, winner: int | None) -> str:
    """Return the caption of a further comparison. ``winner``: the seat that it decides for."""
    feature, counts = feature_name(compared.feature), _counts(compared)
    if winner is None:
        return phrase("canarias-then-islands-tie", feature_name=feature, counts=counts)
    return phrase("canarias-then-island-wins", feature_name=feature, counts=counts, winner=player(winner))


def _island_of(seat: int) -> tuple[str, ...]:
    return tuple([square_id(seat, square) for square in range(len(SQUARES))])


def _counts(compared: events.Comparison) -> str:
    return listed(joined_by(" ", (player(seat), f"{count}")) for seat, count in compared.counts)


def _weaver(one: Moment) -> list[events.SettlerChose]:
    return [each for each in one.events_of(events.SettlerChose) if CARD_IDS[each.card].startswith("cestero")]


def _teaches(one: Moment) -> bool:
    return any(
        len(each.comparisons) == 3
        and each.winner is not None
        and not each.privilege
        and max(count for _, count in each.comparisons[0].counts) > 0
        for each in _weaver(one)
    )
