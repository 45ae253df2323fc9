"""The files of a new game: those that templates make, and those that get a line."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from string import Template
from typing import Final

from skerry_service.cli.new_game.game_names import GameNames

_TEMPLATES: Final = files(__package__).joinpath("templates")
_SUFFIX: Final = ".txt"
_FIRST_PARTY: Final = re.compile(r"(?:^from (?:skerry|tests).*\n)+", re.MULTILINE)
_PAYLOADS: Final = "protos/skerry/v1/payload.proto"
_IMPORTS: Final = re.compile(r'(?:^import "skerry/games/.*\n)+', re.MULTILINE)
_CASES: Final = re.compile(r"^  oneof game \{\n(?:    .*\n)+?(?=  \}\n)", re.MULTILINE)
_CASE: Final = re.compile(r"^    skerry\.games\.\w+\.v1\.(\w+) \w+ = (\d+);$", re.MULTILINE)
_NUMBERS_OF_TEXTS: Final = (14, 15)
"""Field numbers of ``Move`` and ``Event`` that are not of games."""
_GAMES: Final = re.compile(r"(?:^\| .*/RULES\.md\) \|\n|^\| `\w+` \| \d+ \| 2: .*\|\n)+", re.MULTILINE)
"""The rows of a table of games in a document."""
_ROWS: Final[Mapping[str, str]] = {
    "README.md": "| $title | $author | 2–4 | [docs/reference/games/$name.md](docs/reference/games/$name.md) | "
    "[RULES.md](service/skerry_games/$name/RULES.md) |\n",
    "service/skerry_games/README.md": "| `$name` | [$name/README.md]($name/README.md) | [RULES.md]($name/RULES.md) |\n",
    "docs/how-to/learning-environments.md": "| `$name` | 13 | 2: 37, 3: 53, 4: 69 | 2 |\n",
}
"""The row of a new game in each document that has such a table."""
_INDEX: Final = "docs/index.md"
_LAST_PAGE: Final = re.compile(r"\(reference/games/\w+\.md\)(?= \|)")
CHANGED: Final = (_PAYLOADS, _INDEX, *_ROWS)
"""The files of a checkout that a new game changes."""


def is_checkout(root: Path) -> bool:
    """Return whether a folder is a checkout of Skerry."""
    return all((root / path).is_file() for path in CHANGED)


def files_of(root: Path, names: GameNames) -> dict[Path, str]:
    """Return the text of each file that a new game adds or changes, by its path below the checkout ``root``."""
    made = {path: _render(text, names) for path, text in _templates(names.name, _TEMPLATES, Path())}
    made[Path(_PAYLOADS)] = _with_cases(_read(root, _PAYLOADS), names)
    for path, row in _ROWS.items():
        line = _fill(row, names)
        made[Path(path)] = _GAMES.sub(partial(_with_line, line), _read(root, path))
    page = _fill(r"\g<0>, [$title](reference/games/$name.md)", names)
    made[Path(_INDEX)] = _LAST_PAGE.sub(page, _read(root, _INDEX))
    return made


def write_files(root: Path, texts: Mapping[Path, str]) -> None:
    """Write the files below the checkout ``root``."""
    for path, text in texts.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")


def _read(root: Path, path: str) -> str:
    return (root / path).read_text(encoding="utf-8")


def _templates(name: str, folder: Traversable, below: Path) -> list[tuple[Path, str]]:
    """Return the path and the template of each file. ``NAME`` in paths becomes the name of the game."""
    found = []
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        path = below / entry.name.replace("NAME", name).removesuffix(_SUFFIX)
        found += _templates(name, entry, path) if entry.is_dir() else [(path, entry.read_text(encoding="utf-8"))]
    return found


def _fill(template: str, names: GameNames) -> str:
    return Template(template).substitute(names.placeholders())


def _render(template: str, names: GameNames) -> str:
    """Return the text of a file. The order of its imports depends on the name of the game."""
    return _FIRST_PARTY.sub(_sorted_imports, _fill(template, names))


def _sorted_imports(block: re.Match[str]) -> str:
    return "".join(sorted(block[0].splitlines(keepends=True), key=lambda line: line.split()[1]))


def _with_line(line: str, block: re.Match[str]) -> str:
    """Return lines in alphabetical order, with one more among them."""
    return "".join(sorted([*block[0].splitlines(keepends=True), line]))


def _with_cases(text: str, names: GameNames) -> str:
    """Return ``payload.proto`` with an import of the game, and with its case in each ``oneof``."""
    line = f'import "skerry/games/{names.name}/v1/{names.name}.proto";\n'
    text = _IMPORTS.sub(partial(_with_line, line), text)
    taken = {int(number) for _, number in _CASE.findall(text)}
    number = next(number for number in range(1, 1 << 29) if number not in taken | {*_NUMBERS_OF_TEXTS})
    return _CASES.sub(lambda cases: cases[0] + _case(cases[0], names, number), text)


def _case(cases: str, names: GameNames, number: int) -> str:
    kind, _ = _CASE.findall(cases)[-1]
    return f"    // {names.title}.\n    skerry.games.{names.name}.v1.{kind} {names.name} = {number};\n"
