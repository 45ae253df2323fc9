"""Matchmaking by two replicas over one store, whose uptime the tests advance."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import Any

import pytest

from skerry_games.kreta import GAME as KRETA
from skerry_service.domain.errors import ProposalExpired, RequestIdReused, ShuttingDown
from skerry_service.domain.limits import SessionLimits
from skerry_service.domain.record import Phase, Visibility
from skerry_service.domain.table import BOT, OPEN
from skerry_service.domain.tokens import recognise
from skerry_service.matching.tickets import CONFIRM_MS
from skerry_service.sessions.actions.new_session import NewSession
from skerry_service.sessions.match_port import LEASE_MS
from skerry_service.sessions.service import Sessions
from tests.matching.strangers import PATIENCE, Stranger, between, open_table
from tests.matching.strangers import bank as clock_of
from tests.sessions.stores import FaultyStore
from tests.sessions.tables import Clock, begin, uuid


async def seats_of(*strangers: Stranger) -> list[int]:
    """Wait until all have seats; check that they share a table and have different seats."""
    found = [await one.finds() for one in strangers]
    assert len({one.table.record.id for one in found}) == 1
    for one in found:
        assert recognise(one.table.record, one.token).seat == one.seat
    return [one.seat for one in found]


async def test_two_strangers_share_a_table_and_the_game_begins(sessions: Sessions, another: Sessions) -> None:
    ada = await Stranger(sessions, 1, name="Ada", player_id="account-1").waits()
    bob = Stranger(another, 2, name="Bob")
    assert sorted(await seats_of(ada, bob)) == [0, 1]
    record = (await ada.finds()).table.record
    assert record.phase is Phase.PLAYING
    assert sorted(record.names) == ["Ada", "Bob"]
    assert {one.player_id for one in record.seats} == {"account-1", ""}
    assert record.visibility is Visibility.PUBLIC
    assert ada.updates[0].proposal is None
    assert not ada.updates[0].heartbeat


async def test_the_clock_fits_both_tickets(sessions: Sessions) -> None:
    ada = Stranger(sessions, 1, clocks=[between(clock_of(1), clock_of(5))])
    bob = Stranger(sessions, 2, clocks=[between(clock_of(3), clock_of(9))])
    await seats_of(ada, bob)
    assert (await ada.finds()).table.record.clock == clock_of(3)


async def test_tickets_that_do_not_fit_keep_waiting(sessions: Sessions) -> None:
    ada, bob = await Stranger(sessions, 1, 2).waits(), await Stranger(sessions, 2, 3).waits()
    cyd = await Stranger(sessions, 3, 2, clocks=[between(clock_of(1), clock_of(5))]).waits()
    await sessions.matchmaker.poll()
    assert not ada.proposals + bob.proposals + cyd.proposals
    assert not any(one.task.done() for one in (ada, bob, cyd))
    await asyncio.gather(*(one.hangs_up() for one in (ada, bob, cyd)))


async def test_the_open_table_that_needs_the_fewest_players_is_filled_first(
    sessions: Sessions, another: Sessions
) -> None:
    large, small = await open_table(sessions, *[OPEN] * 4), await open_table(sessions, *[OPEN] * 2)
    await open_table(sessions, *[OPEN] * 2, requires_join_code=True)
    await open_table(sessions, *[OPEN] * 2, visibility=Visibility.UNLISTED)
    await open_table(sessions, *[OPEN] * 2, clock=clock_of(3))
    found = [
        await Stranger(replica, number, 2, 4).finds() for number, replica in enumerate((sessions, another, sessions))
    ]
    assert [one.table.record.id for one in found] == [small.id, small.id, large.id]
    assert found[1].table.record.phase is Phase.PLAYING


async def test_tables_with_hints_or_whose_host_can_know_what_is_hidden_are_skipped(sessions: Sessions) -> None:
    over = await begin(sessions, KRETA, BOT, BOT)
    fork = partial(NewSession, seats=(OPEN, OPEN), visibility=Visibility.PUBLIC)
    await sessions.rematches.fork(over.id, None, 8, fork, None)
    await begin(sessions, KRETA, OPEN, OPEN, seed=bytes(32))
    await open_table(sessions, OPEN, OPEN, hints=True)
    sitting = await open_table(sessions, OPEN, OPEN)
    found = [await Stranger(sessions, number).finds() for number in range(2)]
    assert {one.table.record.id for one in found} == {sitting.id}
    ada = await Stranger(sessions, 3).waits()
    assert not ada.task.done()
    await ada.hangs_up()


async def test_a_table_that_opens_later_seats_waiting_tickets(
    sessions: Sessions, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("skerry_service.matching.matchmaker._READ_TABLES_SECONDS", 0.0)
    ada = await Stranger(sessions, 1).waits()
    sitting = await open_table(sessions, OPEN, OPEN)
    assert (await ada.finds()).table.record.id == sitting.id


async def test_a_player_whose_name_is_taken_at_an_open_table_waits_for_another_table(sessions: Sessions) -> None:
    sitting = await open_table(sessions, OPEN, OPEN)
    await sessions.players.join(sitting.id, "Ada", None, None)
    ada = await Stranger(sessions, 1, name="ADA").waits()
    assert not ada.task.done()
    await ada.hangs_up()


async def test_a_closed_stream_gets_no_seat(sessions: Sessions, another: Sessions) -> None:
    ada = await Stranger(sessions, 1).waits()
    await ada.hangs_up()
    await sessions.matchmaker.poll()
    bob = await Stranger(another, 2).waits()
    cyd = Stranger(another, 3)
    await seats_of(bob, cyd)


async def test_a_client_that_does_not_confirm_gets_no_seat_and_the_others_keep_their_positions(
    sessions: Sessions, another: Sessions
) -> None:
    """The server cannot tell that the client is gone: the connection stays open."""
    dead = await Stranger(sessions, 1, confirms=False).waits()
    bob = await Stranger(another, 2).waits()
    await bob.offered()
    store = sessions._store
    assert isinstance(store, FaultyStore)
    cyd = await Stranger(another, 3).waits()
    await pass_time(store, CONFIRM_MS + 1000, sessions, another)
    await seats_of(bob, cyd)
    with pytest.raises(ProposalExpired, match="did not confirm"):
        await dead.finds()


@pytest.mark.parametrize("leads", [True, False], ids=["the matcher", "another replica"])
async def test_tickets_of_a_killed_replica_get_no_seat(store: FaultyStore, sessions: Sessions, leads: bool) -> None:
    killed = Sessions(store, clock_ms=Clock())
    leader = await Stranger(killed if leads else sessions, 4, 4).waits()
    await (killed if leads else sessions).matchmaker.poll()
    ada = await Stranger(killed, 1, confirms=False).waits()
    bob = await Stranger(sessions, 2).waits()
    await bob.offered()
    kill(killed)
    await pass_time(store, LEASE_MS, sessions)
    await bob.until(lambda: bob.updates[-1].proposal is None)
    assert not bob.task.done()
    cyd = Stranger(sessions, 3)
    await seats_of(bob, cyd)
    for one in (ada, leader):
        one.task.cancel()


async def pass_time(store: FaultyStore, ms: int, *replicas: Sessions) -> None:
    """Advance the uptime of the store in steps, after each of which the replicas poll."""
    for _ in range(ms // 1000):
        store.now_ms += 1000
        for replica in replicas:
            await replica.matchmaker.poll()


def kill(replica: Sessions) -> None:
    """Stop a replica as if its process had been killed: it writes nothing and sends nothing."""
    for matching in replica.matchmaker._games.values():
        queue = matching.queue
        queue._closing = True
        for task in (queue._task, queue._leading):
            if task is not None:
                task.cancel()


@pytest.mark.parametrize("again_on", ["the same replica", "another one"])
async def test_a_retry_returns_the_same_seat(sessions: Sessions, another: Sessions, again_on: str) -> None:
    ada, bob = await Stranger(sessions, 1).waits(), Stranger(sessions, 2)
    await seats_of(ada, bob)
    replica = sessions if again_on == "the same replica" else another
    again = await Stranger(replica, 1).finds()
    assert (again.table.record.id, again.seat, again.token) == (
        (await ada.finds()).table.record.id,
        (await ada.finds()).seat,
        (await ada.finds()).token,
    )
    with pytest.raises(RequestIdReused):
        await Stranger(replica, 1, name="Another player").finds()


async def test_a_retry_returns_the_seat_at_an_open_table(sessions: Sessions, another: Sessions) -> None:
    await open_table(sessions, *[OPEN] * 4)
    first, again = await Stranger(sessions, 1, 4).finds(), await Stranger(another, 1, 4).finds()
    assert (first.seat, first.token) == (again.seat, again.token)
    assert again.table.record.players() == (0,)


async def test_two_streams_with_one_request_id_share_one_seat(sessions: Sessions, another: Sessions) -> None:
    one = await Stranger(sessions, 1).waits()
    same = await Stranger(another, 1).waits()
    await sessions.matchmaker.poll()
    assert not one.proposals + same.proposals, "a ticket does not match itself"
    bob = Stranger(sessions, 2)
    assert len(set(await seats_of(one, same, bob))) == 2


async def test_any_replica_accepts_a_confirmation_and_its_retry(sessions: Sessions, another: Sessions) -> None:
    ada, bob = Stranger(sessions, 1, via=another), Stranger(sessions, 2, confirms=False)
    proposal = await bob.offered()
    await ada.offered()
    await bob.confirm(proposal)
    await bob.confirm(proposal)
    await seats_of(ada, bob)
    await bob.confirm(proposal)


@pytest.mark.parametrize("proposal", ["kreta-2/another", "kreta-2/", "kreta/another", "", "chess-1/1"])
async def test_an_unknown_proposal_cannot_be_confirmed(sessions: Sessions, proposal: str) -> None:
    ada, bob = Stranger(sessions, 1, confirms=False), Stranger(sessions, 2, confirms=False)
    await bob.offered()
    with pytest.raises(ProposalExpired):
        await ada.confirm(proposal)
    with pytest.raises(ProposalExpired):
        await sessions.matchmaker.confirm(uuid(3), await ada.offered())
    await asyncio.gather(ada.hangs_up(), bob.hangs_up())


async def test_an_agreed_session_is_created_after_the_matcher_dies(store: FaultyStore, sessions: Sessions) -> None:
    """The replica dies between the last confirmation and the creation of the session."""
    dying = Sessions(store, clock_ms=Clock())
    agreed = asyncio.Event()

    async def dies(*_: object) -> None:
        agreed.set()
        await asyncio.Event().wait()

    dying.matchmaker._create_session = dies  # type: ignore[assignment, method-assign]
    ghost = await Stranger(dying, 3, 4).waits()
    await dying.matchmaker.poll()
    ada, bob = Stranger(sessions, 1), Stranger(sessions, 2)
    async with asyncio.timeout(PATIENCE):
        await agreed.wait()
    kill(dying)
    await pass_time(store, LEASE_MS, sessions)
    await seats_of(ada, bob)
    ghost.task.cancel()


async def test_a_ticket_keeps_its_position_when_its_replica_shuts_down(store: FaultyStore, sessions: Sessions) -> None:
    closing = Sessions(store, clock_ms=Clock())
    ada = await Stranger(closing, 1).waits()
    await closing.close()
    with pytest.raises(ShuttingDown):
        await ada.finds()
    store.now_ms += 1000
    bob = await Stranger(sessions, 2, 2, 3, confirms=False).waits()
    again = await Stranger(sessions, 1).waits()
    assert await again.offered() == await bob.offered()
    await asyncio.gather(bob.hangs_up(), again.hangs_up())


async def test_an_idle_stream_sends_heartbeats(store: FaultyStore) -> None:
    replica = Sessions(store, clock_ms=Clock(), limits=SessionLimits(heartbeat_seconds=0.01))
    ada = await Stranger(replica, 1).waits()
    await ada.until(lambda: ada.updates[-1].heartbeat)
    assert [one.heartbeat for one in ada.updates[:2]] == [False, True]
    await ada.hangs_up()
    await replica.close()


async def test_each_of_a_hundred_concurrent_tickets_gets_one_seat_or_waits(
    sessions: Sessions, another: Sessions
) -> None:
    crowd = [Stranger((sessions, another)[number % 2], number, 2, 3) for number in range(101)]
    found = []
    async with asyncio.timeout(3 * PATIENCE):
        for task in asyncio.as_completed([one.task for one in crowd]):
            found.append(await task)
            if len(found) == 100:
                break
    assert len({(one.table.record.id, one.seat) for one in found}) == len(found) == 100
    for one in found:
        assert one.table.record.phase is Phase.PLAYING
        assert len(one.table.record.players()) == len(one.table.record.seats)
    (left,) = [one for one in crowd if not one.task.done()]
    await left.hangs_up()


async def test_concurrent_tickets_share_reads_of_the_open_tables(
    sessions: Sessions, store: FaultyStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks, public = [], store.list_sessions

    async def counted(*asked: Any) -> Sequence[tuple[int, str]]:
        looks.append(asked)
        await asyncio.sleep(0)
        return await public(*asked)

    monkeypatch.setattr(store, "list_sessions", counted)
    sitting = await open_table(sessions, *[OPEN] * 4)
    crowd = [Stranger(sessions, number, 4) for number in range(40)]
    found = [await one.finds() for one in crowd]
    assert sum(one.table.record.id == sitting.id for one in found) == 4
    assert len(looks) < 20


async def test_a_matched_session_has_an_abandonment_policy(sessions: Sessions, store: FaultyStore) -> None:
    """Players do not have to wait for a stranger who has left."""
    ada, bob = Stranger(sessions, 1), Stranger(sessions, 2)
    await seats_of(ada, bob)
    record = (await ada.finds()).table.record
    assert record.abandonment.absence_ms == 120_000
    assert await store.last_seen(record.id, 2) == [store.now_ms] * 2
