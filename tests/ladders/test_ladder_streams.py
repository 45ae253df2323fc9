"""Streams of bots that wait, over a store in memory."""

from __future__ import annotations

import pytest

from skerry_service.domain.errors import SkerryError
from skerry_service.ladders import ladders
from skerry_service.ladders.ladder_streams import LadderStreams
from skerry_service.sessions.memory_store import MemoryStore
from skerry_service.sessions.service import Sessions


async def test_a_call_about_an_invented_ladder_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []

    class Recorded(LadderStreams):
        def __init__(self, name: str, store: MemoryStore) -> None:
            made.append(name)
            super().__init__(name, store)

    monkeypatch.setattr(ladders, "LadderStreams", Recorded)
    service = Sessions(MemoryStore(), clock_ms=lambda: 1).ladders
    for key in ("", "ada"):
        with pytest.raises(SkerryError):
            await anext(service.find("invented", "alpha", "hash", key))
    assert not made
