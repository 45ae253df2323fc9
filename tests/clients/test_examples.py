"""The example programs run, and the README and the guides show programs that run."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Timer

import pytest

from skerry_client import Client
from skerry_games.catalogue import all_games
from tests.clients.play import play_to_the_end
from tests.clients.servers import ServerProcess
from tests.rest.processes import running

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
PROGRAM = EXAMPLES / "kreta_against_oneself.py"


OF_OTHER_PAGES = {
    "language_model.py": ("tournaments.md", 40),
    "chat_bot.py": ("webhooks.md", 85),
    "frontend.py": ("identity.md", 100),
    "trained_player.py": ("train-a-player.md", 20),
}
"""The examples that are not about the client: the page that describes each, and its maximum of lines."""
SECONDS = 60
"""The time limit of each program."""


def environment_of(**variables: str) -> dict[str, str]:
    """Return an environment in which Python buffers its output, as on a machine that does not say otherwise."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"} | variables


def run_program(*command: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *command],
        env=environment_of(**variables),
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )


@contextmanager
def program_in_a_pipe(*command: str, **variables: str) -> Iterator[subprocess.Popen[str]]:
    """Run a program while the test reads its output line by line. Kill it after the time limit."""
    command = (sys.executable, *command)
    with subprocess.Popen(command, env=environment_of(**variables), stdout=subprocess.PIPE, text=True) as program:
        limit = Timer(SECONDS, program.kill)
        limit.start()
        try:
            yield program
        finally:
            limit.cancel()
            if sys.exc_info()[0] is not None:
                program.kill()


def lines_of(*command: str, **environment: str) -> list[str]:
    """Return the output of a program, which must exit with 0 and write nothing to standard error."""
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


def test_the_bot_joins_the_named_session_and_plays(server: ServerProcess) -> None:
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


def test_the_spectator_prints_a_game_from_its_first_move_to_its_last(server: ServerProcess) -> None:
    with Client(server.address) as skerry:
        table = skerry.create("kreta", seats=2)
        seats = [table.join("Ada"), table.join("Bob")]
        with program_in_a_pipe(example("spectator.py"), table.name, SKERRY_SERVER=server.address) as spectator:
            assert spectator.stdout
            assert spectator.stdout.readline() == "At the table: Ada Bob\n"
            play_to_the_end(table, seats)
            printed = spectator.stdout.read().splitlines()
        replay = table.replay()
    assert spectator.returncode == 0
    assert printed == [event.text for entry in replay.entries for event in entry.moved.events]


def test_the_spectator_exits_when_no_game_is_in_play(tmp_path: Path) -> None:
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
    page, most = OF_OTHER_PAGES.get(file.name, ("python-client.md", 30))
    assert len([line for line in program.splitlines() if line.strip()]) <= most
    assert f"examples/{file.name}" in (ROOT / "docs" / "how-to" / page).read_text(encoding="utf-8")


def test_the_list_of_examples_is_complete() -> None:
    programs = [path.name for path in EXAMPLES.iterdir() if path.suffix in (".py", ".ipynb")]
    folders = [path.parent.name for path in EXAMPLES.glob("*/README.md")]
    listed = re.findall(r"^\| \[`([\w.]+)`\]", (EXAMPLES / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(listed) == sorted([*programs, *folders])


def test_the_readmes_program_is_short_and_appears_in_the_readme() -> None:
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
