"""Strangers who look for a table, and criteria for tests."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import aclosing, suppress
from typing import Any

from skerry_games.api import AnyGame
from skerry_games.kreta import GAME as KRETA
from skerry_service.domain.errors import ProposalExpired
from skerry_service.domain.log import pack
from skerry_service.domain.record import Clock, ClockKind, SeatRecord
from skerry_service.matching.criteria import ClockRange, Criteria, Skill, time_of
from skerry_service.matching.matchmaker import FoundSeat, MatchUpdate
from skerry_service.matching.ticket_streams import MatchedPlayer, TicketRequest
from skerry_service.matching.tickets import Ticket, TicketPlayer
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


def criteria(
    *seats: int,
    clocks: Sequence[ClockRange] = UNTIMED,
    options: Sequence[Any] = (),
    game: AnyGame = KRETA,
    skill: Skill | None = None,
) -> Criteria:
    accepted = [pack(one) for one in options or (game.options_type(),)]
    return Criteria(tuple((number, one) for number in seats for one in accepted), tuple(clocks), skill)


def ticket(
    number: int, *seats: int, name: str = "", callers: Sequence[bytes] = (), party: Sequence[str] = (), **how: Any
) -> Ticket:
    """Return a ticket that arrived at the uptime ``number``."""
    names = (name or f"Player {number:c}{number}", *party)
    players = tuple(TicketPlayer(one, "", f"token of {one}".encode()) for one in names)
    return Ticket(number.to_bytes(2, "big"), b"asked", number, criteria(*seats, **how), players, tuple(callers))


async def open_table(sessions: Sessions, *seats: SeatRecord, **new: Any) -> Sitting:
    """Open a public table without a chosen seed."""
    return await begin(sessions, KRETA, *seats, seed=None, **new)


class Stranger:
    """A FindMatch stream as a task beside the test. It confirms proposals unless ``confirms`` is false."""

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
        """``number``: gives the request id; ``via``: the replica that gets the confirmations."""
        player = MatchedPlayer(name or f"Stranger {number}", player_id)
        request = TicketRequest(KRETA, criteria(*(seats or (2,)), **how), (player,))
        self.updates: list[MatchUpdate] = []
        self.number = number
        self._replica, self._via, self._confirms = replica, via or replica, confirms
        self._news = asyncio.Condition()
        self.task = asyncio.create_task(self._look(request))
        # A test that needs no seat leaves the task. Its error would be logged whenever the task is collected.
        self.task.add_done_callback(lambda task: task.cancelled() or task.exception())

    async def _look(self, request: TicketRequest) -> FoundSeat:
        async with aclosing(self._replica.matchmaker.find(request, uuid(self.number))) as stream:
            async for update in stream:
                async with self._news:
                    self.updates.append(update)
                    self._news.notify_all()
                if update.proposal and self._confirms and not update.heartbeat:
                    with suppress(ProposalExpired):  # wait for the next one, as clients do
                        await self.confirm(update.proposal)
                if update.found:
                    return update.found[0]
        raise AssertionError("the stream ended without a seat")

    async def confirm(self, proposal: str) -> None:
        await self._via.matchmaker.confirm(uuid(self.number), proposal)

    async def waits(self) -> Stranger:
        """Wait for the first update."""
        await self.until(lambda: bool(self.updates))
        return self

    async def offered(self, times: int = 1) -> str:
        """Wait for that many proposals; return the last."""
        await self.until(lambda: len(self.proposals) >= times)
        return self.proposals[-1]

    @property
    def proposals(self) -> list[str]:
        return [one.proposal for one in self.updates if one.proposal and not one.heartbeat]

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait for an update after which the condition holds."""
        async with asyncio.timeout(PATIENCE), self._news:
            await self._news.wait_for(condition)

    async def finds(self) -> FoundSeat:
        """Wait for the seat."""
        async with asyncio.timeout(PATIENCE):
            return await asyncio.shield(self.task)

    async def hangs_up(self) -> None:
        """Close the stream as a client does."""
        self.task.cancel()
        await asyncio.wait([self.task])
