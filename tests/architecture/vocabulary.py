"""The retired words of ``scripts/prose/retired.json``, and the names and texts in which to look for them."""

from __future__ import annotations

import ast
import io
import json
import re
import subprocess
import tokenize
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
_RETIRED = json.loads((ROOT / "scripts" / "prose" / "retired.json").read_text(encoding="utf-8"))
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_GENERATED = re.compile(r"_pb2\w*\.pyi?$|/generated/|/clients/api/src/")
_COMMENT = re.compile(r"//.*|/\*.*?\*/", re.DOTALL)
_QUOTED = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`")
_PROTO_COMMENT = re.compile(r"^\s*// ?(.*)$", re.MULTILINE)
_NAME = re.compile(r"[A-Za-z_]\w*")
_SETTING = re.compile(r"SKERRY_[A-Z_]+")


class Use(NamedTuple):
    """A name or a text, and the file that it stands in."""

    path: str
    text: str


def retired() -> dict[tuple[str, ...], str]:
    """Return the terms that are retired everywhere, in all their forms, as words, each with its term.

    Those of ``prose`` alone are for the prose linter, which reads documents and protos.
    """
    terms = _RETIRED["everywhere"]
    return {tuple(form.split()): term for term in terms for form in (term, *_RETIRED["forms"].get(term, ()))}


def words(text: str) -> list[str]:
    """Return the words of a text or the parts of a name: ``seat_token`` and ``SeatToken`` are two words."""
    return [word.lower() for word in _WORD.findall(text)]


def terms_in(text: str, terms: dict[tuple[str, ...], str]) -> set[str]:
    """Return the terms that the text has in any form."""
    lower = text.lower()
    if not any(word in lower for word in {form[0] for form in terms}):
        return set()
    found = words(text)
    runs = {tuple(found[at : at + size]) for size in {len(form) for form in terms} for at in range(len(found))}
    return {terms[run] for run in runs & terms.keys()}


@cache
def files(*suffixes: str) -> tuple[Path, ...]:
    """Return the files of the repository that git tracks and nothing generates."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    paths = [ROOT / name for name in listed.split("\0") if name.endswith(suffixes)]
    return tuple(path for path in paths if path.exists() and not _GENERATED.search(path.as_posix()))


@cache
def uses(kind: str) -> tuple[Use, ...]:
    """Return all ``identifiers`` or all ``prose``: documents, comments and docstrings."""
    return tuple(_read(kind))


def _read(kind: str) -> Iterator[Use]:
    for suffix, (identifiers, prose) in _READERS.items():
        for path in files(suffix):
            text = path.read_text(encoding="utf-8")
            for found in (identifiers if kind == "identifiers" else prose)(text):
                yield Use(path.relative_to(ROOT).as_posix(), found)
            if kind == "identifiers":
                yield Use(path.relative_to(ROOT).as_posix(), path.stem)


def _python_names(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.id if isinstance(node, ast.Name) else node.attr
    yield from _SETTING.findall(source)


def _python_prose(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.value.value
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.string


def _script_names(source: str) -> Iterable[str]:
    return _NAME.findall(_QUOTED.sub("", _COMMENT.sub("", source)))


def _script_prose(source: str) -> Iterable[str]:
    return _COMMENT.findall(source)


def _proto_names(source: str) -> Iterable[str]:
    return _NAME.findall(_QUOTED.sub("", _PROTO_COMMENT.sub("", source)))


def _proto_prose(source: str) -> Iterable[str]:
    return ["\n".join(_PROTO_COMMENT.findall(source))]


_Reader = Callable[[str], Iterable[str]]
_READERS: dict[str, tuple[_Reader, _Reader]] = {
    ".py": (_python_names, _python_prose),
    ".ts": (_script_names, _script_prose),
    ".tsx": (_script_names, _script_prose),
    ".proto": (_proto_names, _proto_prose),
    ".md": (_SETTING.findall, lambda text: [text]),
}
