"""What a game says and lights beside its pieces, so that a frontend needs no rule of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from skerry_games.languages.catalogues import ENGLISH
from skerry_games.languages.translation import in_language
from skerry_games.sentences import fill, phrase
from skerry_games.texts.text_lines import line

Viewer = int | None
M = TypeVar("M")
V = TypeVar("V")
E = TypeVar("E")


class Heading(Struct, frozen=True):
    """The heading under which moves of a kind are offered."""

    text: str
    """A few words: ``Play a card``."""
    confirm: bool = False
    """Whether a frontend asks again before it sends such a move, because a mistake would be costly."""


class Fact(Struct, frozen=True):
    """One figure of a seat, beside its points: ``ships 2``."""

    label: str
    value: str


class Gain(Struct, frozen=True):
    """Points that a seat gains or loses by an event. Over a whole game they add up to the final scores."""

    seat: int
    points: int
    source: str
    """A short heading. Points under the same heading can be added up."""


class Annotation(Struct, frozen=True):
    """Something worth seeing that follows from what the viewer knows, such as the influence in a province."""

    id: str
    """The id of the place or piece it is about."""
    text: str
    """A sentence. A template for the players' names (``skerry_games.fill``)."""
    badge: str = ""
    """The same in a few characters, for a picture; empty if it needs words."""
    of: str = ""
    """The id of a piece, if this is worth seeing only while a player points at that piece or has selected it."""


class Explanation(Struct, frozen=True):
    """Why something cannot be played now."""

    text: str
    """A sentence. A template for the players' names (``skerry_games.fill``)."""
    rule: str = ""
    """The id of the numbered rule that says so; empty if the sentence needs none."""


def _no_attempts(view: Any, seat: int, touched: tuple[str, ...]) -> tuple[Any, ...]:
    return ()


@dataclass(frozen=True, slots=True)
class Guide(Generic[M, V, E]):
    """What a frontend says and lights. The functions are pure, and see only what the viewer may see.

    Ids are those of ``Look``: of places and pieces. An id that names neither is a choice for which nothing lies on the
    table, such as ``turn:1``.
    """

    task: Callable[[V], str]
    """Return what the seats that have to decide must do now, an imperative without a full stop: ``play a card``."""
    heading: Callable[[M], Heading]
    """Return the heading under which a move is offered."""
    paths: Callable[[M, V], tuple[tuple[str, ...], ...]]
    """Return the ways to choose a legal move by touching: each a sequence of ids. Empty if words alone can name it."""
    touched: Callable[[E], tuple[str, ...]]
    """Return the ids of the places and pieces that an event is about."""
    gains: Callable[[E], tuple[Gain, ...]]
    """Return the points that an event gives or takes."""
    facts: Callable[[V, int], tuple[Fact, ...]]
    """Return what a seat has besides its points."""
    annotations: Callable[[V, Viewer], tuple[Annotation, ...]]
    """Return what is worth seeing for a viewer, in the order of the areas. An id has at most one badge, and at most one
    ``of`` each piece."""
    attempts: Callable[[V, int, tuple[str, ...]], tuple[M | Explanation, ...]] = _no_attempts
    """Return the moves that a seat which has to decide would mean by touching ids in order, legal or not, the most
    telling first. An ``Explanation`` among them explains what is never played. Empty if nothing is meant."""


def annotations_of(
    game: Any, view: V, viewer: Viewer, names: Sequence[str], language: str = ENGLISH
) -> tuple[Annotation, ...]:
    """Return the annotations of a view with the names of the players, without those ``of`` a piece that is pointed at.

    Empty for a game without a guide.
    """
    if game.guide is None:
        return ()
    shown = [note for note in game.guide.annotations(view, viewer) if not note.of]
    return tuple(
        [
            replace(note, text=fill(in_language(note.text, language), names), badge=in_language(note.badge, language))
            for note in shown
        ]
    )


def with_one_badge_each(notes: Iterable[Annotation]) -> tuple[Annotation, ...]:
    """Return annotations of which each place or piece has at most one badge: the first."""
    badged, found = set[tuple[str, str]](), []
    for note in notes:
        badge = note.id, note.of
        found.append(replace(note, badge="") if badge in badged else note)
        if note.badge:
            badged.add(badge)
    return tuple(found)


def annotation_line(note: Annotation) -> str:
    """Return an annotation as a line of a position in words."""
    return line(phrase("common-note", note=note.id), note.text)
