"""Tournaments on a real service: the same plan, the same log, and players that use the API by themselves."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from google.protobuf.json_format import Parse
from msgspec import json

from skerry.v1 import session_pb2
from skerry.v1.service_pb2 import GetReplayResponse
from skerry_arena.play.contestant import AnswerCounts, FailureKind
from skerry_arena.play.record import Record
from skerry_arena.remote.service_engine import ServiceEngine
from skerry_arena.reports.report_files import repeatable
from skerry_arena.running.runner import results_of
from skerry_arena.running.tournament_folder import read_tournament
from skerry_arena.settings import Service
from skerry_client import Client
from skerry_service.replays.verification import first_difference
from tests.arena.conftest import Run
from tests.arena.samples import SEED, faulty, settings
from tests.arena.test_tournament import LIMITED
from tests.clients.servers import ServerProcess

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "tournaments.md"
BOT = next(
    code for code in re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL) if "SKERRY_SEAT_TOKEN" in code
)
"""The program of the page that plays through the API."""


@pytest.fixture(scope="module")
def server() -> Iterator[ServerProcess]:
    with TemporaryDirectory(prefix="skerry-test-") as folder:
        process = ServerProcess(Path(folder))
        process.start()
        yield process
        process.stop()


def players(*who: str) -> list[str]:
    return [part for one in who for part in ("--player", one)]


def games(folder: Path) -> list[Record]:
    return results_of(read_tournament(folder).settings, folder / "games.jsonl", Record)


def api(folder: Path, code: str, name: str = "api") -> str:
    """Return a player whose program has this code and uses the API."""
    (folder / f"{name}.py").write_text(code)
    return f"{name}=api:{sys.executable} {name}.py"


def test_equal_settings_give_equal_games_that_the_service_verifies(
    tmp_path: Path, arena: Run, server: ServerProcess
) -> None:
    flags = ("--game", "small_islands", *players("random", "b=random", "c=random"), "--seats", "3", "--games", "3")
    flags += ("--seed", SEED)
    for folder, workers in (("one", "1"), ("many", "4")):
        where = ("--server", server.address, "--workers", workers, "--out", folder)
        run = arena("tournament", "run", *flags, *where)
        assert (run.returncode, run.stderr) == (0, "")
    one, many = games(tmp_path / "one"), games(tmp_path / "many")
    assert list(map(repeatable, one)) == list(map(repeatable, many))
    assert one[0].seed == one[1].seed == one[2].seed
    assert arena("tournament", "verify", "many").stdout == "All 3 games follow from their seeds and choices.\n"
    assert arena("tournament", "replays", "many", "--out", "told").returncode == 0
    for record in many:
        replay = Parse((tmp_path / "told" / f"{record.game}.json").read_text(), GetReplayResponse()).replay
        assert first_difference(replay) is None
        assert tuple(replay.session.outcome.ranks) == record.ranks
        assert tuple([seat.display_name for seat in replay.session.seats]) == record.lineup
    assert json.decode((tmp_path / "many" / "seats.json").read_bytes()) == []


def test_with_api_programs_each_game_has_its_own_deal(tmp_path: Path, arena: Run, server: ServerProcess) -> None:
    flags = ("--game", "kreta", *players("random", api(tmp_path, BOT)), "--games", "2", "--out", "cup")
    run = arena("tournament", "run", *flags, "--server", server.address, "--workers", "2")
    assert (run.returncode, run.stderr) == (0, "")
    one, other = games(tmp_path / "cup")
    assert one.failures == other.failures == ()
    assert one.seed != other.seed
    assert one.seconds[one.lineup.index("api")] > 0
    assert arena("tournament", "verify", "cup").returncode == 0


TRICKS = {
    "crash": ("raise SystemExit('out of ideas')", FailureKind.CRASH, "exit code 1: out of ideas"),
    "leave": ("seat.leave()", FailureKind.LEFT, "left its seat"),
    "resign": ("seat.resign()", FailureKind.LEFT, "resigned"),
    "hang": ("import time; time.sleep(1000)", FailureKind.TIMEOUT, "time was up"),
}
FIRST_LINES = BOT.partition("    for position")[0]


DEEP = [pytest.param(how, marks=pytest.mark.deep) for how in ("leave", "resign")]


@pytest.mark.parametrize("how", ["crash", "hang", *DEEP])
@pytest.mark.deep
def test_a_failed_api_program_loses_and_the_others_play_on(
    tmp_path: Path, arena: Run, server: ServerProcess, how: str
) -> None:
    code, kind, said = TRICKS[how]
    trick = api(tmp_path, f"{FIRST_LINES}    {code}\n", how)
    flags = ("--game", "kreta", *players("random", "b=random", trick), "--seats", "3", "--games", "3")
    flags += ("--move-seconds", "3" if how == "hang" else "60", "--workers", "3")
    run = arena("tournament", "run", *flags, "--server", server.address, "--out", "cup")
    assert (run.returncode, run.stderr) == (0, "")
    for record in games(tmp_path / "cup"):
        seat = record.lineup.index(how)
        assert [(one.seat, one.kind) for one in record.failures] == [(seat, kind)]
        assert said in record.failures[0].detail
        assert all(record.ranks[seat] > rank for other, rank in enumerate(record.ranks) if other != seat)
        assert len(record.choices) > 20
    assert arena("tournament", "verify", "cup").returncode == 0


@pytest.mark.parametrize(("policy", "ranks"), [("forfeit", {1, 2}), ("void", {1})])
def test_a_game_decided_by_failures_ends(
    tmp_path: Path, arena: Run, server: ServerProcess, policy: str, ranks: set[int]
) -> None:
    flags = ("--game", "canarias", *players("random", faulty("crash")), "--games", "2", "--on-failure", policy)
    run = arena("tournament", "run", *flags, "--server", server.address, "--out", "cup")
    assert (run.returncode, run.stderr) == (0, "")
    for record in games(tmp_path / "cup"):
        assert [one.kind for one in record.failures] == [FailureKind.CRASH]
        assert len(record.choices) == record.failures[0].decision
        assert set(record.ranks) == ranks
        assert record.counts == (policy == "forfeit")
    assert arena("tournament", "verify", "cup").returncode == 0


CRASHES_LATER = """
import json, sys

