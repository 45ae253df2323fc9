from __future__ import annotations

import pytest

from skerry_games.canarias import GAME
from skerry_games.canarias.actions.privileges import update_privileges
from skerry_games.canarias.events import (
    ColourChosen,
    DrawingBegun,
    ExtraTaken,
    HousePlaced,
    MaterialChosen,
    PalaceBuilt,
    PrivilegeTaken,
    SettlerChose,
)
from skerry_games.canarias.moves import (
    CHOOSE_COLOUR,
    DEAL_CARD,
    PLACE,
    TAKE_EXTRA,
    Build,
    BuildPalace,
    BuildTown,
    ChooseColour,
    DealCard,
    Draw,
    GiveUp,
    Load,
    Place,
    TurnUp,
)
from skerry_games.canarias.printed.cards import COLOUR_OF
from skerry_games.canarias.printed.terms import Colour, Feature, Piece, Power
from skerry_games.canarias.state import NO_SEAT
from tests.games.canarias.acting import choices, do, events_of, happens, refused
from tests.games.canarias.drawing import card, position, sq, sqs

TWO_RED = "seat 0 on island 1: segador-a cantero-b\n  r  r  #  #  .  ~\n"
OWNED = "privileges: red 0\nseat 0 on island 1:\n  r  r  #  #  r  ~\n"


def test_the_powers_have_their_colours() -> None:
    """CANARIAS-PRIV-TIES, CANARIAS-PRIV-DRAW, CANARIAS-PRIV-MIX, CANARIAS-PRIV-FREE, CANARIAS-PRIV-CARD,
    CANARIAS-PRIV-PIRATE
    """
    colours = [Colour.ORANGE, Colour.BROWN, Colour.GREEN, Colour.BLUE, Colour.BEIGE, Colour.RED]
    assert [COLOUR_OF[power] for power in Power] == colours


def test_the_first_with_three_points_in_a_colour_takes_its_privilege() -> None:
    """CANARIAS-PRIV-1"""
    state = do(position(TWO_RED), Build(card("segador-a")))
    assert events_of(PrivilegeTaken, state, Place(sq("B3"))) == [PrivilegeTaken(Colour.RED, 0, None)]
    (house, taken) = happens(state, Place(sq("B3")))[1]
    assert isinstance(house, HousePlaced)
    assert isinstance(taken, PrivilegeTaken)
    lonely = do(position(TWO_RED.replace("r  r", "r  .")), Build(card("segador-a")), Place(sq("B3")))
    assert lonely.privileges[Colour.RED] == NO_SEAT


def test_as_many_points_as_the_owner_are_not_enough() -> None:
    """CANARIAS-PRIV-1"""
    state = position(f"turn: 1\n{OWNED}seat 1 on island 2: segador-a cantero-b\n  ~  r  r  .  ~")
    state = do(state, Build(card("segador-a")), Place(sq("B3")))
    assert state.seats[1].points[Colour.RED] == 3
    assert state.privileges[Colour.RED] == 0


def test_one_point_more_than_the_owner_takes_it_over() -> None:
    """CANARIAS-PRIV-1"""
    state = position(f"turn: 1\n{OWNED}seat 1 on island 2: segador-a cantero-b\n  ~  r  r  r  ~")
    state = do(state, Build(card("segador-a")))
    assert events_of(PrivilegeTaken, state, Place(sq("B3"))) == [PrivilegeTaken(Colour.RED, 1, 0)]


def test_a_privilege_changes_hands_in_the_middle_of_a_turn_and_holds_at_once() -> None:
    """CANARIAS-PRIV-1, CANARIAS-PRIV-2: with the second brown palace the seat draws 5 cards in the same turn."""
    state = position(
        """
        privileges: brown 1
        seat 0 on island 1: segador-a cantero-b
          n  n  #  #  n  ~
        seat 1 on island 2:
          ~  n  n  n  ~
        """
    )
    state = do(state, BuildPalace((sq("A1"), sq("A2"))))
    assert events_of(PrivilegeTaken, state, Place(sq("A1"))) == [PrivilegeTaken(Colour.BROWN, 0, 1)]
    state = do(state, Place(sq("A1")))
    assert events_of(DrawingBegun, state, Draw()) == [DrawingBegun(0, 5)]


