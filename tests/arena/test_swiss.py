"""The pairs of Swiss tournaments, checked by brute force over all pairs of a round."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from skerry_arena.settings import BadSettings, Settings, require_playable
from skerry_games.pairing.form import Format
from skerry_games.pairing.match import Match, Players
from skerry_games.pairing.swiss import next_tables
from tests.arena.samples import settings

CUPS = 150
MANY_CUPS = 3000


def field(players: int, **more: Any) -> Settings:
    named = [f"{chr(ord('a') + one)}=random" for one in range(players)]
    return settings(*named, **{"game": "kreta", "format": Format.SWISS, "games": 2, **more})


def cups_of(cup: Settings, many: int) -> list[Settings]:
    return [replace(cup, seed=f"{number:064x}") for number in range(many)]


def partitions(players: Sequence[int], seats: int) -> Iterator[list[Players]]:
    """Yield all ways to seat players at full tables."""
    if not players:
        yield []
        return
    first, *rest = players
    for others in combinations(rest, seats - 1):
        left = [one for one in rest if one not in others]
        for tables in partitions(left, seats):
            yield [(first, *others), *tables]


def meetings(tables: Sequence[Players], met: Counter[tuple[int, int]]) -> int:
    return sum(met[pair] for table in tables for pair in combinations(sorted(table), 2))


def fewest(players: int, seats: int, met: Counter[tuple[int, int]], played: Counter[int]) -> int:
    """Return the fewest rematches of a round in which nobody sits out twice before all have sat out once."""
    out = players % seats
    due = sorted((played[one] for one in range(players)), reverse=True)[:out]
    return min(
        meetings(tables, met)
        for sitting in combinations(range(players), out)
        if sorted((played[one] for one in sitting), reverse=True) == due
        for tables in partitions([one for one in range(players) if one not in sitting], seats)
    )


def avoidable_rematches(cup: Settings, rounds: int, dice: Random) -> int:
    """Play a cup with results by lot. Return the rematches beyond the fewest of each round."""
    players, found = len(cup.players), 0
    met, played, matches = Counter[tuple[int, int]](), Counter[int](), list[Match]()
    for number in range(rounds):
        tables = next_tables(cup, matches, number)
        found += meetings(tables, met) - fewest(players, cup.table, met, played)
        for table in tables:
            met.update(combinations(sorted(table), 2))
            played.update(table)
            order = dice.sample(range(len(table)), len(table))
            matches.append(Match(table, tuple([place / (len(table) - 1) for place in order])))
    return found


@pytest.mark.parametrize(
    "cups", [CUPS, pytest.param(MANY_CUPS, marks=pytest.mark.deep)], ids=["some cups", "many cups"]
)
def test_no_cup_of_six_players_and_three_rounds_has_an_avoidable_rematch(cups: int) -> None:
    """Players paired one after the other met again without need in one of seven such cups."""
    dice = Random(38)
    assert sum(avoidable_rematches(cup, 3, dice) for cup in cups_of(field(6), cups)) == 0


@pytest.mark.parametrize(("players", "rounds"), [(5, 4), (7, 6), (6, 5), (8, 5), (3, 5)])
def test_longer_cups_have_no_avoidable_rematch_either(players: int, rounds: int) -> None:
    dice = Random(3)
    assert sum(avoidable_rematches(cup, rounds, dice) for cup in cups_of(field(players), 8)) == 0


def test_tables_of_three_seldom_have_an_avoidable_rematch() -> None:
    dice = Random(4)
    assert sum(avoidable_rematches(cup, 3, dice) for cup in cups_of(field(9, seats=3), 10)) <= 2


def test_results_decide_among_pairs_without_a_rematch() -> None:
    """After a round in which 0, 2, 4 and 6 won, winners meet winners."""
    won = [Match((one, one + 1), (1.0, 0.0)) for one in range(0, 8, 2)]
    tables = next_tables(field(8), won, 1)
    assert all(one % 2 == other % 2 for one, other in tables)
    assert tables[0][0] % 2 == 0 and tables[-1][0] % 2 == 1


def test_the_lowest_player_who_has_not_sat_out_sits_out() -> None:
    cup = field(5)
    first = [Match((0, 1), (1.0, 0.0)), Match((2, 3), (0.6, 0.4))]  # 4 has sat out
    assert {one for table in next_tables(cup, first, 1) for one in table} == {0, 2, 3, 4}


def test_without_the_library_a_swiss_tournament_of_pairs_is_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    cup = field(4)
    monkeypatch.setitem(sys.modules, "networkx", None)
    monkeypatch.setattr("skerry_arena.settings.find_spec", lambda name: None)
    with pytest.raises(BadSettings, match=r"pip install 'skerry-arena\[swiss\]'"):
        require_playable(cup)
    require_playable(field(4, seats=3))
