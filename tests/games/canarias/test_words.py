from __future__ import annotations

from typing import get_args

import pytest

from skerry_games.api import IllegalMove
from skerry_games.canarias import GAME, events, moves
from skerry_games.canarias.events import Comparison, Event
from skerry_games.canarias.moves import Move
from skerry_games.canarias.printed.cards import ALL_CARDS
from skerry_games.canarias.printed.terms import Colour, Feature, Piece
from skerry_games.canarias.state import State
from skerry_games.sentences import fill
from tests.games.canarias.acting import do
from tests.games.canarias.drawing import card, position, sq, sqs

REAPER = card("segador-a")
PIRATE = card("pirate-red")


MOVES: list[tuple[Move, str]] = [
    (moves.TakeIsland(2), "take island 3"),
    (moves.Build(REAPER), "build a house for the reaper (Segador: farmland, green)"),
    (moves.Draw(), "draw cards"),
    (moves.TakeExtra(), "take the extra card"),
    (moves.BuildPalace((sq("A1"), sq("B3"))), "build a palace from the houses on A1 and B3"),
    (moves.BuildTown((sq("A1"), sq("B3"), sq("C5"))), "build a town from the houses on A1, B3 and C5"),
    (moves.Load(PIRATE), "put the red pirate on the ship"),
    (moves.Load(), "put a card on the ship"),
    (moves.ChooseColour(Colour.BEIGE), "choose beige"),
    (moves.Place(sq("D4")), "build on D4"),
    (moves.GiveUp(sq("D4")), "give up the house on D4"),
    (moves.Divert(1), "send the pirate to {1}"),
    (moves.DrawStartSeat(1), "let {1} go first"),
    (moves.DealIsland(0), "deal island 1"),
    (moves.DealCard(1, REAPER), "deal the reaper (Segador: farmland, green) to {1}"),
    (moves.DealCard(1), "deal a card to {1}"),
    (moves.StartShip(REAPER), "put the reaper (Segador: farmland, green) on the empty ship"),
    (moves.StartShip(), "put a card on the empty ship"),
    (moves.TurnUp(PIRATE), "turn up the red pirate"),
]


@pytest.mark.parametrize(("move", "words"), MOVES)
def test_moves_read_as_imperatives(move: Move, words: str) -> None:
    assert GAME.say_move(move) == words


