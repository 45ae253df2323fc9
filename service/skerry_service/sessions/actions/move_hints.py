"""Hints: what a strong player would do in the seat of a player that is to act.

A hint is no entry of the log: every player of the table may ask, so nobody gains by asking in secret, and the record
says that the table has hints. It is computed from what the seat may know, as a bot's decision is, and equal on every
replica. So replicas share nothing, and each caches its hints.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable

from msgspec import Struct

from skerry_service.domain.bot_decisions import (
    HINT_LEVEL,
    DueDecision,
    RankedMoves,
    SpareBots,
    decision_for,
    share_of_bots,
)
from skerry_service.domain.errors import GameOver, LimitReached, NotAllowed, NotStarted, NotYourTurn
from skerry_service.domain.record import Phase, Record
from skerry_service.domain.table import Table
from skerry_service.domain.tokens import recognise, require_own_seat
from skerry_service.sessions.table_cache import TableCache
from skerry_service.watching.presence import Presence

WAIT_SECONDS = 20.0
"""How long a hint may take, with its wait for a bot."""
_RETRY_SECONDS = 5.0
CACHED_HINTS = 1_000
_Key = tuple[str, DueDecision]
"""The store's epoch, and what identifies a position and a seat."""


class MoveHint(Struct, frozen=True):
    """What a strong player would do."""

    table: Table
    ranked: RankedMoves


class _Running(Struct, eq=False):
    """A hint that is being computed, and the number of calls that wait for it."""

    key: _Key
    task: asyncio.Task[RankedMoves]
    waiting: int = 0
    begun: bool = False


class MoveHints:
    """The hints of one replica. At most one of a seat is computed at a time."""

    def __init__(self, tables: TableCache, presence: Presence, epoch: Callable[[], str]) -> None:
        """``epoch``: returns ``Session.epoch``."""
        self._tables = tables
        self._presence = presence
        self.bots: SpareBots | None = None
        """``None`` without thinking bots. Set before the first call."""
        self._epoch = epoch
        self._known: OrderedDict[_Key, RankedMoves] = OrderedDict()
        self._running: dict[tuple[str, int], _Running] = {}

    async def hint(self, session: str, token: str | None) -> MoveHint:
        """Return a hint for the caller's seat.

        Raises SessionNotFound, TokenMissing, TokenInvalid, NotAllowed, SubstitutePlays, NotStarted, GameOver,
        NotYourTurn, LimitReached.
        """
        table = await self._tables.newest(session)
        caller = recognise(table.record, token)
        self._presence.record_call(table, caller)
        seat = require_own_seat(table.record, caller)
        if table.record.phase is Phase.LOBBY:
            raise NotStarted
        if table.record.over:
            raise GameOver
        if seat not in table.to_act:
            raise NotYourTurn(table.to_act, table.record.names)
        bots = self._bots_of(table.record)
        legal_moves = table.game.legal_moves(table.state, seat)
        if len(legal_moves) == 1:
            return MoveHint(table, ((legal_moves[0], 1.0),))
        return MoveHint(table, await self._ranked(bots, table, seat))

    async def close(self) -> None:
        """Stop computing."""
        tasks = [running.task for running in self._running.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _bots_of(self, record: Record) -> SpareBots:
        if not record.hints:
            raise NotAllowed("This session has no hints. Its creator can allow them when creating it.")
        if self.bots is None:
            raise NotAllowed("This server has no thinking bots, so it gives no hints.")
        return self.bots

    async def _ranked(self, bots: SpareBots, table: Table, seat: int) -> RankedMoves:
        """Return the ranked moves from the cache, from a call for the same position, or from a bot."""
        due = DueDecision(table.record.id, seat, table.open_since[seat], HINT_LEVEL)
        key = self._epoch(), due
        try:
            async with asyncio.timeout(WAIT_SECONDS):
                while (known := self._known.get(key)) is None:
                    running = self._running.get((due.session, seat))
                    if running is None:
                        running = self._begin(bots, key, table)
                    if running.key == key:
                        return await self._shared(running)
                    await asyncio.wait({running.task})  # of an earlier position
                return known
        except TimeoutError:
            raise LimitReached(
                "hint_seconds", "All bots of this server are busy with games. Ask again later.", _RETRY_SECONDS
            ) from None

    def _begin(self, bots: SpareBots, key: _Key, table: Table) -> _Running:
        task = asyncio.get_running_loop().create_task(self._compute(bots, key, table))
        running = self._running[key[1].session, key[1].seat] = _Running(key, task)
        return running

    async def _shared(self, running: _Running) -> RankedMoves:
        """Wait for a hint with other calls. When the last one has gone, a hint that has not begun is dropped.

        One that has begun is finished: it takes a second, and a killed process would cost the bots as much.
        """
        running.waiting += 1
        try:
            return await asyncio.shield(running.task)
        finally:
            running.waiting -= 1
            if not running.waiting and not running.begun:
                self._forget(running)
                running.task.cancel()

    async def _compute(self, bots: SpareBots, key: _Key, table: Table) -> RankedMoves:
        due = key[1]
        running = self._running[due.session, due.seat]
        try:
            async with bots.slot(share_of_bots(table.record)):
                running.begun = True
                decision = await asyncio.to_thread(decision_for, table, due, 1)
                ranked = self._known[key] = await bots.rank(decision)
        finally:
            self._forget(running)
        if len(self._known) > CACHED_HINTS:
            self._known.popitem(last=False)
        return ranked

    def _forget(self, running: _Running) -> None:
        seat = running.key[1].session, running.key[1].seat
        if self._running.get(seat) is running:
            del self._running[seat]
