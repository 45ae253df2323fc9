"""The live page of a running tournament, its data, and the lines on a pipe."""

from __future__ import annotations

import http.client
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from threading import Thread
from urllib.request import urlopen

import pytest
from msgspec import json
from msgspec.structs import replace

from skerry_arena.live.live_page import duration, line, live_content, live_page
from skerry_arena.live.live_server import BadAddress, address_of, serving
from skerry_arena.live.progress_lines import ProgressLines
from skerry_arena.live.tournament_watch import Snapshot, TournamentWatch
from skerry_arena.play.contestant import FailureKind
from skerry_arena.play.record import Failure
from skerry_arena.settings import Stop
from skerry_arena.statistics.stopping import SequentialTest
from skerry_games.pairing.form import Format
from skerry_games.pairing.plan import games
from tests.arena.conftest import Run
from tests.arena.samples import records, settings
from tests.arena.test_places import field, played, ranked
from tests.arena.test_report import Reader

TWO = ("a=random", "<b>=random")


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def watched(clock: Clock) -> tuple[TournamentWatch, SequentialTest]:
    """Return the watch of ten games: two of an earlier run, two of this one, and three are in play."""
    tournament = settings(*TWO, games=10, stop=Stop())
    log = records(tournament, [(1, 2), (1, 2), (1, 1), (2, 1), *[(1, 2)] * 6])
    log[2] = replace(log[2], failures=(Failure(0, 3, FailureKind.CRASH),))
    watch, test = TournamentWatch(tournament, 2, clock), SequentialTest(tournament)
    for result in log[:2]:
        test.add(result)
    watch.begin(log[:2], test)
    watch.plan(10)
    clock.now += 10
    plan = list(games(tournament))
    for game in plan[2:7]:
        watch.handed_over(game)
    clock.now += 10
    for result in log[2:4]:
        test.add(result)
    watch.finish(log[2:4], test)
    return watch, test


def test_a_snapshot_has_standings_tables_likelihood_ratio_and_time_left() -> None:
    clock = Clock()
    watch, test = watched(clock)
    found = watch.snapshot()
    assert (found.finished, found.planned, found.over) == (4, 10, False)
    # Two games in 20 seconds, and six are left.
    assert (found.seconds, found.seconds_left) == (20.0, 60.0)
    assert found.ratio is not None and found.ratio.value == test.ratio != 0.0
    assert [(one.game, one.seconds) for one in found.tables] == [(4, 0.0), (5, 0.0)]
    assert found.waiting == 1
    assert [one.game for one in found.latest] == [3, 2]
    assert sum(one.games for one in found.standings) == 8
    assert sum(one.failures for one in found.standings) == 1
    assert sum(one.beats or 0.0 for one in found.standings) == pytest.approx(1.0)
    watch.end()
    assert watch.snapshot().tables == () and watch.snapshot().seconds_left is None


def test_the_page_is_well_formed_and_escapes_names() -> None:
    clock = Clock()
    watch, _ = watched(clock)
    reader, text = Reader(), live_page(watch.snapshot())
    reader.feed(text)
    assert reader.open == []
    assert "<b>" not in text and "&lt;b&gt;" in text
    for said in ("4 of 10 games", "1 min 0 s left", "Likelihood ratio", "In play", "1 more games wait", "Latest games"):
        assert said in text
    watch.end()
    assert "The tournament is over." in live_content(watch.snapshot())


def test_a_tournament_in_rounds_shows_its_rounds_and_at_the_end_its_winner() -> None:
    tournament = field(4, Format.KNOCKOUT)
    log = played(tournament, ranked)
    watch = TournamentWatch(tournament, 1)
    watch.begin(log[:4], SequentialTest(tournament))
    watch.plan(6)
    assert [len(one) for one in watch.snapshot().cup.rounds] == [2]
    watch.finish(log[4:], SequentialTest(tournament))
    watch.end()
    assert "a wins the tournament." in live_content(watch.snapshot())


def test_a_line_has_games_time_shares_and_ratio() -> None:
    watch, _ = watched(Clock())
    said = line(watch.snapshot())
    assert re.fullmatch(
        r"4 of 10 games; 1 min 0 s left; \S+ 0\.\d\d, \S+ 0\.\d\d; likelihood ratio \S+ \(stops at ±2\.94\)", said
    )
    assert [duration(one) for one in (0.4, 59.4, 61, 3_600, 7_380)] == [
        "0 s",
        "59 s",
        "1 min 1 s",
        "1 h 0 min",
        "2 h 3 min",
    ]


@pytest.mark.parametrize(
    ("text", "address"),
    [
        (":8090", ("127.0.0.1", 8090)),
        ("8090", ("127.0.0.1", 8090)),
        ("0.0.0.0:80", ("0.0.0.0", 80)),
        ("[::1]:8090", ("::1", 8090)),
    ],
)
def test_an_address_is_loopback_unless_it_has_a_host(text: str, address: tuple[str, int]) -> None:
    assert address_of(text) == address


