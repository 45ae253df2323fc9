from __future__ import annotations

import pytest

from skerry_games.api import MalformedMove
from skerry_games.canarias import GAME
from skerry_games.canarias.events import (
    HouseGivenUp,
    NothingToGiveUp,
    PirateDiverted,
    PirateStruck,
    PrivilegeTaken,
    ShipCardTurnedUp,
)
from skerry_games.canarias.moves import GIVE_UP, Divert, GiveUp, TurnUp
from skerry_games.canarias.printed.terms import Colour
from skerry_games.canarias.state import Phase
from tests.games.canarias.acting import choices, do, events_of, happens, refused
from tests.games.canarias.drawing import card, drawn, lies, position, sq, sqs

BLUE_PIRATE = TurnUp(card("pirate-blue"))
PORT = "port: pirate-blue monje-a\nround: 2 | start 1\n"
SEAT_0 = "seat 0 on island 1:\n  b  r  #  #  B  ~\n"
SEAT_1 = "seat 1 on island 2:\n  ~  b  .  .  ~\n  =  =  g  #  #\n"
SEAT_2 = "seat 2 on island 3:\n  ~  b  o  ~  ~\n"


def test_a_pirate_robs_the_owner_of_its_privilege() -> None:
    """CANARIAS-PIRATE-2: of any colour, and its own choice; palaces are safe."""
    state, events = happens(position(f"{PORT}privileges: blue 0\n{SEAT_0}{SEAT_1}"), BLUE_PIRATE)
    assert events[1] == PirateStruck(Colour.BLUE, 0, (), (0,), owner_protected=False)
    assert GAME.to_act(state) == (0,)
    assert choices(state) == tuple(GIVE_UP[square] for square in sqs("A1 A2"))
    assert refused(state, GiveUp(sq("A5"))) == "CANARIAS-PIRATE-2"
    assert refused(state, GiveUp(sq("B1"))) == "CANARIAS-PIRATE-2"
    state, events = happens(state, GiveUp(sq("A2")))
    assert events[0] == HouseGivenUp(0, sq("A2"), Colour.RED, automatic=False)
    assert drawn(state, 0) == lies("b . # # B ~\n. . . . . .\n. . = = . ~")
    assert state.houses_left[Colour.RED] == 8


def test_the_only_house_is_given_up_without_asking() -> None:
    """CANARIAS-PIRATE-2"""
    state = position(f"{PORT}privileges: blue 0\nseat 0 on island 1:\n. r # # B ~")
    assert events_of(HouseGivenUp, state, BLUE_PIRATE) == [HouseGivenUp(0, sq("A2"), Colour.RED, automatic=True)]


def test_a_seat_without_a_house_gives_up_nothing() -> None:
    """CANARIAS-PIRATE-2"""
    state = position(f"{PORT}privileges: blue 0\nseat 0 on island 1:\n. RR # # B ~\n{SEAT_1}")
    assert events_of(NothingToGiveUp, state, BLUE_PIRATE) == [NothingToGiveUp(0)]
    assert GAME.scores(do(state, BLUE_PIRATE)) == GAME.scores(state)


def test_without_an_owner_the_seat_with_most_points_is_robbed() -> None:
    """CANARIAS-PIRATE-3"""
    state = position(f"{PORT}seat 0 on island 1:\nb b # # r ~\n{SEAT_1}")
    (struck,) = events_of(PirateStruck, state, BLUE_PIRATE)
    assert struck == PirateStruck(Colour.BLUE, None, ((0, 2), (1, 1)), (0,), owner_protected=False)


def test_all_seats_that_tie_for_the_most_are_robbed_in_order_from_the_start_seat() -> None:
    """CANARIAS-PIRATE-3"""
    state = position(f"{PORT}seat 0 on island 1:\nb . # # r ~\n{SEAT_1}{SEAT_2}", seats=3)
    (struck,) = events_of(PirateStruck, state, BLUE_PIRATE)
    assert struck.victims == (1, 2, 0)
    state = do(state, BLUE_PIRATE)
    for seat, square in ((1, "B3"), (2, "A2"), (0, "A1")):
        assert GAME.to_act(state) == (seat,)
        assert GAME.view(state, None).victims == {1: (2, 0), 2: (0,), 0: ()}[seat]
        state = do(state, GiveUp(sq(square)))
    assert state.phase is Phase.BUILD_OR_DRAW


