from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skerry_games.api import OVER, Outcome
from skerry_games.tenerife import GAME
from skerry_games.tenerife.actions.town_hall import best_split
from skerry_games.tenerife.events import GameEnded, HallScored, MansionBuilt, RoundBegun, RoundEnded
from skerry_games.tenerife.printed.tenerife_board import BOARD
from skerry_games.tenerife.state import CharacterCard, State
from tests.games.tenerife.acting import Events, acted, below, laying, refused
from tests.games.tenerife.drawing import at

CELLS = {number: (plot.row, plot.column) for number, plot in enumerate(BOARD.hall_plots, start=1)}


def split(*plots: int) -> tuple[int, tuple[tuple[int, ...], ...]]:
    return best_split(sum(1 << plot for plot in plots))


def test_the_example_of_the_town_hall_scores_4_5_3_and_1() -> None:
    """TENERIFE-HALL-1: three in a row, three in a row and one, two in a row, one alone."""
    _, events = acted("place: LAG\nhall: 22 / 3111 / 1000", seats=4)
    assert [event for event in events if isinstance(event, HallScored)] == [
        HallScored(0, ((8, 9, 10),), 4),
        HallScored(1, ((4, 5, 6), (7,)), 5),
        HallScored(2, ((1, 2),), 3),
        HallScored(3, ((3,),), 1),
    ]


@pytest.mark.parametrize(
    ("plots", "points"),
    [
        ((), 0),
        ((5,), 1),
        ((4, 5), 3),
        ((1, 4), 3),
        ((4, 5, 6), 4),
        ((1, 4, 8), 4),
        ((3, 4, 5, 6), 7),
        ((4, 5, 8, 9), 6),
        ((4, 5, 9), 4),
        ((4, 9), 2),
        ((3, 6), 2),
        ((3, 4, 5, 6, 7, 8, 9, 10), 14),
        ((1, 2, 3, 4, 5, 6, 7, 8, 9, 10), 17),
        ((1, 4, 5, 6), 6),
        ((1, 3, 4, 5, 6), 8),
    ],
)
def test_the_best_split_into_lines_of_adjacent_elements_counts(plots: tuple[int, ...], points: int) -> None:
    """TENERIFE-HALL-1: a square of four is worth 6, an angle of three 4, and diagonals nothing."""
    assert split(*plots)[0] == points


def straight(line: tuple[int, ...]) -> bool:
    rows, columns = zip(*(CELLS[plot] for plot in line), strict=True)
    for same, other in ((rows, columns), (columns, rows)):
        if len(set(same)) == 1 and list(other) == [*range(other[0], other[0] + len(line))]:
            return True
    return False


def best_by_trial(left: frozenset[int]) -> int:
    """Try every line that holds any of the elements: slower, and without the order of the plots."""
    points = {1: 1, 2: 3, 3: 4, 4: 7}
    if not left:
        return 0
    one = min(left, key=lambda plot: (CELLS[plot][1], CELLS[plot][0]))
    lines: set[tuple[int, ...]] = {(one,)}
    for down, right in ((0, 1), (1, 0), (0, -1), (-1, 0)):
        for length in (2, 3, 4):
            cells = [(CELLS[one][0] + down * step, CELLS[one][1] + right * step) for step in range(length)]
            line = tuple(plot for plot in left if CELLS[plot] in cells)
            if len(line) == length:
                lines.add(line)
    return max(points[len(line)] + best_by_trial(left - {*line}) for line in lines)


@given(st.frozensets(st.integers(1, 10)))
def test_a_split_uses_each_element_once_in_a_straight_line_and_no_other_scores_more(plots: frozenset[int]) -> None:
    """TENERIFE-HALL-1"""
    points, lines = split(*plots)
    assert sorted(plot for line in lines for plot in line) == sorted(plots)
    assert all(straight(line) and len(line) <= 4 for line in lines)
    assert points == sum(BOARD.line_points[len(line) - 1] for line in lines) == best_by_trial(plots)


def ended(text: str, seats: int = 3) -> tuple[State, Events]:
    state, events = acted(text, seats)
    assert GAME.to_act(state) == OVER
    assert isinstance(events[-1], GameEnded)
    return state, events


