"""Pages of a log: each viewer receives what GetReplay returns to it, in any pages."""

from __future__ import annotations

import pytest

from skerry.v1 import service_pb2 as pb
from skerry.v1 import session_pb2
from tests.api.wire import OPEN, Api, Sitting, bearer, create, get, move_once, play_out, refused, sit_down

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def page(
    api: Api, sitting: Sitting, after: int = 0, size: int = 0, token: str | None = None
) -> pb.ListEntriesResponse:
    request = pb.ListEntriesRequest(name=sitting.name, after_sequence=after, page_size=size)
    return await api.stub.ListEntries(request, metadata=bearer(token))


async def replayed(api: Api, sitting: Sitting, token: str | None) -> list[session_pb2.Entry]:
    answer = await api.stub.GetReplay(pb.GetReplayRequest(name=sitting.name), metadata=bearer(token))
    return list(answer.replay.entries)


async def test_pages_contain_what_each_viewer_may_see_without_gap_or_repeat(api: Api) -> None:
    sitting = await sit_down(api, game="canarias")
    for number in range(4):
        await move_once(api, sitting, number)
    for token in (None, *sitting.seats):
        log, newest = await replayed(api, sitting, token), (await get(api, sitting, token)).session
        whole = await page(api, sitting, token=token)
        assert list(whole.entries) == log
        assert (whole.sequence, whole.epoch) == (newest.sequence, newest.epoch)
        received = list[session_pb2.Entry]()
        while len(received) < newest.sequence:
            received += (await page(api, sitting, len(received), 3, token)).entries
        assert received == log
        nothing = await page(api, sitting, newest.sequence, token=token)
        assert (list(nothing.entries), nothing.sequence) == ([], newest.sequence)
    assert await replayed(api, sitting, sitting.seats[0]) != await replayed(api, sitting, sitting.seats[1])
    last = await play_out(api, sitting)
    assert len((await page(api, sitting, last - 2)).entries) == 2
    assert len((await page(api, sitting)).entries) == min(100, last)


async def test_a_page_of_a_lobby_and_of_a_private_session(api: Api) -> None:
    lobby = await create(api, OPEN, OPEN)
    assert [one.sequence for one in (await page(api, lobby)).entries] == [1]
    private = await sit_down(api, spectating=session_pb2.SPECTATING_INVITED)
    newest = (await get(api, private, private.seats[0])).session.sequence
    for after in (0, newest):  # also if there is nothing new
        with refused("UNAUTHENTICATED", "TOKEN_MISSING"):
            await page(api, private, after)
    assert (await page(api, private, token=private.spectator)).entries


async def test_pages_that_cannot_be_are_refused(api: Api) -> None:
    sitting = await sit_down(api)
    with refused("INVALID_ARGUMENT", "INVALID_FIELD", field="after_sequence"):
        await page(api, sitting, -1)
    with refused("INVALID_ARGUMENT", "INVALID_FIELD", field="page_size"):
        await page(api, sitting, 0, -1)
    newest = (await get(api, sitting)).session.sequence
    with refused("OUT_OF_RANGE", "SEQUENCE_AHEAD", sequence=newest):
        await page(api, sitting, newest + 1)
    assert len((await page(api, sitting, 0, 2**31 - 1)).entries) == newest
