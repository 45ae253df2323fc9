"""The learning curve of a run: a line of JSON for each round."""

from __future__ import annotations

import fcntl
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import numpy as np
from msgspec import Struct, json

CURVE: Final = "curve.jsonl"
_Z: Final = 1.96
"""Standard deviations of an interval of 95 %."""


class UnusableFolder(ValueError):
    """A folder in which a run cannot go on. The message is a sentence."""


class Share(Struct, frozen=True):
    """The share of opponents beaten, with ties as halves, and its interval of 95 % (Wilson's)."""

    share: float
    low: float
    high: float


class CurvePoint(Struct, frozen=True):
    """The state of a run after a round."""

    round: int
    steps: int
    """Actions in the games so far."""
    seconds: float
    """Processor time so far, with that of measuring."""
    against: dict[str, Share]
    """By the player that has all other seats."""


def share_of(returns: Sequence[float]) -> Share:
    """Return the share of opponents beaten in games with these returns."""
    count, share = len(returns), float((1 + np.mean(returns)) / 2)
    spread = _Z * np.sqrt(share * (1 - share) / count + _Z**2 / (4 * count**2))
    middle, scale = share + _Z**2 / (2 * count), 1 + _Z**2 / count
    low, high = (middle - spread) / scale, (middle + spread) / scale
    return Share(round(share, 3), round(float(low), 3), round(float(high), 3))


def read_curve(path: Path) -> list[CurvePoint]:
    """Return the complete lines of a curve. Raises OSError, msgspec.DecodeError."""
    return [
        json.decode(line, type=CurvePoint) for line in path.read_bytes().splitlines(keepends=True) if line[-1:] == b"\n"
    ]


@contextmanager
def appended(path: Path, rounds: int) -> Iterator[Callable[[CurvePoint], None]]:
    """Open a curve after its first lines, one for each round, and yield a function that appends a point.

    Raises UnusableFolder if another process has opened it.
    """
    with path.open("a+b") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise UnusableFolder(f"{path}: Another process is training in this folder.") from None
        file.seek(0)
        file.truncate(sum(map(len, file.readlines()[:rounds])))

        def append(point: CurvePoint) -> None:
            file.write(json.encode(point) + b"\n")
            file.flush()

        yield append