def test_a_privilege_changes_hands_between_the_cards_of_a_ship() -> None:
    """CANARIAS-PRIV-2: the third orange house wins the next tie."""
    state = position(
        """
        port: monje-a pastor-b pirate-red
        seat 0 on island 1:
          o  .  #  #  .  ~
          o  .  .  .  .  .
        seat 1 on island 2:
          ~  .  .  r  ~
        """
    )
    state = do(state, TurnUp(card("monje-a")), PLACE[sq("A2")])
    assert state.privileges[Colour.ORANGE] == 0
    (event,) = events_of(SettlerChose, state, TurnUp(card("pastor-b")))
    assert (event.comparisons[-1].counts, event.winner, event.privilege) == (((0, 3), (1, 3)), 0, True)


def test_building_a_palace_is_one_change() -> None:
    """CANARIAS-PRIV-2: returning the houses alone would have cost the privilege."""
    state = position(
        """
        privileges: red 0
        seat 0 on island 1: segador-a cantero-b
          r  r  #  #  r  ~
        seat 1 on island 2:
          ~  r  r  r  ~
        """
    )
    state = do(state, BuildPalace((sq("A1"), sq("A2"))))
    assert events_of(PrivilegeTaken, state, Place(sq("A1"))) == []


def test_an_owner_with_fewer_points_keeps_it_until_another_seat_has_more() -> None:
    """CANARIAS-PRIV-2: the pirate takes a green house, and seat 1 has only as many green points then."""
    state = position(
        """
        port: pirate-blue monje-a
        privileges: green 0 | blue 0
        seat 0 on island 1:
          g  g  #  #  g  ~
        seat 1 on island 2:
          ~  g  g  .  ~
        """
    )
    state = do(state, TurnUp(card("pirate-blue")), GiveUp(sq("A1")))
    assert [seat.points[Colour.GREEN] for seat in state.seats] == [2, 2]
    assert state.privileges[Colour.GREEN] == 0


@pytest.mark.parametrize(("owner", "points", "taker"), [(0, (2, 3, 4), 2), (0, (2, 4, 4), 1), (1, (4, 2, 4), 2)])
def test_of_several_with_more_the_most_or_the_next_clockwise_takes_it(
    owner: int, points: tuple[int, ...], taker: int
) -> None:
    """CANARIAS-PRIV-2"""
    rows = ("{} {} # # {} ~\n{} . . . . .", "~ {} {} {} ~\n= = {} # #", "~ {} {} ~ ~\n= {} {} . .")
    text = f"privileges: red {owner}\n" + "\n".join(
        f"seat {seat} on island {seat + 1}:\n" + rows[seat].format(*["r"] * red, *["."] * (4 - red))
        for seat, red in enumerate(points)
    )
    state = position(text, seats=3)
    after, _ = update_privileges(state, [Colour.RED], ())
    assert after.privileges[Colour.RED] == taker


TIE = """
    port: capitan-a pirate-red
    seat 0 on island 1:
      .  .  #  #  r  ~
      .  .  .  .  .  r
"""


def test_the_orange_privilege_wins_a_tie() -> None:
    """CANARIAS-PRIV-TIES: three squares each next to the coast; the river would decide for seat 0."""
    (plain,) = events_of(SettlerChose, position(TIE), TurnUp(card("capitan-a")))
    assert (plain.winner, len(plain.comparisons), plain.privilege) == (0, 4, False)
    (tied,) = events_of(SettlerChose, position(f"privileges: orange 1\n{TIE}"), TurnUp(card("capitan-a")))
    assert (tied.winner, len(tied.comparisons), tied.privilege) == (1, 1, True)


def test_the_orange_privilege_wins_no_tie_without_squares() -> None:
    """CANARIAS-PRIV-TIES: no seat has a square next to blue; the village decides, five squares to four."""
    state = position("privileges: orange 0\nport: cestero-a pirate-red\nseat 1 on island 3:")
    (event,) = events_of(SettlerChose, state, TurnUp(card("cestero-a")))
    assert (event.winner, event.privilege) == (1, False)
    even = position("privileges: orange 0\nport: cestero-a pirate-red")
    (event,) = events_of(SettlerChose, even, TurnUp(card("cestero-a")))
    assert (event.winner, event.privilege, len(event.comparisons)) == (0, True, 2)


