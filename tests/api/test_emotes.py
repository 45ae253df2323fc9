"""Emotes over the wire: what streams, replays and refusals show."""

from __future__ import annotations

import pytest

from skerry.v1 import service_pb2 as pb
from skerry.v1 import session_pb2
from skerry_service.replays.verification import first_difference
from tests.api.watching import Watcher
from tests.api.wire import Api, bearer, get, refused, sit_down

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_an_emote_is_streamed_and_the_replay_verifies(api: Api) -> None:
    sitting = await sit_down(api)
    watcher = Watcher(api, sitting, sitting.spectator)
    await watcher.has(1)
    request = pb.SendEmoteRequest(name=sitting.name, emote=session_pb2.EMOTE_WELL_PLAYED)
    sent = await api.stub.SendEmote(request, metadata=bearer(sitting.seats[1]))
    received = (await watcher.reaches(sent.session.sequence)).entries[-1]
    assert (received.seat, received.emoted.emote) == (1, session_pb2.EMOTE_WELL_PLAYED)
    with refused("RESOURCE_EXHAUSTED", "LIMIT_REACHED", limit="emotes") as early:
        await api.stub.SendEmote(request, metadata=bearer(sitting.seats[1]))
    assert early.retry_after is not None
    assert 0 < early.retry_after <= 3
    await api.stub.ResignSession(pb.ResignSessionRequest(name=sitting.name), metadata=bearer(sitting.seats[0]))
    await watcher.ends()
    replay = (await api.stub.GetReplay(pb.GetReplayRequest(name=sitting.name))).replay
    assert first_difference(replay) is None
    next(entry for entry in replay.entries if entry.HasField("emoted")).seat = 7
    assert first_difference(replay) is not None


async def test_the_emote_has_to_be_one_of_six(api: Api) -> None:
    sitting = await sit_down(api)
    before = (await get(api, sitting)).session.sequence
    for emote in (session_pb2.EMOTE_UNSPECIFIED, 7):
        request = pb.SendEmoteRequest(name=sitting.name)
        request.emote = emote  # type: ignore[assignment] # a number of no emote
        with refused("INVALID_ARGUMENT", "INVALID_FIELD", field="emote"):
            await api.stub.SendEmote(request, metadata=bearer(sitting.seats[0]))
    assert (await get(api, sitting)).session.sequence == before
