"""A level for tests, which thinks until the test lets it go and then chooses by its seed."""

from __future__ import annotations

import asyncio
from typing import Any
from zlib import crc32

from skerry_games.rng import SeededRng
from skerry_service.domain.bot_decisions import Decision, DueDecision, due_decisions
from skerry_service.domain.log import pack
from skerry_service.domain.record import Occupant, SeatRecord
from skerry_service.domain.table import Table
from skerry_service.sessions.service import Sessions
from tests.sessions.tables import Sitting, move_once
from tests.watching.stream_readers import PATIENCE

THINKS = SeatRecord(Occupant.BOT, level="slow")


class Slow:
    """A level that thinks from ``hold`` to ``go``."""

    samples = 2

    def __init__(self) -> None:
        self.asked: list[Decision] = []
        self._arrived = asyncio.Condition()
        self._go = asyncio.Event()
        self._go.set()

    def hold(self) -> None:
        self._go.clear()

    def go(self) -> None:
        self._go.set()

    async def __call__(self, decision: Decision) -> Any:
        self.asked.append(decision)
        async with self._arrived:
            self._arrived.notify_all()
        await self._go.wait()
        return chosen(decision)

    async def is_asked(self, times: int = 1) -> Decision:
        """Wait for that many decisions; return the last."""
        async with asyncio.timeout(PATIENCE), self._arrived:
            await self._arrived.wait_for(lambda: len(self.asked) >= times)
        return self.asked[times - 1]


def chosen(decision: Decision) -> Any:
    """Return the move that ``Slow`` chooses. It depends on the legal moves, the samples and the seed."""
    rng = SeededRng(decision.seed, len(decision.samples))
    moves = decision.legal_moves
    return moves[(rng.below(1 << 16) + crc32(pack(decision.samples))) % len(moves)]


async def until_due(sessions: Sessions, sitting: Sitting) -> tuple[Table, DueDecision]:
    """Let the players move until a bot is to think. Return the table and the first decision that is due."""
    table, _ = await sessions.get(sitting.id, None)
    while not due_decisions(table):
        table = await move_once(sessions, sitting, table.sequence)
    return table, due_decisions(table)[0]
