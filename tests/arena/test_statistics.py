"""The statistics, against tables worked by hand and players of known strength."""

from __future__ import annotations

from math import inf, isnan, log10
from random import Random

import numpy as np
import pytest
from msgspec.structs import replace

from skerry_arena.play.record import Result
from skerry_arena.settings import Settings
from skerry_arena.statistics.fit import POINTS, differences, groups
from skerry_arena.statistics.resampling import Interval, Resampling, interval
from skerry_arena.statistics.summary import Summary, summarize
from skerry_games.pairing.form import Format
from skerry_games.pairing.plan import games
from tests.arena.samples import records, settings

TWO = ("greedy", "random")


def beaten(*rows: tuple[float, ...]) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    return np.array(rows, dtype=np.float64)


def test_three_wins_of_four_are_191_points() -> None:
    found = differences(beaten((0, 3), (1, 0)))
    assert found[0, 1] == pytest.approx(400 * log10(3))
    assert found[1, 0] == -found[0, 1]


def test_ties_are_halves() -> None:
    assert differences(beaten((0, 2.5), (2.5, 0)))[0, 1] == pytest.approx(0.0)
    assert differences(beaten((0, 1.5), (0.5, 0)))[0, 1] == pytest.approx(400 * log10(3))


def test_players_who_never_met_compare_through_common_opponents() -> None:
    # 2 : 1 and 3 : 1 are 6 : 1 together.
    found = differences(beaten((0, 2, 0), (1, 0, 3), (0, 1, 0)))
    assert found[0, 2] == pytest.approx(400 * log10(6))


def test_the_fit_expects_the_actual_number_of_opponents_beaten() -> None:
    won = beaten((0, 7, 5.5, 9), (3, 0, 6, 8), (4.5, 4, 0, 5), (1, 2, 5, 0))
    chance = 1 / (1 + np.exp(-differences(won) / POINTS))
    assert (chance * (won + won.T)).sum(axis=1) - np.diag(won + won.T) / 2 == pytest.approx(won.sum(axis=1))


def test_a_player_that_always_wins_is_infinitely_stronger() -> None:
    won = beaten((0, 4, 4), (0, 0, 3), (0, 1, 0))
    found = differences(won)
    assert groups(won) == [[0], [1, 2]]
    assert found[0, 1] == found[0, 2] == inf
    assert found[1, 2] == pytest.approx(400 * log10(3))


def test_players_without_comparison_have_no_difference() -> None:
    found = differences(beaten((0, 1, 0, 0), (1, 0, 0, 0), (0, 0, 0, 1), (0, 0, 1, 0)))
    assert isnan(found[0, 2])
    assert found[0, 1] == found[2, 3] == 0.0


def table_of_three() -> tuple[Settings, list[Result]]:
    """Two blocks of three players at a table of three, ranks by player worked out below."""
    tournament = settings("greedy", "random", "mcts:50", seats=3, games=6)
    by_player = [(1, 2, 3), (1, 1, 2), (2, 1, 2), (1, 3, 2), (1, 2, 2), (1, 1, 1)]
    ranks = [
        tuple([ranked[player] for player in game.lineup])
        for game, ranked in zip(games(tournament), by_player, strict=True)
    ]
    return tournament, list(records(tournament, ranks))


