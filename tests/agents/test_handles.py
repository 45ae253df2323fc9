"""Sealed handles: opaque, bound to a seat, and valid at every replica with the same secret."""

from __future__ import annotations

import pytest

from skerry_service.agents.sealed_handles import SealedHandles, UnknownHandle
from skerry_service.agents.tables import SeatKey
from tests.agents.conftest import SECRET, Replicas
from tests.agents.scripted_agent import Agent

SEAT = SeatKey("sessions/abcdefghijklmnop", "skerry_seat_abcdefghijklmnopqrstuvwxya")


def test_a_handle_opens_its_seat_and_shows_nothing_of_it() -> None:
    handle = SealedHandles(SECRET).seal(SEAT)
    assert SealedHandles(SECRET).open(handle) == SEAT
    assert len(handle) <= 64
    assert "abcdef" not in handle


def test_a_changed_handle_is_refused() -> None:
    handles = SealedHandles(SECRET)
    handle = handles.seal(SEAT)
    for at in range(len("seat_"), len(handle)):
        changed = handle[:at] + ("A" if handle[at] != "A" else "B") + handle[at + 1 :]
        with pytest.raises(UnknownHandle):
            handles.open(changed)


@pytest.mark.parametrize("handle", ["", "seat_", "seat_!", "seat_" + "A" * 56, "seat_" + "A" * 41, "é" * 60])
def test_what_is_no_handle_is_refused(handle: str) -> None:
    with pytest.raises(UnknownHandle):
        SealedHandles(SECRET).open(handle)


def test_another_secret_opens_nothing() -> None:
    handle = SealedHandles(SECRET).seal(SEAT)
    for other in (SealedHandles(SECRET + "!"), SealedHandles(), SealedHandles(None)):
        with pytest.raises(UnknownHandle):
            other.open(handle)


async def test_any_replica_with_the_secret_plays_on(replicas: Replicas) -> None:
    async with replicas.client() as first, replicas.client() as second, replicas.client(None) as stranger:
        agent = Agent(first)
        await agent.sit("start_table", game="kreta", name="Ada")
        agent.client = second
        await agent.move()
        assert "handle is unknown" in await Agent(stranger).refused("look", handle=agent.handle)
