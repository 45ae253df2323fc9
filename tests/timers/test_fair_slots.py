"""Slots are given fairly, and none is lost when a task gives up. The clock is a number that the test advances."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

import pytest

from skerry_service.timers.fair_slots import FairSlots


class Work:
    """Work in slots, which ends when the test says so."""

    def __init__(self, slots: int) -> None:
        self.now = 0.0
        self.slots = FairSlots(slots, lambda: self.now)
        self.begun: list[str] = []
        self._ends: dict[str, asyncio.Event] = {}

    async def begin(self, name: str, share: int, *, preferred: bool = True, spare: bool = False) -> asyncio.Task[None]:
        """Start a task that works in a slot; return it once it waits or works."""
        self._ends[name] = asyncio.Event()
        slot = self.slots.spare_slot(share) if spare else self.slots.slot(share, preferred=preferred)
        task = asyncio.create_task(self._run(name, slot))
        await settle()
        return task

    async def _run(self, name: str, slot: AbstractAsyncContextManager[object]) -> None:
        async with slot:
            self.begun.append(name)
            await self._ends[name].wait()

    async def end(self, name: str, seconds: float = 1.0) -> None:
        """Let work end after so long."""
        self.now += seconds
        self._ends[name].set()
        await settle()


async def settle() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def test_the_next_slot_goes_to_the_share_that_has_had_the_least() -> None:
    work = Work(1)
    tasks = [await work.begin(f"mine {number}", 1) for number in range(3)] + [await work.begin("yours", 2)]
    assert (work.begun, work.slots.waiting) == (["mine 0"], 3)
    await work.end("mine 0")
    assert work.begun == ["mine 0", "yours"]
    for name in ("yours", "mine 1", "mine 2"):
        await work.end(name)
    await asyncio.gather(*tasks)
    assert work.slots.waiting == 0


@pytest.mark.parametrize("cancel_at", ["while it waits", "when its turn has come", "while it works"])
async def test_no_slot_is_lost_when_a_task_is_cancelled(cancel_at: str) -> None:
    work = Work(1)
    first, second = await work.begin("first", 1), await work.begin("second", 2)
    if cancel_at == "while it waits":
        second.cancel()
        await settle()
        assert work.slots.waiting == 0
        await work.end("first")
    elif cancel_at == "when its turn has come":
        first.cancel()
        await asyncio.sleep(0)  # first has given its slot to second, which has not run since
        second.cancel()
    else:
        first.cancel()
        await settle()
        second.cancel()
    await asyncio.gather(first, second, return_exceptions=True)
    third = await work.begin("third", 3)
    assert work.begun[-1] == "third"
    await work.end("third")
    await third


@pytest.mark.parametrize(("preferred", "hints_begin_at"), [(False, [1, 3, 5]), (True, [7, 15])])
async def test_no_caller_keeps_spare_work_waiting_for_ever(preferred: bool, hints_begin_at: list[int]) -> None:
    """Spare work takes turns with games of bots alone, and gets one slot in eight while tables with players wait."""
    work, games = Work(1), 20
    tasks = [await work.begin(f"decision {number}", 1, preferred=preferred) for number in range(games)]
    tasks += [await work.begin(f"hint {number}", 2, spare=True) for number in range(len(hints_begin_at))]
    for number in range(len(tasks)):
        await work.end(work.begun[number])
    await asyncio.gather(*tasks)
    waited = work.begun[1:]  # the first decision found a free slot
    assert [at for at, name in enumerate(waited) if name.startswith("hint")] == hints_begin_at


async def test_waits_are_reported_with_their_precedence() -> None:
    work, waits = Work(1), []
    report: Callable[[float, bool], None] = lambda seconds, preferred: waits.append((seconds, preferred))  # noqa: E731
    work.slots.on_wait = report
    tasks = [await work.begin("a", 1), await work.begin("b", 2, preferred=False)]
    await work.end("a", 2.5)
    await work.end("b")
    await asyncio.gather(*tasks)
    assert waits == [(0.0, True), (2.5, False)]