games = 0
for text in sys.stdin:
    line = json.loads(text)
    if line["type"] == "hello":
        print('{"type": "hello"}', flush=True)
    elif line["type"] == "new_game":
        games += 1
        print('{"type": "ready"}', flush=True)
    elif line["type"] == "choose":
        if games > 1:
            sys.exit("out of ideas")
        print(json.dumps({"type": "move", "decision": line["decision"], "choice": 0}), flush=True)
"""
"""A program that crashes at the first decision of its second game."""


def test_a_seat_that_has_not_begun_has_no_answers(tmp_path: Path, arena: Run, server: ServerProcess) -> None:
    (tmp_path / "later.py").write_text(CRASHES_LATER)
    flags = ("--game", "canarias", *players(f"later=program:{sys.executable} later.py", faulty("first")))
    flags += ("--games", "2", "--seed", SEED, "--workers", "1", "--server", server.address, "--out", "cup")
    run = arena("tournament", "run", *flags)
    assert (run.returncode, run.stderr) == (0, "")
    played, failed = games(tmp_path / "cup")
    assert played.failures == () and min(one.decisions for one in played.answers) > 1
    assert [(one.seat, one.decision) for one in failed.failures] == [(1, 0)]
    assert failed.answers == (AnswerCounts(), AnswerCounts(decisions=1))


COMMAND = (sys.executable, "-m", "skerry_arena.cli", "tournament", "run", "--game", "kreta", "--seed", SEED)


def begin(folder: Path, server: ServerProcess, *flags: str) -> subprocess.Popen[str]:
    """Start a tournament. Return once some of its games have finished."""
    process = subprocess.Popen(
        [*COMMAND, *flags, "--server", server.address, "--workers", "2", "--out", str(folder)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    while not (log := folder / "games.jsonl").exists() or log.read_bytes().count(b"\n") < 1:
        assert process.poll() is None
        time.sleep(0.01)
    return process


def tables_in(seats_file: Path, seats: int) -> list[str]:
    """Return the sessions with so many stored seats."""
    held = Counter(one["session"] for one in json.decode(seats_file.read_bytes()))
    return [name for name, many in held.items() if many == seats]


@pytest.mark.deep
def test_a_tournament_survives_restarts_of_the_service_and_of_itself(tmp_path: Path, arena: Run) -> None:
    """The service is killed and restarted, then the tournament. The tournament leaves its old seats."""
    data, folder = tmp_path / "data", tmp_path / "cup"
    data.mkdir()
    server = ServerProcess(data)
    server.start()
    process = begin(folder, server, *players("random", "b=random"), "--games", "8")
    server.kill()
    server.start()
    before = (folder / "games.jsonl").read_bytes().count(b"\n")
    while (folder / "games.jsonl").read_bytes().count(b"\n") < before + 1:
        assert process.poll() is None
        time.sleep(0.01)
    # A table of which both seats are held. Of one whose last seat was just taken, the file may lack that.
    while not (held := tables_in(folder / "seats.json", seats=2)):
        assert process.poll() is None
        time.sleep(0.001)
    process.kill()
    process.communicate()
    assert os.stat(folder / "seats.json").st_mode & 0o777 == 0o600
    resumed = subprocess.run(
        [*COMMAND[:-5], "resume", str(folder), "--server", server.address], capture_output=True, text=True, check=False
    )
    assert (resumed.returncode, resumed.stderr) == (0, "")
    assert "8 of 8 games." in resumed.stdout
    assert arena("tournament", "verify", folder).stdout == "All 8 games follow from their seeds and choices.\n"
    with Client(server.address) as skerry:
        states = [skerry.table(one).session().state for one in held]
    assert session_pb2.SESSION_STATE_PLAYING not in states
    server.stop()


def test_an_interrupt_leaves_the_seats_and_keeps_finished_games(tmp_path: Path, server: ServerProcess) -> None:
    folder = tmp_path / "cup"
    process = begin(folder, server, *players("random", "b=random"), "--games", "100000")
    process.send_signal(signal.SIGINT)
    _, said = process.communicate()
    assert process.returncode == 130, said
    assert said.endswith(f"To play the rest, run: skerry tournament resume {folder}\n") and said.count("\n") == 1
    assert json.decode((folder / "seats.json").read_bytes()) == []


class Interrupted:
    """Games that finish at the moment of an interrupt."""

    closed = False

    def __init__(self, *_: object) -> None:
        pass

    async def begin(self) -> None:
        pass

    async def next(self) -> list[object]:
        asyncio.get_running_loop().call_soon(signal.raise_signal, signal.SIGINT)
        return []

    async def close(self) -> None:
        await asyncio.sleep(0.001)
        Interrupted.closed = True


def test_an_interrupt_while_games_finish_also_closes_the_engine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("skerry_arena.remote.service_engine._ServiceGames", Interrupted)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            list(ServiceEngine(tmp_path, Service("127.0.0.1:1"), 1)(settings("random", "b=random"), []))
    finally:
        signal.signal(signal.SIGINT, before)
    assert Interrupted.closed


def test_a_tournament_can_resume_after_a_full_disk_or_a_damaged_file(
    tmp_path: Path, arena: Run, server: ServerProcess
) -> None:
    folder = tmp_path / "cup"
    flags = [*players("random", "b=random"), "--games", "2", "--server", server.address, "--out", str(folder)]
    command = [sys.executable, "-c", LIMITED, *COMMAND[3:], *flags]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 1
    assert "File too large" in run.stderr and "resume" in run.stderr and run.stderr.count("\n") == 1
    kept = folder / "seats.json"
    assert json.decode(kept.read_bytes()) == []
    kept.write_text("nothing of ours")
    refused = arena("tournament", "resume", folder)
    assert refused.returncode == 1
    assert "This is not a file of seats" in refused.stderr and refused.stderr.count("\n") == 1
    kept.unlink()
    assert arena("tournament", "resume", folder).returncode == 0
    assert arena("tournament", "verify", folder).returncode == 0


@pytest.mark.deep
def test_errors_of_the_service_are_reported_in_one_line(tmp_path: Path, arena: Run, server: ServerProcess) -> None:
    two = ("--game", "kreta", *players("random", "b=random"), "--games", "2")
    braces = ("--game", "kreta", *players("random", "{b}=random"), "--games", "2", "--server", server.address)
    for flags, code, said in (
        (("run", *two, "--server", "127.0.0.1:1", "--out", "cup"), 1, "127.0.0.1:1: "),
        (("resume", "cup", "--server", "nowhere.invalid:1"), 1, "resume"),
        (("run", *braces, "--out", "named"), 1, "name"),
        (("run", "--game", "kreta", *players("random", "a=api:true"), "--out", "api"), 2, "--server HOST:PORT"),
    ):
        run = arena("tournament", *flags)
        assert run.returncode == code
        assert said in run.stderr and run.stderr.count("\n") == 1
    arena("tournament", "run", *two, "--out", "here")
    moved = arena("tournament", "resume", "here", "--server", server.address)
    assert (moved.returncode, moved.stderr.count("\n")) == (2, 1)
