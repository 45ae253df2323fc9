"""Hints whose callers go away: one that waits for a bot is dropped with its last caller, one that has begun is kept."""

from __future__ import annotations

import asyncio
from contextlib import AbstractAsyncContextManager

import pytest

from skerry_games.kreta import GAME as KRETA
from skerry_games.players.chances import Chances
from skerry_service.domain.bot_decisions import Decision, OpenPosition, RankedMoves
from skerry_service.domain.errors import NotYourTurn
from skerry_service.sessions.actions.move_hints import MoveHint
from skerry_service.sessions.service import Sessions
from skerry_service.timers.fair_slots import FairSlots
from tests.sessions.tables import Sitting, live, sit_down

GAME = 9
"""The share of other work."""
ADA, BOB = 1, 2
"""Shares of creators."""


class Bots:
    """One bot, which ranks the legal moves in reverse order."""

    def __init__(self) -> None:
        self.slot = FairSlots(1).spare_slot
        self.asked = 0
        self.was_asked = asyncio.Event()
        self.go_on = asyncio.Event()
        self.go_on.set()

    def analysis_slot(self, share: int) -> AbstractAsyncContextManager[None]:
        raise NotImplementedError

    async def chances(self, position: OpenPosition) -> Chances:
        raise NotImplementedError

    async def rank(self, decision: Decision) -> RankedMoves:
        self.asked += 1
        self.was_asked.set()
        await self.go_on.wait()
        return [(move, 0.5) for move in reversed(decision.legal_moves)]


@pytest.fixture
def bots(sessions: Sessions) -> Bots:
    bots = Bots()
    sessions.hints.bots = bots
    return bots


async def ask(sessions: Sessions, sitting: Sitting, callers: int) -> list[asyncio.Task[MoveHint]]:
    """Let the player that is to act ask for a hint so many times, and let all calls wait."""
    token = sitting.seats[(await live(sessions, sitting)).to_act[0]]
    asking = [asyncio.create_task(sessions.hints.hint(sitting.id, token)) for _ in range(callers)]
    await settle()
    return asking


async def settle() -> None:
    """Let everything happen that can happen without time."""
    for _ in range(100):
        await asyncio.sleep(0)


async def leave(call: asyncio.Task[MoveHint]) -> None:
    call.cancel()
    await asyncio.gather(call, return_exceptions=True)
    await settle()


async def test_a_hint_that_waits_is_dropped_with_its_last_caller(sessions: Sessions, bots: Bots) -> None:
    sitting = await sit_down(sessions, KRETA, 2, hints=True)
    async with bots.slot(GAME):
        first, second = await ask(sessions, sitting, 2)
        await leave(first)
        await leave(second)
    await settle()
    assert bots.asked == 0
    (again,) = await ask(sessions, sitting, 1)
    assert (await again).ranked
    assert bots.asked == 1


async def test_a_hint_that_waits_is_kept_for_the_callers_that_stay(sessions: Sessions, bots: Bots) -> None:
    sitting = await sit_down(sessions, KRETA, 2, hints=True)
    async with bots.slot(GAME):
        first, second = await ask(sessions, sitting, 2)
        await leave(first)
    assert (await second).ranked
    assert bots.asked == 1


async def test_a_hint_that_has_begun_is_finished_and_kept(sessions: Sessions, bots: Bots) -> None:
    sitting = await sit_down(sessions, KRETA, 2, hints=True)
    bots.go_on.clear()
    (gone,) = await ask(sessions, sitting, 1)
    await bots.was_asked.wait()
    await leave(gone)
    bots.go_on.set()
    (again,) = await ask(sessions, sitting, 1)
    assert (await again).ranked
    assert bots.asked == 1


async def test_four_hundred_callers_get_the_same_hint_of_one_bot(sessions: Sessions, bots: Bots) -> None:
    sitting = await sit_down(sessions, KRETA, 2, hints=True)
    async with bots.slot(GAME):
        asking = await ask(sessions, sitting, 400)
        waiting = sitting.seats[1 - (await live(sessions, sitting)).to_act[0]]
        with pytest.raises(NotYourTurn):
            await sessions.hints.hint(sitting.id, waiting)
    hints = await asyncio.gather(*asking)
    assert len({id(hint.ranked) for hint in hints}) == bots.asked == 1


async def test_a_creator_of_many_tables_delays_the_hints_of_no_other(sessions: Sessions, bots: Bots) -> None:
    many = [await sit_down(sessions, KRETA, 2, hints=True, share=ADA) for _ in range(40)]
    one = await sit_down(sessions, KRETA, 2, hints=True, share=BOB)
    async with bots.slot(GAME):
        crowd = [call for sitting in many for call in await ask(sessions, sitting, 1)]
        (call,) = await ask(sessions, one, 1)
    assert (await call).ranked
    assert bots.asked <= 3
    await asyncio.gather(*crowd)
    assert bots.asked == 41
