"""API keys over the wire: both fronts, what each scope opens, limits of a key's own, and what stands in logs."""

from __future__ import annotations

import json
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest

from skerry.v1 import service_pb2 as pb
from skerry_client import AsyncClient, errors
from skerry_client.transport.call_headers import CallHeaders
from skerry_client.transport.choice import TransportName
from skerry_client.transport.connect_transport import ConnectTransport
from skerry_client.transport.grpc_transport import GrpcTransport
from skerry_games.catalogue import all_games
from skerry_service.access.api_key_file import format_line, new_key
from skerry_service.access.keyring import Keyring
from skerry_service.cli.health_command import health_of
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from tests.api.wire import OPEN, bearer, create, play_out, refused, sit_down
from tests.quotas.limited_servers import limits
from tests.rest.web import Web, events, served
from tests.store.servers import ask, until

HOST_KEY, PLAY_KEY, WATCH_KEY, BOTS_KEY = (new_key(name) for name in ("host", "play", "watch", "bots"))
LINES = [format_line(key, key.split("_")[2]) for key in (HOST_KEY, PLAY_KEY, WATCH_KEY, BOTS_KEY)]
NEW = pb.CreateSessionRequest(game="kreta", seats=[OPEN, OPEN])


def sent(key: str | None, token: str | None = None) -> tuple[tuple[str, str], ...]:
    return (*bearer(token), *((("x-api-key", key),) if key else ()))


@pytest.fixture
def keys(tmp_path: Path) -> Path:
    path = tmp_path / "keys"
    write(path, *LINES)
    return path


def read(path: Path) -> str:
    return path.read_text()


def write(path: Path, *lines: str) -> None:
    path.write_text("\n".join(lines))


@asynccontextmanager
async def keyed(valkey: EmbeddedServer, keys: Path, **more: Any) -> AsyncIterator[Web]:
    await ask(valkey, "FLUSHALL")
    async with served(valkey, keys=keys, **more) as web:
        yield web


async def test_no_call_gets_in_without_a_key_and_everything_else_does(valkey: EmbeddedServer, keys: Path) -> None:
    async with keyed(valkey, keys) as web:
        with refused("UNAUTHENTICATED", "API_KEY_MISSING"):
            await web.api.stub.ListGames(pb.ListGamesRequest())
        with refused("UNAUTHENTICATED", "API_KEY_MISSING"):
            await web.api.send("Act", b"\xff", ())
        with refused("UNAUTHENTICATED", "API_KEY_INVALID"):
            await web.api.stub.ListGames(pb.ListGamesRequest(), metadata=sent(new_key("watch")))
        with refused("UNAUTHENTICATED", "API_KEY_INVALID"):
            await web.api.stub.ListGames(pb.ListGamesRequest(), metadata=(*sent(WATCH_KEY), *sent(WATCH_KEY)))
        assert len((await web.api.stub.ListGames(pb.ListGamesRequest(), metadata=sent(WATCH_KEY))).games) == len(
            all_games()
        )
        for path in ("/healthz", "/readyz", "/openapi.json", "/docs"):
            assert (await web.call("GET", path)).status == 200
        answer = await web.call("GET", "/v1/games")
        assert (answer.status, answer.reason) == (401, "API_KEY_MISSING")
        assert b"`X-API-Key: <key>`" in answer.body
        assert (await web.call("GET", "/v1/games", headers={"x-api-key": WATCH_KEY})).status == 200
        assert await health_of(web.api.address) == "serving"


async def test_a_key_opens_what_its_scopes_say_and_no_seat(valkey: EmbeddedServer, keys: Path) -> None:
    async with keyed(valkey, keys) as web:
        with refused("PERMISSION_DENIED", "API_KEY_SCOPE", scopes="host"):
            await web.api.stub.CreateSession(NEW, metadata=sent(PLAY_KEY))
        made = await web.api.stub.CreateSession(NEW, metadata=sent(HOST_KEY))
        name = made.session.name
        join = pb.JoinSessionRequest(name=name, display_name="Ada")
        with refused("PERMISSION_DENIED", "API_KEY_SCOPE", scopes="play, bots"):
            await web.api.stub.JoinSession(join, metadata=sent(WATCH_KEY))
        ada = (await web.api.stub.JoinSession(join, metadata=sent(PLAY_KEY))).seat_token
        with refused("UNAUTHENTICATED", "TOKEN_MISSING"):
            await web.api.stub.LeaveSession(pb.LeaveSessionRequest(name=name), metadata=sent(PLAY_KEY))
        await web.api.stub.LeaveSession(pb.LeaveSessionRequest(name=name), metadata=sent(BOTS_KEY, ada))
        with refused("PERMISSION_DENIED", "API_KEY_SCOPE", scopes="bots"):
            await web.api.stub.SampleStates(pb.SampleStatesRequest(name=name), metadata=sent(PLAY_KEY, ada))


