from __future__ import annotations

import pytest

from skerry_games.sentences import fill
from skerry_games.tenerife import GAME, events, moves
from skerry_games.tenerife.events import Event, Reason
from skerry_games.tenerife.moves import Move
from skerry_games.tenerife.state import BackColour, Character, CharacterCard
from tests.games.tenerife.acting import laying
from tests.games.tenerife.drawing import at
from tests.games.tenerife.totals import points_of

ICO, PUE, LAG = map(at, ("ICO", "PUE", "LAG"))
MASON, FARMER, MERCHANT, EXPORTER, THIEVES = Character


@pytest.mark.parametrize(
    ("move", "words"),
    [
        (laying(5, CharacterCard.MERCHANT), "lay a merchant below space 5"),
        (laying(12, CharacterCard.SECOND_THIEVES), "lay thieves of the second colour below space 12"),
        (moves.Lay(5, None, BackColour.OWN), "lay a character below space 5"),
        (moves.Lay(3, None, BackColour.SECOND), "lay a character of the second colour below space 3"),
        (moves.BuildElement(7), "build on plot 7 of the Town Hall"),
        (moves.BuildElement(7, 0), "rob {0}'s mason and build on plot 7 of the Town Hall"),
        (moves.BuildMansion(ICO, 2), "rob {2}'s mason and build a mansion in Icod"),
        (moves.Export(1), "export the sugar from storage space 1"),
        (moves.Export(6), "export the wine from storage space 6"),
        (moves.Export(3, 1), "rob {1}'s exporter and export the sugar from storage space 3"),
        (moves.MoveMerchant(LAG), "move the merchant to La Laguna"),
        (moves.TurnUpTown(PUE), "turn up Puerto de la Cruz"),
        (moves.DrawStartSeat(2), "let {2} go first"),
    ],
)
def test_moves_read_as_imperatives(move: Move, words: str) -> None:
    assert GAME.say_move(move) == words


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (events.StartSeatDrawn(1), "{1} is drawn to go first."),
        (events.RoundBegun(2, PUE, 1, 0), "Round 2 begins in Puerto de la Cruz. {1} goes first."),
        (events.RoundBegun(7, LAG, 0, 1), "Round 7 begins at the Town Hall in La Laguna. {0} goes first."),
        (events.CharacterLaid(0, 3, BackColour.OWN, FARMER), "{0} lays a farmer below space 3."),
        (events.CharacterLaid(0, 3, BackColour.OWN, EXPORTER), "{0} lays an exporter below space 3."),
        (events.CharacterLaid(0, 3, BackColour.OWN, THIEVES), "{0} lays thieves below space 3."),
        (events.CharacterLaid(0, 3, BackColour.OWN, None), "{0} lays a character below space 3."),
        (
            events.CharacterLaid(0, 3, BackColour.SECOND, None),
            "{0} lays a character of the second colour below space 3.",
        ),
        (
            events.CharactersRevealed(
                (events.RevealedCard(1, 2, CharacterCard.MASON), events.RevealedCard(2, 0, CharacterCard.THIEVES))
            ),
            "All characters are revealed, from space 1: {2}'s mason and {0}'s thieves.",
        ),
        (
            events.CharacterRobbed(4, 0, MASON, 1, 5),
            "{0}'s mason below space 4 is robbed by {1}'s thieves below space 5 and does not act.",
        ),
        (
            events.CharacterFreed(4, 0, MERCHANT, 6),
            "{0}'s merchant below space 4 is freed by {0}'s own thieves below space 6.",
        ),
        (
            events.NoEffect(2, 0, MASON, Reason.TOWN_FULL),
            "{0}'s mason below space 2 has no effect: the town has no free plot.",
        ),
        (
            events.NoEffect(2, 0, THIEVES, Reason.FARMER_AHEAD),
            "{0}'s thieves below space 2 have no effect: thieves cannot rob farmers.",
        ),
        (
            events.NoEffect(2, 3, FARMER, Reason.NO_MANSION),
            "{3}'s farmer below space 2 has no effect: no mansion is left in the supply.",
        ),
        (events.MansionBuilt(1, 0, ICO, 1, 2, None), "{0} builds a mansion in Icod for 2 points."),
        (
            events.MansionBuilt(2, 0, ICO, 1, 2, 3),
            "{0} robs {3}'s mason and builds a mansion in Icod for 2 points.",
        ),
        (events.ElementBuilt(1, 0, 7, None), "{0} builds on plot 7 of the Town Hall."),
        (events.ElementBuilt(1, 0, 7, 1), "{0} robs {1}'s mason and builds on plot 7 of the Town Hall."),
        (events.WarehouseBuilt(1, 0, 4), "{0} builds a wine warehouse on storage space 4."),
        (events.FarmhandMoved(4, 5), "The farmhand goes from storage space 4 to storage space 5."),
        (events.WarehouseExported(1, 0, 1, 5, None, 1), "{0} exports the sugar from storage space 1 for 5 points."),
        (
            events.WarehouseExported(2, 0, 4, 3, 2, None),
            "{0} robs {2}'s exporter and exports the wine from storage space 4 for 3 points.",
        ),
        (
            events.MerchantMoved(1, 0, None, PUE, 1, 1),
            "{0}'s merchant is placed in Puerto de la Cruz and scores 1 point.",
        ),
        (
            events.MerchantMoved(1, 0, PUE, ICO, 0, 1),
            "{0}'s merchant goes from Puerto de la Cruz to Icod and scores no points.",
        ),
        (events.MerchantRobbed(2, 0, 1, 2), "{0} robs {1}'s merchant for 2 points."),
        (events.RoundEnded(3), "Round 3 is over. All players take back their characters."),
        (
            events.HallScored(0, ((4, 5, 6), (7,)), 5),
            "{0} scores 5 points for the Town Hall: plots 4-5-6 and 7.",
        ),
        (events.HallScored(0, ((7,),), 1), "{0} scores 1 point for the Town Hall: plot 7."),
        (events.HallScored(0, (), 0), "{0} has built nothing in the Town Hall and scores no points for it."),
        (events.GameEnded((3, 9), (1,)), "The game is over: {1} is ahead with 9 points."),
        (events.GameEnded((9, 3, 9), (0, 2)), "The game is over: {0} and {2} are ahead with 9 points each."),
    ],
)
def test_events_read_as_sentences(event: Event, words: str) -> None:
    assert GAME.say(event) == words


@pytest.mark.parametrize("reason", Reason)
def test_every_reason_has_words(reason: Reason) -> None:
    assert "{" not in fill(GAME.say(events.NoEffect(1, 0, THIEVES, reason)), ["Ada", "Bob"])


def test_points_are_those_of_events() -> None:
    assert points_of(events.MansionBuilt(1, 2, ICO, 1, 2, None)) == {2: 2}
    assert points_of(events.WarehouseExported(2, 0, 4, 3, 2, None)) == {0: 3}
    assert points_of(events.MerchantMoved(1, 0, None, PUE, 4, 1)) == {0: 4}
    assert points_of(events.MerchantRobbed(2, 1, 0, 2)) == {1: 2}
    assert points_of(events.HallScored(0, ((7,),), 1)) == {0: 1}
    assert points_of(events.ElementBuilt(1, 0, 7, None)) == {}
