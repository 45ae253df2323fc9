"""Whether the store answers: whatever it refuses to be read for, it does not."""

from __future__ import annotations

import pytest

from skerry_service.domain.errors import SessionDamaged, SkerryError, StoreFull, StoreUnavailable
from skerry_service.sessions.memory_store import MemoryStore
from skerry_service.sessions.store_port import Tip
from skerry_service.wiring.store_probe import responds


class Refusing(MemoryStore):
    """A store that cannot be read."""

    def __init__(self, refusal: SkerryError) -> None:
        super().__init__()
        self._refusal = refusal

    async def tip(self, session: str) -> Tip | None:
        raise self._refusal


@pytest.mark.parametrize("refusal", [StoreUnavailable(), StoreFull(), SessionDamaged("0")])
async def test_a_store_that_refuses_to_be_read_does_not_answer(refusal: SkerryError) -> None:
    assert await responds(MemoryStore())
    assert not await responds(Refusing(refusal))
