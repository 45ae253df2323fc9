"""Loads the components of a game (map, cards, board, tiles) from its ``house.json`` or from an owner's edition.

People may correct or replace these files. A file that the rules cannot use raises ComponentsError, which names the
line and the place of every problem, and the rule that needs something else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib.resources import files
from typing import Any, Final, NamedTuple, TypeVar

import msgspec
from msgspec import Struct, inspect

T = TypeVar("T")
Path = tuple[str | int, ...]
"""The place of a value in a file: names of fields and, in arrays, positions from 0."""

HOUSE_FILE: Final = "house.json"
"""The file in a game's package that holds the components of the house edition."""
_GREATEST: Final = 1_000_000
_MOST: Final = 200
"""Maximum of values in an array or object. The checks compare each of them with all others."""
_PRINTED: Final = 100
"""Maximum of problems in an error message."""
_ID: Final = re.compile(r"[A-Za-z0-9_-]{1,24}")
_TEXT: Final = re.compile(r"[^{},;:\"<>]{1,60}")
"""Names stand in sentences, whose braces are placeholders, and in lists, which commas, semicolons and colons divide."""
_added: Final[dict[str, str]] = {}
"""The components of editions beside the house's, by the package that plays them."""


class Problem(NamedTuple):
    """What is wrong with a file, where, and the rule that needs something else."""

    path: Path
    sentence: str
    rule: str = ""
    """The id of a rule. Empty if the problem concerns the format or the pictures."""


class LocatedProblem(Struct, frozen=True):
    """A problem with its line in the file."""

    line: int
    """From 1."""
    place: str
    """A JSON path, such as ``$.provinces.KIS.terrain``."""
    sentence: str
    rule: str = ""

    def __str__(self) -> str:
        needed = f" ({self.rule})" if self.rule else ""
        return f"line {self.line}: {self.sentence}{needed}, at {self.place}"


class ComponentsError(ValueError):
    """Components that the rules cannot use. The message lists up to 100 problems, each with its line."""

    def __init__(self, problems: Sequence[LocatedProblem], file: str) -> None:
        more = [f"{file}: {len(problems) - _PRINTED:,} more problems"] if len(problems) > _PRINTED else []
        super().__init__("\n".join([*(f"{file}, {problem}" for problem in problems[:_PRINTED]), *more]))
        self.problems = tuple(problems)


def add_components(package: str, text: str) -> None:
    """Let a package, and the packages inside it, play with these components instead of the house's."""
    _added[package] = text


def components_text(package: str) -> str:
    """Return the components file of a game. ``package`` is the game's package or one inside it."""
    for added, text in _added.items():
        if package == added or package.startswith(f"{added}."):
            return text
    library, game = package.split(".")[:2]
    return files(f"{library}.{game}").joinpath(HOUSE_FILE).read_text(encoding="utf-8")


def load(
    text: str, kind: type[T], checks: Iterable[Callable[[T], Iterable[Problem]]] = (), file: str = HOUSE_FILE
) -> T:
    """Decode a components file as ``kind``, and check it. Raises ComponentsError.

    ``checks``: yield problems. A check runs only if the earlier ones found nothing, so it can rely on them.
    """
    try:
        raw = msgspec.json.decode(text)
        places = dict(_places(text))
    except (msgspec.DecodeError, RecursionError) as error:
        raise ComponentsError([_malformed(text, error)], file) from error
    _raise_if_any(_repeated(text), places, file)
    _raise_if_any(_misfits(raw, inspect.type_info(kind), ()), places, file)
    decoded = msgspec.convert(raw, kind)
    for check in checks:
        _raise_if_any(check(decoded), places, file)
    return decoded


def _raise_if_any(problems: Iterable[Problem], places: dict[Path, int], file: str) -> None:
    found = [LocatedProblem(_line(path, places), _written(path), *rest) for path, *rest in problems]
    if found:
        raise ComponentsError(found, file)


def _line(path: Path, places: dict[Path, int]) -> int:
    """Return the line of a place, or of what is around it if it is missing."""
    while path not in places:
        path = path[:-1]
    return places[path]


def _written(path: Path) -> str:
    return "$" + "".join(
        f"[{part}]" if isinstance(part, int) else f".{part}" if _ID.fullmatch(part) else f"[{part[:40]!r}]"
        for part in path
    )


def _malformed(text: str, error: Exception) -> LocatedProblem:
    """Return the problem of a text that is not JSON. The decoder counts bytes."""
    at = re.search(r"\(byte (\d+)\)", str(error))
    read = text.rstrip().encode()
    before = read[: int(at[1])] if at else b"" if isinstance(error, RecursionError) else read
    reason = "the file is nested too deeply" if isinstance(error, RecursionError) else str(error)
    return LocatedProblem(before.count(b"\n") + 1, "$", reason)


# ---------------------------------------------------------------- lines

_TOKEN: Final = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+')


def _places(text: str) -> Iterator[tuple[Path, int]]:
    """Yield the place and the line of every value of a valid JSON text. A repeated name yields its place again."""
    path: list[str | int] = []
    key: str | None = None
    line, read = 1, 0
    for token in _TOKEN.finditer(text):
        line, read = line + text.count("\n", read, token.start()), token.start()
        word = token[0]
        if word in "}]":
            path.pop()
        elif word == ",":
            last = path[-1]
            path[-1] = last + 1 if isinstance(last, int) else ""
            key = None
        elif word == ":" and key is not None:
            path[-1] = key
        elif path and path[-1] == "" and word[0] == '"' and key is None:
            key = msgspec.json.decode(word, type=str)
        else:
            yield tuple(path), line
            if word in "{[":
                path.append("" if word == "{" else 0)
            key = None


