"""The length of the measurements."""

from __future__ import annotations

from msgspec import Struct


class Settings(Struct, frozen=True):
    """The settings of all sections."""

    seconds: float = 5.0
    """Length of each measurement."""
    rounds: int = 3
    """Repetitions of measurements that are compared with a floor; the median counts."""
    quick: bool = False
    """Whether to measure less: a quick look, not a record."""
