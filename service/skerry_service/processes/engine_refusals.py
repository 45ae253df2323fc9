"""Refusals of a request in the engine process, and their transport to the service, which fails the call."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from msgspec import Struct

from skerry_games.api import BadOptions, IllegalMove, MalformedMove
from skerry_games.sentences import Sentence, made
from skerry_service.domain.errors import InvalidField
from skerry_service.domain.languages.phrases import phrase, verbatim

REFUSALS: Mapping[str, type[Exception]] = {
    error.__name__: error for error in (InvalidField, BadOptions, IllegalMove, MalformedMove)
}
"""By their names: the errors that the service raises, each from its arguments: texts, sentences, and tuples of them."""


class EngineRefusal(Exception):
    """The engine refuses the request."""

    def __init__(self, error: type[Exception], *arguments: str | tuple[str, ...]) -> None:
        """``error``: one of ``REFUSALS``; ``arguments``: its arguments."""
        super().__init__(error, *arguments)
        self.packed = PackedRefusal(error.__name__, tuple(map(_packed, arguments)))


class PackedRefusal(Struct, frozen=True, array_like=True):
    """A refusal on its way to the service."""

    name: str
    arguments: tuple[Any, ...]

    def error(self) -> Exception:
        """Return the error to raise. Raises KeyError if the name is not in ``REFUSALS``."""
        return REFUSALS[self.name](*map(_unpacked, self.arguments))


def _packed(value: Any) -> Any:
    """Return a value with its sentences as mappings, so that the service can write them in the caller's language."""
    if type(value) is Sentence:
        parameters = {name: _packed(one) for name, one in value.parameters.items()}
        return {"id": value.id, "text": str(value), "parameters": parameters}
    return [_packed(one) for one in value] if isinstance(value, tuple) else value


def _unpacked(value: Any) -> Any:
    if isinstance(value, dict):
        parameters = {name: _unpacked(one) for name, one in value["parameters"].items()}
        return made(value["text"], value["id"], parameters)
    return tuple(map(_unpacked, value)) if isinstance(value, list | tuple) else value


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
        sentence = phrase("engine-impossible", game=verbatim(game))
        raise invalid_field(field, sentence) from error
