from __future__ import annotations

import pytest

from skerry_service.games.kreta import GAME, moves
from skerry_service.games.kreta import events as told
from skerry_service.games.kreta.events import Event
from skerry_service.games.kreta.moves import Move
from skerry_service.games.kreta.state import Card, Tile
from tests.games.kreta.drawing import at

KYD, KIS, MES, SFA = map(at, ("KYD", "KIS", "MES", "SFA"))


@pytest.mark.parametrize(
    ("move", "words"),
    [
        (moves.PlayCard(Card.ABBOT), "play the abbot"),
        (moves.PlayCard(Card.KING, Card.ADMIRAL), "play the king as the admiral"),
        (moves.PlaceShip(KYD), "place a ship at Kydonia"),
        (moves.Sail((KYD,)), "sail to Kydonia"),
        (moves.Sail((KYD, MES)), "sail to Kydonia and Messara"),
        (moves.Recruit(KIS), "add a villager in Kissamos"),
        (moves.March(KIS, KYD), "march from Kissamos to Kydonia"),
        (moves.HALT, "halt"),
        (moves.MoveAbbot(KIS), "put the abbot into Kissamos"),
        (moves.Harvest(KIS), "harvest Kissamos"),
        (moves.BuildFort(7), "build a fort on space 7"),
        (moves.BuildVillage(KIS), "build a village in Kissamos"),
        (moves.KeepFort(), "keep the fort card"),
        (moves.ReplaceFort(), "replace the fort card"),
        (moves.DealMountains((Tile.THYME, Tile.CHEESE)), "deal thyme, cheese to the mountains"),
        (moves.DealHills((Tile.OLIVE, Tile.WINE)), "deal olive, wine to the hills"),
        (moves.TurnUpFort(7), "turn up fort card 7"),
        (moves.DrawStartSeat(2), "let {2} begin"),
    ],
)
def test_moves_are_told_as_imperatives(move: Move, words: str) -> None:
    assert GAME.say_move(move) == words


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (
            told.TilesDealt(((KYD, Tile.WHEAT), (KIS, Tile.WINE))),
            "Tiles are dealt: wheat to Kydonia and wine to Kissamos.",
        ),
        (told.FortTurnedUp(9, False), "Fort card 9 is turned up, for Messara and Sfakia."),
        (
            told.FortTurnedUp(9, True),
            "The pile's top card takes its place: fort card 9 is turned up, for Messara and Sfakia.",
        ),
        (told.StartSeatSet(1), "{1} begins."),
        (told.CardPlayed(0, Card.FARMER, None), "{0} plays the farmer."),
        (told.CardPlayed(0, Card.KING, Card.FARMER), "{0} plays the king as the farmer."),
        (told.ShipPlaced(0, KYD), "{0} places a ship at Kydonia."),
        (told.ShipSailed(0, KYD, MES), "A ship of {0} sails from Kydonia to Messara."),
        (told.VillagerRecruited(0, KYD), "{0} adds a villager in Kydonia."),
        (
            told.VillagerMarched(0, KIS, KYD, 1),
            "A villager of {0} marches from Kissamos to Kydonia; 1 movement point left.",
        ),
        (told.MarchEnded(0, 0, True), "{0} has used all movement points."),
        (told.MarchEnded(0, 2, True), "{0} has 2 movement points left, but no villager can march."),
        (told.MarchEnded(0, 1, False), "{0} halts with 1 movement point left."),
        (told.AbbotPlaced(0, KIS), "The abbot of {0} comes to Kissamos."),
        (told.AbbotMoved(0, KIS, KYD), "The abbot of {0} walks from Kissamos to Kydonia."),
        (told.TileHarvested(0, KYD, Tile.WHEAT, 1), "{0} harvests wheat in Kydonia for 1 point."),
        (told.FortBuilt(0, 3), "{0} builds a fort on space 3."),
        (told.VillageBuilt(0, KIS), "{0} builds a village in Kissamos."),
        (told.ScoringBegun(3, 2), "Scoring 2 of 11: fort card 3 is scored."),
        (
            told.ProvinceScored(KYD, 6, (3, 0, 1), (6, 0, 3)),
            "Kydonia, worth 6, has influence 3 of {0} and 1 of {2}: 6 points for {0} and 3 points for {2}.",
        ),
        (
            told.ProvinceScored(KYD, 6, (0, 0), (0, 0)),
            "Kydonia, worth 6, scores for nobody: no seat has influence there.",
        ),
        (told.CardsReturned(), "All seats take their cards back."),
        (told.FortKept(0, 3), "{0} keeps fort card 3."),
        (told.FortReplaced(0, 3), "{0} puts fort card 3 under the pile."),
        (told.GameEnded((3, 9), (1,)), "The game is over: {1} wins with 9 points."),
        (told.GameEnded((9, 3, 9), (0, 2)), "The game is over: {0} and {2} share the win with 9 points."),
    ],
)
def test_events_are_told_as_sentences(event: Event, words: str) -> None:
    assert GAME.say(event) == words