def _repeated(text: str) -> Iterator[Problem]:
    """Find names that occur twice in an object. The decoder would keep the last one."""
    seen, twice = set[Path](), set[Path]()
    for path, _ in _places(text):
        if path in seen and path[:-1] not in twice:
            yield Problem(path, f"{str(path[-1])[:40]} occurs twice")
        if path in seen:
            twice.add(path)
        seen.add(path)


# ---------------------------------------------------------------- types


def _misfits(value: Any, info: inspect.Type, path: Path) -> Iterator[Problem]:
    """Find values of another type than the file must have, missing fields and unknown ones."""
    if isinstance(value, list | dict) and len(value) > _MOST:
        yield Problem(path, f"has {len(value):,} values, and must have at most {_MOST}")
        return
    match info:
        case inspect.StructType():
            yield from _fields(value, info, path)
        case inspect.DictType(value_type=each):
            yield from _entries(value, each, path)
        case inspect.VarTupleType(item_type=each) | inspect.ListType(item_type=each):
            if not isinstance(value, list):
                yield Problem(path, "must be an array")
                return
            for at, item in enumerate(value):
                yield from _misfits(item, each, (*path, at))
        case inspect.TupleType(item_types=types):
            if not isinstance(value, list) or len(value) != len(types):
                yield Problem(path, f"must be an array of {len(types)} values")
                return
            for at, (item, each) in enumerate(zip(value, types, strict=True)):
                yield from _misfits(item, each, (*path, at))
        case _:
            yield from _scalar(value, info, path)


def _entries(value: Any, each: inspect.Type, path: Path) -> Iterator[Problem]:
    if not isinstance(value, dict):
        yield Problem(path, "must be an object")
        return
    for key, entry in value.items():
        yield from valid_id(key, (*path, key))
        yield from _misfits(entry, each, (*path, key))


def _scalar(value: Any, info: inspect.Type, path: Path) -> Iterator[Problem]:
    if isinstance(info, inspect.BoolType):
        if not isinstance(value, bool):
            yield Problem(path, "must be true or false")
    elif isinstance(info, inspect.IntType):
        if type(value) is not int or abs(value) > _GREATEST:
            yield Problem(path, f"must be a whole number of at most {_GREATEST:,}")
    elif not isinstance(value, str) or not _TEXT.fullmatch(value) or not value.isprintable() or value.isspace():
        yield Problem(path, 'must be a text of 1 to 60 printable characters without any of { } , ; : " < >')


def _fields(value: Any, info: inspect.StructType, path: Path) -> Iterator[Problem]:
    if not isinstance(value, dict):
        yield Problem(path, "must be an object")
        return
    fields = {field.name: field.type for field in info.fields}
    for name, kind in fields.items():
        if name in value:
            yield from _misfits(value[name], kind, (*path, name))
        else:
            yield Problem(path, f"the field {name} is missing")
    for name in value:
        if name not in fields:
            yield Problem((*path, name), f"unknown field {name[:40]!r}; the fields are {', '.join(fields)}")


# ---------------------------------------------------------------- for the checks of the games


def valid_id(key: str, path: Path) -> Iterator[Problem]:
    """Find an id that messages and addresses cannot hold. The keys of objects are checked already."""
    if not _ID.fullmatch(key):
        yield Problem(path, f"an id has 1 to 24 letters, digits, - and _, unlike {key[:40]!r}")


def in_range(number: int, allowed: range, what: str, path: Path, rule: str = "") -> Iterator[Problem]:
    """Find a number outside the allowed range. ``what``: the sentence's subject, such as ``the number of towns``."""
    if number not in allowed:
        yield Problem(path, f"{what} is {number}, and must be {allowed[0]} to {allowed[-1]}", rule)


def known(name: str, names: Iterable[str], what: str, path: Path, rule: str = "") -> Iterator[Problem]:
    """Find a name that is not among the names."""
    if name not in (allowed := list(names)):
        yield Problem(path, f"{name!r} is no {what}; choose one of {', '.join(allowed)}", rule)


def each_once(items: Sequence[Any], what: str, path: Path, rule: str = "") -> Iterator[Problem]:
    """Find items of an array that occur twice."""
    for at, item in enumerate(items):
        if item in items[:at]:
            yield Problem((*path, at), f"{what} occurs twice", rule)


def shared(items: Sequence[Any], what: str, path: Path, rule: str = "") -> Iterator[Problem]:
    """Find items that occur twice in several parts of a file."""
    for item in sorted({item for item in items if items.count(item) > 1}):
        yield Problem(path, f"{what} occurs twice: {item}", rule)


def inside(points: Iterable[Sequence[int]], width: int, height: int, path: Path) -> Iterator[Problem]:
    """Find points outside the picture."""
    for x, y in points:
        if not (0 <= x <= width and 0 <= y <= height):
            yield Problem(path, f"the point {x}, {y} lies outside {width} x {height}")
