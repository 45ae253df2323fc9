"""The statistics of the ladder."""

from __future__ import annotations

from pathlib import Path

import pytest

from skerry_games.api import Outcome
from skerry_games.catalogue import all_games
from skerry_games.players import player
from tests.games.players.ladder import HEADER, KeptBlocks, Played, Rung, Task, interval, row, rows, student
from tests.games.players.matches import Timed, beaten, play_match


@pytest.mark.parametrize(("freedom", "table"), [(3, 3.182), (5, 2.571), (9, 2.262), (15, 2.131), (23, 2.069)])
def test_student_agrees_with_the_published_table(freedom: int, table: float) -> None:
    assert student(freedom) == pytest.approx(table, rel=0.01)


def test_the_interval_is_over_the_means_of_blocks() -> None:
    low, high = interval([0.5, 0.75, 0.25, 0.5])
    # Mean 0.5, standard deviation 0.2041, standard error 0.1021, times 3.182.
    assert (low, high) == pytest.approx((0.175, 0.825), abs=0.005)
    assert interval([1.0, 1.0, 1.0, 0.5])[1] == 1.0


def test_a_tie_counts_as_half() -> None:
    outcome = Outcome((1, 2, 2, 3), (9, 5, 5, 1), "")
    assert [beaten(outcome, seat) for seat in range(4)] == pytest.approx([1.0, 0.5, 0.5, 0.0])


def test_equal_seeds_give_equal_matches() -> None:
    game, factories = all_games()["canarias"], [player("random")] * 2
    assert play_match(game, factories, 4) == play_match(game, factories, 4)
    assert play_match(game, factories, 4).scores != play_match(game, factories, 5).scores


def played(*shares: float) -> list[Played]:
    return [Played(share, ((0.5, 4), (0.001, 2))) for share in shares]


def test_a_line_names_the_players_the_number_of_games_and_the_times() -> None:
    task = Task("kreta", 2, "greedy", "random")
    line = "| kreta | 2 | greedy | random | 0.88 | 0.48 – 1.00 | 4 | 8 | 125 | < 1 |"
    assert row(task, played(1.0, 0.5, 1.0, 1.0)) == line
    assert "all blocks alike" in row(task, played(1.0, 1.0))
    assert row(task, played(1.0, 1.0)).count("|") == HEADER.splitlines()[0].count("|")


def test_the_time_of_decisions_is_measured() -> None:
    factory = Timed(player("greedy"))
    play_match(all_games()["tenerife"], [factory, player("random")], 1)
    assert factory.decisions > 5
    assert factory.seconds > 0


def test_a_rung_is_measured_at_its_tables_in_whole_blocks() -> None:
    rung = Rung("random", "random", 4, (("kreta", 3),))
    (line,) = rows(["kreta", "tenerife"], [rung], 1)
    assert line.startswith("| kreta | 3 | random | random |")
    assert "| 2 | 6 |" in line


def test_a_measurement_continues_after_an_interruption(tmp_path: Path) -> None:
    file, task = tmp_path / "blocks", Task("kreta", 3, "random", "random")
    for block, played_before in enumerate(played(1.0, 0.25)):
        KeptBlocks(file).add(task, block, played_before)
    assert KeptBlocks(file).get(task, 1) == played(0.25)[0]
    assert KeptBlocks(file).get(task, 2) is None
    rung = Rung("random", "random", 6, (("kreta", 3),))
    assert list(rows(["kreta"], [rung], 1, file)) == [row(task, played(1.0, 0.25))]


@pytest.mark.deep
@pytest.mark.timeout(300)
def test_greedy_beats_random_at_every_table() -> None:
    for line in rows(list(all_games()), [Rung("greedy", "random", 12)], 2):
        assert float(line.split("|")[5]) > 0.7, line
