"""The calls of operators: what they see and end, who may make them, and from where."""

from __future__ import annotations

import asyncio
import json
import re
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import grpc
import pytest
from google.protobuf.json_format import MessageToDict

from skerry.admin.v1 import admin_pb2 as admin
from skerry.admin.v1 import admin_pb2_grpc
from skerry.v1 import service_pb2 as pb
from skerry.v1 import session_pb2
from skerry_service.access.api_key_file import format_line, new_key
from skerry_service.store import redis_keys as names
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from skerry_service.wiring.config import Config
from skerry_service.wiring.server import running_server
from tests.api.wire import BOT, OPEN, Api, act, bearer, create, look, move_once, refused, sit_down
from tests.store.servers import ask
from tests.tls.authority import Authority

if TYPE_CHECKING:
    from skerry.admin.v1.admin_pb2_grpc import AdminServiceAsyncStub as Stub

SECRETS = re.compile(r"skerry_(seat|host|spectator|key)_|\"(seed|joinCode|options|view|position)\"")


@asynccontextmanager
async def operated(valkey: EmbeddedServer, **settings: Any) -> AsyncIterator[tuple[Stub, Api]]:
    config = Config(port=0, admin="127.0.0.1:0", redis_url=valkey.url, **settings)
    async with running_server(config) as running, grpc.aio.insecure_channel(running.address) as channel:
        assert running.admin
        async with grpc.aio.insecure_channel(running.admin) as there:
            yield admin_pb2_grpc.AdminServiceStub(there), Api(channel, running.address)


async def everything(stub: Stub, **wanted: Any) -> dict[str, admin.SessionSummary]:
    request, found = admin.ListAllSessionsRequest(page_size=1, **wanted), {}
    while True:
        page = await stub.ListAllSessions(request)
        found.update({one.name: one for one in page.sessions})
        request.page_token = page.next_page_token
        if not request.page_token:
            return found


async def test_operators_list_every_session_of_every_visibility_and_state(valkey: EmbeddedServer) -> None:
    await ask(valkey, "FLUSHALL")
    async with operated(valkey) as (stub, api):
        lobby = await create(api, OPEN, OPEN, visibility=session_pb2.VISIBILITY_UNLISTED)
        playing = await sit_down(api)
        over = await create(api, BOT, BOT, game="tenerife")
        damaged = await create(api, OPEN, OPEN)
        await ask(valkey, "HSET", names.head(damaged.name.removeprefix("sessions/")), "r", b"\xff")
        found = await everything(stub)
        assert found.keys() == {one.name for one in (lobby, playing, over, damaged)}
        assert found[damaged.name].damaged
        one = found[lobby.name]
        assert (one.visibility, one.state) == (session_pb2.VISIBILITY_UNLISTED, session_pb2.SESSION_STATE_LOBBY)
        assert (one.seats, one.players, one.sequence) == (2, 0, 1)
        assert found[playing.name].players == found[playing.name].seats
        assert (await everything(stub, game="tenerife")).keys() == {over.name}
        assert (await everything(stub, state=session_pb2.SESSION_STATE_PLAYING)).keys() == {playing.name}
        for wrong in (
            {"page_size": 1001},
            {"page_size": -1},
            {"page_token": "x"},
            {"page_token": "9" * 20},
            {"page_token": "9" * 21},
        ):
            with refused("INVALID_ARGUMENT", "INVALID_FIELD", field=next(iter(wrong))):
                await stub.ListAllSessions(admin.ListAllSessionsRequest(**wrong))


async def test_a_session_is_inspected_as_a_spectator_may_know_it(valkey: EmbeddedServer) -> None:
    async with operated(valkey) as (stub, api):
        clock = session_pb2.Clock(bank=session_pb2.Bank(time_ms=600_000))
        sitting = await sit_down(api, clock=clock, join_code_required=False)
        await move_once(api, sitting)
        seen = await stub.InspectSession(admin.InspectSessionRequest(name=sitting.name))
        got = await api.stub.GetSession(pb.GetSessionRequest(name=sitting.name))
        assert seen.session == got.session
        assert seen.sequence == got.session.sequence
        assert list(seen.to_act) == list(got.position.to_act)
        assert len(seen.clocks.seats) == len(sitting.seats)
        assert not SECRETS.search(json.dumps(MessageToDict(seen)).replace('"seeded"', "").replace('"options"', ""))
        late = await sit_down(api, delay=session_pb2.SpectatorDelay(entries=1000))
        seat = (await look(api, late, late.seats[0])).to_act[0]
        own = await look(api, late, late.seats[seat])
        await api.stub.Act(act(late, own.legal_moves[0], own.sequence), metadata=bearer(late.seats[seat]))
        seen = await stub.InspectSession(admin.InspectSessionRequest(name=late.name))
        assert seen.session.sequence < seen.sequence
        with refused("NOT_FOUND", "SESSION_NOT_FOUND"):
            await stub.InspectSession(admin.InspectSessionRequest(name="sessions/aaaaaaaaaaaaaaaa"))


