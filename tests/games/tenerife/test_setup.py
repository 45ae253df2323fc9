from __future__ import annotations

import pytest
from msgspec.structs import replace

from skerry_games.api import CHANCE, CHANCE_ACTS, BadOptions, MalformedMove
from skerry_games.rng import SeededRng
from skerry_games.tenerife import GAME
from skerry_games.tenerife.events import RoundBegun, StartSeatDrawn
from skerry_games.tenerife.moves import DrawStartSeat, TurnUpTown
from skerry_games.tenerife.printed.tenerife_board import BOARD
from skerry_games.tenerife.state import CharacterCard, Options, Phase, State
from tests.games.tenerife.acting import choices, do, happens, laying, refused
from tests.games.tenerife.drawing import at, position


def beginning(seats: int = 4, start_seat: int | None = 0) -> State:
    return GAME.setup(Options(start_seat=start_seat), seats)


@pytest.mark.parametrize("seats", [1, 5])
def test_one_or_five_seats_are_refused(seats: int) -> None:
    """TENERIFE-SETUP-1"""
    with pytest.raises(BadOptions, match="TENERIFE-SETUP-1") as refusal:
        GAME.setup(Options(), seats)
    assert refusal.value.field == "seats"


@pytest.mark.parametrize("start_seat", [-1, 3])
def test_an_unknown_start_seat_is_rejected(start_seat: int) -> None:
    with pytest.raises(BadOptions) as refusal:
        beginning(3, start_seat)
    assert refusal.value.field == "start_seat"


@pytest.mark.parametrize(("seats", "transport"), [(2, 3), (3, 1), (3, 0), (3, 4), (4, 2)])
def test_other_numbers_of_transport_spaces_are_refused(seats: int, transport: int) -> None:
    """TENERIFE-TRANSPORT-1"""
    with pytest.raises(BadOptions, match="TENERIFE-TRANSPORT-1") as refusal:
        GAME.setup(Options(transport_spaces=transport), seats)
    assert refusal.value.field == "transport_spaces"


@pytest.mark.parametrize("seats", [3, 4])
def test_a_turbulent_game_has_two_seats(seats: int) -> None:
    """TENERIFE-TWO-2"""
    with pytest.raises(BadOptions, match="TENERIFE-TWO-2") as refusal:
        GAME.setup(Options(turbulent=True), seats)
    assert refusal.value.field == "turbulent"


@pytest.mark.parametrize("field", ["turbulent", "puerto_farmer"])
def test_an_option_that_is_neither_true_nor_false_is_rejected(field: str) -> None:
    with pytest.raises(BadOptions, match="true or false, not 'no'") as refusal:
        GAME.setup(replace(Options(), **{field: "no"}), 2)
    assert refusal.value.field == field


def test_each_seat_begins_with_12_mansions_and_six_characters_and_no_points() -> None:
    """TENERIFE-SETUP-1"""
    for seat in range(4):
        seen = GAME.view(beginning(4), seat).seats[seat]
        assert (seen.mansions, seen.merchant, seen.score) == (12, None, 0)
        assert seen.hand == (
            CharacterCard.MASON,
            CharacterCard.MASON,
            CharacterCard.FARMER,
            CharacterCard.MERCHANT,
            CharacterCard.EXPORTER,
            CharacterCard.THIEVES,
        )


def test_six_town_cards_are_shuffled_and_with_three_seats_santa_cruz_is_removed() -> None:
    """TENERIFE-SETUP-2"""
    four, three = choices(beginning(4)), choices(beginning(3))
    assert four == tuple(TurnUpTown(at(town)) for town in ("GAR", "ICO", "PUE", "ORO", "TAC", "SCR"))
    assert set(four) - set(three) == {TurnUpTown(at("SCR"))}
    assert refused(beginning(3), TurnUpTown(at("SCR"))) == "TENERIFE-SETUP-2"
    assert len(BOARD.places[at("SCR")].plots) == 5


def test_a_town_card_comes_up_only_once() -> None:
    """TENERIFE-SETUP-2"""
    state = do(beginning(4), TurnUpTown(at("ICO")))
    assert at("ICO") not in GAME.view(state, None).undrawn_towns
    assert refused(replace(state, phase=Phase.TURN_UP), TurnUpTown(at("ICO"))) == "TENERIFE-SETUP-2"


def test_the_order_of_the_town_cards_is_not_in_the_state() -> None:
    """TENERIFE-SETUP-2: no seat knows it, so there is nothing to redeal."""
    state = beginning(4)
    assert GAME.redeal(state, None, SeededRng(bytes(32), 0)) == state
    assert GAME.view(state, 0).undrawn_towns == tuple(range(6))


def test_the_farmhand_begins_on_sugar_5() -> None:
    """TENERIFE-SETUP-3"""
    farmhand = GAME.view(beginning(), None).farmhand
    space = BOARD.storage[farmhand - 1]
    assert (farmhand, space.good.name, space.value) == (1, "SUGAR", 5)


def test_the_start_seat_is_drawn() -> None:
    state = beginning(3, None)
    assert GAME.view(state, None).start_seat is None
    assert choices(state) == (DrawStartSeat(0), DrawStartSeat(1), DrawStartSeat(2))
    state, events = happens(state, DrawStartSeat(2))
    assert events == (StartSeatDrawn(2),)
    state, events = happens(state, TurnUpTown(at("TAC")))
    assert events == (RoundBegun(1, at("TAC"), 2, 0),)
    assert GAME.to_act(state) == (2,)


def test_a_start_seat_that_the_options_name_is_not_drawn() -> None:
    state = beginning(3, 1)
    assert GAME.to_act(state) == CHANCE_ACTS
    assert refused(state, DrawStartSeat(1)) == "TENERIFE-ROUND-1"
    assert GAME.to_act(do(state, TurnUpTown(at("TAC")))) == (1,)


def test_no_seat_acts_while_chance_acts() -> None:
    """TENERIFE-ROUND-1"""
    for actor in (0, CHANCE):
        assert refused(beginning(), laying(1, CharacterCard.MASON), actor) == "TENERIFE-ROUND-1"
    assert refused(position(), TurnUpTown(at("TAC"))) == "TENERIFE-ROUND-1"


def test_chance_moves_with_unknown_seats_or_towns_are_malformed() -> None:
    for state, move in (
        (beginning(3, None), DrawStartSeat(3)),
        (beginning(), TurnUpTown(6)),
        (beginning(), TurnUpTown(-1)),
    ):
        with pytest.raises(MalformedMove):
            GAME.apply(state, CHANCE, move)


def test_chance_draws_only_when_it_is_to_act() -> None:
    with pytest.raises(ValueError, match="chance is not to act"):
        GAME.draw(position(), SeededRng(bytes(32), 0))
