"""A store in memory, a receiver, and a replica that may send to it."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.sessions.stores import FaultyStore
from tests.sessions.tables import Clock

from .receivers import Receiver, receiving
from .replicas import Replica, replica_with


@pytest.fixture
def store() -> FaultyStore:
    return FaultyStore()


@pytest.fixture
async def receiver() -> AsyncIterator[Receiver]:
    async with receiving() as one:
        yield one


@pytest.fixture
async def replica(store: FaultyStore, receiver: Receiver) -> AsyncIterator[Replica]:
    async with replica_with(store, f"127.0.0.1:{receiver.port}") as one:
        yield one


@pytest.fixture
def clock(replica: Replica) -> Clock:
    """The wall clock of the replica."""
    return replica.clock


@pytest.fixture
async def another(store: FaultyStore, receiver: Receiver) -> AsyncIterator[Replica]:
    async with replica_with(store, f"127.0.0.1:{receiver.port}") as one:
        yield one
