"""Lessons: a guided first game for each game, authored as data in the module ``teaching.lesson`` of the game.

A lesson fixes the options, the number of seats and the seed. Its course lists, in the order of play, the steps of the
learner and the moves of the other seats. Chance follows from the seed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from skerry_games.rng import SEED_BYTES

LONGEST_SENTENCE = 160
"""Maximum length of a sentence of a lesson, in characters: two lines on a phone."""


class LessonStep(Struct, frozen=True, kw_only=True):
    """One step of the learner: a sentence to read, or moves of which the learner makes one."""

    text: str
    """One sentence for a reader who has never heard of the game."""
    more: str = ""
    """A second, shorter sentence; may be empty."""
    marks: tuple[str, ...] = ()
    """The ids of the places and pieces that the sentence is about. They are in the learner's scene."""
    moves: tuple[Any, ...] = ()
    """The moves that the step allows; empty: the learner reads on."""
    wrong: Mapping[str, str] = {}
    """Answers to other choices, by the id of the place or piece that the learner touched."""
    claim: Callable[[Any], bool] | None = None
    """Whether the figures in the sentences are true of a state. Tests call it."""


class Reply(Struct, frozen=True):
    """A move of another seat."""

    seat: int
    move: Any


class Lesson(Struct, frozen=True, kw_only=True):
    """A guided first game."""

    options: Any
    seats: int
    course: tuple[LessonStep | Reply, ...]
    seat: int = 0
    """The learner's seat."""
    seed: int = 1

    @property
    def seed_bytes(self) -> bytes:
        """The 32 bytes from which all chance of the lesson is drawn."""
        return self.seed.to_bytes(SEED_BYTES, "big")

    @property
    def steps(self) -> tuple[LessonStep, ...]:
        """The steps of the learner, in order."""
        return tuple([item for item in self.course if isinstance(item, LessonStep)])