def test_a_table_of_three_matches_values_worked_by_hand() -> None:
    found = summarize(*table_of_three())
    standings = {one.name: one for one in found.standings}
    greedy, random, mcts = (standings[name] for name in ("greedy", "random", "mcts:50"))
    # Pairs: greedy beats random in games 0, 3, 4, ties in 1 and 5, loses 2. It beats mcts in 0, 1, 3, 4, ties 2 and 5.
    assert greedy.beats.value == pytest.approx((3 + 1 + 4 + 1) / 12, abs=1e-6)
    # random beats mcts in 0, 1, 2, loses 3, ties 4 and 5.
    assert random.beats.value == pytest.approx((6 - 4 + 3 + 1) / 12, abs=1e-6)
    assert mcts.beats.value == pytest.approx((6 - 5 + 6 - 4) / 12, abs=1e-6)
    # Wins: 1, ½, 0, 1, 1, ⅓ of greedy; 0, ½, 1, 0, 0, ⅓ of random.
    assert greedy.wins.value == pytest.approx((3 + 1 / 2 + 1 / 3) / 6, abs=1e-6)
    assert random.wins.value == pytest.approx((1 + 1 / 2 + 1 / 3) / 6, abs=1e-6)
    assert greedy.ranks == (5, 1, 0)
    assert mcts.score.value == pytest.approx(10 - (3 + 2 + 2 + 2 + 2 + 1) / 6, abs=1e-6)
    pair = next(one for one in found.pairs if (one.one, one.other) == ("greedy", "random"))
    assert (pair.beaten, pair.tied, pair.met) == (4.0, 2, 6)
    assert pair.share.value == pytest.approx(4 / 6, abs=1e-6)
    # Half of two opponents, game by game, from the first seat: 1, 0, ½, 0, ½, 1.
    assert [seat.value for seat in found.seats] == pytest.approx([3 / 12, 7.5 / 12, 7.5 / 12], abs=1e-6)
    assert (found.blocks, found.counted, found.void) == (2, 6, 0)


def test_with_few_blocks_there_are_no_intervals() -> None:
    found = summarize(*table_of_three())
    assert all(one.beats.interval is None and one.rating.interval is None for one in found.standings)
    assert not any(pair.distinguished for pair in found.pairs)


def test_a_figure_has_no_interval_with_fewer_than_ten_blocks_of_its_players() -> None:
    """A gauntlet of 18 blocks: the first player has 18 of them, each opponent 9."""
    tournament = settings("greedy", "b=random", "c=random", games=36, format=Format.GAUNTLET)
    ranks = [(1, 2) if game.number % 3 else (2, 1) for game in games(tournament)]
    found = summarize(tournament, records(tournament, ranks))
    assert found.blocks == 18
    standings = {one.name: one for one in found.standings}
    assert standings["greedy"].beats.interval is not None and standings["greedy"].rating.interval is not None
    for name in ("b", "c"):
        few = standings[name]
        assert [few.beats.interval, few.wins.interval, few.score.interval, few.rating.interval] == [None] * 4
    for pair in found.pairs:
        assert (pair.share.interval, pair.difference.interval, pair.distinguished) == (None, None, False)
    more = settings("greedy", "b=random", "c=random", games=40, format=Format.GAUNTLET)
    found = summarize(more, records(more, [(1, 2) if game.number % 3 else (2, 1) for game in games(more)]))
    assert all(pair.share.interval is not None and pair.difference.interval is not None for pair in found.pairs)


def test_a_player_that_always_beats_another_is_in_an_earlier_group() -> None:
    """a and c always beat b and d, and share their wins, as b and d do: no rating compares a with b."""
    tournament = settings("a=random", "b=random", "c=random", "d=random", games=120)
    ranks = []
    for game in games(tournament):
        strength = [(1, 0.5, 1, 0.5)[one] for one in game.lineup]
        tied = strength[0] == strength[1]
        first = game.block % 4 == 0 if tied else strength[0] > strength[1]
        ranks.append((1, 2) if first else (2, 1))
    found = summarize(tournament, records(tournament, ranks))
    assert {frozenset(group) for group in found.groups} == {frozenset("ac"), frozenset("bd")}
    assert [set(group) for group in found.groups] == [set("ac"), set("bd")]
    assert [one.group for one in found.standings] == [0, 0, 1, 1]
    pair = next(pair for pair in found.pairs if (pair.one, pair.other) == ("a", "b"))
    assert pair.difference.value == inf


def test_a_player_that_always_wins_has_no_rating() -> None:
    tournament = settings(*TWO, games=40)
    ranks = [tuple([1 if player == 0 else 2 for player in game.lineup]) for game in games(tournament)]
    found = summarize(tournament, records(tournament, ranks))
    assert [(one.name, one.rating.value, one.group) for one in found.standings] == [
        ("greedy", None, 0),
        ("random", None, 1),
    ]
    assert found.pairs[0].distinguished
    assert found.pairs[0].share.interval is None


