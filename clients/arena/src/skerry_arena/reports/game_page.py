"""The page of a game: it replays the game with pictures and in words, without a server and without a network."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Sequence
from hashlib import sha256
from importlib.resources import files
from typing import Any, Final

from jinja2 import Environment
from msgspec import Struct, json

from skerry_arena.play.game_run import GameRun, Step
from skerry_arena.play.record import Failure, Record
from skerry_arena.reports.picture_frames import Frames, frames_of
from skerry_arena.settings import Settings
from skerry_games.api import CHANCE
from skerry_games.looks.themes import DARK, LIGHT, Theme
from skerry_games.position import Position
from skerry_games.sentences import fill

MOST_BYTES: Final = 2_000_000
"""The size of the pictures and entries of a page. In a longer game, some entries show the picture before them."""


class Entry(Struct, frozen=True):
    """A line beside the pictures."""

    words: str
    picture: int
    """The number of the picture that shows the position after it."""


class _Content(Struct, frozen=True):
    frames: Frames
    entries: Sequence[Entry]


class _Replayed(Struct, frozen=True):
    """A position and the sentences that led to it."""

    words: str
    picture: str | None
    """``None`` if the position is the one before."""


def game_page(environment: Environment, settings: Settings, record: Record, most_bytes: int = MOST_BYTES) -> str:
    """Render the page of a finished game. Raises IndexError if the game does not follow from its record."""
    names = distinct(record.lineup)
    script = files(__package__).joinpath("templates/game.js").read_text(encoding="utf-8")
    return environment.get_template("game.html").render(
        settings=settings,
        rules=settings.rules,
        record=record,
        names=names,
        seats=sorted(range(len(names)), key=lambda seat: (record.ranks[seat], seat)),
        colours={"light": _declarations(LIGHT), "dark": _declarations(DARK)},
        content=_content(list(_replayed(settings, record, names)), most_bytes).decode(),
        script=script,
        hash=b64encode(sha256(script.encode()).digest()).decode(),
    )


def distinct(lineup: Sequence[str]) -> list[str]:
    """Return the names of the seats. A player with several seats gets their numbers."""
    return [name if lineup.count(name) == 1 else f"{name} (seat {seat})" for seat, name in enumerate(lineup)]


def _replayed(settings: Settings, record: Record, names: Sequence[str]) -> Iterator[_Replayed]:
    """Yield the start, every move and failure, and the end, as a spectator sees them."""
    course = GameRun(settings.rules, settings.game_options, settings.table, bytes.fromhex(record.seed), record.draws)
    for choice, actor in zip(record.choices, record.actors or [None] * len(record.choices), strict=True):
        course.choose(choice, actor)
    failures, decisions = list(record.failures), 0
    position = Position(settings.rules, settings.rules.setup(settings.game_options, settings.table))
    yield _Replayed("The game begins.", _picture(position, names))
    for step in course.steps:
        if step.actor != CHANCE:
            while failures and failures[0].decision <= decisions:
                yield _Replayed(_failed(failures.pop(0), names), None)
            decisions += 1
        position = position.play(step.move, step.actor)
        yield _Replayed(_said(position, step, names), _picture(position, names))
    for failure in failures:
        yield _Replayed(_failed(failure, names), None)
    yield _Replayed(fill(record.reason, names), None)


def _picture(position: Position, names: Sequence[str]) -> str:
    return position.svg(None, names, theme="variables", touched=position.touched(None))


def _said(position: Position, step: Step, names: Sequence[str]) -> str:
    """Return the events of a step as sentences. Without any, the move in words, if a spectator may see it."""
    game = position.game
    if events := position.shown(None):
        return " ".join([fill(game.say(event), names) for event in events])
    move: Any = game.show_move(step.move, step.actor, None)
    actor = "Chance" if step.actor == CHANCE else names[step.actor]
    return f"{actor}: a hidden move." if move is None else f"{actor}: {fill(game.say_move(move), names)}."


def _failed(failure: Failure, names: Sequence[str]) -> str:
    return f"{names[failure.seat]} fails ({failure.kind})."


def _content(replayed: Sequence[_Replayed], most_bytes: int) -> bytes:
    """Return pictures and entries as JSON for a ``script`` element.

    If they are too large for the page, only every second, fourth, … position is drawn, and the first and the last.
    """
    every, last = 1, max(at for at, one in enumerate(replayed) if one.picture is not None)
    while True:
        pictures, entries = list[str](), list[Entry]()
        for at, one in enumerate(replayed):
            if one.picture is not None and (at % every == 0 or at == last):
                pictures.append(one.picture)
            entries.append(Entry(one.words, len(pictures) - 1))
        content = _as_script_data(json.encode(_Content(frames_of(pictures), entries)))
        if len(content) <= most_bytes or every > len(replayed):
            return content
        every *= 2


def _as_script_data(content: bytes) -> bytes:
    """Return JSON in which nothing can end a ``script`` element or begin a comment."""
    return content.replace(b"<", rb"\u003c")


def _declarations(theme: Theme) -> str:
    """Return the colours of a theme as CSS."""
    return " ".join(f"--{name}: {colour};" for name, colour in theme.items())
