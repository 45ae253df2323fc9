"""Lists of games and rules, as text and as JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence

from rich.console import Console
from rich.table import Table

from skerry_games.api import AnyGame
from skerry_games.editions import edition_names
from skerry_games.looks.instructions import MARKS
from skerry_games.rulebook import NumberedRule
from skerry_games.texts.instruction_text import instructions_text

_MARKED = re.compile(r"\[[^\[\]]*\b[SWR]\b[^\[\]]*\]")


def print_games(out: Console, games: Mapping[str, AnyGame]) -> None:
    """Print a table of the games."""
    table = Table("id", "title", "author", "seats", "ruleset", "editions", box=None, pad_edge=False)
    for game in games.values():
        seats = ", ".join(map(str, game.seats))
        table.add_row(game.id, game.title, game.author, seats, game.ruleset, ", ".join(edition_names(game)))
    out.print(table)


def games_as_json(games: Mapping[str, AnyGame]) -> str:
    """Return the games as a JSON list."""
    fields = ("id", "title", "author", "seats", "ruleset", "editions")
    listed = [{name: getattr(game, name) for name in fields} for game in games.values()]
    return json.dumps([one | {"editions": edition_names(games[one["id"]])} for one in listed], indent=2)


def print_instructions(out: Console, game: AnyGame) -> None:
    """Print how to play a game that has instructions, and how to read its numbered rules."""
    assert game.how_to_play is not None
    out.print(game.title, style="bold")
    out.print(instructions_text(game, game.how_to_play(game)).replace("**", ""), soft_wrap=not out.is_terminal)
    out.print(f"`skerry rules {game.id} --numbered` prints the numbered rules.", style="dim")


def print_rules(out: Console, rules: Sequence[NumberedRule]) -> None:
    """Print rules below their headings, and the meaning of their marks."""
    section = ""
    for rule in rules:
        if rule.section != section:
            section = rule.section
            out.print(section, style="bold")
        out.print(f"  {rule.id}  {rule.text}", soft_wrap=not out.is_terminal)
    marks = "".join(mark for rule in rules for mark in _MARKED.findall(rule.text))
    meanings = [f"[{mark}] {meaning}" for mark, meaning in MARKS.items() if re.search(rf"\b{mark}\b", marks)]
    if meanings:
        out.print(f"Marks: {'; '.join(meanings)}.", style="dim", soft_wrap=not out.is_terminal)
