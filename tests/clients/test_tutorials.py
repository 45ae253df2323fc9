"""The programs and commands of the tutorials run as the pages show them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from skerry_client import Client
from tests.clients.servers import ServerProcess

ROOT = Path(__file__).resolve().parents[2]
TUTORIALS = ROOT / "docs" / "tutorials"
BIN = Path(sys.executable).parent
PAGES_SERVER = "127.0.0.1:50051"
"""The server's address in the pages."""


def blocks(page: str, language: str) -> list[str]:
    """Return the code blocks of a tutorial in one language."""
    return re.findall(rf"```{language}\n(.*?)```", (TUTORIALS / page).read_text(encoding="utf-8"), re.DOTALL)


def run(command: str, folder: Path, server: str = "") -> list[str]:
    """Run a command of a page in a folder. Return the lines that it prints; fail if it fails."""
    done = subprocess.run(
        ["bash", "-euc", command.replace(".venv/bin/", f"{BIN}/").replace(PAGES_SERVER, server)],
        cwd=folder,
        env={**os.environ, "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}", "SKERRY_SERVER": server},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def command_with(page: str, part: str) -> str:
    """Return the only command of a page that contains this text."""
    (line,) = [line for block in blocks(page, "sh") for line in block.splitlines() if part in line]
    return line


@pytest.fixture
def bot_folder(tmp_path: Path) -> Path:
    """The folder that the page's command writes."""
    run(command_with("first-bot.md", "new-bot"), tmp_path)
    return tmp_path / "my_bot"


def test_the_first_game_is_played_to_its_end(server: ServerProcess, tmp_path: Path) -> None:
    (program,) = blocks("first-game.md", "python")
    (tmp_path / "first_game.py").write_text(program, encoding="utf-8")
    first, second, third, *_, outcome = run(command_with("first-game.md", "first_game.py"), tmp_path, server.address)
    assert re.fullmatch(r"Ada has seat 0 of sessions/\w+\.", first)
    assert re.fullmatch(r"\d+ legal moves\. Ada chooses: .+", second)
    assert re.fullmatch(r"  \d+: .+\.", third)
    assert re.fullmatch(r"Ranks \[\d, \d\], scores \[\d+, \d+\]: KRETA-END-1: .+", outcome)


@pytest.mark.deep
def test_the_game_of_the_page_is_verified(server: ServerProcess, tmp_path: Path) -> None:
    for part in ("skerry play kreta", "skerry verify", "skerry rules"):
        assert run(command_with("first-game.md", part), tmp_path, server.address)


@pytest.mark.deep
@pytest.mark.timeout(180)
def test_the_first_bot_passes_its_test(bot_folder: Path) -> None:
    run(command_with("first-bot.md", "unittest"), bot_folder)


@pytest.mark.deep
def test_the_first_bot_plays_a_tournament(bot_folder: Path) -> None:
    command = command_with("first-bot.md", "tournament run").replace("--games 24", "--games 6")
    standings = run(command, bot_folder)
    assert ["my_bot:Bot" in line for line in standings[:5]].count(True) == 1
    assert standings[-1].endswith("Report: cup/report.html")


@pytest.mark.deep
def test_the_first_bot_is_certified(bot_folder: Path) -> None:
    assert run(command_with("first-bot.md", "certify"), bot_folder)[-1] == "my_bot:Bot passed all checks."


@pytest.mark.deep
def test_the_first_bot_takes_a_seat_of_a_service(bot_folder: Path, server: ServerProcess) -> None:
    (session,) = run(command_with("first-bot.md", "create("), bot_folder, server.address)
    command = command_with("first-bot.md", "skerry bots").replace("sessions/ID", session)
    assert "Game over." in run(command, bot_folder, server.address)[-1]
    with Client(server.address) as skerry:
        assert skerry.table(session).session().outcome.ranks
