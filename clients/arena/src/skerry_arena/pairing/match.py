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
    playoff: int = 0
    """The number of the play-off, from 1; 0 for a table of the round itself."""

    @property
    def best(self) -> Players:
        """The players with the largest share, in the order of the table. All players if no game counts."""
        known = [share for share in self.shares if share is not None]
        if not known:
            return self.table
        return tuple([one for one, share in zip(self.table, self.shares, strict=True) if share == max(known)])