@pytest.mark.parametrize("text", ["", ":", "host", ":70000", ":-1", ":８０"])
def test_a_bad_address_is_rejected(text: str) -> None:
    with pytest.raises(BadAddress, match="--live takes a port"):
        address_of(text)


@pytest.fixture
def url() -> Iterator[str]:
    watch, _ = watched(Clock())
    with serving(watch, ("127.0.0.1", 0)) as at:
        yield at


def status(url: str, path: str = "/", **headers: str) -> int:
    host, port = url.removeprefix("http://").rstrip("/").split(":")
    with closing(http.client.HTTPConnection(host, int(port), timeout=30)) as connection:
        connection.request("GET", path, headers=headers)
        return connection.getresponse().status


def test_the_page_its_content_and_its_data_are_served(url: str) -> None:
    with urlopen(url) as page, urlopen(f"{url}content") as content:
        assert page.headers["Cache-Control"] == "no-store"
        assert "default-src 'none'" in page.headers["Content-Security-Policy"]
        assert "<!doctype html>" in page.read().decode()
        assert content.read().decode().startswith("<h1>")
    assert read(url).finished == 4
    assert status(url, "/games.jsonl") == 404
    assert status(url, "/../tournament.json") == 404


def test_a_page_of_another_site_cannot_read_a_local_one(url: str) -> None:
    """Its name can be made to resolve to this machine."""
    assert status(url, Host="evil.example:8090") == 403
    assert status(url, Host="localhost:8090") == status(url, Host="[::1]:8090") == 200


def test_silent_connections_do_not_exhaust_the_server(url: str) -> None:
    host, port = url.removeprefix("http://").rstrip("/").split(":")
    silent = [socket.create_connection((host, int(port))) for _ in range(40)]
    for one in silent:
        one.close()
    while True:  # the server notices a closed connection in its own time
        try:
            assert status(url) == 200
            return
        except (OSError, http.client.HTTPException):
            continue


def test_an_open_page_can_fetch_the_end() -> None:
    watch, _ = watched(Clock())
    seen: list[Snapshot] = []

    def follow(url: str) -> None:
        while not seen or not seen[-1].over:
            seen.append(read(url))

    with serving(watch, ("127.0.0.1", 0)) as url:
        page = Thread(target=follow, args=(url,))
        page.start()
        while not seen:
            time.sleep(0.001)
        watch.end()
    page.join()
    assert seen[-1].over


FLAGS = ("tournament", "run", "--game", "kreta", "--player", "random", "--player", "b=random", "--workers", "0")


def read(url: str) -> Snapshot:
    with urlopen(f"{url}live.json") as data:
        return json.decode(data.read(), type=Snapshot)


def test_a_tournament_shows_itself_while_it_runs(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "skerry_arena.cli", *FLAGS, "--games", "100000", "--live", ":0", "--out", "cup"]
    process = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stderr is not None
        said = process.stderr.readline()
        found = re.fullmatch(r"Live page: (http://127\.0\.0\.1:\d+/)\n", said)
        assert found is not None, said
        while (snapshot := read(found[1])).finished < 3:
            pass
        assert len(snapshot.tables) <= 1 and snapshot.planned == 100_000
    finally:
        process.kill()
        process.communicate()


def test_a_line_is_written_at_most_so_often() -> None:
    clock, written = Clock(), list[str]()
    tournament = settings("a=random", "b=random", games=10)
    watch, test = TournamentWatch(tournament, 1), SequentialTest(tournament)
    watch.changed = ProgressLines(30.0, written.append, clock)
    watch.begin([], test)
    watch.plan(10)
    for result in records(tournament, [(1, 2)] * 10):
        clock.now += 12
        watch.finish([result], test)
    assert [one.partition(" ")[0] for one in written] == ["3", "6", "9"]


def test_lines_are_written_to_a_pipe(arena: Run) -> None:
    ran = arena(*FLAGS, "--games", "4", "--lines", "0", "--out", "cup")
    lines = ran.stderr.splitlines()
    assert ran.returncode == 0
    assert [one.partition(";")[0] for one in lines] == [f"{done} of 4 games" for done in range(1, 5)]
    assert arena(*FLAGS, "--games", "2", "--out", "quiet").stderr == ""


def test_a_reader_of_lines_that_has_gone_does_not_end_the_tournament(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "skerry_arena.cli", *FLAGS, "--games", "4", "--lines", "0", "--out", "cup"]
    ran = subprocess.run(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=writing, text=True, check=False)
    os.close(writing)
    assert "4 of 4 games." in ran.stdout


def test_a_port_in_use_is_an_error_before_a_game_is_played(arena: Run) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        ran = arena(*FLAGS, "--games", "2", "--live", f":{taken.getsockname()[1]}", "--out", "cup")
    assert ran.returncode == 1
    assert "Address already in use" in ran.stderr and ran.stderr.count("\n") == 1
    assert not os.path.exists("cup/games.jsonl")
    assert arena(*FLAGS, "--live", "nowhere", "--out", "other").returncode == 2
    assert not os.path.exists("other")
