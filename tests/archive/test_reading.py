"""Responses about a game are the same wherever it is stored; an archive that does not answer is not a missing game."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event
from typing import Any

import pytest
from msgspec.structs import replace

from skerry_games import catalogue
from skerry_games.api import AnyGame
from skerry_games.catalogue import all_games
from skerry_service.archive.archive import Archive
from skerry_service.archive.locations import MARKER, path_of
from skerry_service.archive.mover import Mover
from skerry_service.domain import table as sessions_table
from skerry_service.domain.errors import (
    GameOver,
    RequestIdReused,
    RulesetUnsupported,
    SessionDamaged,
    SessionNotFound,
    StoreUnavailable,
    TokenInvalid,
)
from skerry_service.domain.record import Clock, ClockKind, Delay, Spectating, UndoPolicy, Visibility, WebhookEvent
from skerry_service.domain.table import OPEN
from skerry_service.sessions.actions.new_session import NewSession
from skerry_service.sessions.service import Sessions
from tests.archive.games import Place, finished, received
from tests.sessions import tables
from tests.sessions.stores import FaultyStore
from tests.sessions.tables import SEED, Sitting, move_once, sit_down, uuid
from tests.tiers import one_and_deep
from tests.watching.stream_readers import observe

KINDS: dict[str, dict[str, Any]] = {
    "as it comes": {},
    "private": dict(spectating=Spectating.NOBODY, visibility=Visibility.UNLISTED),
    "for guests": dict(spectating=Spectating.INVITED, labels=(("event", "cup"),), public_player_ids=True),
    "by the clock": dict(clock=Clock(ClockKind.BANK, bank_ms=600_000)),
    "shown late": dict(delay=Delay(ms=60_000)),
    "with a move taken back": dict(undo=UndoPolicy.OWN_MOVES),
    "entries behind": dict(delay=Delay(entries=3), clock=Clock(ClockKind.PER_MOVE, grace_ms=60_000)),
}


def for_two(game: AnyGame, options: Any) -> NewSession:
    return NewSession(game, options, (OPEN, OPEN))


async def fetched(store: FaultyStore, archive: Archive) -> Sessions:
    """Return a replica that has never seen anything."""
    return Sessions(store, clock_ms=tables.Clock(), archive=archive)


@pytest.mark.parametrize("kind", KINDS)
async def test_every_viewer_receives_the_same_from_the_archive(
    store: FaultyStore, archive: Archive, sessions: Sessions, mover: Mover, kind: str
) -> None:
    sitting = await finished(sessions, **KINDS[kind])
    store.now_ms += 120_000
    before = await received(sessions, sitting, "skerry_seat_strangers")
    assert await mover.move(sitting.id)
    assert await store.load(sitting.id) is None
    assert await received(sessions, sitting, "skerry_seat_strangers") == before
    another = await fetched(store, archive)
    assert await received(another, sitting, "skerry_seat_strangers") == before
    assert before["None reads"][0] != "TokenMissing"
    await another.close()


@pytest.mark.parametrize("game", one_and_deep(all_games()))
async def test_the_archive_returns_a_finished_game_unchanged(
    store: FaultyStore, archive: Archive, sessions: Sessions, mover: Mover, game: str
) -> None:
    sitting = await sit_down(sessions, all_games()[game], all_games()[game].seats[0])
    await tables.play_out(sessions, sitting)
    before = await received(sessions, sitting)
    assert await mover.move(sitting.id)
    another = await fetched(store, archive)
    assert await received(another, sitting) == before
    await another.close()


async def test_what_was_shown_late_is_shown_whole_in_a_store_that_is_younger(
    store: FaultyStore, archive: Archive, sessions: Sessions, mover: Mover
) -> None:
    """An archive can outlive the store whose age stands in its logs."""
    sitting = await finished(sessions, delay=Delay(ms=60_000))
    store.now_ms += 60_000
    before = await received(sessions, sitting)
    await mover.move(sitting.id)
    store.now_ms = 5
    another = await fetched(store, archive)
    assert await received(another, sitting) == before
    await another.close()


async def test_what_cannot_be_done_any_more_is_refused_as_it_was(
    store: FaultyStore, sessions: Sessions, mover: Mover, archive: Archive
) -> None:
    sitting = await finished(sessions)
    another = await fetched(store, archive)
    await mover.move(sitting.id)
    for replica in (sessions, another):
        with pytest.raises(GameOver):
            await replica.players.resign(sitting.id, sitting.seats[1], uuid(7))
        with pytest.raises(TokenInvalid):
            await replica.host.label(sitting.id, "skerry_host_nobodys", (), None)
        with pytest.raises(SessionNotFound):
            await replica.get("a" * 16, None)
    await another.close()


async def test_a_replica_that_slept_through_the_end_sees_it_in_the_archive(
    store: FaultyStore, archive: Archive, sessions: Sessions, mover: Mover
) -> None:
    sleeper = await fetched(store, archive)
    sitting = await sit_down(sessions, all_games()["kreta"], 2)
    seat = (await sleeper.get(sitting.id, None))[0].to_act[0]
    one = await sleeper.moves.seated(sitting.id, sitting.seats[seat])
    await sessions.players.resign(sitting.id, sitting.seats[0], None)
    await mover.move(sitting.id)
    with pytest.raises(GameOver):
        await sleeper.moves.act(one, tables.nth_move(one.table, seat, 0), one.table.sequence, uuid(3))
    await sleeper.close()


async def test_a_session_that_ended_without_being_archived_is_not_there_for_who_knew_it(
    store: FaultyStore, sessions: Sessions, mover: Mover
) -> None:
    assert await mover.move((await finished(sessions)).id), "there is an archive, without this one"
    sitting = await sit_down(sessions, all_games()["kreta"], 2)
    store.end(sitting.id)
    with pytest.raises(SessionNotFound):
        await sessions.get(sitting.id, sitting.seats[0])


async def test_repeats_are_answered_from_the_archive(
    store: FaultyStore, archive: Archive, sessions: Sessions, mover: Mover
) -> None:
    """A call is carried out once, however much later it is repeated."""
    new = NewSession(game=all_games()["kreta"], options=all_games()["kreta"].options_type(), seats=(OPEN, OPEN))
    made = await sessions.create(new, uuid(1))
    sitting = Sitting(made[0].record.id, made[1], made[2])
    for name in ("Ada", "Bob"):
        sitting.seats.append((await sessions.players.join(sitting.id, name, None, None))[2])
    given_up = await sessions.players.resign(sitting.id, sitting.seats[0], uuid(2))
    await mover.move(sitting.id)
    another = await fetched(store, archive)
    for replica in (sessions, another):
        table, host, spectator = await replica.create(new, uuid(1))
        assert (table.sequence, host, spectator) == (given_up.sequence, sitting.host, sitting.spectator)
        with pytest.raises(RequestIdReused):
            await replica.create(replace(new, seed=SEED), uuid(1))
        assert (await replica.players.resign(sitting.id, sitting.seats[0], uuid(2))).sequence == given_up.sequence
    assert await store.load(sitting.id) is None
    await another.close()


async def test_a_rematch_and_a_fork_of_an_archived_game_are_played(
    store: FaultyStore, archive: Archive, sessions: Sessions, mover: Mover
) -> None:
    sitting = await finished(sessions)
    await mover.move(sitting.id)
    another = await fetched(store, archive)
    ada = await another.rematches.rematch(sitting.id, sitting.seats[0])
    bob = await sessions.rematches.rematch(sitting.id, sitting.seats[1])
    assert (ada.table.record.id, ada.seat, bob.seat) == (bob.table.record.id, 1, 0)
    again = Sitting(ada.table.record.id, ada.host, ada.spectator, [bob.token, ada.token])
    await move_once(sessions, again)
    forked, *_ = await sessions.rematches.fork(sitting.id, None, 5, for_two, None)
    assert forked.record.opening > 0
    await sessions.players.resign(again.id, again.seats[0], None)
    await mover.move(again.id)
    assert (await another.rematches.rematch(sitting.id, sitting.seats[0])).table.record.over
    await another.close()


async def test_webhooks_are_not_kept(
    store: FaultyStore, sessions: Sessions, mover: Mover, place: Place, archive: Archive
) -> None:
    listening = Sessions(store, clock_ms=tables.Clock(), webhooks=lambda host, port: True, archive=archive)
    sitting = await sit_down(listening, all_games()["kreta"], 2)
    await listening.webhooks.set(sitting.id, sitting.seats[0], "https://hooks.example/ada", (WebhookEvent.TURN,), None)
    await listening.webhooks.set(sitting.id, sitting.host, "https://hooks.example/host", (WebhookEvent.END,), None)
    await listening.players.resign(sitting.id, sitting.seats[0], None)
    before = await received(listening, sitting)
    assert await mover.move(sitting.id)
    assert await received(listening, sitting) == before
    kept = await archive.get(sitting.id)
    assert kept is not None and b"hooks.example" not in b"".join(kept.batches)
    await listening.close()


async def test_a_ruleset_that_is_not_carried_is_said_and_the_game_is_not_lost(
    store: FaultyStore, archive: Archive, sessions: Sessions, mover: Mover, monkeypatch: pytest.MonkeyPatch
) -> None:
    sitting, waiting = await finished(sessions), await finished(sessions)
    await mover.move(sitting.id)
    newer = {**all_games(), "kreta": dataclasses.replace(all_games()["kreta"], ruleset="kreta-99")}
    with monkeypatch.context() as later:
        for module in (catalogue, sessions_table):
            later.setattr(module, "all_games", lambda: newer)
        another = await fetched(store, archive)
        with pytest.raises(RulesetUnsupported):
            await another.get(sitting.id, None)
        with pytest.raises(RulesetUnsupported):
            await mover.move(waiting.id)
        await another.close()
    assert await store.load(waiting.id) is not None
    assert (await sessions.get(sitting.id, None))[0].record.over


# ---------------------------------------------------------------- when the archive is away


@contextmanager
def away(place: Place) -> Iterator[None]:
    def refuse(call: str) -> None:
        raise PermissionError("the disk has caught fire")

    place.before = refuse
    yield
    place.before = lambda call: None


async def test_an_archive_that_fails_is_no_game_that_is_not_there(
    store: FaultyStore, archive: Archive, sessions: Sessions, mover: Mover, place: Place
) -> None:
    sitting, playing = await finished(sessions), await sit_down(sessions, all_games()["kreta"], 2)
    just_over = await finished(sessions)
    await archive.begin()
    await mover.move(sitting.id)
    another = await fetched(store, archive)
    with away(place):
        for session in (sitting.id, "a" * 16):
            with pytest.raises(StoreUnavailable, match="archive of finished games is unavailable") as refusal:
                await another.get(session, None)
            assert refusal.value.retry_after == 5.0
            with pytest.raises(StoreUnavailable):
                await another.replay(session, None)
            with pytest.raises(StoreUnavailable):
                await anext(observe(another, session, None, 0))
        await move_once(another, playing)
        assert (await received(another, just_over))["None gets"] == (await received(sessions, just_over))["None gets"]
        assert (await another.rematches.rematch(just_over.id, just_over.seats[0])).seat == 1
        await sit_down(another, all_games()["kreta"], 2)
        assert len((await another.public(None, 10, lambda record: True)).sessions) == 4
    assert (await another.get(sitting.id, None))[0].record.over
    with pytest.raises(SessionNotFound):
        await another.get("a" * 16, None)
    await another.close()


async def test_a_disk_that_is_not_mounted_is_no_empty_archive(
    sessions: Sessions, mover: Mover, place: Place, archive: Archive
) -> None:
    sitting = await finished(sessions)
    await archive.begin()
    await mover.move(sitting.id)
    place.inner.delete(MARKER)
    with pytest.raises(StoreUnavailable):
        await sessions.get("a" * 16, None)


@pytest.mark.parametrize("calls", ["create", "fork"])
async def test_a_new_session_without_a_request_id_does_not_ask_the_archive(
    store: FaultyStore, sessions: Sessions, mover: Mover, place: Place, archive: Archive, calls: str
) -> None:
    """Its id is random, so the archive cannot have it. An id that derives from a request id may be in the archive."""
    source, another = await finished(sessions), await fetched(store, archive)
    await mover.move(source.id)
    new = for_two(all_games()["kreta"], all_games()["kreta"].options_type())

    async def make(request_id: bytes | None) -> None:
        if calls == "create":
            await another.create(new, request_id)
        else:
            await another.rematches.fork(source.id, None, 5, for_two, request_id)

    await make(None)  # reads the source of the fork
    place.calls.clear()
    await make(uuid(7))
    with_id = len(place.calls)
    place.calls.clear()
    await make(None)
    assert len(place.calls) < with_id
    assert calls == "fork" or not place.calls


async def test_one_that_hangs_holds_up_nobody_who_does_not_need_it(
    store: FaultyStore, sessions: Sessions, mover: Mover, place: Place, archive: Archive
) -> None:
    sitting, playing = await finished(sessions), await sit_down(sessions, all_games()["kreta"], 2)
    await mover.move(sitting.id)
    release, another = Event(), await fetched(store, archive)
    place.before = lambda call: print(release.wait(30))
    reads = [asyncio.create_task(another.get(f"{'a' * 14}{a}{b}", None)) for a in "abcde" for b in "abcdef"]
    reads += [asyncio.create_task(another.get(sitting.id, None)) for _ in range(30)]
    for pick in range(3):
        await move_once(another, playing, pick)
    assert not any(read.done() for read in reads)
    release.set()
    received = await asyncio.gather(*reads, return_exceptions=True)
    assert {type(one) for one in received[:30]} == {SessionNotFound}
    assert all(isinstance(one, tuple) and one[0].record.over for one in received[30:])
    await another.close()


async def test_one_that_hangs_is_not_waited_for_without_end(
    store: FaultyStore, sessions: Sessions, mover: Mover, place: Place
) -> None:
    sitting = await finished(sessions)
    await mover.move(sitting.id)
    release = Event()
    place.before = lambda call: print(release.wait(30))
    hasty = await fetched(store, Archive(place, patience_seconds=0.05))
    for _ in range(2):
        reads = [hasty.get(f"{'b' * 14}{a}{b}", None) for a in "abcde" for b in "abcde"]
        received = await asyncio.gather(*reads, return_exceptions=True)
        assert {type(one) for one in received} == {StoreUnavailable}
    release.set()
    patient = await fetched(store, Archive(place, patience_seconds=30.0))
    assert (await patient.get(sitting.id, None))[0].record.over
    for one in (hasty, patient):
        await one.close()


async def test_what_is_asked_for_by_many_is_read_once(
    sessions: Sessions, mover: Mover, place: Place, store: FaultyStore
) -> None:
    sitting = await finished(sessions)
    await mover.move(sitting.id)
    now, results = [0.0], list[str]()
    archive = Archive(place, clock=lambda: now[0], on_read=results.append)
    another = await fetched(store, archive)
    place.calls.clear()
    await asyncio.gather(*(another.get(sitting.id, None) for _ in range(20)))
    assert place.calls == ["read"] and results == ["found"]
    now[0] += 61.0
    await another.get(sitting.id, None)
    assert place.calls == ["read", "read"]
    with pytest.raises(SessionNotFound):
        await another.get("a" * 16, None)
    assert results[-1] == "missing"
    await another.close()


@pytest.mark.parametrize("damage", ["cut off", "another's", "not ours", "a byte"])
async def test_a_damaged_object_is_reported_as_damaged(
    store: FaultyStore, archive: Archive, sessions: Sessions, mover: Mover, place: Place, damage: str
) -> None:
    sitting, other = await finished(sessions), await finished(sessions)
    await mover.move(sitting.id)
    await mover.move(other.id)
    path = str(path_of(sitting.id))
    whole = place.inner.read(path) or b""
    middle = len(whole) // 2
    spoilt = {
        "cut off": whole[:-9],
        "another's": place.inner.read(str(path_of(other.id))) or b"",
        "not ours": b"x" * 2**20,
        "a byte": whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :],
    }
    place.inner.replace(path, spoilt[damage])
    another = await fetched(store, archive)
    with pytest.raises(SessionDamaged):
        await another.get(sitting.id, None)
    assert (await another.get(other.id, None))[0].record.over
    await another.close()