def test_the_orange_privilege_does_not_help_a_seat_with_fewer_squares() -> None:
    """CANARIAS-PRIV-TIES: seats 0 and 2 tie with five squares next to the coast, seat 1 has three."""
    state = position("privileges: orange 1\nport: capitan-a pirate-red\nseat 2 on island 6:", seats=3)
    (event,) = events_of(SettlerChose, state, TurnUp(card("capitan-a")))
    assert event.comparisons[0].counts == ((0, 5), (1, 3), (2, 5))
    assert event.winner != 1


@pytest.mark.parametrize(("owner", "count"), [(0, 5), (1, 3)])
@pytest.mark.parametrize("hand", ["segador-a cantero-b", "pirate-red"])
def test_the_brown_privilege_draws_five(owner: int, count: int, hand: str) -> None:
    """CANARIAS-PRIV-DRAW: also when the seat must draw."""
    state = position(f"privileges: brown {owner}\nseat 0 on island 1: {hand}")
    assert events_of(DrawingBegun, state, Draw()) == [DrawingBegun(0, count)]


MIXED = """
    privileges: green 0
    seat 0 on island 1: segador-a cantero-b
      r  .  #  #  b  ~
"""
PAIR = BuildPalace((sq("A1"), sq("A5")))


def test_the_green_privilege_builds_palaces_from_two_colours() -> None:
    """CANARIAS-PRIV-MIX: of the colour of one, where that one stood."""
    state = do(position(MIXED), PAIR)
    assert choices(state) == (CHOOSE_COLOUR[Colour.BLUE], CHOOSE_COLOUR[Colour.RED])
    assert refused(state, ChooseColour(Colour.GREEN)) == "CANARIAS-PRIV-MIX"
    state, events = happens(state, ChooseColour(Colour.RED))
    assert events[:2] == (
        ColourChosen(0, Piece.PALACE, Colour.RED, automatic=False),
        PalaceBuilt(0, sq("A1"), Colour.RED, sqs("A1 A5"), points=1, automatic=True),
    )
    assert refused(position(MIXED.replace("green 0", "green 1")), PAIR) == "CANARIAS-PALACE-1"


@pytest.mark.parametrize(("used_up", "left", "square"), [("blue", Colour.RED, "A1"), ("red", Colour.BLUE, "A5")])
def test_while_one_of_its_two_colours_is_left_a_mixed_palace_has_that_colour(
    used_up: str, left: Colour, square: str
) -> None:
    """CANARIAS-PRIV-MIX: and stands where the house of that colour stood."""
    _, events = happens(position(f"supply: {used_up} palace 0\n{MIXED}"), PAIR)
    assert events[:3] == (
        MaterialChosen(0, Piece.PALACE, sqs("A1 A5")),
        ColourChosen(0, Piece.PALACE, left, automatic=True),
        PalaceBuilt(0, sq(square), left, sqs("A1 A5"), points=1, automatic=True),
    )


def test_only_when_both_of_its_colours_are_used_up_a_mixed_palace_has_another() -> None:
    """CANARIAS-PRIV-MIX, CANARIAS-SUPPLY-1: on either square."""
    state = do(position("supply: blue palace 0 | red palace 0\n" + MIXED), PAIR)
    others = (Colour.ORANGE, Colour.BROWN, Colour.GREEN, Colour.BEIGE)
    assert choices(state) == tuple(CHOOSE_COLOUR[colour] for colour in others)
    assert refused(state, ChooseColour(Colour.RED)) == "CANARIAS-SUPPLY-1"
    state = do(state, ChooseColour(Colour.ORANGE))
    assert choices(state) == (PLACE[sq("A1")], PLACE[sq("A5")])
    (palace,) = events_of(PalaceBuilt, state, Place(sq("A5")))
    assert (palace.colour, palace.square) == (Colour.ORANGE, sq("A5"))


def test_a_square_of_a_house_that_is_not_returned_is_refused() -> None:
    """CANARIAS-BUILD-1: of three houses' squares, that of the red one stays out."""
    text = "supply: blue palace 0\nprivileges: green 0\nseat 0 on island 1:\nr . # # b ~\nb . . . . ."
    state = do(position(text), BuildPalace((sq("A5"), sq("B1"))), ChooseColour(Colour.RED))
    assert choices(state) == (PLACE[sq("A5")], PLACE[sq("B1")])
    assert refused(state, Place(sq("A1"))) == "CANARIAS-BUILD-1"


