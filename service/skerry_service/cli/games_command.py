"""The games and their rules, for people and for programs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from rich.console import Console
from rich.table import Table

from skerry_games.api import AnyGame

MARKS = {
    "S": "the source of the rules states it",
    "W": "known from elsewhere",
    "R": "ruled here, because the source is silent or points at something printed on a component",
}
_MARKED = re.compile(r"\[[^\[\]]*\b[SWR]\b[^\[\]]*\]")


class Rule(Protocol):
    """A numbered rule, from the rule book or from the API."""

    @property
    def id(self) -> str:
        """For example ``KRETA-PEACE-1``."""

    @property
    def section(self) -> str:
        """The heading that it stands under."""

    @property
    def text(self) -> str:
        """The rule, with its marks."""


def print_games(out: Console, games: Mapping[str, AnyGame]) -> None:
    """Print a table of the games."""
    table = Table("id", "title", "author", "seats", "ruleset", "editions", box=None, pad_edge=False)
    for game in games.values():
        seats = ", ".join(map(str, game.seats))
        table.add_row(game.id, game.title, game.author, seats, game.ruleset, ", ".join(game.editions))
    out.print(table)


def games_as_json(games: Mapping[str, AnyGame]) -> str:
    """Return the games as a JSON list."""
    fields = ("id", "title", "author", "seats", "ruleset", "editions")
    return json.dumps([{name: getattr(game, name) for name in fields} for game in games.values()], indent=2)


def rules_like(rules: Iterable[Rule], wanted: str) -> list[Rule]:
    """Return the rules with that id, or whose ids begin so; all of them for an empty text."""
    start = f"{wanted.upper().rstrip('-')}-" if wanted else ""
    return [rule for rule in rules if f"{rule.id}-".startswith(start)]


def print_rules(out: Console, rules: Sequence[Rule]) -> None:
    """Print rules below their headings, and what the marks in them mean."""
    section = ""
    for rule in rules:
        if rule.section != section:
            section = rule.section
            out.print(section, style="bold")
        out.print(f"  {rule.id}  {rule.text}", soft_wrap=not out.is_terminal)
    found = "".join(mark for rule in rules for mark in _MARKED.findall(rule.text))
    meant = [f"[{mark}] {meaning}" for mark, meaning in MARKS.items() if re.search(rf"\b{mark}\b", found)]
    if meant:
        out.print(f"Marks: {'; '.join(meant)}.", style="dim", soft_wrap=not out.is_terminal)
