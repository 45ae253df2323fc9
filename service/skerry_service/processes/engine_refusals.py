"""What can be wrong with a request, as it comes from the process that noticed it to who refuses the call."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from msgspec import Struct

from skerry_games.api import BadOptions, IllegalMove, MalformedMove
from skerry_service.domain.errors import InvalidField

REFUSALS: Mapping[str, type[Exception]] = {
    one.__name__: one for one in (InvalidField, BadOptions, IllegalMove, MalformedMove)
}
"""By their names: each is made with the words that come with it."""


class Wrong(Exception):
    """The request is refused."""

    def __init__(self, refusal: type[Exception], *words: str) -> None:
        """``refusal``: one of ``REFUSALS``; ``words``: what it is made with."""
        super().__init__(refusal, *words)
        self.told = Refused(refusal.__name__, words)


class Refused(Struct, frozen=True, array_like=True):
    """A refusal, to be raised elsewhere."""

    name: str
    words: tuple[str, ...]

    def error(self) -> Exception:
        """Return what is to be raised. Raises KeyError for what is no refusal."""
        return REFUSALS[self.name](*self.words)


def wrong(field: str, sentence: str) -> Wrong:
    """Return that a field is wrong."""
    return Wrong(InvalidField, field, sentence)


@contextmanager
def impossible(field: str, game: str) -> Iterator[None]:
    """Blame what the rules stumble over on the snapshot in that field: it can be of the right shape and make no sense.

    The rules never fail on a state that came about by them, so there is nothing else to blame.
    """
    try:
        yield
    except Wrong:
        raise
    except Exception as error:
        raise wrong(field, f"It is no state that can come about in {game}.") from error
