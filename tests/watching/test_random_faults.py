"""Readers under random faults: lost and repeated notifications, lost entries, readers that open and close."""

from __future__ import annotations

import asyncio

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from skerry_games.kreta import GAME as KRETA
from skerry_service.domain.errors import SequenceAhead
from skerry_service.domain.limits import SessionLimits
from skerry_service.domain.table import Applied
from skerry_service.sessions.memory_store import MemoryStore
from skerry_service.sessions.service import Sessions
from tests.sessions.stores import FaultyStore
from tests.sessions.tables import Clock, log_of, move_once, sit_down
from tests.watching.stream_readers import Reader, observe

EVENTS = [
    "move here",
    "move there",
    "mute",
    "unmute",
    "look",
    "old news",
    "reader",
    "leave",
    "back up",
    "restart",
]
STEPS = st.lists(
    st.tuples(st.sampled_from([*EVENTS, "move here", "move there", "reader"]), st.integers(0, 5)),
    min_size=15,
    max_size=40,
)


class FaultyReplicas:
    """Two replicas over a store that loses entries and notifications. All readers are at the replica ``here``."""

    def __init__(self) -> None:
        self.store = FaultyStore()
        limits = SessionLimits(heartbeat_seconds=0.005)
        self.here = Sessions(self.store, clock_ms=Clock(), limits=limits)
        self.there = Sessions(self.store, clock_ms=Clock(), limits=limits)
        self.readers: list[Reader] = []
        self.gone: list[Reader] = []
        self.backup: MemoryStore | None = None
        self.lost = False

    async def begin(self) -> None:
        self.sitting = await sit_down(self.there, KRETA, 2)

    async def step(self, event: str, number: int) -> None:
        match event:
            case "move here" | "move there":
                await move_once(self.here if event == "move here" else self.there, self.sitting, number)
            case "mute" | "unmute":
                self.store.deaf = event == "mute"
            case "look":
                self.store.tell(self.sitting.id, None)
            case "old news":
                batches = await self.store.batches(self.sitting.id, 0)
                self.store.tell(self.sitting.id, batches[-1 - number % len(batches)])
            case "reader":
                self.readers.append(Reader(observe(self.here, self.sitting.id, None, 0)))
            case "leave" if self.readers:
                reader = self.readers.pop(number % len(self.readers))
                await reader.stop()
                self.gone.append(reader)
            case "back up":
                self.backup = self.store.copy_of(self.sitting.id)
            case "restart" if self.backup is not None:
                self.store.restart_from(self.backup)
                self.backup, self.lost = None, True
        for _ in range(number):
            await asyncio.sleep(0)

    async def calm(self) -> list[Applied]:
        """Wait until every reader has the whole log or an error about lost entries. Return the log."""
        self.store.deaf = False
        log = [applied for change in await log_of(self.store, self.sitting.id) for applied in change.applied]
        for reader in self.readers:
            await reader.settles(lambda reader: entries_of(reader)[-1:] == log[-1:])
        return log

    async def end(self) -> None:
        for reader in self.readers:
            await reader.stop()
        for replica in (self.here, self.there):
            await replica.close()


def entries_of(reader: Reader) -> list[Applied]:
    return [applied for update in reader.updates for applied in update.applied]


@settings(max_examples=60, phases=[Phase.generate])  # a reader that hangs would hang again in each smaller example
@given(steps=STEPS)
async def test_every_reader_has_the_log_or_an_error_about_lost_entries(steps: list[tuple[str, int]]) -> None:
    replicas = FaultyReplicas()
    await replicas.begin()
    for step in steps:
        await replicas.step(*step)
    log = await replicas.calm()
    for reader in (*replicas.readers, *replicas.gone):
        received = entries_of(reader)
        assert reader.sequences == list(range(1, len(received) + 1)), "never a gap, never a repeat"
        if reader.task.done() and not reader.task.cancelled() and reader.task.exception():
            assert replicas.lost
            assert isinstance(reader.task.exception(), SequenceAhead)
        elif not replicas.lost or reader in replicas.readers:
            assert received == log[: len(received)]
    await replicas.end()
    assert replicas.store.listening == 0
