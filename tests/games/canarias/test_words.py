from __future__ import annotations

from typing import get_args

import pytest

from skerry_service.games.canarias import GAME, moves
from skerry_service.games.canarias import events as told
from skerry_service.games.canarias.events import Comparison, Event
from skerry_service.games.canarias.moves import Move
from skerry_service.games.canarias.terms import Colour, Feature, Piece
from tests.games.canarias.drawing import card, sq, sqs

REAPER = card("segador-a")
PIRATE = card("pirate-red")


MOVES: list[tuple[Move, str]] = [
    (moves.TakeIsland(2), "take island 3"),
    (moves.Build(REAPER), "build a house for the reaper (Segador a)"),
    (moves.Draw(), "draw cards"),
    (moves.TakeExtra(), "take the extra card"),
    (moves.BuildPalace((sq("A1"), sq("B3"))), "build a palace from the houses on A1 and B3"),
    (moves.BuildTown((sq("A1"), sq("B3"), sq("C5"))), "build a town from the houses on A1, B3 and C5"),
    (moves.Load(PIRATE), "put the red pirate on the ship"),
    (moves.Load(), "put a card on the ship"),
    (moves.ChooseColour(Colour.BEIGE), "choose beige"),
    (moves.Place(sq("D4")), "choose square D4"),
    (moves.GiveUp(sq("D4")), "give up the house on D4"),
    (moves.Divert(1), "send the pirate to {1}"),
    (moves.DrawStartSeat(1), "let {1} begin"),
    (moves.DealIsland(0), "deal island 1"),
    (moves.DealCard(1, REAPER), "deal the reaper (Segador a) to {1}"),
    (moves.DealCard(1), "deal a card to {1}"),
    (moves.StartShip(REAPER), "put the reaper (Segador a) on the empty ship"),
    (moves.StartShip(), "put a card on the empty ship"),
    (moves.TurnUp(PIRATE), "turn up the red pirate"),
]


@pytest.mark.parametrize(("move", "words"), MOVES)
def test_moves_are_told_as_imperatives(move: Move, words: str) -> None:
    assert GAME.say_move(move) == words