EVENTS: list[tuple[Event, str]] = [
    (events.StartSeatSet(1), "{1} goes first."),
    (events.IslandTaken(1, 2, False), "{1} takes island 3."),
    (events.IslandTaken(1, 2, True), "{1} is dealt island 3."),
    (events.CardDrawn(0), "{0} draws a card."),
    (events.CardDrawn(0, REAPER), "{0} draws the reaper (Segador: farmland, green)."),
    (events.DeckRenewed(1), "The discard pile is shuffled into a new deck of 1 card."),
    (events.ShipBegun(), "The first card is put on the ship, face down."),
    (events.TurnBegun(3, 1), "Round 3: it is {1}'s turn."),
    (events.DrawingBegun(1, 0), "{1} draws no cards: the deck and the discard pile are empty."),
    (events.DrawingBegun(1, 5), "{1} draws 5 cards instead of building."),
    (events.ExtraTaken(1), "{1} uses the beige privilege to draw an extra card."),
    (events.SettlerPlayed(1, REAPER), "{1} plays the reaper (Segador: farmland, green)."),
    (
        events.MaterialChosen(1, Piece.TOWN, sqs("A1 A2 B1")),
        "{1} turns the houses on A1, A2 and B1 into a town.",
    ),
    (events.ColourChosen(1, Piece.HOUSE, Colour.RED, False), "{1} takes a red house."),
    (events.ColourChosen(1, Piece.PALACE, Colour.RED, True), "{1} takes a red palace (the only choice)."),
    (
        events.HousePlaced(1, sq("A1"), Colour.RED, Feature.COAST, False),
        "{1} builds a red house on A1 next to the coast.",
    ),
    (
        events.HousePlaced(1, sq("A1"), Colour.RED, Feature.GREEN, True),
        "{1} builds a red house on A1 next to a green building (the only choice).",
    ),
    (
        events.HousePlaced(1, sq("A1"), Colour.RED, Feature.MOUNTAIN, False),
        "{1} builds a red house on A1 next to the mountains.",
    ),
    (events.HousePlaced(1, sq("A1"), Colour.RED, None, False), "{1} builds a red house on A1."),
    (
        events.PalaceBuilt(1, sq("A1"), Colour.RED, sqs("A1 A2"), 1, False),
        "{1} builds a red palace on A1 from the houses on A1 and A2, and gains 1 point.",
    ),
    (
        events.PalaceBuilt(1, sq("A1"), Colour.RED, sqs("A1 A2"), 0, False),
        "{1} builds a red palace on A1 from the houses on A1 and A2, and gains no points.",
    ),
    (
        events.TownBuilt(1, sq("A1"), Colour.RED, sqs("A1 A2 B1"), 2, False),
        "{1} builds a red town on A1 from the houses on A1, A2 and B1, and gains 2 points.",
    ),
    (
        events.TownBuilt(1, sq("A1"), Colour.RED, sqs("A1 A2 B1"), 2, True),
        "{1} builds a red town on A1 (the only choice) from the houses on A1, A2 and B1, and gains 2 points.",
    ),
    (events.PrivilegeTaken(Colour.RED, 1), "{1} takes the red privilege."),
    (events.PrivilegeTaken(Colour.RED, 1, 0), "{1} takes the red privilege from {0}."),
    (events.CardLoaded(1), "{1} puts a card on the ship."),
    (events.CardLoaded(1, PIRATE), "{1} puts the red pirate on the ship."),
    (events.NothingLoaded(1), "{1} has no card to put on the ship."),
    (events.ShipArrived(1), "The ship arrives with 1 card. It stays on board."),
    (events.ShipArrived(4), "The ship arrives with 4 cards. One of them stays on board."),
    (events.ShipCardTurnedUp(PIRATE), "The red pirate comes ashore."),
    (
        events.SettlerChose(REAPER, (Comparison(Feature.COAST, ((0, 3), (1, 2))),), 0, False),
        "The reaper (Segador: farmland, green) chooses {0}'s island (coast: 3 for {0}, 2 for {1}).",
    ),
    (
        events.SettlerChose(REAPER, (Comparison(Feature.COAST, ((0, 3), (1, 3))),), 1, True),
        "The reaper (Segador: farmland, green) chooses {1}'s island, thanks to the orange privilege"
        " (coast: 3 for {0}, 3 for {1}).",
    ),
    (
        events.SettlerChose(
            REAPER,
            (Comparison(Feature.RED, ((0, 0), (1, 0))), Comparison(Feature.ROAD, ((0, 1), (1, 1)))),
            None,
            False,
        ),
        "The reaper (Segador: farmland, green) chooses no island"
        " (red buildings: 0 for {0}, 0 for {1}; road: 1 for {0}, 1 for {1}).",
    ),
    (events.NoHouseLeft(1), "No house is left in the supply for {1}'s island."),
    (
        events.PirateStruck(Colour.RED, 1, (), (1,), False),
        "The red pirate robs {1}, who owns the red privilege.",
    ),
    (
        events.PirateStruck(Colour.RED, 1, (), (), True),
        "The red pirate comes for {1}, but the red privilege protects them.",
    ),
    (events.PirateStruck(Colour.RED, None, ((0, 0), (1, 0)), (), False), "The red pirate finds no player to rob."),
    (
        events.PirateStruck(Colour.RED, None, ((0, 2), (1, 0)), (0,), False),
        "The red pirate robs {0}, who has the most red points: 2.",
    ),
    (
        events.PirateStruck(Colour.RED, None, ((0, 1), (1, 1)), (1, 0), False),
        "The red pirate robs {1} and {0}, who tie for the most red points: 1.",
    ),
    (events.PirateDiverted(0, 1, False), "{0} sends the pirate to {1}."),
    (events.PirateDiverted(0, 1, True), "{0} sends the pirate to {1} (the only choice)."),
    (
        events.PirateDiverted(0, None, True),
        "{0} cannot send the pirate to another player: no other player has a house.",
    ),
    (events.HouseGivenUp(0, sq("A1"), Colour.RED, False), "{0} gives up the red house on A1."),
    (events.HouseGivenUp(0, sq("A1"), Colour.RED, True), "{0} gives up the red house on A1 (the only choice)."),
    (events.NothingToGiveUp(1), "{1} has no house to give up."),
    (events.RoundEnded(3, (9, 12), False, 0, 1), "Round 3 is over: 9 points for {0}, 12 points for {1}."),
    (
        events.RoundEnded(3, (1, 19), True, 0, 1),
        "Round 3 is over: 1 point for {0}, 19 points for {1}. The next round is the last.",
    ),
    (
        events.HandRevealed(1, (REAPER, PIRATE)),
        "{1} still holds the reaper (Segador: farmland, green) and the red pirate.",
    ),
    (events.ShipRevealed(PIRATE, None), "The card left on the ship is the red pirate."),
    (events.ShipRevealed(PIRATE, 1), "The card left on the ship is the red pirate, put there by {1}."),
    (events.GameEnded((3, 9), (1,)), "The game is over: {1} is ahead with 9 points."),
    (events.GameEnded((9, 3, 9), (0, 2)), "The game is over: {0} and {2} are ahead with 9 points each."),
]