def test_towns_are_never_mixed() -> None:
    """CANARIAS-PRIV-MIX, CANARIAS-TOWN-1"""
    state = position("privileges: green 0\nseat 0 on island 1:\nr r # # b ~")
    assert refused(state, BuildTown((sq("A1"), sq("A2"), sq("A5")))) == "CANARIAS-TOWN-1"


def test_the_blue_privilege_builds_on_any_empty_square() -> None:
    """CANARIAS-PRIV-FREE"""
    state = do(position("privileges: blue 0\nseat 0 on island 1: segador-a cantero-b\nr . # # . ~"), Build(3))
    assert len(choices(state)) == 11
    (house,) = events_of(HousePlaced, state, Place(sq("B6")))
    assert house.next_to is None


def test_the_blue_privilege_places_settlers_from_the_ship_but_does_not_attract_them() -> None:
    """CANARIAS-PRIV-FREE"""
    text = "port: capitan-a pirate-red\nprivileges: blue {}"
    for owner in (0, 1):
        (event,) = events_of(SettlerChose, position(text.format(owner)), TurnUp(card("capitan-a")))
        assert (event.winner, event.comparisons[0].feature) == (0, Feature.COAST)
    assert len(choices(do(position(text.format(0)), TurnUp(card("capitan-a"))))) == 12
    assert len(choices(do(position(text.format(1)), TurnUp(card("capitan-a"))))) == 5


def test_the_blue_privilege_puts_palaces_on_empty_or_just_emptied_squares() -> None:
    """CANARIAS-PRIV-FREE"""
    state = do(position("privileges: blue 0\nseat 0 on island 1:\nr r # # g ~"), BuildPalace((sq("A1"), sq("A2"))))
    assert {PLACE[sq("A1")], PLACE[sq("A2")], PLACE[sq("C5")]} < set(choices(state))
    assert len(choices(state)) == 11
    assert refused(state, Place(sq("A5"))) == "CANARIAS-BUILD-1"
    (palace,) = events_of(PalaceBuilt, state, Place(sq("C5")))
    assert palace.material == sqs("A1 A2")


HAND = "seat 0 on island 1: segador-a cantero-b"


def test_the_beige_privilege_takes_one_extra_card_at_any_moment_of_the_turn() -> None:
    """CANARIAS-PRIV-CARD"""
    for when in ("", "turn: 0 load\n"):
        state = position(f"{when}privileges: beige 0\n{HAND}")
        before = state.phase
        assert events_of(ExtraTaken, state, TAKE_EXTRA) == [ExtraTaken(0)]
        state = do(state, TAKE_EXTRA, DealCard(0, card("monje-a")))
        assert (state.phase, len(state.seats[0].hand)) == (before, 3)
        assert GAME.view(state, 1).extra_taken
        assert refused(state, TAKE_EXTRA) == "CANARIAS-PRIV-CARD"
    assert refused(position(HAND), TAKE_EXTRA) == "CANARIAS-PRIV-CARD"


def test_the_extra_card_comes_once_a_turn_whether_one_builds_or_draws() -> None:
    """CANARIAS-PRIV-CARD"""
    state = do(position(f"privileges: beige 0\n{HAND}"), TAKE_EXTRA, DealCard(0, card("monje-a")))
    for after in (do(state, Build(3), Place(sq("B3"))), do(state, Draw(), *DEAL_CARD[0][21:24])):
        assert TAKE_EXTRA not in choices(after)
        following = do(after, Load(card("monje-a")))
        assert following.extra == -1
    late = do(position(f"privileges: beige 0\n{HAND}"), Draw(), *DEAL_CARD[0][21:24])
    assert TAKE_EXTRA in choices(late)


def test_there_is_no_extra_card_when_there_is_no_card() -> None:
    """CANARIAS-PRIV-CARD, CANARIAS-TURN-4"""
    state = position(f"privileges: beige 0\ndeck:\ndiscard:\nrest: 1\n{HAND}")
    assert refused(state, TAKE_EXTRA) == "CANARIAS-TURN-4"
