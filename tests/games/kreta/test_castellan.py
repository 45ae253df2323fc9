from __future__ import annotations

import pytest

from skerry_games.api import CHANCE_ACTS, OVER, Outcome
from skerry_games.kreta import GAME
from skerry_games.kreta.events import (
    CardPlayed,
    CardsReturned,
    Event,
    FortKept,
    FortReplaced,
    FortTurnedUp,
    GameEnded,
    ProvinceScored,
    ScoringBegun,
)
from skerry_games.kreta.moves import KeepFort, PlayCard, ReplaceFort, TurnUpFort
from skerry_games.kreta.state import FULL_HAND, KretaCard, State
from tests.games.kreta.acting import choices, do, happens, refused
from tests.games.kreta.drawing import at, position
from tests.games.kreta.totals import points_of

CASTELLAN = PlayCard(KretaCard.CASTELLAN)


def scored_at(province: str, text: str, seats: int = 2) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return influence and awards in that province when its first fort card is scored."""
    row = {"KIS": 1, "KYD": 3, "CAN": 13, "LEF": 2}[province]
    _, events = happens(position(f"{text}\nrow: {row} 26", seats), CASTELLAN)
    (event,) = [event for event in events if isinstance(event, ProvinceScored) and event.province == at(province)]
    return event.influence, event.awards


def test_each_province_that_touches_the_leftmost_fort_card_is_scored() -> None:
    """KRETA-CASTELLAN-1"""
    state, events = happens(position("KIS: v0\nSEL: v1\nKYD: v0"), CASTELLAN)
    assert events[:2] == (CardPlayed(0, KretaCard.CASTELLAN, None), ScoringBegun(2, 1))
    assert events[2:5] == (
        ProvinceScored(at("KIS"), 3, (1, 0), (3, 0)),
        ProvinceScored(at("SEL"), 3, (0, 1), (0, 3)),
        ProvinceScored(at("LEF"), 2, (0, 0), (0, 0)),
    )
    assert GAME.scores(state) == (3, 3)
    assert points_of(events[2]) == {0: 3}
    assert state.row == (14,)


def test_all_seats_take_all_their_cards_back() -> None:
    """KRETA-CASTELLAN-2"""
    state = position("seat 0: table king commander\nseat 1: table abbot", seats=3)
    state, events = happens(state, CASTELLAN)
    assert CardsReturned() in events
    assert all(seat.hand == FULL_HAND for seat in state.seats)


def test_the_castellan_player_keeps_the_next_fort_card() -> None:
    """KRETA-CASTELLAN-3"""
    state = do(position("row: 2 14"), CASTELLAN)
    assert GAME.to_act(state) == CHANCE_ACTS
    state, events = happens(state, TurnUpFort(5))
    assert events == (FortTurnedUp(5, replacement=False),)
    assert GAME.view(state, None).face_down == 8
    assert choices(state) == (KeepFort(5), ReplaceFort(5))
    assert GAME.to_act(state) == (0,)
    state, events = happens(state, KeepFort(5))
    assert events == (FortKept(0, 5),)
    assert GAME.to_act(state) == (1,)
    assert state.row == (14, 5)


def test_the_castellan_player_replaces_the_next_fort_card_once() -> None:
    """KRETA-CASTELLAN-3: the replacement stays."""
    state = do(position("row: 2 14"), CASTELLAN, TurnUpFort(5))
    state, events = happens(state, ReplaceFort(5))
    assert events == (FortReplaced(0, 5),)
    view = GAME.view(state, None)
    assert (view.fort_row, view.face_down, view.pile, view.buried_forts) == ((14,), 8, 16, (5,))
    state, events = happens(state, TurnUpFort(9))
    assert events == (FortTurnedUp(9, replacement=True),)
    view = GAME.view(state, None)
    assert (view.fort_row, view.face_down, view.pile) == ((14, 9), 8, 15)
    assert GAME.to_act(state) == (1,)


def test_a_fort_card_that_was_seen_never_comes_up_again() -> None:
    """KRETA-CASTELLAN-3: of 15 cards in the pile at most 9 are drawn, so those under it are never reached."""
    state = do(position("row: 2 14"), CASTELLAN, TurnUpFort(5), ReplaceFort(5))
    assert {move.number for move in choices(state) if isinstance(move, TurnUpFort)} == {*range(1, 27)} - {2, 14, 5}
    assert refused(state, TurnUpFort(5)) == "KRETA-SETUP-5"


def test_scored_and_buried_fort_cards_are_remembered() -> None:
    """KRETA-CASTELLAN-3"""
    state = do(position("row: 2 14"), CASTELLAN, TurnUpFort(5), ReplaceFort(5), TurnUpFort(9), CASTELLAN)
    view = GAME.view(state, None)
    assert (view.scored_forts, view.buried_forts, view.scorings_done) == ((2, 14), (5,), 2)


@pytest.mark.parametrize("done", [8, 9])
def test_after_the_tenth_scoring_nothing_is_turned_up(done: int) -> None:
    """KRETA-CASTELLAN-3"""
    earlier = " ".join(str(number) for number in range(15, 15 + done))
    state = do(position(f"row: 2 14\nscored: {earlier}"), CASTELLAN)
    if done == 8:
        assert GAME.to_act(state) == CHANCE_ACTS
        assert GAME.view(state, None).face_down == 1
    else:
        assert GAME.to_act(state) == (1,)
        assert GAME.view(state, None).fort_row == (14,)


@pytest.mark.parametrize(
    ("pieces", "influence"),
    [
        ("CAN: A0", 1),
        ("CAN: vvv0", 3),
        ("CAN: VV0", 4),
        ("CAN: | ship 0", 1),
        ("fort 13: 0\nfort 21: 0\nfort 12: 0", 2),
        ("CAN: A0 vv0 VVVV0 | ship 0\nfort 13: 0\nfort 21: 0\nfort 22: 0", 15),
    ],
)
def test_influence_is_one_for_each_piece_and_two_for_a_village(pieces: str, influence: int) -> None:
    """KRETA-SCORE-1"""
    assert scored_at("CAN", pieces) == ((influence, 0), (5, 0))


@pytest.mark.parametrize(("province", "value"), [("LEF", 2), ("KIS", 3), ("CAN", 5), ("KYD", 6)])
def test_a_mountain_is_worth_2_a_hill_3_a_plain_4_and_a_harbour_2_more(province: str, value: int) -> None:
    """KRETA-SCORE-2"""
    assert scored_at(province, f"{province}: v0") == ((1, 0), (value, 0))


def test_all_seats_tied_for_first_score_in_full() -> None:
    """KRETA-SCORE-3"""
    assert scored_at("KYD", "KYD: vv0 V1 v2", seats=4) == ((2, 2, 1, 0), (6, 6, 0, 0))


def test_nobody_scores_without_influence() -> None:
    """KRETA-SCORE-3"""
    assert scored_at("KYD", "KIS: v0", seats=3) == ((0, 0, 0), (0, 0, 0))


@pytest.mark.parametrize(
    ("province", "pieces", "awards"),
    [
        ("KYD", "vvv0 vv1 v2", (6, 3, 0, 0)),
        ("CAN", "vvv0 vv1 v2", (5, 2, 0, 0)),
        ("KIS", "vvv0 v1 v2", (3, 1, 1, 0)),
        ("LEF", "vvv0", (2, 0, 0, 0)),
        ("LEF", "v3 vv2 vv1", (0, 2, 2, 0)),
    ],
)
def test_second_place_scores_half_rounded_down(province: str, pieces: str, awards: tuple[int, ...]) -> None:
    """KRETA-SCORE-4: all seats that tie for second with at least 1 influence score, if first place is single."""
    assert scored_at(province, f"{province}: {pieces}", seats=4)[1] == awards


def test_with_two_seats_there_is_no_second_place() -> None:
    """KRETA-SCORE-4"""
    assert scored_at("KYD", "KYD: vv0 v1") == ((2, 1), (6, 0))
    assert scored_at("KYD", "KYD: vv0 v1", seats=3) == ((2, 1, 0), (6, 3, 0))


def test_the_example_on_the_page_for_players() -> None:
    """KRETA-SCORE-3, KRETA-SCORE-4: docs/reference/games/kreta.md"""
    pieces = "KYD: A0 V0 vv1 | ship 1\nfort 4: 2"
    assert scored_at("KYD", pieces, seats=3) == ((3, 3, 1), (6, 6, 0))
    assert scored_at("KYD", pieces.replace("| ship 1", ""), seats=3) == ((3, 2, 1), (6, 3, 0))


def last_scoring(text: str, seats: int = 2) -> tuple[State, tuple[Event, ...]]:
    return happens(position(f"{text}\nrow: 2\nscored: 15 16 17 18 19 20 21 22 23 24", seats), CASTELLAN)


def test_the_game_ends_at_once_after_the_11th_scoring() -> None:
    """KRETA-END-1"""
    state, events = last_scoring("KIS: v0\nseat 0: 20 points\nseat 1: 22 points")
    assert events[-1] == GameEnded((23, 22), (0,))
    assert GAME.to_act(state) == OVER
    assert GAME.outcome(state) == Outcome((1, 2), (23, 22), "KRETA-END-1: the 11th fort card has been scored.")
    assert refused(state, CASTELLAN, actor=1) == "KRETA-END-1"
    assert GAME.view(state, None).acting_seat is None


def test_a_tie_is_a_shared_win() -> None:
    """KRETA-END-1"""
    state, events = last_scoring("seat 0: 9 points\nseat 1: 20 points\nseat 2: 20 points", seats=3)
    assert events[-1] == GameEnded((9, 20, 20), (1, 2))
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.ranks == (2, 1, 1)


def test_there_is_no_outcome_before_the_end() -> None:
    """KRETA-END-1"""
    assert GAME.outcome(position()) is None
