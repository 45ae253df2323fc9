"""Reads the lines of a position in words, for the readers of each game (``tests/games/<game>/text_reader.py``)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import IntEnum
from typing import TypeVar

E = TypeVar("E", bound=IntEnum)


class Facts:
    """The facts of one line. Each can be taken once."""

    def __init__(self, facts: Sequence[str], subject: str = "") -> None:
        self._facts = list(facts)
        self.subject = subject

    def take(self, pattern: str) -> re.Match[str] | None:
        """Return the first fact that matches the whole pattern, and remove it."""
        for index, fact in enumerate(self._facts):
            if match := re.fullmatch(pattern, fact):
                del self._facts[index]
                return match
        return None

    def word(self, pattern: str) -> str | None:
        """Return the group of the first fact that matches, and remove it."""
        match = self.take(pattern)
        return match[1] if match else None

    def number(self, pattern: str) -> int | None:
        """Return the group of the first fact that matches, as a number, and remove it."""
        word = self.word(pattern)
        return None if word is None else int(word)

    def listed(self, label: str) -> list[str]:
        """Return the things of the fact ``label one, two``, and remove it. Empty without the fact."""
        words = self.word(f"{label} (.+)")
        return words.split(", ") if words else []

    def has(self, fact: str) -> bool:
        """Return whether the fact is there, and remove it."""
        return self.take(re.escape(fact)) is not None

    def next(self) -> str:
        """Return the next fact, and remove it."""
        return self._facts.pop(0)

    def end(self) -> None:
        """Expect that all facts were taken."""
        assert not self._facts, f"unread facts: {self._facts}"

    def rest(self) -> list[str]:
        """Return the facts that are left, and remove them."""
        rest, self._facts = self._facts, []
        return rest


class Lines:
    """The lines of a text. Each can be taken once."""

    def __init__(self, text: str) -> None:
        self._lines = text.splitlines()

    def every(self, subject: str) -> Iterator[tuple[re.Match[str], Facts]]:
        """Take all lines whose subject matches the whole pattern; yield the match and the facts."""
        pattern = re.compile(f"(?P<subject>{subject}): (?P<facts>.+)")
        matches = [(line, match) for line in self._lines if (match := pattern.fullmatch(line))]
        taken = {line for line, _ in matches}
        self._lines = [line for line in self._lines if line not in taken]
        for _, match in matches:
            facts = Facts(match["facts"].split("; "), match["subject"])
            yield match, facts
            facts.end()

    def facts(self, subject: str) -> Facts:
        """Take the line with that subject; without one, no facts."""
        found = [facts.rest() for _, facts in self.every(subject)]
        assert len(found) <= 1, f"several lines: {subject}"
        return Facts(found[0] if found else ())

    def fact(self, subject: str) -> str | None:
        """Take the line with that subject and one fact; ``None`` without one."""
        facts = self.facts(subject).rest()
        assert len(facts) <= 1, f"several facts: {subject}: {facts}"
        return facts[0] if facts else None

    def number(self, subject: str) -> int | None:
        """Take the line with that subject and a number; ``None`` without one."""
        fact = self.fact(subject)
        return None if fact is None else int(fact)

    def seat(self, subject: str) -> int | None:
        """Take the line with that subject and a seat; ``None`` without one."""
        fact = self.fact(subject)
        return None if fact is None else seat(fact)

    def end(self) -> None:
        """Expect that all lines were taken."""
        assert not self._lines, f"unread lines: {self._lines}"


def seat(fact: str) -> int:
    """Return the number in ``seat 2``."""
    return int(fact.removeprefix("seat "))


def member(kind: type[E], words: str) -> E:
    """Return the member with that name in words: ``play card``."""
    return kind[words.replace(" ", "_").upper()]


def pieces(words: Sequence[str]) -> dict[str, int]:
    """Return the counts of ``2 ships``, ``1 fort`` by the name of one piece."""
    split = [word.split(" ", 1) for word in words]
    return {name.removesuffix("s") if count != "1" else name: int(count) for count, name in split}


SEAT = r"seat (?P<seat>\d) \(\{\d\}(, you)?\)"
"""The subject of a seat's line."""
