"""The programs with which the README and the client's page open: they run, and the README shows the one that does."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from skerry_client import Client
from skerry_games.catalogue import all_games
from tests.clients.play import play_to_the_end
from tests.clients.servers import ServerProcess
from tests.rest.processes import running

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
PROGRAM = EXAMPLES / "kreta_against_oneself.py"


def run_program(*command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *command],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def lines_of(*command: str, **environment: str) -> list[str]:
    """Return what a program prints that ends well and has nothing to complain about."""
    run = run_program(*command, **environment)
    assert (run.returncode, run.stderr) == (0, ""), run.stderr
    return run.stdout.splitlines()


def example(name: str) -> str:
    return str(EXAMPLES / name)


def test_the_readmes_program_plays_a_whole_game(server: ServerProcess) -> None:
    *moves, end = lines_of(str(PROGRAM), SKERRY_SERVER=server.address)
    assert len(moves) > 20
    assert all(line.startswith("Seat ") for line in moves)
    assert end.startswith("KRETA-END-1: ")


def test_the_bot_sits_down_where_it_is_told_and_plays(server: ServerProcess) -> None:
    (line,) = lines_of(example("bot.py"), SKERRY_SERVER=server.address)
    assert re.fullmatch(r"Busy bee has \d+ points and comes in as number [12]\.", line)
    with Client(server.address) as skerry:
        table = skerry.create("kreta", seats=3, bots=2)
        assert lines_of(example("bot.py"), table.name, SKERRY_SERVER=server.address)
        assert table.session().seats[0].display_name == "Busy bee"


def test_the_asyncio_program_plays_every_game_thrice(server: ServerProcess) -> None:
    lines = lines_of(example("asyncio_tournament.py"), SKERRY_SERVER=server.address)
    assert sorted(line.split(":")[0] for line in lines) == sorted(3 * list(all_games()))
    assert all(re.fullmatch(r"\w+: -?\d+ to -?\d+", line) for line in lines)


def test_the_spectator_tells_a_game_from_its_first_move_to_its_last(server: ServerProcess) -> None:
    with Client(server.address) as skerry:
        table = skerry.create("kreta", seats=2)
        seats = [table.join("Ada"), table.join("Bob")]
        command = [sys.executable, example("spectator.py"), table.name]
        environment = {**os.environ, "SKERRY_SERVER": server.address}
        with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as looking_on:
            assert looking_on.stdout
            assert looking_on.stdout.readline() == "At the table: Ada Bob\n"
            play_to_the_end(table, seats)
            told = looking_on.stdout.read().splitlines()
        replay = table.replay()
    assert looking_on.returncode == 0
    assert told == [event.text for entry in replay.entries for event in entry.moved.events]


def test_without_a_game_there_is_nothing_to_look_on_at(tmp_path: Path) -> None:
    empty = ServerProcess(tmp_path)
    empty.start()
    run = run_program(example("spectator.py"), SKERRY_SERVER=empty.address)
    empty.stop()
    assert (run.returncode, run.stderr) == (1, "No public game is being played.\n")


def test_plain_http_is_enough_for_a_game() -> None:
    with running() as (url, _):
        *moves, end = lines_of(example("plain_http.py"), SKERRY_HTTP=url)
    assert len(moves) > 10
    assert end.startswith("KRETA-END-1: ")


@pytest.mark.parametrize("file", sorted(EXAMPLES.glob("*.py")), ids=lambda file: file.name)
def test_every_example_is_short_and_listed(file: Path) -> None:
    program = file.read_text(encoding="utf-8")
    assert program.startswith('"""')
    assert len([line for line in program.splitlines() if line.strip()]) <= 30
    assert f"examples/{file.name}" in (ROOT / "docs" / "how-to" / "python-client.md").read_text(encoding="utf-8")


def test_the_readmes_program_is_short_and_stands_there() -> None:
    program = PROGRAM.read_text(encoding="utf-8")
    code = [line for line in program.splitlines() if line.strip() and not line.lstrip().startswith(("#", '"""'))]
    assert len(code) <= 15
    assert program in (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_program_of_the_page_on_play_plays_a_whole_game(server: ServerProcess) -> None:
    page = (ROOT / "docs" / "how-to" / "play-many-seats.md").read_text(encoding="utf-8")
    block = re.search(r"```python\n(.*?)```", page, re.DOTALL)
    assert block
    *moves, end = lines_of("-c", block[1], SKERRY_SERVER=server.address)
    assert len(moves) > 20
    assert end.startswith("KRETA-END-1: ")


def test_the_first_program_of_the_clients_page_plays_a_whole_game(server: ServerProcess) -> None:
    page = (ROOT / "docs" / "how-to" / "python-client.md").read_text(encoding="utf-8")
    block = re.search(r"```python\n(.*?)```", page, re.DOTALL)
    assert block
    lines = lines_of("-c", block[1].replace("127.0.0.1:50051", server.address))
    assert "KRETA-END-1" in "".join(lines)
