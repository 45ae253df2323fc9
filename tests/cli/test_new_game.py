"""``skerry new-game`` adds a game that passes every check, or refuses a name and writes nothing."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import skerry_service
from skerry_games.catalogue import all_games
from skerry_service.cli.new_game.game_files import CHANGED
from tests.cli.conftest import Run

ROOT = Path(__file__).parents[2]
PAYLOADS = "protos/skerry/v1/payload.proto"
SOURCES = ("service", "clients/api/src", "clients/python/src", "clients/arena/src")
COPIED = ("clients", "docs", "protos", "scripts", "service", "tests", "pyproject.toml", "README.md")
"""What a copy of the checkout needs for the checks of a game."""
OMITTED = shutil.ignore_patterns("__pycache__", "node_modules", "web_page", "admin_page", ".*")


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the files that a new game changes, which the command takes for its own checkout."""
    for name in CHANGED:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    monkeypatch.setattr(skerry_service, "__file__", str(tmp_path / "service" / "skerry_service" / "__init__.py"))
    return tmp_path


def contents(folder: Path) -> dict[str, str]:
    """Return the text of every file by its path."""
    return {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*") if path.is_file()}


def added(before: str, after: str) -> list[str]:
    """Return the lines that were added. No line was removed or moved."""
    old, new = iter(before.splitlines()), []
    expected = next(old, None)
    for line in after.splitlines():
        if line == expected:
            expected = next(old, None)
        else:
            new.append(line.strip())
    assert expected is None
    return new


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["2fort"], "'2fort' cannot be the name of a game. Use at most 24 lower-case letters"),
        (["Atoll"], "'Atoll' cannot be the name of a game"),
        (["coral-sea"], "'coral-sea' cannot be the name of a game"),
        (["coral_"], "'coral_' cannot be the name of a game"),
        (["a" * 25], "cannot be the name of a game"),
        (["../atoll"], "'../atoll' cannot be the name of a game"),
        (["class"], "The name 'class' is reserved."),
        (["template"], "The name 'template' is reserved."),
        (["api"], "The name 'api' is reserved."),
        (["kreta"], "The name 'kreta' is taken: service/skerry_games/kreta exists."),
        (["ranking"], "The name 'ranking' is taken: service/skerry_games/ranking.py exists."),
        (["conformance"], "The name 'conformance' is taken: tests/games/conformance exists."),
        (["atoll", "--title", "A | B"], "--title: 'A | B' is not allowed."),
        (["atoll", "--author", 'Ada "A." Byron'], "--author: "),
        (["atoll", "--author", "A" * 41], "--author: "),
    ],
)
def test_a_bad_name_is_refused_and_nothing_is_written(
    here: Run, checkout: Path, arguments: list[str], words: str
) -> None:
    for taken in ("service/skerry_games/kreta", "tests/games/conformance"):
        (checkout / taken).mkdir(parents=True)
    (checkout / "service/skerry_games/ranking.py").touch()
    before = contents(checkout)
    run = here("new-game", *arguments)
    assert (run.returncode, run.stdout, contents(checkout)) == (2, "", before)
    assert words in run.stderr


def test_an_installed_package_is_not_changed(here: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(skerry_service, "__file__", str(tmp_path / "lib" / "skerry_service" / "__init__.py"))
    run = here("new-game", "atoll")
    assert run.returncode == 2
    assert "changes a checkout of Skerry" in run.stderr
    assert list(tmp_path.iterdir()) == []


def test_every_payload_gets_one_case_with_a_number_of_its_own(here: Run, checkout: Path) -> None:
    before = contents(checkout)[PAYLOADS]
    assert here("new-game", "lagoon", "--title", "The Lagoon").returncode == 0
    after = contents(checkout)[PAYLOADS]
    number = len(all_games()) + 1
    assert added(before, after) == [
        'import "skerry/games/lagoon/v1/lagoon.proto";',
        *[
            line
            for kind in ("Options", "Board", "View", "Move", "Event")
            for line in ("// The Lagoon.", f"skerry.games.lagoon.v1.{kind} lagoon = {number};")
        ],
    ]


def test_the_numbers_of_texts_are_left_out(here: Run, checkout: Path) -> None:
    for letter in "abcdefghijkl":
        assert here("new-game", f"atoll_{letter}").returncode == 0
    numbers = set(map(int, re.findall(r"Move \w+ = (\d+);", (checkout / PAYLOADS).read_text())))
    assert numbers == {*range(1, len(all_games()) + 15)} - {14, 15}


def test_every_list_of_games_in_the_documents_gets_the_game(here: Run, checkout: Path) -> None:
    before = contents(checkout)
    run = here("new-game", "lagoon", "--author", "Ada")
    after = contents(checkout)
    for name in CHANGED:
        assert after[name].count("lagoon") > before[name].count("lagoon") == 0, name
    assert {name for name in after if after[name] != before.get(name)} == set(run.stdout.splitlines()[:-1])
    assert not [name for name, text in after.items() if re.search(r"\$(name|title|author|rules|{)", text)]


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A copy of the checkout."""
    folder = tmp_path_factory.mktemp("copy")
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=OMITTED)
        else:
            shutil.copy(ROOT / name, folder / name)
    yield folder
    shutil.rmtree(folder)


def run(folder: Path, *command: str) -> None:
    """Run a command in a copy of the checkout, with the modules of the copy."""
    path = os.pathsep.join(str(folder / source) for source in SOURCES)
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout[-4000:]}"


@pytest.mark.deep
@pytest.mark.timeout(500)
@pytest.mark.parametrize("name", ["atoll"])
def test_a_new_game_passes_lint_types_conformance_wire_and_documents(copy: Path, name: str) -> None:
    python, tools = sys.executable, Path(sys.executable).parent
    run(copy, python, "-m", "skerry_service.cli", "new-game", name)
    run(copy, str(ROOT / "build" / "codegen" / "bin" / "python"), "scripts/generate_protos.py")
    run(copy, python, "scripts/generate_typescript.py")
    for module in (
        "games.pages",
        "games.golden",
        "games.golden_pictures",
        "games.sentences",
        "arena.learning.action_names",
        "arena.learning.sizes",
    ):
        run(copy, python, "-m", f"tests.{module}", name)
    run(copy, str(tools / "ruff"), "check", ".")
    run(copy, str(tools / "ruff"), "format", "--check", ".")
    run(copy, str(tools / "mypy"), f"service/skerry_games/{name}", f"tests/games/{name}")
    run(copy, python, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"tests/games/{name}")
    checked = ("tests/games", "tests/architecture/test_documents.py", "tests/architecture/test_rooms.py")
    run(copy, python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", name, *checked, "tests/cli/test_play.py")