async def test_anybody_may_do_what_the_file_says(valkey: EmbeddedServer, keys: Path) -> None:
    write(keys, *LINES, "* - play,host,watch")
    async with keyed(valkey, keys) as web:
        sitting = await sit_down(web.api)
        await play_out(web.api, sitting)
        async with events(web, sitting.name) as stream:  # as EventSource does, which can send no header
            assert await stream.next()
        with refused("UNAUTHENTICATED", "API_KEY_MISSING"):
            await web.api.stub.SampleStates(pb.SampleStatesRequest(name=sitting.name))
        with refused("UNAUTHENTICATED", "API_KEY_INVALID"):
            await web.api.stub.GetSession(pb.GetSessionRequest(name=sitting.name), metadata=sent(new_key("watch")))


async def test_streams_end_with_the_key_that_opened_them(
    valkey: EmbeddedServer, keys: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Keyring] = []

    async def watch(self: Keyring) -> None:
        made.append(self)

    monkeypatch.setattr(Keyring, "watch", watch)
    write(keys, *LINES, "* - play,host,bots")
    async with keyed(valkey, keys) as web:
        sitting = await create(web.api, OPEN, OPEN, OPEN)
        await until(lambda: bool(made))
        asked = pb.ObserveRequest(name=sitting.name)
        observed = aiter(web.api.stub.Observe(asked, metadata=sent(WATCH_KEY)))
        await anext(observed)
        playing = web.api.stub.Play(metadata=sent(PLAY_KEY))
        attach = pb.PlayAttach(name=sitting.name, handle=1)
        await playing.write(pb.PlayRequest(attach=[attach]))
        assert isinstance(await playing.read(), pb.PlayResponse)
        more = "expires=2999-01-01 create=5/1h"
        write(keys, *(f"{line} {more}" for line in LINES), "* - play,host")  # they are the same keys
        assert await made[0].poll()
        await web.api.stub.JoinSession(pb.JoinSessionRequest(name=sitting.name, display_name="Ada"))
        await anext(observed)
        assert isinstance(await playing.read(), pb.PlayResponse)
        write(keys, "* - play,host")
        assert await made[0].poll()
        await web.api.stub.JoinSession(pb.JoinSessionRequest(name=sitting.name, display_name="Bob"))
        with refused("UNAUTHENTICATED", "API_KEY_INVALID"):
            await anext(observed)
        with refused("UNAUTHENTICATED", "API_KEY_INVALID"):
            while isinstance(await playing.read(), pb.PlayResponse):
                pass


async def test_limits_of_a_key_hold_for_all_who_call_with_it_and_nobody_else(
    valkey: EmbeddedServer, keys: Path
) -> None:
    own = ("create=2/1h", "read=1/1h", "streams=1")
    write(keys, format_line(PLAY_KEY, "host,watch", own), LINES[0])
    async with keyed(valkey, keys, quotas=limits(create="3/1h")) as web:

        def at(number: int, key: str) -> tuple[tuple[str, str], ...]:
            return (*sent(key), ("x-forwarded-for", f"198.51.100.{number}"))

        first = await web.api.stub.CreateSession(NEW, metadata=at(1, PLAY_KEY))
        await web.api.stub.CreateSession(NEW, metadata=at(2, PLAY_KEY))
        with refused("RESOURCE_EXHAUSTED", "LIMIT_REACHED", limit="create") as refusal:
            await web.api.stub.CreateSession(NEW, metadata=at(3, PLAY_KEY))
        assert "on sessions created is 2 in 1 h for one API key" in refusal.message
        for _ in range(3):
            await web.api.stub.CreateSession(NEW, metadata=at(3, HOST_KEY))
        with refused("RESOURCE_EXHAUSTED", "LIMIT_REACHED", limit="create"):
            await web.api.stub.CreateSession(NEW, metadata=at(3, HOST_KEY))
        asked = pb.ObserveRequest(name=first.session.name)
        observed = aiter(web.api.stub.Observe(asked, metadata=at(1, PLAY_KEY)))
        await anext(observed)
        with refused("RESOURCE_EXHAUSTED", "LIMIT_REACHED", limit="streams_key"):
            await anext(aiter(web.api.stub.Observe(asked, metadata=at(2, PLAY_KEY))))


