from __future__ import annotations

import pytest

from skerry_games.kreta import GAME, events, moves
from skerry_games.kreta.events import Event
from skerry_games.kreta.moves import Move
from skerry_games.kreta.state import KretaCard, Tile
from tests.games.kreta.drawing import at

KYD, KIS, MES, SFA, CAN = map(at, ("KYD", "KIS", "MES", "SFA", "CAN"))


@pytest.mark.parametrize(
    ("move", "words"),
    [
        (moves.PlayCard(KretaCard.ABBOT), "play the abbot"),
        (moves.PlayCard(KretaCard.KING, KretaCard.ADMIRAL), "play the king as the admiral"),
        (moves.PlaceShip(KYD), "place a ship at Kydonia"),
        (moves.Sail(((KYD, MES),)), "sail from Kydonia to Messara"),
        (
            moves.Sail(((KYD, SFA), (MES, CAN))),
            "sail from Kydonia to Sfakia and from Messara to Candia",
        ),
        (moves.Recruit(KIS), "place a villager in Kissamos"),
        (moves.March(KIS, KYD), "march from Kissamos to Kydonia"),
        (moves.HALT, "halt"),
        (moves.PlaceAbbot(KIS), "place the abbot in Kissamos"),
        (moves.MoveAbbot(KIS, KYD), "move the abbot from Kissamos to Kydonia"),
        (moves.Harvest(KIS), "harvest the tile in Kissamos"),
        (moves.BuildFort(7), "build a fort on space 7"),
        (moves.BuildVillage(KIS), "build a village in Kissamos"),
        (moves.KeepFort(7), "keep fort card 7"),
        (moves.ReplaceFort(7), "replace fort card 7"),
        (moves.DealMountains((Tile.THYME, Tile.CHEESE)), "deal thyme and cheese to the mountains"),
        (moves.DealHills((Tile.OLIVE, Tile.WINE, Tile.OLIVE)), "deal olives, wine and olives to the hills"),
        (moves.TurnUpFort(7), "turn up fort card 7"),
        (moves.DrawStartSeat(2), "let {2} go first"),
    ],
)
def test_the_sentence_of_a_move_is_an_imperative(move: Move, words: str) -> None:
    assert GAME.say_move(move) == words


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (
            events.TilesDealt(((KYD, Tile.WHEAT), (KIS, Tile.WINE))),
            "Tiles are dealt: wheat to Kydonia and wine to Kissamos.",
        ),
        (events.FortTurnedUp(9, False), "Fort card 9 is turned up. It scores Messara and Sfakia."),
        (
            events.FortTurnedUp(9, True),
            "Fort card 9 comes from the pile as the replacement. It scores Messara and Sfakia.",
        ),
        (events.StartSeatSet(1), "{1} goes first."),
        (events.CardPlayed(0, KretaCard.FARMER, None), "{0} plays the farmer."),
        (events.CardPlayed(0, KretaCard.KING, KretaCard.FARMER), "{0} plays the king as the farmer."),
        (events.ShipPlaced(0, KYD), "{0} places a ship at Kydonia."),
        (events.ShipSailed(0, KYD, MES), "{0}'s ship sails from Kydonia to Messara."),
        (events.VillagerRecruited(0, KYD), "{0} places a villager in Kydonia."),
        (
            events.VillagerMarched(0, KIS, KYD, (), 1),
            "{0} marches a villager from Kissamos to Kydonia and has 1 movement point left.",
        ),
        (
            events.VillagerMarched(0, KIS, KYD, (), 0),
            "{0} marches a villager from Kissamos to Kydonia and has no movement points left.",
        ),
        (events.MarchEnded(0, 0, True), "{0}'s march ends."),
        (events.MarchEnded(0, 2, True), "{0}'s march ends with 2 movement points left, because no villager can march."),
        (events.MarchEnded(0, 1, False), "{0} halts with 1 movement point left."),
        (events.AbbotPlaced(0, KIS), "{0} places their abbot in Kissamos."),
        (events.AbbotMoved(0, KIS, KYD, ()), "{0}'s abbot moves from Kissamos to Kydonia."),
        (events.TileHarvested(0, KYD, Tile.WHEAT, 1), "{0} harvests wheat in Kydonia for 1 point."),
        (events.FortBuilt(0, 3), "{0} builds a fort on space 3."),
        (events.VillageBuilt(0, KIS), "{0} builds a village in Kissamos."),
        (events.ScoringBegun(3, 2), "Scoring 2 of 11: fort card 3 is scored."),
        (
            events.ProvinceScored(KYD, 6, (3, 0, 1), (6, 0, 3)),
            "In Kydonia (worth 6), {0} has influence 3 and {2} has influence 1."
            " {0} scores 6 points, and {2} scores 3 points.",
        ),
        (
            events.ProvinceScored(SFA, 4, (2, 2, 1), (4, 4, 0)),
            "In Sfakia (worth 4), {0} has influence 2, {1} has influence 2 and {2} has influence 1."
            " {0} and {1} score 4 points each.",
        ),
        (
            events.ProvinceScored(KIS, 3, (3, 1, 1), (3, 1, 1)),
            "In Kissamos (worth 3), {0} has influence 3, {1} has influence 1 and {2} has influence 1."
            " {0} scores 3 points, and {1} and {2} score 1 point each.",
        ),
        (
            events.ProvinceScored(KYD, 6, (0, 0), (0, 0)),
            "In Kydonia (worth 6), no player has influence, so no points are awarded.",
        ),
        (events.CardsReturned(), "All players take their cards back."),
        (events.FortKept(0, 3), "{0} keeps fort card 3."),
        (events.FortReplaced(0, 3), "{0} puts fort card 3 under the pile."),
        (events.GameEnded((3, 9), (1,)), "The game is over: {1} is ahead with 9 points."),
        (events.GameEnded((9, 3, 9), (0, 2)), "The game is over: {0} and {2} are ahead with 9 points each."),
    ],
)
def test_the_text_of_an_event_is_a_sentence(event: Event, words: str) -> None:
    assert GAME.say(event) == words
