"""The processes of bots, for work that lets games with players go first."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

from skerry_games.players.chances import Chances
from skerry_service.domain.bot_decisions import HINT_LEVEL, Decision, OpenPosition, RankedMoves
from skerry_service.processes.bot_pool import BotPool

SlotOf = Callable[[int], AbstractAsyncContextManager[None]]
"""Returns a context that holds a slot for a share."""


class SparePool:
    """``SpareBots`` of a pool."""

    def __init__(self, pool: BotPool, slot: SlotOf, analysis_slot: SlotOf) -> None:
        """``slot``: ``FairSlots.spare_slot`` of the slots in which the pool decides."""
        self._pool = pool
        self.slot, self.analysis_slot = slot, analysis_slot

    async def rank(self, decision: Decision) -> RankedMoves:
        """Return the legal moves, the best first."""
        return await self._pool.rank(HINT_LEVEL, decision)

    async def chances(self, position: OpenPosition) -> Chances:
        """Return the estimated chances to win."""
        return await self._pool.chances(position)
