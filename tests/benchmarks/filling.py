"""Fill a store with as many public sessions as a busy server has, of every game and in every state.

    python -m tests.benchmarks.filling URL FIRST COUNT

stores COUNT sessions in its own process, through the store's ``create``. Each session is a copy of one that was played
in advance; no game is dealt again.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from uuid import UUID

import uvloop
from msgspec import Struct, msgpack
from msgspec.structs import replace

from skerry_games.catalogue import all_games
from skerry_service.domain.index_keys import index_keys_of
from skerry_service.domain.packed import Head
from skerry_service.domain.record import Record, unpack_record
from skerry_service.domain.table import BOT, OPEN
from skerry_service.sessions.actions.new_session import NewSession
from skerry_service.sessions.memory_store import MemoryStore
from skerry_service.sessions.request_identity import session_id
from skerry_service.sessions.service import Sessions
from skerry_service.sessions.store_port import Commit
from skerry_service.store.redis_store import RedisStore

from .processes import answer

LEAGUES = 97
"""Number of values of a label that every session has."""
RARE_EVERY = 10_000
"""One session in this many has another label."""
_AT_ONCE = 200
_SINCE_MS = 1_700_000_000_000
_LIFETIME_MS = 7 * 86_400_000
_SECONDS = 600.0


class _Kind(Struct, frozen=True):
    """A session to copy."""

    head: Head
    batches: Sequence[bytes]
    record: Record


def fill(url: str, first: int, count: int) -> None:
    """Store sessions ``first`` to ``first + count - 1``. A number always gives the same session."""
    answer("filling", url, str(first), str(count), limit=_SECONDS)


async def _fill(url: str, first: int, count: int) -> None:
    kinds = [kind for game in all_games() for kind in await _kinds(game)]
    store = RedisStore(url)
    try:
        for start in range(first, first + count, _AT_ONCE):
            numbers = range(start, min(start + _AT_ONCE, first + count))
            await asyncio.gather(*(_store(store, kinds[number % len(kinds)], number) for number in numbers))
    finally:
        await store.close()


async def _kinds(game: str) -> list[_Kind]:
    """Return a session of the game in the lobby, one in play and one that has ended."""
    rules = all_games()[game]
    seats, store = rules.seats[0], MemoryStore()
    sessions = Sessions(store, clock_ms=lambda: _SINCE_MS)
    found = []
    for seated, players in ((OPEN, 0), (OPEN, seats), (BOT, 0)):
        new = NewSession(rules, rules.options_type(), (seated,) * seats)
        session = (await sessions.create(new, None))[0].record.id
        for number in range(players):
            await sessions.players.join(session, f"Player {number}", None, None)
        head = await store.load(session)
        assert head is not None, "it has just been made"
        found.append(_Kind(head, await store.batches(session, 0), unpack_record(head.record)))
    return found


async def _store(store: RedisStore, kind: _Kind, number: int) -> None:
    labels = (("league", str(number % LEAGUES)), *((("rare", "yes"),) if number % RARE_EVERY == 0 else ()))
    session = session_id(UUID(int=number).bytes, "")
    record = replace(kind.record, id=session, created_ms=_SINCE_MS + number, labels=labels)
    head = replace(kind.head, record=msgpack.encode(record))
    commit = Commit(0, kind.batches[-1], head, True, None, _LIFETIME_MS)
    await store.create(session, commit, record.created_ms, index_keys_of(record))


if __name__ == "__main__":
    uvloop.run(_fill(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
