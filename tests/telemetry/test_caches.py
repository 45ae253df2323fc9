"""The caches of a process are bounded in bytes, lose nothing, and are shown in the metrics and the docs."""

from __future__ import annotations

from pathlib import Path

from skerry_games.catalogue import all_games
from skerry_service.domain.limits import SessionLimits
from skerry_service.sessions.memory_store import MemoryStore
from skerry_service.sessions.service import Sessions
from skerry_service.wire.bounded_cache import ENTRY_BYTES, BoundedCache, cache_bytes
from skerry_service.wiring.caches import large_caches, small_caches
from tests.sessions.tables import Clock, move_once, sit_down

PAGE = Path(__file__).parents[2] / "docs" / "explanation" / "capacity.md"
MOST = 100_000


def test_a_cache_is_emptied_when_it_is_full_and_keeps_no_large_value() -> None:
    made: list[int] = []

    def make(number: int) -> bytes:
        made.append(number)
        return bytes(number)

    cache = BoundedCache("tried", MOST, make, len)
    for number in range(2_000):
        assert len(cache[number % 600,]) == number % 600
        assert cache.bytes == sum(ENTRY_BYTES + len(value) for value in cache.values()) <= MOST
    before = len(made)
    assert len(cache[5_000,]) == len(cache[5_000,]) == 5_000
    assert made[before:] == [5_000, 5_000]
    assert len(cache[199,]) == 199 and len(made) == before + 2
    assert cache_bytes()["tried"] == cache.bytes


async def test_tables_that_do_not_fit_are_read_again() -> None:
    clock, most = Clock(), 20_000
    sessions = Sessions(MemoryStore(), clock_ms=clock, limits=SessionLimits(cached_table_bytes=most))
    sittings = [await sit_down(sessions, game, 2) for game in all_games().values() for _ in range(4)]
    for sitting in (*sittings, *reversed(sittings)):
        before = (await sessions.get(sitting.id, None))[0].sequence
        assert (await move_once(sessions, sitting)).sequence > before
        assert 0 < sessions.tables.bytes <= most
    for sitting in sittings:
        sessions.tables.forget(sitting.id)
    assert sessions.tables.bytes == 0


def test_the_page_lists_every_cache() -> None:
    page = PAGE.read_text(encoding="utf-8")
    sizes = large_caches(Sessions(MemoryStore(), clock_ms=Clock()))
    assert {name for name in (*sizes, *small_caches()) if f"`{name}`" not in page} <= {"tried"}
