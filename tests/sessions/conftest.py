"""Sessions over a store in memory, with Pairs beside the games of the catalogue."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest

from skerry_games.catalogue import all_games
from skerry_service.sessions.service import Sessions
from tests.games.pairs import GAME as PAIRS
from tests.sessions.stores import FaultyStore
from tests.sessions.tables import Clock


@pytest.fixture(scope="package", autouse=True)
def _pairs_is_played_here() -> Iterator[None]:
    """Pairs has what no game of the catalogue need have: choices that are made at once."""
    all_games()[PAIRS.id] = PAIRS
    yield
    del all_games()[PAIRS.id]


@pytest.fixture
def store() -> FaultyStore:
    return FaultyStore()


@pytest.fixture
async def sessions(store: FaultyStore) -> AsyncIterator[Sessions]:
    """One replica."""
    replica = Sessions(store, clock_ms=Clock())
    yield replica
    await replica.close()


@pytest.fixture
async def another(store: FaultyStore) -> AsyncIterator[Sessions]:
    """A second replica over the same store."""
    replica = Sessions(store, clock_ms=Clock())
    yield replica
    await replica.close()
