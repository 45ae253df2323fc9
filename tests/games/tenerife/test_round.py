from __future__ import annotations

import pytest

from skerry_games.api import CHANCE_ACTS, MalformedMove
from skerry_games.tenerife import GAME
from skerry_games.tenerife.events import (
    CharacterLaid,
    CharactersRevealed,
    MansionBuilt,
    RevealedCard,
    RoundBegun,
    RoundEnded,
)
from skerry_games.tenerife.moves import BuildElement, Export, Lay, TurnUpTown
from skerry_games.tenerife.state import HAND, BackColour, Character, CharacterCard, Options, Phase, State
from tests.games.tenerife.acting import Events, acted, below, choices, do, happens, laying, refused, reveal
from tests.games.tenerife.drawing import at, drawn, position

M, F, C, E, T = (
    CharacterCard.MASON,
    CharacterCard.FARMER,
    CharacterCard.MERCHANT,
    CharacterCard.EXPORTER,
    CharacterCard.THIEVES,
)


def in_puerto(seats: int = 3) -> State:
    """Return the state in which seat 0 lays the first character of the game."""
    return do(GAME.setup(Options(start_seat=0), seats), TurnUpTown(at("PUE")))


def laid(state: State, *cards: tuple[int, CharacterCard]) -> State:
    return do(state, *(laying(space, card) for space, card in cards))


def test_a_round_turns_up_the_next_town_card() -> None:
    """TENERIFE-ROUND-1"""
    state, events = happens(GAME.setup(Options(start_seat=1), 4), TurnUpTown(at("ORO")))
    assert events == (RoundBegun(round=1, place=at("ORO"), start_seat=1, hall_round=0),)
    view = GAME.view(state, None)
    assert (view.current_place, view.round, view.undrawn_towns) == (at("ORO"), 1, (0, 1, 2, 4, 5))


def test_when_no_town_card_is_left_the_town_hall_is_the_place_of_every_further_round() -> None:
    """TENERIFE-ROUND-1"""
    state, events = acted("round: 5")
    assert events[-1] == RoundBegun(round=6, place=at("LAG"), start_seat=1, hall_round=1)
    view = GAME.view(state, None)
    assert (view.phase, view.current_place, view.hall_round) == (Phase.LAY, at("LAG"), 1)
    _, events = acted("place: LAG")
    assert events[-1] == RoundBegun(round=7, place=at("LAG"), start_seat=1, hall_round=2)


def test_after_a_town_round_chance_turns_up_the_next_card() -> None:
    """TENERIFE-ROUND-1"""
    state, events = acted("")
    assert events[-1] == RoundEnded(1)
    assert GAME.to_act(state) == CHANCE_ACTS
    assert len(choices(state)) == 4


@pytest.mark.parametrize(("seats", "spaces"), [(3, 9), (4, 12)])
def test_the_seats_lay_three_characters_each_clockwise_below_all_spaces(seats: int, spaces: int) -> None:
    """TENERIFE-ROUND-2"""
    state, turns, events = in_puerto(seats), list[int](), Events()
    for space in range(spaces, 0, -1):
        turns += GAME.to_act(state)
        card = next(card for card in (M, F, E) if laying(space, card) in choices(state))
        state, events = happens(state, laying(space, card))
    assert turns == [*range(seats)] * 3
    assert events[-1] == RoundEnded(1)


def test_a_character_is_laid_below_any_vacant_space() -> None:
    """TENERIFE-ROUND-2: the first one below space 5, for example."""
    state, events = happens(in_puerto(), laying(5, C))
    assert events == (CharacterLaid(0, 5, BackColour.OWN, Character.MERCHANT),)
    assert GAME.to_act(state) == (1,)
    assert {move.space for move in choices(state) if isinstance(move, Lay)} == {*range(1, 10)} - {5}
    assert refused(state, laying(5, M)) == "TENERIFE-ROUND-2"


def test_a_seat_lays_only_cards_of_its_hand_and_only_in_its_turn() -> None:
    """TENERIFE-ROUND-2"""
    state = laid(in_puerto(), (1, F), (2, F), (3, F))
    assert refused(state, laying(4, F)) == "TENERIFE-ROUND-2"
    assert refused(state, laying(4, M), actor=1) == "TENERIFE-ROUND-2"
    state = laid(state, (4, M), (5, M), (6, M))
    assert laying(7, M) in choices(state), "there are two masons"


def test_a_game_uses_only_the_spaces_for_its_number_of_seats() -> None:
    """TENERIFE-ROUND-2"""
    assert refused(in_puerto(3), laying(10, M)) == "TENERIFE-ROUND-2"
    assert laying(12, M) in choices(in_puerto(4))


