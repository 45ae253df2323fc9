"""Pages of public sessions."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from skerry_service.domain.record import Phase, Record, Visibility
from skerry_service.domain.table import BOT, OPEN
from skerry_service.sessions.lists.session_list import Cursor
from skerry_service.sessions.service import Sessions
from tests.games.pairs import GAME as PAIRS
from tests.sessions.stores import FaultyStore
from tests.sessions.tables import Clock, begin


def anything(record: Record) -> bool:
    return True


async def pages(
    sessions: Sessions, size: int, wanted: Callable[[Record], bool] = anything
) -> list[list[tuple[str, int]]]:
    found, cursor = [], None
    while True:
        page = await sessions.public(cursor, size, wanted)
        found.append([(record.id, sequence) for record, sequence in page.sessions])
        cursor = page.next
        if cursor is None:
            return found


@pytest.mark.parametrize("size", [1, 2, 3, 7, 8, 100])
async def test_pages_hold_every_public_session_once_the_newest_first(sessions: Sessions, size: int) -> None:
    made = [(await begin(sessions, PAIRS, OPEN, OPEN)).id for _ in range(7)]
    await begin(sessions, PAIRS, OPEN, OPEN, visibility=Visibility.UNLISTED)
    read = await pages(sessions, size)
    assert [one for page in read for one, _ in page] == made[::-1]
    assert all(len(page) == size for page in read[:-1])
    assert read[-1] != [], "there is no empty page at the end"


async def test_a_page_shows_sessions_as_they_stand(sessions: Sessions) -> None:
    sitting = await begin(sessions, PAIRS, OPEN, OPEN)
    await sessions.players.join(sitting.id, "Ada", None, None)
    assert await pages(sessions, 5) == [[(sitting.id, 2)]]


async def test_unwanted_sessions_are_passed_over(sessions: Sessions) -> None:
    made = [(await begin(sessions, PAIRS, *((OPEN,) * 2, (BOT,) * 2)[n % 2])).id for n in range(6)]
    read = await pages(sessions, 2, lambda record: record.phase is Phase.FINISHED)
    assert [one for page in read for one, _ in page] == made[5::-2]


async def test_a_long_search_goes_on_where_it_stopped(sessions: Sessions) -> None:
    """The scan for one page is bounded: pages can be empty and not the last."""
    (oldest, *_) = [(await begin(sessions, PAIRS, OPEN, OPEN)).id for _ in range(450)]
    read = await pages(sessions, 5, lambda record: record.id == oldest)
    assert [one for page in read for one, _ in page] == [oldest]
    assert len(read) == 3


async def test_what_has_ended_is_unlisted_once_it_is_surely_not_about_to_be_stored(store: FaultyStore) -> None:
    clock = Clock()
    sessions = Sessions(store, clock_ms=clock)
    ended = await begin(sessions, PAIRS, OPEN, OPEN)
    kept = await begin(sessions, PAIRS, OPEN, OPEN)
    store.end(ended.id)
    assert await pages(sessions, 5) == [[(kept.id, 1)]]
    assert len(await store.list_sessions(None, 10)) == 2
    clock.now += 120_000
    assert await pages(sessions, 5) == [[(kept.id, 1)]]
    assert [one for _, one in await store.list_sessions(None, 10)] == [kept.id]


async def test_any_cursor_is_a_place_in_the_list(sessions: Sessions) -> None:
    sitting = await begin(sessions, PAIRS, OPEN, OPEN)
    cursors: tuple[tuple[Cursor, int], ...] = (((10**18, "zzz"), 1), ((0, ""), 0), ((-5, "\ud800"), 0))
    for cursor, count in cursors:
        page = await sessions.public(cursor, 5, anything)
        assert [record.id for record, _ in page.sessions] == [sitting.id] * count
