"""Finished games over a store in memory, and an archive in a directory."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from skerry_service.archive.archive import Archive
from skerry_service.archive.locations import Directory
from skerry_service.archive.mover import Mover
from skerry_service.sessions.service import Sessions
from tests.archive.games import Place
from tests.sessions.stores import FaultyStore
from tests.sessions.tables import Clock


@pytest.fixture
def store() -> FaultyStore:
    return FaultyStore()


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(Directory(tmp_path / "archive"))


@pytest.fixture
def archive(place: Place) -> Archive:
    return Archive(place, patience_seconds=30.0)


@pytest.fixture
def mover(store: FaultyStore, archive: Archive) -> Mover:
    return Mover(store, archive, after_ms=0)


@pytest.fixture
async def sessions(store: FaultyStore, archive: Archive) -> AsyncIterator[Sessions]:
    """One replica."""
    replica = Sessions(store, clock_ms=Clock(), archive=archive)
    yield replica
    await replica.close()
