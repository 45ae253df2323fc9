"""A walk through all sessions, page by page: it is bounded, and survives other replicas and a restarted server."""

from __future__ import annotations

from pathlib import Path

import pytest

from skerry_service.sessions.store_port import Store
from skerry_service.store.embedded.embedded_server import EmbeddedServer

from .commits import first, new_id
from .conftest import Replicas
from .servers import open_store

SESSIONS, PAGE = 500, 40


async def filled(store: Store, count: int = SESSIONS) -> set[str]:
    sessions = {new_id() for _ in range(count)}
    for session in sessions:
        await store.create(session, first(lifetime_ms=3_600_000), None)
    return sessions


async def test_a_walk_finds_every_session_in_bounded_pages_on_any_replica(replicas: Replicas) -> None:
    store = await replicas()
    sessions, found, place, pages = await filled(store), set[str](), "", 0
    while pages == 0 or place:
        page, place = await (await replicas()).walk(place, PAGE)
        assert len(page) <= 4 * PAGE, "a small sorted set is read as a whole"
        found.update(page)
        pages += 1
    assert found == sessions
    assert 1 < pages <= SESSIONS // PAGE + 2
    assert await store.walk("", 10 * SESSIONS) == await store.walk("", 10 * SESSIONS)


async def test_a_walk_of_an_empty_store_ends_at_once(store: Store) -> None:
    assert await store.walk("", PAGE) == ([], "")


async def test_a_place_of_an_earlier_run_of_the_server_leads_to_the_beginning(tmp_path: Path) -> None:
    """The order of a walk follows from a random number of the server's process."""
    sessions, place = set[str](), ""
    for run in range(2):
        server = EmbeddedServer(tmp_path)
        await server.start()
        try:
            async with open_store(server) as store:
                if run == 0:
                    sessions = await filled(store)
                    _, place = await store.walk("", PAGE)
                    continue
                found, place = await store.walk(place, PAGE)
                while place:
                    page, place = await store.walk(place, PAGE)
                    found = [*found, *page]
                assert set(found) == sessions
        finally:
            await server.stop()


@pytest.mark.parametrize(
    "place", ["x", "-", "0-00000000", "1-", "1-0000000", "1-0000000g", "²-00000000", f"{2**64}-00000000", "1" * 5000]
)
async def test_a_text_that_is_no_place_is_an_error(lasting: EmbeddedServer, place: str) -> None:
    async with open_store(lasting) as store:
        await filled(store, 1)
        with pytest.raises(ValueError, match=f"^{place[:4]}"):
            await store.walk(place, PAGE)
