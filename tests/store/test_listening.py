"""Listening, in both stores: who listens hears of every batch, from whatever replica it comes."""

from __future__ import annotations

import asyncio

from skerry_service.sessions.store_port import Store, Stored

from .commits import first, new_id, request, step
from .conftest import Replicas
from .servers import until

Heard = list[bytes | None]


async def test_a_listener_hears_what_this_and_another_replica_store(replicas: Replicas) -> None:
    one, other = await replicas(), await replicas()
    session = new_id()
    heard: Heard = []
    await one.create(session, first(), None)
    await one.listen(session, heard.append)
    await one.commit(session, step(0))
    await other.commit(session, step(1))
    await one.commit(session, step(2))
    await until(lambda: len(heard) == 3)
    assert heard == [b"batch 1", b"batch 2", b"batch 3"]


async def test_listeners_receive_only_stored_batches(store: Store) -> None:
    session = new_id()
    heard: Heard = []
    await store.create(session, first(), None)
    await store.listen(session, heard.append)
    await store.commit(session, step(0, by=request(1)))
    await store.commit(session, step(0, by=request(1)))
    await store.commit(session, step(0, by=request(2)))
    await store.commit(new_id(), step(0))
    await store.commit(session, step(1))
    await until(lambda: len(heard) >= 2)
    assert heard == [b"batch 1", b"batch 2"]


async def test_listening_holds_from_the_moment_it_is_confirmed(replicas: Replicas) -> None:
    """Listening to many sessions at once, and each commit right after its ``listen``: none is missed."""
    one, other = await replicas(), await replicas()
    heard: dict[str, Heard] = {new_id(): [] for _ in range(40)}

    async def listen_and_commit(session: str) -> None:
        await one.create(session, first(), None)
        await one.listen(session, heard[session].append)
        await other.commit(session, step(0))

    await asyncio.gather(*map(listen_and_commit, heard))
    await until(lambda: all(heard.values()))
    assert all(batches == [b"batch 1"] for batches in heard.values())


async def test_many_listeners_of_one_session_hear_the_same(store: Store) -> None:
    session = new_id()
    heard: list[Heard] = [[] for _ in range(20)]
    await store.create(session, first(), None)
    await asyncio.gather(*(store.listen(session, one.append) for one in heard))
    await store.commit(session, step(0))
    await until(lambda: all(heard))
    assert heard == [[b"batch 1"]] * 20


async def test_who_stopped_listening_hears_no_more_and_the_others_do(store: Store) -> None:
    session = new_id()
    stays: Heard = []
    leaves: Heard = []
    await store.create(session, first(), None)
    await store.listen(session, stays.append)
    stop = leaves.append
    await store.listen(session, stop)
    await store.commit(session, step(0))
    await until(lambda: bool(stays and leaves))
    await store.unlisten(session, stop)
    await store.unlisten(session, stop)
    await store.commit(session, step(1))
    await until(lambda: len(stays) == 2)
    assert leaves == [b"batch 1"]


async def test_listening_again_right_after_stopping_misses_nothing(replicas: Replicas) -> None:
    one, other = await replicas(), await replicas()
    session = new_id()
    await one.create(session, first(), None)
    for base in range(30):
        heard: Heard = []
        await one.listen(session, heard.append)
        assert await other.commit(session, step(base)) == Stored()
        await until(lambda heard=heard: bool(heard))  # type: ignore[misc]
        assert heard == [b"batch %d" % (base + 1)]
        await one.unlisten(session, heard.append)


async def test_a_listener_hears_only_of_its_session(store: Store) -> None:
    one, other = new_id(), new_id()
    heard: Heard = []
    heard_of_other: Heard = []
    for session in (one, other):
        await store.create(session, first(), None)
    await store.listen(one, heard.append)
    await store.listen(other, heard_of_other.append)
    await store.commit(one, step(0, batch=b"of one"))
    await store.commit(other, step(0, batch=b"of other"))
    await until(lambda: bool(heard and heard_of_other))
    assert (heard, heard_of_other) == ([b"of one"], [b"of other"])