@pytest.mark.parametrize(("event", "words"), EVENTS)
def test_events_read_as_sentences(event: Event, words: str) -> None:
    assert GAME.say(event) == words


def test_no_two_cards_have_the_same_name() -> None:
    names = {GAME.say_move(moves.StartShip(number)) for number in range(len(ALL_CARDS))}
    assert len(names) == len(ALL_CARDS)


HAND = "seat 0 on island 1: segador-a cantero-b"
REFUSALS: list[tuple[State, Move, str]] = [
    (position(HAND), moves.Load(REAPER), "First build a house or draw cards, then put a card on the ship."),
    (
        position(HAND),
        moves.BuildPalace((sq("A1"), sq("A2"))),
        "You need 2 houses for a palace, and you have no house on A1.",
    ),
    (
        do(position(HAND), moves.Build(REAPER)),
        moves.Place(sq("A1")),
        "A1 is not next to the farmland, the priority that your settler must follow.",
    ),
    (
        do(position(f"{HAND}\n. g # # . ~\n. . r b . .\n. n = = n ~"), moves.Build(REAPER)),
        moves.Place(sq("B1")),
        "B1 is not next to a green building, the priority that your settler must follow.",
    ),
]


@pytest.mark.parametrize(("state", "move", "sentence"), REFUSALS)
def test_refusals_are_sentences_to_the_player(state: State, move: Move, sentence: str) -> None:
    with pytest.raises(IllegalMove) as refusal:
        GAME.apply(state, 0, move)
    assert refusal.value.sentence == sentence


def test_a_move_out_of_turn_is_refused_with_the_acting_player() -> None:
    with pytest.raises(IllegalMove) as refusal:
        GAME.apply(position(HAND), 1, moves.Draw())
    assert fill(refusal.value.sentence, ["Ada", "Bob"]) == "It is Ada's turn to decide."


def test_every_kind_of_move_and_event_has_an_example_here() -> None:
    assert {type(move) for move, _ in MOVES} == set(get_args(Move))
    assert {type(event) for event, _ in EVENTS} == set(get_args(Event))