async def test_logs_have_the_name_of_a_key_and_never_the_key(
    valkey: EmbeddedServer, keys: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    log = tmp_path / "calls"
    unknown = new_key("unknown")
    said = []
    async with keyed(valkey, keys, access_log=str(log), metrics="127.0.0.1:0") as web:
        for key in (WATCH_KEY, PLAY_KEY, unknown, f"{WATCH_KEY}x", None):
            answer = await web.call("GET", "/v1/sessions", headers={"x-api-key": key} if key else {})
            said.append(f"{answer.headers} {answer.body!r}")
            try:
                await web.api.stub.CreateSession(NEW, metadata=sent(key))
            except grpc.aio.AioRpcError as error:
                said.append(f"{error.details()} {error.trailing_metadata()!r}")
    lines = [json.loads(line) for line in read(log).splitlines()]
    assert [(line["rpc"], line.get("key"), line.get("reason")) for line in lines] == [
        ("ListSessions", "watch", None),
        ("CreateSession", "watch", "API_KEY_SCOPE"),
        ("ListSessions", "play", None),
        ("CreateSession", "play", "API_KEY_SCOPE"),
        *[(rpc, None, "API_KEY_INVALID") for _ in range(2) for rpc in ("ListSessions", "CreateSession")],
        *[(rpc, None, "API_KEY_MISSING") for rpc in ("ListSessions", "CreateSession")],
    ]
    everything = "\n".join([read(log), caplog.text, *said])
    for key in (WATCH_KEY, PLAY_KEY, unknown):
        assert key not in everything
        assert key.split("_", 3)[3] not in everything


@pytest.mark.parametrize("kind", ["grpc", "auto"])
async def test_the_client_sends_its_key_with_every_kind_of_call(
    valkey: EmbeddedServer, keys: Path, monkeypatch: pytest.MonkeyPatch, kind: TransportName
) -> None:
    every = new_key("every")
    write(keys, format_line(every, "play,host,watch"))
    async with keyed(valkey, keys) as web:
        async with AsyncClient(web.api.address, transport=kind, api_key=every) as skerry:
            table = await skerry.create("kreta", seats=2, bots=1)
            seat = await table.join("Ada")
            async for position in seat.turns():
                await seat.act(position.legal_moves[0])
            seen = [one.sequence async for one in table.observe(after_sequence=0)]
            assert seen
        monkeypatch.setenv("SKERRY_API_KEY", every)
        async with AsyncClient(web.api.address, transport=kind, retry_for=0) as skerry:
            assert len(await skerry.games()) == len(all_games())
        monkeypatch.setenv("SKERRY_API_KEY", new_key("every"))
        async with AsyncClient(web.api.address, transport=kind, retry_for=0) as skerry:
            with pytest.raises(errors.ApiKeyInvalid):
                await skerry.games()


@pytest.mark.parametrize("make", [ConnectTransport, GrpcTransport])
async def test_a_play_stream_with_an_unknown_key_ends_with_the_error(
    valkey: EmbeddedServer, keys: Path, make: type[ConnectTransport] | type[GrpcTransport]
) -> None:
    async with keyed(valkey, keys) as web:
        address = web.address if make is ConnectTransport else web.api.address
        transport = make(address, headers=CallHeaders(new_key("unknown")))
        exchange = transport.play()
        with pytest.raises(errors.ApiKeyInvalid):
            await exchange.read()
        with pytest.raises(errors.SkerryError):
            await exchange.write(pb.PlayRequest())
        await transport.close()