EVENTS: list[tuple[Event, str]] = [
    (told.StartSeatSet(1), "{1} begins."),
    (told.IslandTaken(1, 2, False), "{1} takes island 3."),
    (told.IslandTaken(1, 2, True), "{1} is dealt island 3."),
    (told.CardDrawn(0), "{0} draws a card."),
    (told.CardDrawn(0, REAPER), "{0} draws the reaper (Segador a)."),
    (told.DeckRenewed(1), "The discard pile is shuffled and becomes the deck: 1 card."),
    (told.ShipBegun(), "The first card of the ship lies face down."),
    (told.TurnBegun(3, 1), "Round 3: {1} has its turn."),
    (told.DrawingBegun(1, 5), "{1} draws 5 cards instead of building."),
    (told.ExtraTaken(1), "{1} takes the extra card of its privilege."),
    (told.SettlerPlayed(1, REAPER), "{1} plays the reaper (Segador a)."),
    (
        told.MaterialChosen(1, Piece.TOWN, sqs("A1 A2 B1")),
        "{1} turns the houses on A1, A2 and B1 into a town.",
    ),
    (told.ColourChosen(1, Piece.HOUSE, Colour.RED, False), "{1} takes a red house."),
    (told.ColourChosen(1, Piece.PALACE, Colour.RED, True), "{1} takes a red palace, the only choice."),
    (
        told.HousePlaced(1, sq("A1"), Colour.RED, Feature.COAST, False),
        "{1} builds a red house on A1, next to the coast.",
    ),
    (
        told.HousePlaced(1, sq("A1"), Colour.RED, Feature.GREEN, True),
        "{1} builds a red house on A1, next to green buildings, the only choice.",
    ),
    (told.HousePlaced(1, sq("A1"), Colour.RED, None, False), "{1} builds a red house on A1."),
    (
        told.PalaceBuilt(1, sq("A1"), Colour.RED, sqs("A1 A2"), 1, False),
        "{1} builds a red palace on A1, from the houses on A1 and A2, for 1 point more.",
    ),
    (
        told.PalaceBuilt(1, sq("A1"), Colour.RED, sqs("A1 A2"), 0, False),
        "{1} builds a red palace on A1, from the houses on A1 and A2, for no more points.",
    ),
    (
        told.TownBuilt(1, sq("A1"), Colour.RED, sqs("A1 A2 B1"), 2, False),
        "{1} builds a red town on A1, from the houses on A1, A2 and B1, for 2 points more.",
    ),
    (told.PrivilegeTaken(Colour.RED, 1), "{1} takes the red privilege."),
    (told.PrivilegeTaken(Colour.RED, 1, 0), "{1} takes the red privilege from {0}."),
    (told.CardLoaded(1), "{1} puts a card on the ship."),
    (told.CardLoaded(1, PIRATE), "{1} puts the red pirate on the ship."),
    (told.NothingLoaded(1), "{1} has no card to put on the ship."),
    (told.ShipArrived(4), "The ship arrives with 4 cards; one of them stays on board."),
    (told.ShipCardTurnedUp(PIRATE), "The red pirate comes ashore."),
    (
        told.SettlerChose(REAPER, (Comparison(Feature.COAST, ((0, 3), (1, 2))),), 0, False),
        "The reaper (Segador a) chooses the island of {0} (coast: 3 for {0}, 2 for {1}).",
    ),
    (
        told.SettlerChose(REAPER, (Comparison(Feature.COAST, ((0, 3), (1, 3))),), 1, True),
        "The reaper (Segador a) chooses the island of {1}, whose privilege wins the tie (coast: 3 for {0}, 3 for {1}).",
    ),
    (
        told.SettlerChose(
            REAPER,
            (Comparison(Feature.RED, ((0, 0), (1, 0))), Comparison(Feature.ROAD, ((0, 1), (1, 1)))),
            None,
            False,
        ),
        "The reaper (Segador a) finds no home (red buildings: 0 for {0}, 0 for {1}; road: 1 for {0}, 1 for {1}).",
    ),
    (told.NoHouseLeft(1), "No house is left for {1} to build."),
    (
        told.PirateStruck(Colour.RED, 1, (), (1,), False),
        "The red pirate robs {1}, who owns the red privilege.",
    ),
    (
        told.PirateStruck(Colour.RED, 1, (), (), True),
        "The red pirate seeks {1}, who is protected and sends it elsewhere.",
    ),
    (told.PirateStruck(Colour.RED, None, ((0, 0), (1, 0)), (), False), "The red pirate finds nobody to rob."),
    (
        told.PirateStruck(Colour.RED, None, ((0, 2), (1, 0)), (0,), False),
        "The red pirate robs {0}, who has the most red points: 2.",
    ),
    (
        told.PirateStruck(Colour.RED, None, ((0, 1), (1, 1)), (1, 0), False),
        "The red pirate robs {1} and {0}, who have the most red points: 1.",
    ),
    (told.PirateDiverted(0, 1, False), "{0} sends the pirate to {1}."),
    (told.PirateDiverted(0, 1, True), "{0} sends the pirate to {1}, the only choice."),
    (told.PirateDiverted(0, None, True), "{0} finds no other seat with a house for the pirate."),
    (told.HouseGivenUp(0, sq("A1"), Colour.RED, False), "{0} gives up the red house on A1."),
    (told.HouseGivenUp(0, sq("A1"), Colour.RED, True), "{0} gives up the red house on A1, the only choice."),
    (told.NothingToGiveUp(1), "{1} has no house to give up."),
    (told.RoundEnded(3, (9, 12), False, 0, 1), "Round 3 is over: 9 points for {0}, 12 points for {1}."),
    (
        told.RoundEnded(3, (1, 19), True, 0, 1),
        "Round 3 is over: 1 point for {0}, 19 points for {1}. The next round is the last.",
    ),
    (told.HandRevealed(1, (REAPER, PIRATE)), "{1} is left with the reaper (Segador a) and the red pirate."),
    (told.ShipRevealed(PIRATE, None), "The card left on the ship is the red pirate."),
    (told.ShipRevealed(PIRATE, 1), "The card left on the ship is the red pirate, put there by {1}."),
    (told.GameEnded((3, 9), (1,)), "The game is over: {1} wins with 9 points."),
    (told.GameEnded((9, 3, 9), (0, 2)), "The game is over: {0} and {2} share the win with 9 points."),
]


@pytest.mark.parametrize(("event", "words"), EVENTS)
def test_events_are_told_as_sentences(event: Event, words: str) -> None:
    assert GAME.say(event) == words


def test_every_kind_of_move_and_event_is_told_here() -> None:
    assert {type(move) for move, _ in MOVES} == set(get_args(Move))
    assert {type(event) for event, _ in EVENTS} == set(get_args(Event))