def test_the_round_in_which_the_hall_is_completed_is_played_to_its_end() -> None:
    """TENERIFE-END-1"""
    text = "place: LAG\ncolumn: M1 C2\nhall: 00 / 0000 / 000.\nseat 2: in TAC\nseat 0: 7 points"
    state, events = ended(text)
    assert [type(event) for event in events[-5:]] == [RoundEnded, HallScored, HallScored, HallScored, GameEnded]
    assert events[-1] == GameEnded((21, 1, 10), (0,))
    assert GAME.outcome(state) == Outcome((1, 3, 2), (21, 1, 10), "TENERIFE-END-1: the Town Hall is complete.")


def test_a_finished_game_takes_no_more_moves() -> None:
    """TENERIFE-END-1, TENERIFE-END-2, TENERIFE-END-3"""
    for rule, text in {
        "TENERIFE-END-1": "hall: 00 / 0000 / 0000",
        "TENERIFE-END-2": "seat 0: 0 mansions\nseat 1: 0 mansions",
        "TENERIFE-END-3": "round: 17",
    }.items():
        state, _ = ended(f"place: LAG\n{text}")
        assert refused(state, laying(1, CharacterCard.MASON), actor=0) == rule
        assert not any(GAME.legal_moves(state, seat) for seat in range(3))


def test_a_tie_is_a_shared_win() -> None:
    """TENERIFE-END-1"""
    state, events = ended("place: LAG\nhall: 00 / 0000 / 0000\nseat 1: 17 points\nseat 2: 3 points")
    assert events[-1] == GameEnded((17, 17, 3), (0, 1))
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.ranks == (1, 1, 2)


def test_the_game_ends_early_when_two_seats_have_no_mansion_left() -> None:
    """TENERIFE-END-2: the second one builds its last, and the round goes on to its end; what was built is scored."""
    text = "column: M1 M0\nhall: 00 / .... / 1...\nseat 1: 1 mansion\nseat 2: 0 mansions"
    state, events = ended(text)
    assert below(events, 2) == (MansionBuilt(2, 0, at("PUE"), 2, 2, None),)
    assert events[-1] == GameEnded((5, 3, 0), (0,))
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.reason == "TENERIFE-END-2: two or more players have no mansion left."


def test_one_seat_without_a_mansion_does_not_end_the_game() -> None:
    """TENERIFE-END-2"""
    for seats in (2, 3, 4):
        state, _ = acted("seat 0: 0 mansions", seats)
        assert GAME.to_act(state) != OVER
        assert GAME.outcome(state) is None


def test_with_two_seats_both_must_be_without_a_mansion() -> None:
    """TENERIFE-END-2, TENERIFE-TWO-1"""
    ended("seat 0: 0 mansions\nseat 1: 0 mansions", seats=2)


def test_a_mansion_that_returns_in_the_same_round_keeps_the_game_going() -> None:
    """TENERIFE-END-2: it is the end of the round that counts."""
    state, _ = acted("column: E0\nstorage: 0 / - / - / - / - / -\nseat 0: 0 mansions\nseat 1: 0 mansions")
    assert GAME.to_act(state) != OVER


@pytest.mark.parametrize("seats", [2, 3])
def test_after_twelve_rounds_of_the_town_hall_the_game_is_over(seats: int) -> None:
    """TENERIFE-END-3"""
    _, events = acted("place: LAG\nround: 16", seats)
    assert isinstance(events[-1], RoundBegun)
    assert events[-1].hall_round == 12
    state, _ = ended("place: LAG\nround: 17", seats)
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.reason == "TENERIFE-END-3: the Town Hall has had 12 rounds."


def test_the_hall_can_be_completed_in_a_town_round() -> None:
    """TENERIFE-END-1: by thieves that find no town with a free plot."""
    full = "GAR: 0 0 0 0 0\nICO: 0 0 0 0\nPUE: 0 0 0 0\nORO: 0 0 0\nSCR: 0 0 0 0 0\nTAC: 0 0 0"
    ended(f"column: M0 T1\n{full}\nhall: 22 / 2222 / 222.")