@pytest.mark.parametrize("space", [0, 13, -1])
def test_a_move_with_an_unknown_space_is_malformed(space: int) -> None:
    with pytest.raises(MalformedMove):
        GAME.apply(in_puerto(), 0, laying(space, M))


@pytest.mark.parametrize(("seats", "last"), [(2, 8), (3, 9), (4, 12)])
def test_thieves_do_not_lie_below_the_last_space(seats: int, last: int) -> None:
    """TENERIFE-ROUND-3"""
    state = in_puerto(seats)
    assert refused(state, laying(last, T)) == "TENERIFE-ROUND-3"
    assert laying(last - 1, T) in choices(state)
    assert laying(last, M) in choices(state)


def test_other_seats_see_the_owner_of_a_card_but_not_its_character() -> None:
    """TENERIFE-ROUND-3"""
    state, (event,) = happens(in_puerto(), laying(5, C))
    assert GAME.view(state, 0).column[4].character is Character.MERCHANT
    assert GAME.show(event, 0) == event
    for viewer in (1, 2, None):
        space = GAME.view(state, viewer).column[4]
        assert (space.seat, space.colour, space.character) == (0, BackColour.OWN, None)
        assert GAME.show(event, viewer) == CharacterLaid(0, 5, BackColour.OWN, None)
        assert GAME.view(state, viewer).seats[0].hand == ()
        assert GAME.view(state, viewer).seats[0].cards_in_hand == 5


def test_all_are_revealed_at_once_and_act_from_space_1_upwards() -> None:
    """TENERIFE-ROUND-4"""
    state = position("column: M2 M1 M0 F1 F0 C1 T1 C0")
    state, events = happens(state, choices(state)[0])
    revealed = events[1]
    assert isinstance(revealed, CharactersRevealed)
    assert revealed.cards[0] == RevealedCard(1, 2, CharacterCard.MASON)
    assert [card.space for card in revealed.cards] == [*range(1, 10)]
    assert [event.space for event in events[2:] if hasattr(event, "space")] == [*range(1, 10)]
    assert [event for event in events if isinstance(event, MansionBuilt)] == [
        MansionBuilt(1, 2, at("PUE"), 1, 2, None),
        MansionBuilt(2, 1, at("PUE"), 2, 2, None),
        MansionBuilt(3, 0, at("PUE"), 3, 2, None),
    ]
    assert drawn(state, "PUE") == "2 1 0"


def test_no_character_acts_before_all_are_revealed() -> None:
    """TENERIFE-ROUND-4"""
    state = laid(in_puerto(), (1, M))
    assert refused(state, BuildElement(1)) == "TENERIFE-ROUND-4"
    assert drawn(state, "PUE") == ""


def test_after_the_round_all_take_their_characters_back_and_the_seat_to_the_left_begins() -> None:
    """TENERIFE-ROUND-4"""
    state, events = acted("column: M0 M1 C0")
    assert events[-1] == RoundEnded(1)
    assert all(seat.hand == HAND for seat in state.seats)
    assert all(space.seat is None for space in GAME.view(state, None).column)
    assert state.transport == ()
    state, (announced_begun,) = happens(state, TurnUpTown(at("TAC")))
    assert isinstance(announced_begun, RoundBegun)
    assert announced_begun.start_seat == 1
    assert GAME.to_act(state) == (1,)


def test_a_character_that_can_act_does_so_and_its_owner_chooses_how() -> None:
    """TENERIFE-ROUND-5"""
    state, events = reveal(position("place: LAG\ncolumn: F0 M1"))
    assert [event.space for event in events if hasattr(event, "space")] == [1]
    view = GAME.view(state, None)
    assert (view.phase, view.acting_seat, view.active_space) == (Phase.CHOOSE_PLOT, 1, 2)
    assert choices(state) == tuple(map(BuildElement, range(1, 11)))
    assert refused(state, laying(1, M)) == "TENERIFE-ROUND-5"
    assert refused(state, Export(1)) == "TENERIFE-ROUND-5"
    assert refused(state, BuildElement(1), actor=0) == "TENERIFE-ROUND-5"


def test_while_a_seat_decides_every_viewer_sees_all_characters() -> None:
    """TENERIFE-ROUND-4, TENERIFE-ROUND-5"""
    state, _ = reveal(position("place: LAG\ncolumn: F0 M1"))
    assert GAME.view(state, None).column == GAME.view(state, 1).column
    assert [space.character for space in GAME.view(state, None).column[:2]] == [Character.FARMER, Character.MASON]


def test_a_single_choice_is_carried_out_automatically() -> None:
    """TENERIFE-ROUND-5: the last free plot of the hall needs no question."""
    state, events = acted("place: LAG\ncolumn: M1\nhall: 00 / 0000 / 000.")
    assert drawn(state, "hall") == "00 / 0000 / 0001"
    assert len(below(events, 1)) == 1
