"""Sessions on their way to the archive: wherever that is stopped, each is in one place or in both, never in none."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import pytest
from msgspec.structs import replace

from skerry.v1 import service_pb2 as pb
from skerry_games.catalogue import all_games
from skerry_service.api.session_methods import Methods
from skerry_service.archive.archive import Archive
from skerry_service.archive.archived_session import restored
from skerry_service.archive.locations import MARKER, Directory, path_of, sessions_at, sessions_between
from skerry_service.archive.mover import Mover
from skerry_service.domain.errors import SessionDamaged, StoreFull, StoreUnavailable
from skerry_service.domain.packed import Head
from skerry_service.domain.record import Delay, WebhookEvent
from skerry_service.domain.table import BOT, OPEN
from skerry_service.sessions.memory_schedule import MemorySchedule
from skerry_service.sessions.memory_store import MemoryFinishedSessions
from skerry_service.sessions.schedule_port import Lease, Queue
from skerry_service.sessions.service import Sessions
from skerry_service.sessions.store_port import ArchivedData, Tip
from tests.archive.games import Place, archive_due, finished, received
from tests.sessions.stores import FaultyStore
from tests.sessions.tables import Clock, Sitting, begin, sit_down
from tests.store.schedules import due

HOUR = 3_600_000


class Stopped(Exception):
    """The process is no more."""


class Stops:
    """Counts the steps of a move, before and behind each thing that is done outside, and stops at one of them."""

    def __init__(self, at: int) -> None:
        self.at, self.seen = at, 0

    def step(self, call: str = "") -> None:
        self.seen += 1
        if self.seen == self.at:
            raise Stopped


class StoppingStore(FaultyStore):
    """A store that takes such steps."""

    def __init__(self, stops: Stops) -> None:
        super().__init__()
        self.finished = StoppingFinished(self._sessions, stops)
        self.schedule = StoppingSchedule(lambda: self.now_ms, stops)
        self._stops = stops

    async def unlist(self, sessions: Sequence[str]) -> None:
        self._stops.step()
        await super().unlist(sessions)
        self._stops.step()


class StoppingFinished(MemoryFinishedSessions):
    def __init__(self, sessions: dict[str, Any], stops: Stops) -> None:
        super().__init__(sessions)
        self._stops = stops

    async def read(self, session: str) -> ArchivedData | None:
        self._stops.step()
        return await super().read(session)

    async def delete(self, session: str, tip: Tip) -> bool:
        self._stops.step()
        left = await super().delete(session, tip)
        self._stops.step()
        return left


class StoppingSchedule(MemorySchedule):
    def __init__(self, clock_ms: Callable[[], int], stops: Stops) -> None:
        super().__init__(clock_ms)
        self._stops = stops

    async def done(self, lease: Lease, again_ms: int | None = None) -> None:
        self._stops.step()
        await super().done(lease, again_ms)


STEPS = 20


async def stopped_at(step: int, place: Place) -> tuple[Stops, StoppingStore, Sitting, list[bytes]]:
    """Finish a game and stop its move at a step. Return also what is received of it before."""
    stops = Stops(0)
    store = StoppingStore(stops)
    sessions = Sessions(store, clock_ms=Clock())
    sitting = await finished(sessions, moves=1)
    before = await sent_to_seat(sessions, sitting)
    await store.schedule.at("archive", sitting.id, 0)
    stops.at = step
    place.before = place.after = stops.step
    with suppress(Stopped, StoreUnavailable):
        await archive_due(Mover(store, Archive(place), after_ms=0))
    place.before = place.after = lambda call: None
    stops.at = 0
    await sessions.close()
    return stops, store, sitting, before


async def sent_to_seat(sessions: Sessions, sitting: Sitting) -> list[bytes]:
    methods, name = Methods(sessions), f"sessions/{sitting.id}"
    got = await methods.get_session(pb.GetSessionRequest(name=name), sitting.seats[1])
    replay = await methods.get_replay(pb.GetReplayRequest(name=name), None)
    return [got.serialized(), replay.serialized()]


@pytest.mark.parametrize("step", range(1, STEPS + 1))
async def test_a_move_interrupted_anywhere_changes_no_response_and_moves_the_game_once(place: Place, step: int) -> None:
    stops, store, sitting, before = await stopped_at(step, place)
    assert stops.seen >= step
    archive = Archive(place)
    sessions = Sessions(store, clock_ms=Clock(), archive=archive)
    assert await sent_to_seat(sessions, sitting) == before
    store.now_ms += HOUR
    await archive_due(Mover(store, archive, after_ms=0))
    assert await store.load(sitting.id) is None
    assert await due(store, "archive") == []
    assert await sent_to_seat(sessions, sitting) == before
    assert list(sessions_at(place)) == [sitting.id]
    await sessions.close()


async def test_no_step_is_left_out(place: Place) -> None:
    stops, store, sitting, _ = await stopped_at(0, place)
    assert stops.seen == STEPS
    assert await store.load(sitting.id) is None


async def test_replicas_that_move_the_same_session_at_once_move_it_once(
    store: FaultyStore, sessions: Sessions, place: Place
) -> None:
    sitting = await finished(sessions)
    before, moved = await received(sessions, sitting), list[str]()
    movers = [Mover(store, Archive(place), 0, moved.append) for _ in range(4)]
    await asyncio.gather(*(mover.move(sitting.id) for mover in movers))
    assert set(moved) == {"kreta"}
    assert await store.load(sitting.id) is None
    assert await received(sessions, sitting) == before


async def test_the_archive_has_the_very_log_that_the_store_had(
    store: FaultyStore, sessions: Sessions, mover: Mover, archive: Archive
) -> None:
    """So no replica reads a session anew because it has moved."""
    sitting = await finished(sessions)
    head, batches = await store.load(sitting.id), await store.batches(sitting.id, 0)
    await mover.move(sitting.id)
    found, kept = await archive.find(sitting.id), await archive.get(sitting.id)
    assert found is not None and kept is not None
    assert (found.head, list(found.batches)) == (head, list(batches))
    assert restored(kept) == found.batches != kept.batches


async def test_a_log_that_lost_entries_within_is_not_restored(
    store: FaultyStore, sessions: Sessions, archive: Archive, mover: Mover
) -> None:
    sitting = await finished(sessions)
    await store.schedule.at("archive", sitting.id, 0)
    assert await archive_due(mover) == 1
    kept = await archive.get(sitting.id)
    assert kept is not None
    with pytest.raises(ValueError, match="the chain of its log is broken"):
        restored(replace(kept, batches=(*kept.batches[:1], *kept.batches[2:])))


async def test_games_move_when_their_time_has_come(store: FaultyStore, sessions: Sessions, archive: Archive) -> None:
    mover = Mover(store, archive, after_ms=6 * HOUR)
    sessions.watch(mover.saw)
    over, late = await finished(sessions), await finished(sessions, delay=Delay(ms=HOUR))
    playing = await sit_down(sessions, all_games()["kreta"], 2)
    assert await archive_due(mover) == 0
    store.now_ms += 6 * HOUR
    assert await archive_due(mover) == 1
    assert await store.load(over.id) is None
    assert await store.load(late.id) is not None
    store.now_ms += HOUR
    assert await archive_due(mover) == 1
    store.now_ms += 1000 * HOUR
    assert await archive_due(mover) == 0
    assert await store.load(playing.id) is not None


async def test_what_is_gone_is_noted_no_longer(store: FaultyStore, mover: Mover) -> None:
    await store.schedule.at("archive", "gone", 0)
    assert await archive_due(mover) == 0
    store.now_ms += HOUR
    assert await due(store, "archive") == []


async def test_games_move_out_of_a_store_without_room_for_a_note(
    store: FaultyStore, sessions: Sessions, mover: Mover, monkeypatch: pytest.MonkeyPatch
) -> None:
    noted, new = await finished(sessions), await finished(sessions)
    await store.schedule.at("archive", noted.id, 0)
    mover.saw(await sessions.live(new.id))

    async def refuse(queue: Queue, session: str, after_ms: int) -> None:
        raise StoreFull

    with monkeypatch.context() as full:
        full.setattr(store.schedule, "at", refuse)
        assert await archive_due(mover) == 1
    assert await store.load(noted.id) is None
    assert await archive_due(mover) == 1
    assert await store.load(new.id) is None


async def test_a_game_stays_until_its_last_webhook_can_be_sent(store: FaultyStore, archive: Archive) -> None:
    sessions = Sessions(store, clock_ms=Clock(), webhooks=lambda host, port: True)
    mover = Mover(store, archive, after_ms=0)
    sessions.watch(mover.saw)
    sitting = await sit_down(sessions, all_games()["kreta"], 2)
    await sessions.webhooks.set(sitting.id, sitting.host, "https://hooks.example/", (WebhookEvent.END,), None)
    await sessions.players.resign(sitting.id, sitting.seats[0], None)
    assert await archive_due(mover) == 0
    store.now_ms += HOUR
    assert await archive_due(mover) == 0
    store.now_ms += HOUR
    assert await archive_due(mover) == 1
    await sessions.close()


async def test_what_was_finished_before_there_was_an_archive_or_noted_by_nobody_is_found(
    store: FaultyStore, archive: Archive
) -> None:
    sessions = Sessions(store, clock_ms=Clock())
    over = [(await finished(sessions)).id for _ in range(3)]
    off = await begin(sessions, all_games()["kreta"], OPEN, OPEN)
    bots = await begin(sessions, all_games()["kreta"], BOT, BOT)
    await sessions.host.cancel(off.id, off.host, None)
    mover = Mover(store, archive, after_ms=0)
    await mover.scan_store()
    assert await archive_due(mover) == 3
    assert [await store.load(one) for one in over] == [None] * 3
    assert await store.load(bots.id) is not None  # as before, games of bots alone end soon, and nobody keeps them
    assert await store.load(off.id) is not None
    await sessions.close()


async def test_a_damaged_session_keeps_none_behind_it_from_being_found(
    store: FaultyStore, archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    sessions = Sessions(store, clock_ms=Clock())
    torn, whole = await finished(sessions), await finished(sessions)
    load = store.load

    async def load_whole(session: str) -> Head | None:
        if session == torn.id:
            raise SessionDamaged(session)
        return await load(session)

    monkeypatch.setattr(store, "load", load_whole)
    await Mover(store, archive, after_ms=0).scan_store()
    assert await due(store, "archive") == [whole.id]
    await sessions.close()


async def test_a_damaged_session_stays_and_holds_up_no_other(
    store: FaultyStore, sessions: Sessions, archive: Archive, caplog: pytest.LogCaptureFixture
) -> None:
    mover = Mover(store, archive, after_ms=0)
    sessions.watch(mover.saw)
    torn, cut, whole = [await finished(sessions) for _ in range(3)]
    store._sessions[torn.id].batches[2] = b"rubbish"
    del store._sessions[cut.id].batches[-1]
    assert await archive_due(mover) == 1
    assert await store.load(whole.id) is None
    for one in (torn, cut):
        assert await store.load(one.id) is not None
        assert f"session {one.id} stays in the store" in caplog.text
    assert await archive_due(mover) == 0


async def test_another_session_of_that_id_is_not_written_over(
    store: FaultyStore, sessions: Sessions, mover: Mover, place: Place, archive: Archive
) -> None:
    sitting, other = await finished(sessions), await finished(sessions)
    await mover.move(other.id)
    kept = await archive.get(other.id)
    assert kept is not None
    await archive.put(replace(kept, session=sitting.id))
    before = place.inner.read(str(path_of(sitting.id)))
    await store.schedule.at("archive", sitting.id, 0)
    assert await archive_due(mover) == 0
    assert await store.load(sitting.id) is not None
    assert place.inner.read(str(path_of(sitting.id))) == before


async def test_what_a_broken_disk_made_of_an_object_is_written_anew(
    store: FaultyStore, sessions: Sessions, mover: Mover, place: Place, archive: Archive
) -> None:
    sitting = await finished(sessions)
    await archive.begin()
    place.inner.create(str(path_of(sitting.id)), b"half of")
    assert await mover.move(sitting.id)
    assert await archive.find(sitting.id) is not None


async def test_nothing_leaves_the_store_that_cannot_be_read_back(
    store: FaultyStore, sessions: Sessions, mover: Mover, place: Place
) -> None:
    sitting = await finished(sessions)

    class Forgetful(Directory):
        def create(self, path: str, data: bytes) -> None:
            super().create(path, data if path == MARKER else data[:100])

        def replace(self, path: str, data: bytes) -> None:
            super().replace(path, data[:100])

    assert isinstance(place.inner, Directory)
    place.inner = Forgetful(place.inner._root)
    with pytest.raises(StoreUnavailable):
        await mover.move(sitting.id)
    assert await store.load(sitting.id) is not None


async def test_what_was_moved_is_listed_by_day_and_game_and_not_by_the_store(
    store: FaultyStore, sessions: Sessions, mover: Mover, place: Place
) -> None:
    sitting, other = await finished(sessions), await finished(sessions, "canarias", 1)
    for one in (sitting, other):
        await mover.move(one.id)
    day = "2023-11-14"
    assert list(sessions_between(place, day, day, "kreta")) == [sitting.id]
    assert sorted(sessions_between(place, "0000", "9999", None)) == sorted(sessions_at(place))
    assert list(sessions_between(place, "2023-11-15", "9999", None)) == []
    assert (await sessions.public(None, 10, lambda record: True)).sessions == []
    assert await store.list_sessions(None, 10) == []