async def test_an_operator_ends_a_session_in_play_and_its_players_see_it(
    valkey: EmbeddedServer, caplog: pytest.LogCaptureFixture
) -> None:
    async with operated(valkey) as (stub, api):
        sitting = await sit_down(api, clock=session_pb2.Clock(bank=session_pb2.Bank(time_ms=600_000)))
        await move_once(api, sitting)
        followed = api.stub.Observe(pb.ObserveRequest(name=sitting.name), metadata=bearer(sitting.seats[0]))
        received = aiter(followed)
        await anext(received)
        request = admin.EndSessionRequest(name=sitting.name, request_id=str(uuid.uuid4()))
        ended = await stub.EndSession(request)
        assert ended.session.state == session_pb2.SESSION_STATE_CANCELLED
        assert await stub.EndSession(request) == ended
        last = [update async for update in followed][-1].entries[-1]
        assert last.cancelled.by_operator
        with refused("FAILED_PRECONDITION", "GAME_OVER"):
            await stub.EndSession(admin.EndSessionRequest(name=sitting.name))
        other = await create(api, OPEN, OPEN)
        await api.stub.CancelSession(pb.CancelSessionRequest(name=other.name), metadata=bearer(other.host))
        assert f"an operator cancelled {sitting.name}" in [one.getMessage() for one in caplog.records]
        by_host = await api.stub.GetReplay(pb.GetReplayRequest(name=other.name))
        assert not by_host.replay.entries[-1].cancelled.by_operator


async def test_a_key_for_operators_is_needed_where_keys_are_and_opens_nothing_else(
    valkey: EmbeddedServer, tmp_path: Path
) -> None:
    path, log = tmp_path / "keys", tmp_path / "calls"
    ours, others = new_key("ops"), new_key("players")
    lines = [format_line(ours, "admin"), format_line(others, "play,host,watch,bots"), "* - host"]
    await asyncio.to_thread(path.write_text, "\n".join(lines))
    async with operated(valkey, keys=path, access_log=str(log)) as (stub, api):
        sitting = await create(api, OPEN, OPEN)
        request = admin.InspectSessionRequest(name=sitting.name)
        with refused("UNAUTHENTICATED", "API_KEY_MISSING"):
            await stub.InspectSession(request)
        with refused("PERMISSION_DENIED", "API_KEY_SCOPE", scopes="admin"):
            await stub.InspectSession(request, metadata=(("x-api-key", others),))
        await stub.InspectSession(request, metadata=(("x-api-key", ours),))
        with refused("PERMISSION_DENIED", "API_KEY_SCOPE", scopes="play, bots"):
            await api.stub.JoinSession(pb.JoinSessionRequest(name=sitting.name), metadata=(("x-api-key", ours),))
        with pytest.raises(grpc.aio.AioRpcError) as absent:
            await admin_pb2_grpc.AdminServiceStub(api.channel).InspectSession(request)
        assert absent.value.code() == grpc.StatusCode.UNIMPLEMENTED
    written = [json.loads(line) for line in (await asyncio.to_thread(log.read_text)).splitlines()]
    received = [(one["code"], one.get("key"), one.get("resource")) for one in written if one["rpc"] == "InspectSession"]
    assert received[-1] == ("OK", "ops", sitting.name)
    assert len(received) == 3


@pytest.mark.parametrize("address", ["0.0.0.0:0", "[::]:0", "192.0.2.1:0", "play.example:0"])
async def test_operators_are_served_beyond_this_machine_only_with_keys_and_tls(
    valkey: EmbeddedServer, tmp_path: Path, address: str
) -> None:
    pem = Authority(tmp_path).issue("server")
    path = tmp_path / "keys"
    await asyncio.to_thread(path.write_text, format_line(new_key("ops"), "admin"))
    for more in ({}, {"keys": path}, {"tls_certificate": pem.certificate, "tls_key": pem.key}):
        with pytest.raises(OSError, match="which other machines can reach: set SKERRY_KEYS and"):
            async with running_server(Config(port=0, admin=address, redis_url=valkey.url, **more)):  # type: ignore[arg-type]
                pass
    if address == "0.0.0.0:0":
        more = {"tls_certificate": pem.certificate, "tls_key": pem.key, "keys": path}
        async with operated(valkey, **more) as (stub, _):  # on this machine, in the clear
            with refused("UNAUTHENTICATED", "API_KEY_MISSING"):
                await stub.ListAllSessions(admin.ListAllSessionsRequest())
        async with running_server(Config(port=0, admin=address, redis_url=valkey.url, **more)) as running:  # type: ignore[arg-type]
            assert running.admin
