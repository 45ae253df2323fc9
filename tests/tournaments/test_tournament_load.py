"""What many calls of tournaments at once cost, counted in reads of the store."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence

import pytest
from msgspec.structs import replace

from skerry_games.pairing.form import Format
from skerry_service.domain.errors import TokenInvalid
from skerry_service.domain.tokens import digest
from skerry_service.sessions.resources.memory_resources import MemoryResources
from skerry_service.sessions.resources.resource_port import FieldChange
from skerry_service.tournaments.tournament_records import StoredTournament, TournamentState
from skerry_service.tournaments.tournament_store import TournamentData
from skerry_service.tournaments.tournaments import Tournaments, entrant_of
from tests.tournaments.test_tournament_course import running


class CountedResources(MemoryResources):
    """Counts the reads of whole parts. Each call takes a turn of the event loop, as calls of a server do."""

    def __init__(self) -> None:
        super().__init__()
        self.reads = Counter[str]()

    async def read_all(self, resource: str, part: str) -> Mapping[bytes, bytes]:
        self.reads[part] += 1
        await asyncio.sleep(0)
        return await super().read_all(resource, part)

    async def read(self, resource: str, part: str, fields: Sequence[bytes]) -> Sequence[bytes | None]:
        await asyncio.sleep(0)
        return await super().read(resource, part, fields)

    async def change(self, resource: str, changes: Sequence[FieldChange]) -> bool:
        await asyncio.sleep(0)
        return await super().change(resource, changes)


class MemoryStore:
    """The part of a store that tournaments read."""

    def __init__(self) -> None:
        self.resources = CountedResources()


def tournaments() -> tuple[Tournaments, CountedResources, TournamentData]:
    """Return tournaments that are only read and entered."""
    store = MemoryStore()
    served = Tournaments(store, None, None, None, None, lambda: 1)  # type: ignore[arg-type]
    return served, store.resources, TournamentData(store.resources)


def opened() -> StoredTournament:
    return replace(running(Format.KNOCKOUT, 0, salt=b"s" * 16), state=TournamentState.OPEN, most_entrants=64)


async def test_entries_at_once_take_all_places() -> None:
    served, _, data = tournaments()
    await data.set("t", None, opened())
    calls = [served.enter_person("t", f"{one:03}", f"p{one}", one.to_bytes(16, "big")) for one in range(100)]
    failed = Counter(type(one).__name__ for one in await asyncio.gather(*calls, return_exceptions=True))
    assert failed == {"tuple": 64, "TournamentClosed": 36}
    assert len((await data.get("t")).entrants) == 64


def test_a_token_that_is_too_long_is_rejected_before_its_digest_is_kept() -> None:
    kept = digest.cache_info().misses
    for token in ("x" * 65, "y" * 100_000):
        with pytest.raises(TokenInvalid):
            entrant_of(running(Format.SWISS, 2), token)
    assert digest.cache_info().misses == kept
