"""How to play Small Islands. The worked example: an objective (SMALL-REWARD-1, SMALL-PAY-1)."""

from __future__ import annotations

from skerry_games.api import AnyGame
from skerry_games.looks.figures import Moment, figure_of, first_figure, moment
from skerry_games.looks.instructions import Example, Figure, HowToPlay
from skerry_games.sentences import counted, phrase, player
from skerry_games.small_islands import events
from skerry_games.small_islands.printed.components import COMPONENTS
from skerry_games.small_islands.printed.tile_drawings import card_label
from skerry_games.small_islands.tabletop.piece_ids import card_id, tile_id
from skerry_games.small_islands.view import View
from skerry_games.small_islands.words import say

_SEATS = 3
_SEED = 1


def how_to_play(game: AnyGame) -> HowToPlay:
    """Return the instructions."""
    return HowToPlay(
        aim=(
            "Have the most points after at most 4 rounds. In each round you place houses on islands that fulfil your "
            "secret objective. At the end, ports around your ship and discovery tokens count."
        ),
        least_age=8,
        minutes=(30, 45),
        set_up=(
            phrase("small_islands-how-each-player-has-2", tokens=counted(len(COMPONENTS.bonus_tokens), "bonus token")),
            "Four starting tiles lie in the middle, and 3 open tiles beside them.",
            "There are 4 ships: one for each player, and grey ones for 2 or 3 players.",
            "For each round, 6 tiles form the navigation stack. Each player draws 2 more objectives, and keeps one for "
            "this round and one for the next.",
        ),
        turn=tuple(_turn(game)),
        example=_example(game),
        hints=(
            "As long as the navigation stack has tiles, no player can land. Watch for the turn in which it runs out.",
            "A house stays on its island for the rest of the game. Save islands that a later objective may pay better.",
            "Land where ports are near: each port on the 8 tiles around your ship is 1 point at the end.",
        ),
    )


def _turn(game: AnyGame) -> list[Figure]:
    pictures = (
        (
            events.TileLaid,
            "Explore: take one of the open tiles, and lay one of your 3 tiles so that its coast goes on.",
        ),
        (
            events.TokenPlaced,
            "If you like, place one bonus token: it changes a resource on a tile, or adds a port at a coast.",
        ),
        (
            events.ShipLanded,
            "Or land, once the navigation stack is empty: your ship ends the exploration for all players.",
        ),
        (
            events.HousePlaced,
            "Then each player reveals the objective and places houses on islands that fulfil its mission, one each.",
        ),
    )
    return [first_figure(game, _SEATS, _SEED, kind, caption) for kind, caption in pictures]


def _example(game: AnyGame) -> Example:
    """Return an objective whose reward has two parts."""
    one = moment(game, _SEATS, _SEED, _teaches)
    paid: events.HousePaid = one.events_of(events.HousePaid)[0]
    view: View = game.view(one.before, paid.seat)
    card = view.seats[paid.seat].objective[0]
    island = next(each for each in view.islands if paid.at in each.cells)
    tiles = tuple([tile_id(laid.tile) for laid in view.tiles if laid.at in island.cells])
    shown = (
        Figure(
            phrase("small_islands-reveals", paid=player(paid.seat), card_label=card_label(COMPONENTS.cards[card])),
            one.before,
            paid.seat,
            (card_id(card),),
        ),
        Figure(
            phrase(
                "small_islands-this-island-has-fulfils",
                tiles=counted(len(island.cells), "tile"),
                paid=player(paid.seat),
            ),
            one.after,
            None,
            tiles,
        ),
        figure_of(game, one, say(paid), paid, *tiles),
    )
    return Example("an objective", "SMALL-PAY-1", shown)


def _teaches(one: Moment) -> bool:
    paid = one.events_of(events.HousePaid)
    return len(paid) == 1 and len(paid[0].parts) == 2 and paid[0].points >= 5
