"""Refusals of a request in the engine process, and their transport to the service, which fails the call."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from msgspec import Struct

from skerry_games.api import BadOptions, IllegalMove, MalformedMove
from skerry_service.domain.errors import InvalidField

REFUSALS: Mapping[str, type[Exception]] = {
    error.__name__: error for error in (InvalidField, BadOptions, IllegalMove, MalformedMove)
}
"""By their names: the errors that the service raises, each from its arguments, which are texts."""


class EngineRefusal(Exception):
    """The engine refuses the request."""

    def __init__(self, error: type[Exception], *arguments: str) -> None:
        """``error``: one of ``REFUSALS``; ``arguments``: its arguments."""
        super().__init__(error, *arguments)
        self.packed = PackedRefusal(error.__name__, arguments)


class PackedRefusal(Struct, frozen=True, array_like=True):
    """A refusal on its way to the service."""

    name: str
    arguments: tuple[str, ...]

    def error(self) -> Exception:
        """Return the error to raise. Raises KeyError if the name is not in ``REFUSALS``."""
        return REFUSALS[self.name](*self.arguments)


def invalid_field(field: str, sentence: str) -> EngineRefusal:
    """Return the refusal of a field's value."""
    return EngineRefusal(InvalidField, field, sentence)


@contextmanager
def refuse_impossible_state(field: str, game: str) -> Iterator[None]:
    """Turn any error of the rules into a refusal of the snapshot in that field.

    The rules never fail on a state that they produced. So an error means that the snapshot is well formed but cannot
    occur in the game.
    """
    try:
        yield
    except EngineRefusal:
        raise
    except Exception as error:
        sentence = f"This state cannot occur in {game}. Send a snapshot that the engine returned."
        raise invalid_field(field, sentence) from error
