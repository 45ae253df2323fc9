"""Parses a game's ``RULES.md``, the numbered rules that errors, tests and the catalogue cite."""

from __future__ import annotations

import re
from collections.abc import Iterable
from importlib.resources import files
from typing import Protocol, TypeVar

from skerry_games.api import Rule

_RULE = re.compile(r"^- \*\*([A-Z][A-Z_]*(?:-[A-Z0-9_]+)+)\*\*\s+(.*)$")
_SECTION = re.compile(r"^## (.*)$")
_FILE = "RULES.md"


class NumberedRule(Protocol):
    """A numbered rule, from the rule book or from the API."""

    @property
    def id(self) -> str:
        """For example ``KRETA-PEACE-1``."""

    @property
    def section(self) -> str:
        """The heading above it."""

    @property
    def text(self) -> str:
        """The rule, with its marks."""


R = TypeVar("R", bound=NumberedRule)


def load_rules(package: str) -> tuple[Rule, ...]:
    """Return the rules of the package's ``RULES.md``, in the order of the file."""
    return parse_rules(files(package).joinpath(_FILE).read_text(encoding="utf-8"))


def load_translated_rules(package: str, language: str) -> tuple[Rule, ...]:
    """Return the rules of ``languages/{language}/RULES.md`` of the package; none if there is no such file."""
    file = files(package).joinpath("languages", language, _FILE)
    return parse_rules(file.read_text(encoding="utf-8")) if file.is_file() else ()


def parse_rules(text: str) -> tuple[Rule, ...]:
    """Return the rules of a text in Markdown.

    ``- **ID** text`` begins a rule, and indented lines below continue its text. A ``## `` line names the section.
    Raises ValueError if two rules have the same id.
    """
    rules: list[Rule] = []
    section, continued = "", False
    for line in text.splitlines():
        if item := _RULE.match(line):
            rules.append(Rule(item[1], section, item[2].strip()))
            continued = True
        elif continued and line.startswith("  ") and line.strip():
            last = rules[-1]
            rules[-1] = Rule(last.id, last.section, f"{last.text} {line.strip()}")
        elif line.strip():
            heading = _SECTION.match(line)
            section = heading[1].strip() if heading else section
            continued = False
    ids = [rule.id for rule in rules]
    if duplicates := sorted({each for each in ids if ids.count(each) > 1}):
        raise ValueError(f"RULES.md defines a rule more than once: {', '.join(duplicates)}.")
    return tuple(rules)


def matching_rules(rules: Iterable[R], id_prefix: str) -> list[R]:
    """Return the rules whose ids equal the prefix or begin with it; all rules for an empty prefix."""
    start = f"{id_prefix.upper().rstrip('-')}-" if id_prefix else ""
    return [rule for rule in rules if f"{rule.id}-".startswith(start)]
