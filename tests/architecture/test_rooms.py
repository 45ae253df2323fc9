"""How the distributions are divided: into rooms of few modules, with one meaning for each name."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from skerry_games.catalogue import all_games

ROOT = Path(__file__).resolve().parents[2]
DISTRIBUTIONS = {
    "skerry_games": ROOT / "service" / "skerry_games",
    "skerry_service": ROOT / "service" / "skerry_service",
    "skerry_client": ROOT / "clients" / "python" / "src" / "skerry_client",
    "skerry_arena": ROOT / "clients" / "arena" / "src" / "skerry_arena",
}
GAMES = tuple(all_games())
FILES_OF_A_GAME = {
    "rules.py", "state.py", "moves.py", "events.py", "view.py", "words.py", "chance.py", "redeal.py", "advice.py",
    "bounds.py", "board.py", "text.py", "look.py", "guide.py",
}  # fmt: skip
"""The names that each game's package repeats."""
MODULES_ON_A_LEVEL = 15
LINES_OF_A_ROOM = 3


@cache
def modules(distribution: str) -> tuple[Path, ...]:
    """Return the modules of a distribution, below its folder."""
    folder = DISTRIBUTIONS[distribution]
    return tuple(sorted(path.relative_to(folder) for path in folder.rglob("*.py")))


def game_of(path: Path) -> str:
    """Return the game whose package holds a module of ``skerry_games``, or nothing."""
    return path.parts[0] if path.parts[0] in GAMES else ""


def repeated(distribution: str, names: Iterator[tuple[Path, str]]) -> set[str]:
    """Return the names that come twice. Each game has names of its own, which may be those of another game."""
    times = Counter((game_of(path) if distribution == "skerry_games" else "", name) for path, name in names)
    shared = {name for game, name in times if not game}
    return {name for (game, name), count in times.items() if count > 1 or (game and name in shared)}


def classes(distribution: str) -> Iterator[tuple[Path, str]]:
    """Yield the classes of a distribution with their modules."""
    for path in modules(distribution):
        for node in ast.walk(ast.parse((DISTRIBUTIONS[distribution] / path).read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                yield path, node.name


@pytest.mark.parametrize("distribution", DISTRIBUTIONS)
def test_no_class_name_has_two_meanings(distribution: str) -> None:
    assert repeated(distribution, classes(distribution)) == set()


@pytest.mark.parametrize("distribution", DISTRIBUTIONS)
def test_no_file_name_recurs(distribution: str) -> None:
    expected = {"__init__.py", "__main__.py"}
    # A room that has a module for each game names it after the game.
    expected |= {f"{game}.py" for game in GAMES}
    names = ((path, path.name) for path in modules(distribution) if path.name not in expected)
    assert repeated(distribution, names) == set()


@pytest.mark.parametrize("game", GAMES)
def test_the_files_of_a_game_are_at_the_top_of_its_package(game: str) -> None:
    paths = [path for path in modules("skerry_games") if game_of(path) == game and path.name in FILES_OF_A_GAME]
    assert {path.parent for path in paths} == {Path(game)}


@pytest.mark.parametrize("distribution", DISTRIBUTIONS)
def test_a_level_has_few_modules(distribution: str) -> None:
    levels = Counter(path.parent.as_posix() for path in modules(distribution) if path.name != "__init__.py")
    crowded = {f"{distribution}/{level}" for level, count in levels.items() if count > MODULES_ON_A_LEVEL}
    assert crowded == set()


def described(room: Path) -> bool:
    """Return whether the docstring of a package has one to three lines."""
    text = ast.get_docstring(ast.parse(room.read_text(encoding="utf-8"))) or ""
    return 1 <= len([line for line in text.splitlines() if line]) <= LINES_OF_A_ROOM


@pytest.mark.parametrize("distribution", DISTRIBUTIONS)
def test_a_room_says_in_three_lines_what_it_holds(distribution: str) -> None:
    rooms = [path for path in modules(distribution) if path.name == "__init__.py" and path.parent != Path()]
    folder = DISTRIBUTIONS[distribution]
    undescribed = {f"{distribution}/{room.parent}" for room in rooms if not described(folder / room)}
    assert undescribed == set()


@pytest.mark.parametrize("distribution", DISTRIBUTIONS)
def test_no_package_hides_a_module_behind_another_name(distribution: str) -> None:
    hidden = set()
    for path in modules(distribution):
        package = import_module(".".join([distribution, *path.parent.parts]))
        if not isinstance(vars(package).get(path.stem, package), ModuleType):
            hidden.add(f"{package.__name__}.{path.stem}")
    assert hidden == set()