def test_incomplete_blocks_and_void_games_are_not_counted() -> None:
    tournament = settings(*TWO, games=6)
    every = records(tournament, [(1, 2)] * 6)
    assert summarize(tournament, every[:5]).counted == 4
    found = summarize(tournament, [every[0], replace(every[1], counts=False), *every[2:]])
    assert (found.counted, found.void, found.blocks) == (5, 1, 3)


def test_a_tournament_without_games_has_empty_statistics() -> None:
    found = summarize(settings(*TWO), [])
    assert (found.blocks, found.counted, found.pairs, found.variance_ratio) == (0, 0, (), None)
    assert all(one.beats.value is None for one in found.standings)


def test_the_interval_drops_a_fortieth_at_each_end() -> None:
    assert interval(np.arange(1000.0)) == Interval(25.0, 974.0)
    assert interval(np.full(1000, 0.5)) is None
    unknown = np.concatenate([np.arange(900.0), np.full(100, np.nan)])
    assert interval(unknown) == Interval(-inf, inf)


def test_the_interval_of_a_mean_is_as_wide_as_the_formula_says() -> None:
    rng = np.random.default_rng(4)
    counted = rng.integers(0, 3, (400, 1)) / 2
    found = Resampling(400, b"1").of_ratios(counted, np.ones((400, 1)))[0]
    assert found is not None
    reach = 1.96 * float(counted.std()) / 400**0.5
    assert (found.high - found.low) / 2 == pytest.approx(reach, rel=0.1)


def simulated(tournament: Settings, strengths: list[float], dice: Random) -> Summary:
    """Return what is said of games whose players are as strong as that, with luck that all games of a block share."""
    ranks = []
    luck: dict[tuple[int, int], float] = {}
    for game in games(tournament):
        drawn = [
            strengths[player] + 0.6 * luck.setdefault((game.block, player), gumbel(dice)) + gumbel(dice)
            for player in game.lineup
        ]
        ranks.append(tuple([1 + sum(other > one for other in drawn) for one in drawn]))
    return summarize(tournament, records(tournament, ranks))


def gumbel(dice: Random) -> float:
    return -float(np.log(-np.log(dice.random())))


def test_95_percent_intervals_contain_the_true_value_as_often() -> None:
    """Equal players: the true share is a half and the true difference 0, in 95 of 100 tournaments."""
    tournament = settings("a=random", "b=random", "c=random", seats=3, games=120)
    dice, held, apart, many = Random(11), 0, 0, 30
    for _ in range(many):
        found = simulated(tournament, [0.0, 0.0, 0.0], dice)
        for one in found.standings:
            assert one.beats.interval is not None
            held += one.beats.interval.low <= 0.5 <= one.beats.interval.high
        apart += sum(pair.distinguished for pair in found.pairs)
    assert 0.88 <= held / (3 * many) <= 0.99
    assert apart / (3 * many) <= 0.12


def test_stronger_players_are_rated_higher() -> None:
    tournament = settings("a=random", "b=random", "c=random", "d=random", seats=4, games=240)
    found = simulated(tournament, [0.0, 2.0, 1.0, 3.0], Random(3))
    assert [one.name for one in found.standings] == ["d", "b", "c", "a"]
    assert all(pair.distinguished for pair in found.pairs)


def test_the_variance_ratio_shows_the_effect_of_duplicate_deals() -> None:
    tournament = settings(*TWO, games=400)
    alike = [(1, 2), (1, 2)]  # the first seat wins: a block is always one all
    found = summarize(tournament, records(tournament, alike * 200))
    assert found.variance_ratio == pytest.approx(0.0, abs=1e-9)
    dice = Random(2)
    apart = [(1, 2) if dice.random() < 0.5 else (2, 1) for _ in range(400)]
    ratio = summarize(tournament, records(tournament, apart)).variance_ratio
    assert ratio is not None
    assert 0.8 < ratio < 1.25
