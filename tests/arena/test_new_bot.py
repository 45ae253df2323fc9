"""``skerry new-bot`` writes the bot of the documents, which beats random and uses no hidden information."""

from __future__ import annotations

import ast
import re
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from random import Random
from zipfile import ZipFile

import pytest

from skerry_arena.new_bot import starter_bot
from skerry_games import Dice, all_games, seen_from, start
from skerry_games.api import AnyGame
from skerry_games.players import player
from tests.arena.conftest import Run
from tests.games.players.ladder import PLAYERS, STARTER, Task, play
from tests.games.players.matches import ticking
from tests.games.players.test_players import TABLES, check_hidden_information_is_unused

DOCS = Path(__file__).parents[2] / "docs"
STARTER_BOT = Path(starter_bot.__file__).read_text(encoding="utf-8")
TUTORIAL = DOCS / "tutorials" / "first-bot.md"


def test_a_new_bot_is_the_starter_bot(arena: Run, tmp_path: Path) -> None:
    ran = arena("new-bot", "ada_2")
    folder = tmp_path / "ada_2"
    assert (ran.returncode, ran.stderr) == (0, "")
    assert {file.name for file in folder.iterdir()} == {"README.md", "ada_2.py", "pyproject.toml", "test_ada_2.py"}
    assert (folder / "ada_2.py").read_text() == STARTER_BOT
    assert "skerry-arena certify --player ada_2:Bot --game kreta" in (folder / "README.md").read_text()
    assert [file for file in folder.iterdir() if "$" in file.read_text()] == []


def test_a_new_bot_plays_in_its_folder_and_not_above_it(
    arena: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arena("new-bot", "ada")
    tournament = ("tournament", "run", "--game", "kreta", "--player", "ada:Bot", "--player", "random", "--games", "2")
    above = arena(*tournament, "--out", "cup")
    assert (above.returncode, above.stdout, (tmp_path / "cup").exists()) == (2, "", False)
    assert (
        "There is no module 'ada' in this folder, and none is installed. Run the command in the folder" in above.stderr
    )
    monkeypatch.chdir(tmp_path / "ada")
    monkeypatch.setenv("PYTHONPATH", "")
    assert re.search(r"ada:Bot +– +1\.00 ", arena(*tournament, "--out", "cup").stdout)


@pytest.mark.deep
def test_pip_installs_a_new_bot(arena: Run, tmp_path: Path) -> None:
    arena("new-bot", "ada")
    command = (sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", ".")
    subprocess.run(command, cwd=tmp_path / "ada", capture_output=True, check=True, timeout=60)
    with ZipFile(tmp_path / "ada" / "ada-0.1.0-py3-none-any.whl") as wheel:
        assert [name for name in wheel.namelist() if ".dist-info/" not in name] == ["ada.py"]


@pytest.mark.parametrize("page", [TUTORIAL, DOCS / "explanation" / "players.md"], ids=lambda page: page.name)
def test_the_documents_show_the_starter_bot(page: Path) -> None:
    assert f"```python\n{STARTER_BOT}```\n" in page.read_text(encoding="utf-8")


def test_the_starter_bot_has_20_lines() -> None:
    (bot,) = [node for node in ast.parse(STARTER_BOT).body if isinstance(node, ast.ClassDef)]
    docstrings = [node for node in ast.walk(bot) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)]
    lines = [line for line in (ast.get_source_segment(STARTER_BOT, bot) or "").splitlines() if line.strip()]
    assert len(lines) - len(docstrings) <= 20


def test_the_tutorial_has_every_command_of_the_readme(arena: Run, tmp_path: Path) -> None:
    arena("new-bot", "my_bot")
    lines = (tmp_path / "my_bot" / "README.md").read_text().replace("skerry-arena", "skerry").splitlines()
    commands = [line for fence, line in pairwise(lines) if fence == "```sh"]
    assert len(commands) == 4
    assert [command for command in commands if f"```sh\n{command}\n```" not in TUTORIAL.read_text()] == []


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("2fort", "'2fort' cannot be the name of a bot. Use at most 30 lower-case letters and digits"),
        ("Ada", "'Ada' cannot be the name of a bot"),
        ("ada-2", "'ada-2' cannot be the name of a bot"),
        ("ada_", "'ada_' cannot be the name of a bot"),
        ("../ada", "'../ada' cannot be the name of a bot"),
        ("ada\n", "cannot be the name of a bot"),
        ("", "'' cannot be the name of a bot"),
        ("a" * 31, "cannot be the name of a bot"),
        ("class", "The name 'class' is reserved."),
        ("easy", "The name 'easy' is reserved."),
        ("planner", "The name 'planner' is reserved."),
        ("program", "The name 'program' is reserved."),
        ("json", "The name 'json' is taken by a Python module."),
        ("skerry_games", "The name 'skerry_games' is taken by a Python module."),
    ],
)
def test_a_bad_name_is_refused_and_nothing_is_written(arena: Run, tmp_path: Path, name: str, words: str) -> None:
    ran = arena("new-bot", name)
    assert (ran.returncode, ran.stdout, list(tmp_path.iterdir())) == (2, "", [])
    assert words in ran.stderr


def test_what_exists_is_not_overwritten(arena: Run, tmp_path: Path) -> None:
    (tmp_path / "ada").mkdir()
    (tmp_path / "eve").symlink_to("nowhere")
    for name in ("ada", "eve"):
        ran = arena("new-bot", name)
        assert ran.returncode == 2
        assert f"{name!r} exists in this folder." in ran.stderr
    assert list((tmp_path / "ada").iterdir()) == []


@pytest.fixture
def small_files() -> Iterator[None]:
    """Let this process write no file of more than 100 bytes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, hard))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    signal.signal(signal.SIGXFSZ, handler)


def test_a_failed_write_leaves_nothing(arena: Run, tmp_path: Path, small_files: None) -> None:
    ran = arena("new-bot", "ada")
    assert (ran.returncode, ran.stdout, list(tmp_path.iterdir())) == (1, "", [])
    assert ran.stderr == "skerry-arena: File too large.\n"


@pytest.mark.parametrize("game", all_games().values(), ids=lambda game: game.id)
def test_the_starter_bot_does_not_use_hidden_information(game: AnyGame) -> None:
    check_hidden_information_is_unused(PLAYERS[STARTER], game, 3, 1, 2)


@pytest.mark.deep
@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_the_starter_bot_does_not_use_hidden_information_at_any_table(game: AnyGame, seats: int) -> None:
    check_hidden_information_is_unused(PLAYERS[STARTER], game, seats, 2, 5)


def test_the_starter_bot_beats_random() -> None:
    assert play(Task("kreta", 2, STARTER, "random"), 1).share == 1.0


def test_the_starter_bot_stops_when_its_time_is_up() -> None:
    position = start("tenerife", rng=Dice(Random(1)))
    seen = seen_from(position, position.to_act[0], Dice(Random(1)))
    first, *_ = Dice(Random(2)).shuffle(seen.legal_moves)
    assert player(PLAYERS[STARTER])(Dice(Random(2))).choose(seen, ticking(0.0, 1.0)) == first
