"""``skerry tournament create`` to ``cancel``, and ``skerry bots --tournament``, at a real server with API keys."""

from __future__ import annotations

import asyncio
import stat
import subprocess
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from msgspec import json

from skerry.v1 import tournament_pb2 as pb
from skerry_arena.cli.errors import CommandError
from skerry_arena.cli.server_tournaments import organizer_file
from skerry_arena.remote.hosted_tournament import HostedTournament, request_of
from skerry_arena.reports.verification import difference
from skerry_arena.settings import Limits, Service
from skerry_client import AsyncClient, AsyncSeat, Client
from skerry_client.errors import JoinCodeWrong
from skerry_service.access.api_key_file import format_line, new_key
from tests.arena.conftest import Run
from tests.arena.samples import settings
from tests.clients.servers import ServerProcess

KEY = new_key("ada")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    folder = tmp_path_factory.mktemp("server")
    keys = folder / "keys"
    line = format_line(KEY, "ladder,bots,host,play,watch")
    keys.write_text(f"{line} replay=1/1s\n* - watch")  # reports are within the limits of a key
    process = ServerProcess(folder / "data")
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("SKERRY_KEYS", str(keys))
        process.start()
    yield process
    process.stop()


@pytest.fixture(autouse=True)
def author(server: ServerProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SKERRY_API_KEY", KEY)
    monkeypatch.setenv("SKERRY_SERVER", server.address)


def create(arena: Run, *more: str) -> str:
    """Create a tournament with the organizer file ``cup.json``. Return its id."""
    done = arena("tournament", "create", "Harbour cup", "--game", "tenerife", "--keep", "cup.json", *more)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()[0].removeprefix("tournaments/")


async def bot(tournament: str, name: str, *more: str) -> Process:
    """Start ``skerry bots``."""
    flags = ("--tournament", tournament, "--name", name, "--player", "random", "--most", "4", *more)
    return await asyncio.create_subprocess_exec(sys.executable, "-m", "skerry_arena.cli", "bots", *flags, stdout=PIPE)


async def until_says(process: Process, words: str) -> None:
    assert process.stdout
    while words not in (line := (await process.stdout.readline()).decode()):
        assert line, f"The bot ended before it said {words!r}."


@pytest.mark.deep
@pytest.mark.parametrize("form", ["swiss", "knockout"])
def test_bots_play_a_tournament_to_its_end_although_one_is_killed(arena: Run, form: str) -> None:
    name = create(arena, "--format", form, "--at-once", "2", "--option", "start_seat=1")

    async def play() -> list[str]:
        first, other = await bot(name, "gull"), await bot(name, "tern")
        try:
            for one in (first, other):
                await until_says(one, "Entered")
            started = await asyncio.to_thread(arena_process, "start", "cup.json")
            assert started == f"tournaments/{name} is running with 2 entrants.\n"
            await until_says(first, "Took seat")
            first.kill()
            await first.wait()
            first = await bot(name, "gull")
            return [(await one.communicate())[0].decode() for one in (first, other)]
        finally:
            for one in (first, other):
                if one.returncode is None:
                    one.kill()
                    await one.wait()

    said = asyncio.run(play())
    assert all(f"tournaments/{name} is finished. Place " in one for one in said), said
    shown = arena("tournament", "show", name).stdout
    assert f"tenerife, 2 seats, {form}, 2 of 16 entrants, finished" in shown
    assert "\n2 games finished, 0 in play.\n" in shown or form == "knockout"  # a tie has play-offs
    assert {"gull", "tern"} <= set(shown.split())
    assert "\nRound 1\n  " in shown


def arena_process(*arguments: str) -> str:
    """Run ``skerry-arena tournament`` in a process of its own, and return what it prints."""
    command = [sys.executable, "-m", "skerry_arena.cli", "tournament", *arguments]
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout


def test_the_organizer_token_is_only_in_a_file_of_its_owner(arena: Run, tmp_path: Path) -> None:
    name = create(arena, "--days", "3")
    path = tmp_path / "cup.json"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    kept = json.decode(path.read_bytes())
    assert (kept["tournament"], kept["organizer_token"][:12]) == (f"tournaments/{name}", "skerry_host_")
    again = arena("tournament", "create", "Second", "--game", "tenerife", "--keep", "cup.json")
    assert again.returncode == 2 and "has a tournament already" in again.stderr
    assert json.decode(path.read_bytes()) == kept
    early = arena("tournament", "start", "cup.json")
    assert early.returncode == 1 and "needs 2" in early.stderr
    cancelled = arena("tournament", "cancel", "cup.json")
    assert cancelled.stdout == f"tournaments/{name} is cancelled.\n"
    listed = arena("tournament", "list").stdout.splitlines()
    assert next(line for line in listed if name in line).endswith("0 of 16 entrants, cancelled")
    shown = json.decode(arena("tournament", "show", f"tournaments/{name}", "--json").stdout)
    assert shown["tournament"]["clock"]["correspondence"] == {"days": 3}
    assert "skerry_host_" not in "".join(done for ran in (again, early, cancelled) for done in ran[1:])


def test_an_interrupted_creation_can_be_repeated(arena: Run, tmp_path: Path) -> None:
    command = ("tournament", "create", "Cup", "--game", "tenerife", "--keep", "cup.json")
    gone = arena(*command, "--server", "127.0.0.1:1")
    assert gone.returncode == 1 and "Connect call failed" in gone.stderr
    first = arena(*command).stdout
    path = tmp_path / "cup.json"
    whole = json.decode(path.read_bytes())
    path.write_bytes(json.encode({**whole, "tournament": "", "organizer_token": ""}))  # as a crash leaves it
    assert "Repeat skerry tournament create" in arena("tournament", "start", "cup.json").stderr
    assert arena(*command, "--entrants", "8").returncode == 1  # another request loses nothing
    assert arena(*command).stdout == first
    assert json.decode(path.read_bytes()) == whole
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert arena("tournament", "cancel", "cup.json").returncode == 0


def test_a_bot_enters_with_the_join_code_that_the_organizer_can_read_again(arena: Run) -> None:
    done = arena("tournament", "create", "Cup", "--game", "tenerife", "--keep", "cup.json", "--join-code")
    opened, needed = done.stdout.splitlines()
    name = opened.split()[0]
    assert needed in arena("tournament", "show", name, "--organizer", "cup.json").stdout.splitlines()
    assert needed not in arena("tournament", "show", name).stdout
    elsewhere = arena("tournament", "show", name, "--organizer", "cup.json", "--server", "127.0.0.1:1")
    assert needed in elsewhere.stdout  # the token goes to the server of its file
    other = arena("tournament", "show", "00000000-0000-4000-8000-000000000000", "--organizer", "cup.json")
    assert other.returncode == 2 and f"the file of {name}, not of" in other.stderr

    async def enter() -> None:
        process = await bot(name, "puffin", "--join-code", needed.split()[-1].removesuffix("."))
        try:
            await until_says(process, "Entered")
        finally:
            process.kill()
            await process.wait()

    asyncio.run(enter())
    removed = arena("tournament", "remove", "cup.json", "puffin").stdout
    assert removed == f"puffin is removed. {name} has 0 entrants.\n"
    again = arena("tournament", "remove", "cup.json", "puffin")
    assert again.returncode == 1 and "no entrant 'puffin'" in again.stderr
    without = arena("bots", "--tournament", name, "--name", "tern", "--player", "random")
    assert without.returncode == 1 and "join code" in without.stderr
    assert arena("tournament", "cancel", "cup.json").returncode == 0


def test_the_round_in_play_is_shown(arena: Run, server: ServerProcess) -> None:
    name = create(arena, "--format", "swiss")
    with Client(server.address, api_key=KEY) as client:
        for entrant in ("Ada", "Bob"):
            client.enter_tournament(f"tournaments/{name}", entrant)
    assert arena("tournament", "start", "cup.json").returncode == 0
    shown = arena("tournament", "show", name).stdout
    assert "\nRound 1, not complete\n  " in shown
    assert {"Ada -", "Bob -"} == set(shown.partition("complete\n  ")[2].partition("\n")[0].split(", "))
    assert arena("tournament", "cancel", "cup.json").returncode == 0


@pytest.mark.parametrize(
    ("flags", "sentence"),
    [
        (("create", "Cup", "--game", "chess", "--keep", "f"), "chess"),
        (("create", "Cup", "--game", "tenerife", "--keep", "f", "--option", "start_seat"), "--option takes"),
        (("create", "Cup", "--game", "tenerife", "--keep", "f", "--option", "colour=1"), "colour"),
        (("create", "Cup", "--game", "tenerife", "--keep", "f", "--start", "noon"), "takes a time"),
        (("create", "Cup", "--game", "tenerife", "--keep", "f", "--start", "2030-01-01T00:00:00"), "time zone"),
        (
            ("create", "Cup", "--game", "tenerife", "--keep", "f", "--start", "0001-01-01T00:00:00+09:00"),
            "takes a time",
        ),
        (("create", "Cup", "--game", "tenerife", "--keep", "f", "--minutes", "nan"), "--minutes"),
        (("create", "Cup", "--game", "tenerife", "--keep", "f", "--rounds", "3"), "rounds"),
        (("create", "x" * 81, "--game", "tenerife", "--keep", "f"), "80"),
        (("start", "none.json"), "No such file"),
        (("start", "bad.json"), "not a file of skerry tournament create"),
        (("show", "00000000-0000-4000-8000-000000000000"), "not exist"),
    ],
)
def test_wrong_commands_say_what_is_wrong_and_leave_no_file(
    arena: Run, tmp_path: Path, flags: tuple[str, ...], sentence: str
) -> None:
    (tmp_path / "bad.json").write_text("{}")
    done = arena("tournament", *flags)
    assert done.returncode in (1, 2)
    assert sentence in done.stderr and len(done.stderr.splitlines()) == 1
    assert not (tmp_path / "f").exists()


def test_a_bot_needs_a_name_and_either_a_ladder_or_a_tournament(arena: Run) -> None:
    assert "needs the name" in arena("bots", "--tournament", "x").stderr
    both = arena("bots", "--tournament", "x", "--ladder", "kreta-2", "--name", "gull")
    assert both.returncode == 2 and "exclude each other" in both.stderr


@pytest.mark.parametrize(
    ("form", "names"),
    [("round-robin", ("ada", "bob")), pytest.param("swiss", ("cyd", "dee", "eve"), marks=pytest.mark.deep)],
)
def test_a_killed_run_of_a_tournament_that_the_server_holds_resumes_and_writes_the_usual_report(
    arena: Run, server: ServerProcess, tmp_path: Path, form: str, names: tuple[str, ...]
) -> None:
    players = [part for name in names for part in ("--player", f"{name}=random")]
    flags = ("--game", "tenerife", *players, "--format", form, "--games", "2", "--server", server.address, "--hosted")
    command = (sys.executable, "-m", "skerry_arena.cli", "tournament", "run", *flags, "--workers", "6", "--out", "cup")
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as killed:
        assert killed.stderr
        assert any("Took seat" in line for line in killed.stderr)
        killed.kill()
    organizer = tmp_path / "cup" / "organizer.json"
    assert stat.S_IMODE(organizer.stat().st_mode) == 0o600
    resumed = arena("tournament", "resume", "cup")
    assert resumed.returncode == 0, resumed.stderr
    assert resumed.stdout.endswith(" games. Report: cup/report.html\n")
    assert json.decode(organizer.read_bytes())["organizer_token"] not in resumed.stdout + resumed.stderr
    verified = arena("tournament", "verify", "cup")
    assert verified.returncode == 0, verified.stdout
    log = (tmp_path / "cup" / "games.jsonl").read_bytes()
    assert set(json.decode(log.splitlines()[0])["lineup"]) <= set(names)
    assert arena("tournament", "resume", "cup").returncode == 0
    assert (tmp_path / "cup" / "games.jsonl").read_bytes() == log


HOSTED = ("--game", "tenerife", "--player", "ivy=random", "--player", "joe=random", "--hosted", "--out", "cup")


def test_a_creation_that_lost_its_answer_resumes_with_other_workers(
    arena: Run, server: ServerProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(organizer_file, "complete", lost)
        run = arena("tournament", "run", *HOSTED, "--server", server.address, "--games", "2", "--workers", "4")
    assert run.returncode == 1 and "The disk is full." in run.stderr
    assert json.decode((tmp_path / "cup" / "organizer.json").read_bytes())["at_once"] == 4
    monkeypatch.setattr(HostedTournament, "play", cancelled)
    resumed = arena("tournament", "resume", "cup", "--workers", "1")
    assert f" is on {server.address}." in resumed.stderr


def lost(*_: object) -> None:
    raise CommandError("The disk is full.")


def test_no_hint_follows_an_error_that_a_repeat_would_meet_again(arena: Run, server: ServerProcess) -> None:
    where = ("--server", server.address)
    refused = arena("tournament", "run", *HOSTED[:-1], "many", *where, "--games", "1000")
    assert refused.returncode == 2 and "--games 1000 means 500 meetings." in refused.stderr
    assert "resume" not in refused.stderr

    run = arena("tournament", "run", *HOSTED, "--server", "127.0.0.1:1", "--games", "2")
    assert run.returncode == 1 and "skerry tournament resume cup" in run.stderr
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(HostedTournament, "play", cancelled)
        stopped = arena("tournament", "resume", "cup", *where)
    again = arena("tournament", "resume", "cup", *where)
    assert "is not finished" in stopped.stderr and "it is cancelled" in again.stderr
    for one in (stopped, again):
        assert one.returncode == 1 and "resume" not in one.stderr


async def cancelled(*_: object) -> None:
    """Cancel the tournament, as its organizer can from another machine."""
    kept = organizer_file.read(Path("cup/organizer.json"))
    async with AsyncClient(kept.server, api_key=KEY) as client:
        await client.cancel_tournament(kept.tournament, kept.organizer_token)


@pytest.mark.parametrize(
    ("flags", "sentence"),
    [
        (("--player", "mcts:10", "--player", "b=random"), "no name of a registered bot"),
        (("--player", "a=random", "--player", "b=random", "--stop", "0.5:0.6"), "plays all games"),
        (("--player", "a=random", "--player", "b=random", "--playoffs", "3"), "five play-offs"),
        (("--player", "a=random", "--player", "b=random", "--seats", "3"), "at least 3 players"),
        (("--player", "a=random", "--player", "b=random", "--live", ":0"), "Omit --live"),
        (("--player", "a=random", "--player", "b=random", "--engine", "ray"), "Omit --engine"),
    ],
)
def test_a_server_does_not_hold_every_tournament(
    arena: Run, tmp_path: Path, flags: tuple[str, ...], sentence: str
) -> None:
    where = ("--server", "127.0.0.1:1", "--hosted", "--out", "cup")
    refused = arena("tournament", "run", "--game", "tenerife", *flags, *where)
    assert refused.returncode == 2 and sentence in refused.stderr
    assert not (tmp_path / "cup").exists()


@pytest.mark.deep
async def test_a_game_that_the_server_ends_at_a_failure_is_in_the_log_as_a_forfeit(server: ServerProcess) -> None:
    names = ("fay", "guy", "hal")
    wanted = settings(
        *[f"{name}=random" for name in names],
        seats=3,
        games=3,
        service=Service(server.address, hosted=True),
        limits=Limits(move_seconds=2),
    )
    async with AsyncClient(server.address, api_key=KEY) as client:
        made, organizer = await client.create_tournament(request_of(wanted, "Cup", 3))
        hosted = HostedTournament(client, wanted, made.name, organizer, print)
        with pytest.raises(JoinCodeWrong):  # no stranger takes the place of a player
            await client.enter_tournament(made.name, "Stranger")
        code = (await client.tournament(made.name, organizer)).join_code
        entries = []
        for name in names:
            await client.register_bot(name, "0" * 64)
            entries.append(await client.enter_tournament(made.name, bot=f"bots/{name}", join_code=code))
        await client.start_tournament(made.name, organizer)
        async with asyncio.TaskGroup() as group:
            for entry in entries:
                while len(seats := await client.tournament_seats(made.name, *entry)) < 3:  # noqa: ASYNC110 - as below
                    await asyncio.sleep(0.1)
                for seat in seats:
                    group.create_task(move(seat, 6))
        while (await client.tournament(made.name)).tournament.state != pb.TOURNAMENT_STATE_FINISHED:  # noqa: ASYNC110 - it is in another process
            await asyncio.sleep(0.1)
        played = await hosted.played()
    for record in played.records:
        failed = record.failures[0].seat
        others = sorted({score for seat, score in enumerate(record.scores) if seat != failed}, reverse=True)
        ranks = [1 + (len(others) if seat == failed else others.index(record.scores[seat])) for seat in range(3)]
        assert len(record.failures) == 1 and list(record.ranks) == ranks
        assert difference(played.settings, record) is None


async def move(seat: AsyncSeat, times: int) -> None:
    """Play the seat's first moves."""
    dice = Random(seat.number)
    async for position in seat.turns():
        await seat.act(dice.choice(position.legal_moves))
        times -= 1
        if not times:
            return
