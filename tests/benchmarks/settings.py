"""How long to measure."""

from __future__ import annotations

from msgspec import Struct


class Settings(Struct, frozen=True):
    """The same for every section."""

    seconds: float = 5.0
    """Of each measurement."""
    rounds: int = 3
    """Repetitions of what is compared with a floor; the median counts."""
    quick: bool = False
    """Whether to make do with less of everything: for a look, not for a record."""
