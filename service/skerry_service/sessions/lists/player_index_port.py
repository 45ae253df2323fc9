"""The port of the index of players' sessions, and the index in memory.

The index has a session under each vouched player who took a seat in it. It is only a place to look: a player may have
left the session before the game began, and the session may be gone.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Protocol

MOST_OVER = 1_000
"""Sessions that are over and stay in the index of a player, the newest ones."""
Indexed = tuple[int, str]
"""A session in the index: (time of creation in ms since 1970, id)."""


class PlayerIndex(Protocol):
    """The sessions of each player. Raises ``StoreUnavailable``, and to add ``StoreFull``."""

    async def add(self, player_id: str, session: str, created_ms: int) -> None:
        """Add a session that is not over, unless the player has it."""

    async def end(self, player_id: str, session: str, created_ms: int) -> None:
        """Mark a session of a player as over, and keep the newest ``MOST_OVER`` of these."""

    async def page(self, player_id: str, before: Indexed | None, count: int, *, over: bool) -> Sequence[Indexed]:
        """Return up to ``count`` sessions of a player that follow ``before``, the newest first.

        ``over``: those that are over, otherwise those that are not.
        """

    async def remove(self, player_id: str, sessions: Collection[str]) -> None:
        """Remove sessions from the index of a player."""

    async def forget(self, player_id: str) -> bool:
        """Remove a player from the index. Return whether the player was there."""


class MemoryPlayerIndex:
    """A ``PlayerIndex`` over dictionaries."""

    def __init__(self) -> None:
        self._players: dict[str, dict[str, tuple[int, bool]]] = {}
        """For each player and session, the time of creation and whether it is over."""

    async def add(self, player_id: str, session: str, created_ms: int) -> None:
        self._players.setdefault(player_id, {}).setdefault(session, (created_ms, False))

    async def end(self, player_id: str, session: str, created_ms: int) -> None:
        sessions = self._players.get(player_id, {})
        if session in sessions:
            sessions[session] = created_ms, True
        over = await self.page(player_id, None, len(sessions), over=True)
        await self.remove(player_id, [one for _, one in over[MOST_OVER:]])

    async def page(self, player_id: str, before: Indexed | None, count: int, *, over: bool) -> Sequence[Indexed]:
        sessions = self._players.get(player_id, {})
        found = sorted(((at, one) for one, (at, ended) in sessions.items() if ended is over), reverse=True)
        return [one for one in found if before is None or one < before][:count]

    async def remove(self, player_id: str, sessions: Collection[str]) -> None:
        for session in sessions:
            self._players.get(player_id, {}).pop(session, None)

    async def forget(self, player_id: str) -> bool:
        return bool(self._players.pop(player_id, None))
