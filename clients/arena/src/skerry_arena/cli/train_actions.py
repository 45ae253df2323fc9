"""The work of ``skerry train``."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import msgspec
import typer

from skerry_arena.cli.errors import INTERRUPTED, MISUSED, CommandError, os_error_text
from skerry_arena.cli.interrupts import raising_interrupts
from skerry_arena.learning.encoding.bounds import BoundsMissing
from skerry_arena.learning.ppo.curve import CurvePoint, UnusableFolder
from skerry_arena.learning.ppo.trained_network import UnusableNetwork
from skerry_games.api import AnyGame, BadOptions
from skerry_games.players import UnknownPlayer
from skerry_games.position import game_of

_MISUSES: Final = (
    BadOptions,
    BoundsMissing,
    UnknownPlayer,
    UnusableFolder,
    UnusableNetwork,
    msgspec.ValidationError,
)


def train(folder: Path, given: dict[str, Any], more: Sequence[str], rounds: int) -> None:
    """Train, and print a line after each round. Raises CommandError.

    ``given``: fields of ``TrainingSettings``; without ``seats``, the smallest number. ``more``: further ones, as
    ``NAME=NUMBER``.
    """
    ppo = _ppo()
    with _command_errors(), raising_interrupts():
        fields = {**given, **dict(one.partition("=")[::2] for one in more)}
        fewest = _game(fields["game"]).seats[0]
        if fields["seats"] is None:
            fields["seats"] = fewest
        run = ppo.Training(folder, msgspec.convert(fields, ppo.TrainingSettings, strict=False))
        if run.point.round >= rounds:
            print(f"The run has {run.point.round} rounds. Ask for more with --rounds.")
        try:
            for point in run.run(rounds):
                print(_line(point), flush=True)
        except KeyboardInterrupt:
            print("Interrupted. The same command resumes after the last complete round.", file=sys.stderr)
            raise typer.Exit(INTERRUPTED) from None


def _game(name: str) -> AnyGame:
    try:
        return game_of(name)
    except KeyError as error:
        raise CommandError(error.args[0], MISUSED) from None


def _ppo() -> Any:
    """Import what needs the extra. Raises CommandError without it."""
    try:
        return import_module("skerry_arena.learning.ppo.training")
    except ModuleNotFoundError as error:
        raise CommandError(
            f"Training needs an extra: pip install 'skerry-arena[gymnasium]' ({error}).", MISUSED
        ) from None


def _line(point: CurvePoint) -> str:
    shares = "  ".join(f"{name} {one.share:.2f}" for name, one in point.against.items())
    return f"round {point.round}  actions {point.steps:,}  processor {point.seconds:,.0f} s  beats: {shares}"


@contextmanager
def _command_errors() -> Iterator[None]:
    """Turn errors of the arena into CommandError."""
    try:
        yield
    except _MISUSES as error:
        raise CommandError(str(error), MISUSED) from None
    except OSError as error:
        raise CommandError(os_error_text(error)) from None