def test_no_seat_is_robbed_if_no_seat_has_a_point() -> None:
    """CANARIAS-PIRATE-3"""
    state = position(f"{PORT}seat 0 on island 1:\nr r # # r ~")
    _, events = happens(state, BLUE_PIRATE)
    assert events[:2] == (
        ShipCardTurnedUp(card("pirate-blue")),
        PirateStruck(Colour.BLUE, None, ((0, 0), (1, 0)), (), owner_protected=False),
    )
    assert GAME.scores(do(state, BLUE_PIRATE)) == (3, 0)


def test_privileges_are_looked_at_after_the_last_victim() -> None:
    """CANARIAS-PIRATE-3: seat 1 has as many green points as the owner; the owner gives up one first, then seat 1."""
    state = position(
        """
        port: pirate-blue monje-a
        privileges: green 0
        seat 0 on island 1:
          g  g  #  #  g  ~
          b  .  .  .  .  .
        seat 1 on island 2:
          ~  b  .  .  ~
          =  =  g  #  #
          g  g  .  .  .
        """
    )
    state = do(state, BLUE_PIRATE, GiveUp(sq("A1")))
    assert (GAME.to_act(state), state.privileges[Colour.GREEN]) == ((1,), 0)
    assert do(state, GiveUp(sq("B3"))).privileges[Colour.GREEN] == 0
    assert do(state, GiveUp(sq("A2"))).privileges[Colour.GREEN] == 1


def test_the_owner_of_the_pirate_privilege_is_left_out_of_the_comparison() -> None:
    """CANARIAS-PIRATE-3, CANARIAS-PRIV-PIRATE"""
    state = position(f"{PORT}privileges: red 0\nseat 0 on island 1:\nb b # # . ~\nr r r . . .\n{SEAT_1}")
    (struck,) = events_of(PirateStruck, state, BLUE_PIRATE)
    assert struck == PirateStruck(Colour.BLUE, None, ((1, 1),), (1,), owner_protected=False)


def test_the_protected_owner_sends_its_pirate_to_another_seat() -> None:
    """CANARIAS-PRIV-PIRATE"""
    state = position(f"{PORT}privileges: blue 0 | red 0\n{SEAT_0}{SEAT_1}{SEAT_2}", seats=4)
    state, events = happens(state, BLUE_PIRATE)
    assert events[1] == PirateStruck(Colour.BLUE, 0, (), (), owner_protected=True)
    assert GAME.to_act(state) == (0,)
    assert choices(state) == (Divert(1), Divert(2)), "seat 3 has no house"
    assert refused(state, Divert(3)) == "CANARIAS-PRIV-PIRATE"
    assert refused(state, Divert(0)) == "CANARIAS-PRIV-PIRATE"
    with pytest.raises(MalformedMove):
        GAME.apply(state, 0, Divert(4))
    state, events = happens(state, Divert(2))
    assert events == (PirateDiverted(0, 2, automatic=False),)
    assert GAME.to_act(state) == (2,)
    assert choices(state) == tuple(GIVE_UP[square] for square in sqs("A2 A3"))


def test_with_one_seat_to_name_the_pirate_goes_there_at_once() -> None:
    """CANARIAS-PRIV-PIRATE"""
    state = position(f"{PORT}privileges: blue 0 | red 0\n{SEAT_0}{SEAT_1}")
    assert events_of(PirateDiverted, state, BLUE_PIRATE) == [PirateDiverted(0, 1, automatic=True)]
    assert GAME.to_act(do(state, BLUE_PIRATE)) == (1,)


def test_without_a_seat_to_name_no_seat_is_robbed() -> None:
    """CANARIAS-PRIV-PIRATE"""
    state = position(f"{PORT}privileges: blue 0 | red 0\n{SEAT_0}")
    assert events_of(PirateDiverted, state, BLUE_PIRATE) == [PirateDiverted(0, None, automatic=True)]
    assert GAME.scores(do(state, BLUE_PIRATE)) == GAME.scores(state)


def test_a_robbed_owner_loses_the_privilege_to_a_seat_with_more_points() -> None:
    """CANARIAS-PRIV-2"""
    state = position(
        f"""
        {PORT}
        privileges: blue 0
        seat 0 on island 1:
          b  b  #  #  b  ~
        seat 1 on island 2:
          ~  b  b  b  ~
        """
    )
    robbed = do(state, BLUE_PIRATE)
    assert events_of(PrivilegeTaken, robbed, GiveUp(sq("A1"))) == [PrivilegeTaken(Colour.BLUE, 1, 0)]
