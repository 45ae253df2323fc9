"""Strangers, and what they wish for."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import aclosing
from typing import Any

from skerry_games.api import AnyGame
from skerry_games.kreta import GAME as KRETA
from skerry_service.domain.log import pack
from skerry_service.domain.record import Clock, ClockKind, SeatRecord
from skerry_service.matching.criteria import ClockRange, Criteria, time_of
from skerry_service.matching.matchmaker import Found, MatchUpdate
from skerry_service.matching.queue import Waiter
from skerry_service.matching.queue_handle import TicketRequest
from skerry_service.sessions.service import Sessions
from tests.sessions.tables import Sitting, begin, uuid

PATIENCE = 20.0
"""Seconds after which a test stops waiting for what has to come. Only bounds a hang."""
MINUTE = 60_000
UNTIMED = (ClockRange(None),)


def bank(minutes: int, increment_ms: int = 0) -> Clock:
    return Clock(ClockKind.BANK, bank_ms=minutes * MINUTE, increment_ms=increment_ms)


def between(least: Clock, most: Clock) -> ClockRange:
    return ClockRange(least, time_of(most))


def wish(
    *seats: int, clocks: Sequence[ClockRange] = UNTIMED, options: Sequence[Any] = (), game: AnyGame = KRETA
) -> Criteria:
    accepted = [pack(one) for one in options or (game.options_type(),)]
    return Criteria(tuple((number, one) for number in seats for one in accepted), tuple(clocks))


def waiter(number: int, *seats: int, holder: str = "here", name: str = "", **how: Any) -> Waiter:
    """Return one of many, who came in the order of their numbers."""
    who = number.to_bytes(2, "big")
    return Waiter(who, b"asked", number, holder, name or f"Player {number:c}{number}", "", wish(*seats, **how))


async def open_table(sessions: Sessions, *seats: SeatRecord, **new: Any) -> Sitting:
    """Open a public table whose seed nobody has chosen."""
    return await begin(sessions, KRETA, *seats, seed=None, **new)


class Stranger:
    """Looks for a table beside the test, and confirms what is offered unless told otherwise."""

    def __init__(
        self,
        replica: Sessions,
        number: int,
        *seats: int,
        name: str = "",
        player_id: str = "",
        confirms: bool = True,
        via: Sessions | None = None,
        **how: Any,
    ) -> None:
        """``number``: by which the request id is known; ``via``: the replica that confirmations reach."""
        seeking = TicketRequest(KRETA, wish(*(seats or (2,)), **how), name or f"Stranger {number}", player_id)
        self.told: list[MatchUpdate] = []
        self.number = number
        self._replica, self._via, self._confirms = replica, via or replica, confirms
        self._news = asyncio.Condition()
        self.task = asyncio.create_task(self._look(seeking))

    async def _look(self, seeking: TicketRequest) -> Found:
        async with aclosing(self._replica.matchmaker.find(seeking, uuid(self.number))) as stream:
            async for told in stream:
                async with self._news:
                    self.told.append(told)
                    self._news.notify_all()
                if told.offer and self._confirms and not told.heartbeat:
                    await self.confirm(told.offer)
                if told.found:
                    return told.found
        raise AssertionError("the stream ended without a seat")

    async def confirm(self, offer: str) -> None:
        await self._via.matchmaker.confirm(uuid(self.number), offer)

    async def waits(self) -> Stranger:
        """Return when it has been told that it waits, or more."""
        await self.until(lambda: bool(self.told))
        return self

    async def offered(self, times: int = 1) -> str:
        """Return the offer that it was told."""
        await self.until(lambda: len(self.offers) >= times)
        return self.offers[-1]

    @property
    def offers(self) -> list[str]:
        return [one.offer for one in self.told if one.offer and not one.heartbeat]

    async def until(self, condition: Callable[[], bool]) -> None:
        """Return when what it was told makes that true."""
        async with asyncio.timeout(PATIENCE), self._news:
            await self._news.wait_for(condition)

    async def finds(self) -> Found:
        """Return the seat."""
        async with asyncio.timeout(PATIENCE):
            return await asyncio.shield(self.task)

    async def hangs_up(self) -> None:
        """Go away as a client that closes the stream."""
        self.task.cancel()
        await asyncio.wait([self.task])
