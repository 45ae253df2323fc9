"""nginx in front of the service, with the configuration of the documents: every protocol at one address."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import islice
from queue import SimpleQueue
from typing import Any
from uuid import uuid4

import grpc
import pytest
from connectrpc.client import ConnectClientSync
from connectrpc.compat import google_protobuf_binary_codec
from connectrpc.errors import ConnectError
from connectrpc.protocol import ProtocolType
from pyqwest import HTTPVersion, SyncClient, SyncHTTPTransport

from skerry.v1 import payload_pb2, session_pb2
from skerry.v1 import service_pb2 as api
from skerry.v1.service_pb2_grpc import SkerryServiceStub
from skerry_client import Client
from tests.clients.play import play_to_the_end
from tests.connect.test_connect_for_python import method, reason_of
from tests.generators.workshop import Workshop
from tests.interop.nginx import proxying
from tests.interop.services import Service, serving
from tests.interop.toolchains import need

pytestmark = [pytest.mark.deep, pytest.mark.timeout(300)]  # plays many games

VERSIONS = [pytest.param(HTTPVersion.HTTP1, id="http1"), pytest.param(HTTPVersion.HTTP2, id="http2")]
BOT = api.SeatSetup(occupant=session_pb2.OCCUPANT_BOT)


@pytest.fixture(scope="module")
def proxied(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """The service behind nginx."""
    need("nginx", packages="nginx-light from Debian")
    with serving("--trusted-proxy", "127.0.0.1") as service, proxying(service, tmp_path_factory.mktemp("nginx")) as it:
        yield it


@pytest.fixture(params=VERSIONS)
def http(request: pytest.FixtureRequest, proxied: Service) -> Iterator[SyncHTTPTransport]:
    """A transport of HTTP with each version."""
    assert proxied.authority is not None
    with SyncHTTPTransport(tls_ca_cert=proxied.authority.read_bytes(), http_version=request.param) as transport:
        yield transport


@dataclass(frozen=True)
class Rest:
    """REST through the proxy. ``token`` is that of a seat, ``forwarded`` the address that the caller claims."""

    transport: SyncHTTPTransport
    url: str

    def call(self, path: str, body: Any = None, *, token: str = "", forwarded: str = "") -> Any:
        """Return the response of a call, or the error."""
        headers = {"Content-Type": "application/json"}
        headers |= {"Authorization": f"Bearer {token}"} if token else {}
        headers |= {"X-Forwarded-For": forwarded} if forwarded else {}
        client = SyncClient(self.transport)
        content = None if body is None else json.dumps(body).encode()
        made = client.execute("GET" if body is None else "POST", f"{self.url}/v1/{path}", headers, content)
        return json.loads(bytes(made.content))

    def events(self, path: str, last: int | None = None) -> Iterator[Any]:
        """Yield the data of the events of a stream. ``last``: resume after this sequence."""
        headers = {} if last is None else {"Last-Event-ID": str(last)}
        rest = ""
        with SyncClient(self.transport).stream("GET", f"{self.url}/v1/{path}", headers) as response:
            for chunk in response.content:
                *events, rest = (rest + bytes(chunk).decode()).split("\n\n")
                for event in events:
                    yield from (json.loads(line[6:]) for line in event.splitlines() if line.startswith("data: "))


def credentials(service: Service) -> grpc.ChannelCredentials:
    """Return the credentials for a service with TLS."""
    assert service.authority is not None
    return grpc.ssl_channel_credentials(service.authority.read_bytes())


@contextmanager
def stub(service: Service) -> Iterator[Any]:
    """Yield a stub of a service with TLS."""
    with grpc.secure_channel(service.address, credentials(service)) as channel:
        yield SkerryServiceStub(channel)


def sequences_of(messages: Iterable[api.ObserveResponse], most: int) -> list[int]:
    """Return the sequences of the next entries."""
    entries = (entry for message in messages for entry in message.entries)
    return [entry.sequence for entry in islice(entries, most)]


def test_grpcio_plays_and_observes_a_game(proxied: Service) -> None:
    with stub(proxied) as skerry, Client(proxied.address, credentials=credentials(proxied)) as client:
        table = client.create("kreta", seats=2)
        play_to_the_end(table, [table.join("Ada"), table.join("Bob")])
        received: list[int] = []
        while True:
            stream = skerry.Observe(api.ObserveRequest(name=table.name, after_sequence=len(received)))
            more = sequences_of(stream, 7)
            stream.cancel()
            received += more
            if len(more) < 7:
                break
    assert received == list(range(1, len(received) + 1))
    proxied.expect_sessions({table.name: len(received)})


def test_grpc_js_plays_and_observes_a_game(proxied: Service, node_programs: Workshop) -> None:
    printed = node_programs.run(f"node player.mjs protos {proxied.address} '{proxied.authority}' kreta")
    proxied.expect_games(printed, times=2)


def test_a_stream_of_play_may_send_more_than_other_requests(proxied: Service) -> None:
    """nginx limits the size of a request, by default to 1 MiB. That of a stream has all its messages."""
    with stub(proxied) as skerry:
        lobby = api.CreateSessionRequest(game="kreta", seats=[api.SeatSetup(), BOT])
        name = skerry.CreateSession(lobby).session.name
        attach = api.PlayAttach(handle=1, name=name)
        act = api.PlayAct(handle=1, move=payload_pb2.Move(text="x" * 60_000), validate_only=True)
        requests: SimpleQueue[api.PlayRequest] = SimpleQueue()
        requests.put(api.PlayRequest(attach=[attach]))
        stream = skerry.Play(iter(requests.get, None))
        refused = 0
        for response in stream:
            refused += sum(update.refused.act for update in response.updates)
            if refused == 40:
                break
            requests.put(api.PlayRequest(acts=[act]))
        stream.cancel()


def test_a_game_is_played_over_rest_and_its_events_resume(http: SyncHTTPTransport, proxied: Service) -> None:
    rest = Rest(http, proxied.url)
    name = rest.call("sessions", {"game": "kreta", "seats": [{}, {"occupant": "OCCUPANT_BOT"}]})["session"]["name"]
    token = rest.call(f"{name}:join", {"displayName": "Ada"})["seatToken"]
    position = rest.call(name, token=token)["position"]
    while "outcome" not in position:
        move = {"move": position["legalMoves"][0], "expectedSequence": position["sequence"]}
        acted = rest.call(f"{name}:act", {**move, "view": "POSITION_VIEW_FULL", "requestId": str(uuid4())}, token=token)
        position = acted["position"]
    received: list[int] = []
    while True:
        before = len(received)
        for event in rest.events(f"{name}:observe?afterSequence=0", before or None):
            received += [int(entry["sequence"]) for entry in event.get("entries", [])]
            if len(received) >= before + 7:
                break
        else:  # the stream has ended by itself
            break
    assert received == list(range(1, len(received) + 1))
    proxied.expect_sessions({name: len(received)})


def test_events_arrive_as_they_happen(http: SyncHTTPTransport, proxied: Service) -> None:
    """nginx buffers no events: each arrives while its stream is open."""
    rest = Rest(http, proxied.url)
    name = rest.call("sessions", {"game": "kreta", "seats": [{}, {}]})["session"]["name"]
    events = rest.events(f"{name}:observe")
    assert next(events)["entries"] == []
    rest.call(f"{name}:join", {"displayName": "Ada"})
    assert next(events)["entries"][0]["joined"]["displayName"] == "Ada"


@pytest.mark.parametrize("protocol", [ProtocolType.CONNECT, ProtocolType.GRPC_WEB], ids=["connect", "grpc-web"])
def test_connect_for_python_calls_and_observes(
    http: SyncHTTPTransport, proxied: Service, protocol: ProtocolType
) -> None:
    codec = google_protobuf_binary_codec()
    with ConnectClientSync(proxied.url, protocol=protocol, codec=codec, http_client=SyncClient(http)) as client:
        bots = api.CreateSessionRequest(game="kreta", seats=[BOT, BOT])
        name = client.execute_unary(request=bots, method=method("CreateSession")).session.name
        whole = client.execute_server_stream(
            request=api.ObserveRequest(name=name, after_sequence=0), method=method("Observe")
        )
        received = sequences_of(whole, 1000)
        assert received == list(range(1, len(received) + 1))
        proxied.expect_sessions({name: len(received)})
        for use_get in (False, True):
            looked = client.execute_unary(
                request=api.GetSessionRequest(name=name), method=method("GetSession"), use_get=use_get
            )
            assert looked.position.sequence == len(received)
        with pytest.raises(ConnectError) as unknown:
            client.execute_unary(request=api.GetGameRequest(name="games/chess"), method=method("GetGame"))
        assert reason_of(unknown.value) == "GAME_NOT_FOUND"
        lobby = api.CreateSessionRequest(game="kreta", seats=[api.SeatSetup(), BOT])
        name = client.execute_unary(request=lobby, method=method("CreateSession")).session.name
        stream = client.execute_server_stream(request=api.ObserveRequest(name=name), method=method("Observe"))
        assert sequences_of([next(stream)], 1) == []
        client.execute_unary(
            request=api.JoinSessionRequest(name=name, display_name="Ada"), method=method("JoinSession")
        )
        assert next(stream).entries[0].joined.display_name == "Ada"


def test_callers_behind_the_proxy_are_counted_by_their_own_addresses(proxied: Service) -> None:
    """Over gRPC and over REST: a caller that has opened all of its matchmaking streams, and another one."""
    full, other = "203.0.113.5", "203.0.113.6"
    # No other test has open tables of this game, and no player sits with a namesake: every ticket waits.
    ticket = api.FindMatchRequest(game="canarias", display_name="Ada")
    assert proxied.authority is not None
    with (
        stub(proxied) as skerry,
        SyncHTTPTransport(tls_ca_cert=proxied.authority.read_bytes()) as transport,
        ExitStack() as streams,
    ):
        rest = Rest(transport, proxied.url)

        def find(address: str) -> None:
            stream = skerry.FindMatch(ticket, metadata=[("x-forwarded-for", address)])
            streams.callback(stream.cancel)
            next(stream)

        for _ in range(50):
            find(full)
        with pytest.raises(grpc.RpcError) as rejected:
            find(full)
        assert rejected.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
        find(other)
        request = {"game": "canarias", "displayName": "Ada"}
        refused = rest.call("sessions:find", request, forwarded=full)
        assert refused["error"]["details"][0]["metadata"]["limit"] == "tickets_address"
