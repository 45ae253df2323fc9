"""A table of a round, and its result."""

from __future__ import annotations

from msgspec import Struct

Players = tuple[int, ...]
"""The players of a table, by their indexes in the settings."""


class Match(Struct, frozen=True):
    """A table of a round, and its result."""

    table: Players
    shares: tuple[float | None, ...]
    """The share of opponents that each player has beaten there; ``None`` if no game counts."""
