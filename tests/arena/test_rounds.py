"""Swiss tournaments and knockouts: the pairings, which follow from the log."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import pytest

from skerry_arena.play.record import Record
from skerry_arena.reports.page import page
from skerry_arena.reports.report_files import repeatable
from skerry_arena.running.log import DamagedLog, Log
from skerry_arena.running.runner import results_of
from skerry_arena.running.tournament_folder import LOG, read_tournament
from skerry_arena.settings import BadSettings, Settings, Stop
from skerry_arena.statistics.cup import planned
from skerry_arena.statistics.summary import summarize
from skerry_games.pairing.form import Format
from skerry_games.pairing.knockout import winner
from skerry_games.pairing.match import Match
from skerry_games.pairing.rounds import games, rounds, total
from tests.arena.conftest import Run
from tests.arena.samples import record_of, settings


def field(players: int, form: Format, **more: Any) -> Settings:
    named = [f"{chr(ord('a') + one)}=random" for one in range(players)]
    return settings(*named, **{"game": "kreta", "format": form, "games": 2, **more})


def played(tournament: Settings) -> tuple[list[Record], list[list[Match]]]:
    """Play rounds of which the player with the lower name wins every game, or ties with nobody."""
    log: dict[int, Record] = {}
    matches = []
    for one in rounds(tournament, log):
        for at_table in one.games:
            for game in at_table:
                order = sorted(set(game.lineup))
                log[game.number] = record_of(tournament, game, tuple([order.index(who) + 1 for who in game.lineup]))
        matches.append(one.matches(tournament, log))
    return list(log.values()), matches


@pytest.mark.parametrize(("players", "seats"), [(2, 2), (5, 2), (8, 2), (7, 3), (4, 3), (3, 4), (13, 4)])
def test_the_unbeaten_player_wins_a_knockout(players: int, seats: int) -> None:
    tournament = field(players, Format.KNOCKOUT, seats=seats)
    log, matches = played(tournament)
    assert winner(tournament, matches) == 0
    assert winner(tournament, matches[:-1]) is None
    assert len(log) == total(tournament)
    for one, following in pairwise(matches):
        best = {min(match.table) for match in one}
        out = {who for match in one for who in match.table} - best
        assert out.isdisjoint(who for match in following for who in match.table)


@pytest.mark.parametrize(("players", "seats", "number"), [(8, 2, 3), (7, 2, 3), (9, 3, 4), (5, 4, 3)])
def test_in_a_swiss_tournament_players_do_not_meet_again_and_byes_rotate(players: int, seats: int, number: int) -> None:
    tournament = field(players, Format.SWISS, seats=seats)
    log, matches = played(tournament)
    assert (len(matches), len(log)) == (number, total(tournament))
    games_of = Counter(who for one in matches for match in one for who in match.table)
    assert max(games_of.values()) - min(games_of[who] for who in range(players)) <= 1
    met = Counter(pair for one in matches for match in one for pair in combinations(sorted(match.table), 2))
    if seats == 2:
        assert max(met.values()) == 1


def test_in_a_swiss_tournament_players_with_equal_results_meet() -> None:
    tournament = field(8, Format.SWISS)
    _, matches = played(tournament)
    won = Counter[int]()
    for number, one in enumerate(matches):
        if number == 1:
            assert all(won[match.table[0]] == won[match.table[1]] for match in one)
        won.update([min(match.table) for match in one])
    assert won[0] == 3


def test_a_round_waits_for_the_round_before_and_unplanned_games_are_rejected(tmp_path: Path) -> None:
    tournament = field(4, Format.KNOCKOUT)
    every, _ = played(tournament)
    with Log(tmp_path / LOG) as log:
        log.write(every[:3])
    assert results_of(tournament, tmp_path / LOG, Record) == every[:3]
    with Log(tmp_path / LOG) as log:
        log.write(every[4:5])
    with pytest.raises(DamagedLog, match="Game 4 is not in the plan"):
        results_of(tournament, tmp_path / LOG, Record)


def test_the_report_has_rounds_and_winner() -> None:
    tournament = field(4, Format.KNOCKOUT)
    every, matches = played(tournament)
    summary = summarize(tournament, every)
    assert summary.cup.winners == ("a",)
    assert [len(one) for one in summary.cup.rounds] == [len(one) for one in matches] == [2, 1]
    assert "a wins the tournament." in page(tournament, summary)
    assert summarize(tournament, every[:5]).cup.winners == ()
    assert len(summarize(tournament, every[:5]).cup.rounds) == 1


@pytest.mark.parametrize("form", ["swiss", "knockout"])
def test_a_tournament_in_rounds_is_the_same_after_an_interruption(tmp_path: Path, arena: Run, form: str) -> None:
    players = [part for one in "abcde" for part in ("--player", f"{one}=random")]
    flags = ("--game", "kreta", *players, "--format", form, "--games", "2", "--seed", "5a" * 32, "--workers", "0")
    assert arena("tournament", "run", *flags, "--out", "whole").returncode == 0
    whole = tmp_path / "whole"
    tournament = read_tournament(whole).settings
    every = results_of(tournament, whole / LOG, Record)
    assert len(every) == planned(tournament, every)
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "tournament.json").write_bytes((whole / "tournament.json").read_bytes())
    lines = (whole / LOG).read_bytes().splitlines(keepends=True)
    (broken / LOG).write_bytes(b"".join(lines[:5]) + lines[5][:40])
    assert arena("tournament", "resume", "broken", "--workers", "0").returncode == 0
    assert list(map(repeatable, results_of(tournament, broken / LOG, Record))) == list(map(repeatable, every))
    for name in ("report.html", "manifest.json"):
        assert (broken / name).read_bytes() == (whole / name).read_bytes()
    assert arena("tournament", "verify", "broken").returncode == 0


@pytest.mark.parametrize(
    ("players", "form", "more", "said"),
    [
        (3, Format.SWISS, {"seats": 4}, "as many players as seats"),
        (3, Format.KNOCKOUT, {"rounds": 2}, "Only a Swiss tournament"),
        (3, Format.ROUND_ROBIN, {"rounds": 2}, "Only a Swiss tournament"),
        (3, Format.KNOCKOUT, {"stop": Stop()}, "cannot stop early"),
    ],
)
def test_inconsistent_settings_are_rejected(players: int, form: Format, more: dict[str, Any], said: str) -> None:
    with pytest.raises(BadSettings, match=said):
        field(players, form, **more)


def test_other_formats_have_one_round() -> None:
    assert len(list(games(field(3, Format.GAUNTLET), {}))) == 1
