"""Explanations: numbered rules, what is printed on the board, and the rules of a whole game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from skerry.v1 import catalogue_pb2
from skerry_games.rulebook import matching_rules
from skerry_service.agents.results import Explanation

MAX_CHARACTERS = 8_000
"""Of one explanation, about 2,000 tokens."""
_BOARD = "board"


class NothingToExplain(Exception):
    """No rule matches. The message is a sentence."""


def explained(game: catalogue_pb2.Game, about: str, how_to_play: str = "") -> Explanation:
    """Explain a rule by its id or the beginning of it, ``board``, or words; how to play, if ``about`` is empty.

    Raises NothingToExplain.
    """
    asked = about.strip()
    if asked.lower() == _BOARD:
        return Explanation(game.id, [], game.board_text or "The board has no text.")
    if not asked:
        return Explanation(game.id, [], "\n".join([*([how_to_play] if how_to_play else []), overview(game)]))
    words = asked.lower().split()
    by_id = matching_rules(game.rules, asked)
    rules = by_id or [rule for rule in game.rules if all(word in _line(rule).lower() for word in words)]
    if not rules:
        raise NothingToExplain(f"No rule of {game.title} matches {asked[:80]!r}. {overview(game)}")
    return Explanation(game.id, _within_limit([_line(rule) for rule in rules]), "")


def overview(game: catalogue_pb2.Game) -> str:
    """Return the headings of a rule book, each with the beginning of its rules' ids."""
    sections = Counter(rule.section for rule in game.rules)
    first = {rule.section: rule.id for rule in reversed(game.rules)}
    listed = "\n".join(f"- {section}: {count} rules from {first[section]}" for section, count in sections.items())
    return (
        f"Sections of the rules of {game.title}:\n{listed}\nAsk for an id, the beginning of an id, words, or 'board'."
    )


def rule_book(game: catalogue_pb2.Game) -> str:
    """Return all rules of a game, below their headings."""
    lines, section = [f"# {game.title}"], ""
    for rule in game.rules:
        if rule.section != section:
            section = rule.section
            lines += ["", f"## {section}"]
        lines.append(f"- {_line(rule)}")
    return "\n".join(lines) + "\n"


def _line(rule: catalogue_pb2.Rule) -> str:
    return f"{rule.id}: {rule.text}"


def _within_limit(lines: Sequence[str]) -> list[str]:
    shown: list[str] = []
    size = 0
    for line in lines:
        size += len(line)
        if shown and size > MAX_CHARACTERS:
            return [*shown, f"{len(lines) - len(shown)} more rules match. Ask for a longer id or more words."]
        shown.append(line)
    return shown
