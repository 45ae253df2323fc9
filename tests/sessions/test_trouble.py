"""Whatever is called, and however late, at whichever replica: what a session promises holds."""

from __future__ import annotations

import pytest
from hypothesis import Phase as Phases
from hypothesis import given, settings
from hypothesis import strategies as st

from skerry.v1 import session_pb2
from skerry_service.domain.clocks import could_move_in_time
from skerry_service.domain.cooperative import run_to_completion
from skerry_service.domain.errors import SkerryError
from skerry_service.domain.log import Started
from skerry_service.domain.record import Cause, Occupant, Phase
from skerry_service.domain.table import Applied, Table
from skerry_service.replays.verification import first_difference
from skerry_service.sessions.store_port import Tip
from skerry_service.wire.session_messages import entries_to_wire, write_session
from skerry_service.wire.splice import message_field
from tests.sessions.tables import Sitting, log_of, stored
from tests.sessions.trouble import Trouble

WEIGHTS = {
    Trouble.create: 2,
    Trouble.join: 5,
    Trouble.fill: 4,
    Trouble.host: 8,
    Trouble.go: 3,
    Trouble.come_back: 3,
    Trouble.nudge: 2,
    Trouble.hook: 2,
    Trouble.rematch: 3,
    Trouble.fork: 3,
    Trouble.act: 12,
    Trouble.passes: 8,
    Trouble.repeat: 6,
}


def require_sound(table: Table, uptime_ms: int) -> None:
    """Require what is so of every table."""
    record = table.record
    assert (record.phase is Phase.FINISHED) == (record.outcome is not None)
    assert len({one.name for one in record.seats if one.name}) == sum(one.name != "" for one in record.seats)
    if record.playing and not record.is_paused:
        assert table.to_act, "somebody is to act"
        assert not [seat for seat in table.to_act if record.seats[seat].moves_instantly]
    assert not record.is_paused or any(may_come_back(table, seat) for seat in range(len(record.seats)))
    for seat, clock in enumerate(table.clocks):
        plays = record.seats[seat].occupant is Occupant.PLAYER
        owes = seat in table.to_act and (plays or record.seats[seat].cause is not None)
        assert clock.has_turn == owes, "time runs for players and substitutes who owe a decision"
        assert clock.suspended == (owes and not plays)
        assert not (clock.suspended and record.is_paused and clock.return_until_ms), "a pause measures no time"
        assert min(clock.left_ms, clock.grace_ms, uptime_ms - clock.since_ms) >= 0


def may_come_back(table: Table, seat: int) -> bool:
    """Whether the game waits for the owner of that seat."""
    cause, clock = table.record.seats[seat].cause, table.record.clock
    if cause is Cause.OUT_OF_TIME:
        return clock is not None and could_move_in_time(clock, table.clocks[seat])
    return cause is Cause.ABSENT


def require_verified(table: Table, log: list[Applied]) -> None:
    """Require that a finished game is retold from its replay."""
    replay = session_pb2.Replay(session=write_session(table.record, table.sequence, "", with_player_ids=False))
    entries = run_to_completion(entries_to_wire(table, log, None))
    replay.MergeFromString(b"".join(map(message_field(session_pb2.Replay, "entries"), entries)))
    assert first_difference(replay) is None


async def shown(trouble: Trouble, one: Sitting, table: Table, log: list[Applied]) -> int:
    """Return how far spectators are shown a session: the same by every replica."""
    received = []
    for replica in trouble.replicas:
        try:
            received.append((await replica.get(one.id, one.spectator or None))[0])
        except SkerryError:
            return 0
    assert received[0] == received[1]
    delay = table.record.delay
    if delay and delay.entries and table.record.playing:
        started = next(applied.sequence for applied in log if isinstance(applied.entry, Started))
        assert received[0].sequence == max(started, table.sequence - delay.entries)
    return received[0].sequence


class Watch:
    """Looks at all sessions that something has happened at."""

    def __init__(self, trouble: Trouble) -> None:
        self.trouble = trouble
        self._tips: dict[str, Tip | None] = {}
        self._shown: dict[str, int] = {}
        """How far spectators have been shown each."""

    async def look(self) -> None:
        store = self.trouble.store
        for one in self.trouble.sittings.values():
            if self._tips.get(one.id) != (tip := await store.tip(one.id)):
                self._tips[one.id] = tip
                changes = await log_of(store, one.id)
                assert changes[-1].table == await stored(store, one.id)
                await self._look_at(
                    one, changes[-1].table, [applied for change in changes for applied in change.applied]
                )

    async def _look_at(self, one: Sitting, table: Table, log: list[Applied]) -> None:
        assert [applied.sequence for applied in log] == list(range(1, len(log) + 1))
        require_sound(table, self.trouble.store.now_ms)
        sequence = await shown(self.trouble, one, table, log)
        assert sequence >= self._shown.get(one.id, 0), "what was shown is shown"
        self._shown[one.id] = sequence
        if table.record.phase is Phase.FINISHED:
            require_verified(table, log)


async def in_trouble(seed: int, steps: int) -> None:
    trouble = Trouble(seed)
    watch = Watch(trouble)
    await trouble.create()
    for step in trouble.dice.choices([*WEIGHTS], [*WEIGHTS.values()], k=steps):
        await step(trouble)
        await watch.look()
    await trouble.close()


@settings(max_examples=5, phases=[Phases.generate])
@given(seed=st.integers(0, 2**32))
async def test_sessions_in_trouble_keep_their_word(seed: int) -> None:
    await in_trouble(seed, 120)


@pytest.mark.deep
@pytest.mark.timeout(150)
@settings(max_examples=50, phases=[Phases.generate])
@given(seed=st.integers(0, 2**32))
async def test_many_sessions_in_trouble_keep_their_word(seed: int) -> None:
    await in_trouble(seed, 200)
