"""How to play Kreta. The worked example: influence at a fort (KRETA-SCORE-1 to KRETA-SCORE-4)."""

from __future__ import annotations

from skerry_games.api import AnyGame
from skerry_games.kreta import events
from skerry_games.kreta.kreta_board import BOARD
from skerry_games.kreta.state import FORTS_EACH, ROW, SHIPS, VILLAGERS, VILLAGES, KretaCard
from skerry_games.kreta.view import View
from skerry_games.kreta.words import say
from skerry_games.looks.figures import Moment, figure_of, first_figure, moment, pieces_in_words
from skerry_games.looks.instructions import Example, Figure, HowToPlay
from skerry_games.sentences import counted, listed, phrase, player

_SEATS = 3
_SEED = 4


def how_to_play(game: AnyGame) -> HowToPlay:
    """Return the instructions."""
    return HowToPlay(
        aim=(phrase("kreta-have-most-points-after", row=ROW)),
        least_age=10,
        minutes=(60, 60),
        set_up=(
            phrase(
                "kreta-each-player-holds-same",
                cards=counted(len(KretaCard), "card"),
                ships=counted(SHIPS, "ship"),
                forts=counted(FORTS_EACH, "fort"),
                villages=counted(VILLAGES, "village"),
                villagers=counted(VILLAGERS, "villager"),
            ),
            phrase("kreta-each-provinces-has-one", number=len(BOARD.provinces)),
            phrase("kreta-fort-cards-lie-row", number=len(BOARD.forts), row=ROW),
            "With 2 players a harbour holds 1 ship, and there is no second place. With 3 or 4 it holds 2.",
        ),
        turn=tuple(_turn(game)),
        example=_example(game),
        hints=(
            "Keep a fort or a village in reserve for the last scorings: they cannot be moved, and no player can "
            "remove them.",
            "A province with 7 figures takes no more. Then only a fort or a ship adds influence there.",
            "Watch who holds the castellan: the player who plays it decides when the next fort pays.",
        ),
    )


def _turn(game: AnyGame) -> list[Figure]:
    played = moment(game, _SEATS, _SEED, lambda one: bool(one.events_of(events.CardPlayed)))
    card = played.events_of(events.CardPlayed)[0]
    hand = tuple([f"card:{card.seat}:{one.name.lower()}" for one in KretaCard])
    return [
        figure_of(
            game,
            played,
            "Play one card of your hand and carry out its action. It then stays on the table.",
            card,
            *hand,
        ),
        first_figure(
            game,
            _SEATS,
            _SEED,
            events.VillagerRecruited,
            "The commander adds a villager or marches. The admiral does the same with ships, the abbot card with "
            "your abbot.",
        ),
        first_figure(
            game,
            _SEATS,
            _SEED,
            events.TileHarvested,
            "The farmer harvests a tile that a chain of your villagers joins to your ship. The first tile of a kind "
            "pays 1 point, the next ones 2, 3 and 4.",
        ),
        first_figure(
            game,
            _SEATS,
            _SEED,
            events.FortBuilt,
            "The architect builds a fort between provinces, or a village. Your third village needs three harvested "
            "tiles.",
        ),
        first_figure(
            game,
            _SEATS,
            _SEED,
            events.ScoringBegun,
            "The castellan scores the provinces around the next fort. Then all players take all their cards back.",
        ),
    ]


def _example(game: AnyGame) -> Example:
    """Return a scoring of two provinces: one with a first and a second place, one with a tie."""
    one = moment(game, _SEATS, _SEED, _teaches)
    fort = one.events_of(events.ScoringBegun)[0]
    view: View = game.view(one.before, None)
    figures = [figure_of(game, one, phrase("kreta-castellan-scores-fort-each", fort=fort.fort), fort)]
    for scored in one.events_of(events.ProvinceScored):
        counts = listed(
            phrase("kreta-has-share", seat=player(seat), share=share, pieces=_pieces(view, scored.province, seat))
            for seat, share in enumerate(scored.influence)
            if share
        )
        caption = phrase("kreta-influence", counts=counts, scored=say(scored))
        figures.append(figure_of(game, one, caption, scored, f"fort:{fort.fort}"))
    return Example("influence at a fort", "KRETA-SCORE-1", tuple(figures))


def _teaches(one: Moment) -> bool:
    shares = [sorted(scored.influence) for scored in one.events_of(events.ProvinceScored)]
    second = any(share[-1] > share[-2] > 0 for share in shares)
    return len(shares) == 2 and second and any(share[-1] == share[-2] > 0 for share in shares)


def _pieces(view: View, province: int, seat: int) -> str:
    """Return what gives a seat its influence in a province (KRETA-SCORE-1)."""
    there = view.provinces[province]
    forts = sum(owner == seat and space in BOARD.provinces[province].fort_spaces for space, owner in view.forts)
    return pieces_in_words(
        (there.villagers[seat], "villager"),
        (there.villages[seat], "village"),
        (there.abbots.count(seat), "abbot"),
        (there.ships.count(seat), "ship"),
        (forts, "fort"),
    )
