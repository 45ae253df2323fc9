"""The directory of open tables, over peers that answer, hang, flood, or answer nonsense."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest

from skerry.v1 import service_pb2 as pb
from skerry.v1 import session_pb2
from skerry_client import AsyncClient
from skerry_service.sessions.lists import cell_directory
from skerry_service.sessions.lists.cell_directory import FRESH_SECONDS, STALE_SECONDS, CellDirectory
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from skerry_service.wiring.config import Config
from skerry_service.wiring.peers import peers_of
from skerry_service.wiring.server import running_server
from tests.store.servers import running_server as running_store
from tests.tls.authority import Authority

NAME = "sessions/mfzwizltmfzwizlt.us1"
OPEN = session_pb2.Seat(occupant=session_pb2.OCCUPANT_OPEN)
LOBBY = session_pb2.SESSION_STATE_LOBBY
OK = b"HTTP/1.1 200 OK\r\ncontent-type: application/proto\r\n"


def table(name: str = NAME, **fields: object) -> session_pb2.Session:
    return session_pb2.Session(**{"name": name, "game": "kreta", "state": LOBBY, "seats": [OPEN], **fields})  # type: ignore[arg-type]


def body(*tables: session_pb2.Session) -> bytes:
    return pb.ListSessionsResponse(sessions=tables).SerializeToString()


def response(content: bytes) -> bytes:
    return OK + b"content-length: %d\r\n\r\n" % len(content) + content


class Peer:
    """A server that answers each connection with the same bytes, or never.

    ``pause``: seconds between two bytes; ``tls``: serves TLS; ``scheme``: of its address.
    """

    def __init__(
        self, answer: bytes | None, *, pause: float = 0, tls: ssl.SSLContext | None = None, scheme: str = "http"
    ) -> None:
        self.answer, self.pause, self.tls, self.scheme = answer, pause, tls, scheme
        self.requests: list[bytes] = []

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Read the head of the request, and answer."""
        try:
            self.requests.append(await reader.readuntil(b"\r\n\r\n"))
            if self.answer is None:
                await reader.read()
            elif self.pause:
                for byte in self.answer:
                    writer.write(bytes([byte]))
                    await asyncio.sleep(self.pause)
            else:
                writer.write(self.answer)
                await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()


@asynccontextmanager
async def service(store: EmbeddedServer, *peers: Peer, key: str | None = None) -> AsyncIterator[AsyncClient]:
    """Run the cell eu1, whose peers are us1, us2 and so on; yield its client."""
    async with AsyncExitStack() as stack:
        named = ["eu1=http://127.0.0.1:1"]  # itself
        for number, peer in enumerate(peers, start=1):
            server = await asyncio.start_server(peer.serve, "127.0.0.1", 0, ssl=peer.tls)
            stack.callback(server.close)
            named.append(f"us{number}={peer.scheme}://127.0.0.1:{server.sockets[0].getsockname()[1]}")
        config = Config(port=0, redis_url=store.url, cell="eu1", peers=tuple(named), peers_api_key=key)
        running = await stack.enter_async_context(running_server(config))
        yield await stack.enter_async_context(AsyncClient(running.address))


@pytest.fixture(scope="module")
def store() -> Iterator[EmbeddedServer]:
    with running_store() as server:
        yield server


async def test_each_cell_lists_its_open_tables_and_says_how_old_they_are(store: EmbeddedServer) -> None:
    full = table(seats=[session_pb2.Seat(occupant=session_pb2.OCCUPANT_PLAYER)])
    before = table("sessions/mfzwizltmfzwizlt")  # from before the cell: a call about it leads to the home
    peer = Peer(response(body(table(), full, before, table(state=session_pb2.SESSION_STATE_PLAYING))))
    async with service(store, peer) as client:
        own = await client.create("kreta", seats=2)
        cells = await client.open_tables()
        assert [(one.cell, one.reached, one.age_seconds) for one in cells] == [("eu1", True, 0), ("us1", True, 0)]
        assert [[session.name for session in one.sessions] for one in cells] == [[own.name], [NAME]]
        assert not any(one.sessions for one in await client.open_tables(game="tenerife"))
        assert len(peer.requests) == 1
        assert b"skerry-cell: us1" in peer.requests[0]


async def test_four_hundred_callers_at_once_cause_one_request_for_each_peer(
    store: EmbeddedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cell_directory, "FRESH_SECONDS", 60.0)
    peers = Peer(response(body(table()))), Peer(None)
    async with service(store, *peers) as client:
        answers = await asyncio.gather(*[client.open_tables() for _ in range(400)])
    assert [len(peer.requests) for peer in peers] == [1, 1]
    assert {tuple(one.reached for one in cells) for cells in answers} == {(True, True, False)}


@pytest.mark.parametrize(
    "answer",
    [
        response(b"\x0a" * (1 << 20)),
        OK + b"\r\n" + body(table()) * 100_000,  # without a length
        response(b"\xff" * 100),
        response(body(table("sessions/mfzwizltmfzwizlt.eu1"))),
        response(body(table(seats=[session_pb2.Seat(occupant=99)]), table("x.y"))),  # type: ignore[arg-type]
        response(b"")[:-2],
        OK + b"content-length: 100\r\n\r\nshort",
        b"HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nx: " + b"y" * 100_000,
        b"SSH-2.0-OpenSSH\r\n",
        b"",
        None,
    ],
)
async def test_whatever_a_peer_answers_the_other_cells_are_listed(store: EmbeddedServer, answer: bytes | None) -> None:
    good, bad = Peer(response(body(table()))), Peer(answer)
    async with service(store, good, bad) as client:
        cells = await client.open_tables()
        assert [(one.cell, one.reached) for one in cells] == [("eu1", True), ("us1", True), ("us2", False)]
        assert not cells[2].HasField("age_seconds") and not cells[2].sessions
        assert [session.name for session in cells[1].sessions] == [NAME]
        await client.open_tables()
        assert len(bad.requests) <= 1  # also a failure is remembered


def server_tls(folder: Path, *, trusted: bool, monkeypatch: pytest.MonkeyPatch) -> ssl.SSLContext:
    """Return a context with a certificate of an authority that services trust or not."""
    authority = Authority(folder)
    pem = authority.issue("peer")
    if trusted:
        monkeypatch.setenv("SSL_CERT_FILE", str(authority.file))
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(pem.certificate, pem.key)
    return context


async def test_the_api_key_is_sent_to_the_peers_alone(
    store: EmbeddedServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tls = server_tls(tmp_path, trusted=True, monkeypatch=monkeypatch)
    elsewhere = Peer(response(body(table())))
    other = await asyncio.start_server(elsewhere.serve, "127.0.0.1", 0)
    port = other.sockets[0].getsockname()[1]
    moved = b"HTTP/1.1 307 Moved\r\nlocation: http://127.0.0.1:%d/\r\ncontent-length: 0\r\n\r\n" % port
    peers = Peer(response(body(table())), tls=tls, scheme="https"), Peer(moved, tls=tls, scheme="https")
    async with other, service(store, *peers, key="k.secret") as client:
        cells = await client.open_tables()
    assert [one.reached for one in cells] == [True, True, False]
    assert all(b"x-api-key: k.secret\r\n" in peer.requests[0] for peer in peers)
    assert elsewhere.requests == []


@pytest.mark.parametrize("serves_tls", [True, False])
async def test_a_peer_without_a_trusted_certificate_gets_no_request(
    store: EmbeddedServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, serves_tls: bool
) -> None:
    tls = server_tls(tmp_path, trusted=False, monkeypatch=monkeypatch) if serves_tls else None
    peer = Peer(response(body(table())), tls=tls, scheme="https")
    async with service(store, peer, key="k.secret") as client:
        cells = await client.open_tables()
    assert [one.reached for one in cells] == [True, False]
    assert not any(b"k.secret" in request for request in peer.requests)


async def test_the_log_says_that_a_peer_requires_a_key_and_has_no_key(
    store: EmbeddedServer, caplog: pytest.LogCaptureFixture
) -> None:
    refusing = Peer(b"HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\n\r\n")
    async with service(store, refusing, key="k.secret") as client:
        assert not (await client.open_tables())[1].reached
    assert "the cell us1: it refused the call (401). If it requires API keys, set SKERRY_PEERS_API_KEY" in caplog.text
    assert "k.secret" not in caplog.text


def test_the_api_key_is_not_sent_without_encryption() -> None:
    config = Config(peers=("us1=http://10.3.0.5:8080",), peers_api_key="k.secret")
    with pytest.raises(OSError, match=r"not sent without encryption, but SKERRY_PEERS has us1=http://10\.3\."):
        peers_of(config)
    peers_of(Config(cell="us1", peers=config.peers, peers_api_key="k.secret"))  # no call to itself


async def test_a_peer_that_sends_one_byte_after_another_is_given_up(
    store: EmbeddedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cell_directory, "READ_SECONDS", 0.3)
    async with service(store, Peer(response(body(table())), pause=0.05)) as client:
        assert not (await client.open_tables())[1].reached


class Clock:
    """A clock that a test moves on."""

    now = 0.0

    def __call__(self) -> float:
        """Return the time in seconds."""
        return self.now


async def test_tables_of_a_lost_cell_stay_listed_as_stale_up_to_a_bound() -> None:
    clock, up, reads = Clock(), True, 0

    async def read() -> str:
        nonlocal reads
        reads += 1
        if not up:
            raise ConnectionRefusedError
        return "tables"

    directory = CellDirectory({"us1": read}, clock)
    await directory.get()
    for now, expected in [
        (FRESH_SECONDS, (False, (FRESH_SECONDS, "tables"))),
        (STALE_SECONDS, (False, (STALE_SECONDS, "tables"))),
        (STALE_SECONDS + FRESH_SECONDS, (False, None)),
    ]:
        clock.now, up = now, False
        (cell,) = await directory.get()
        assert (cell.reached, cell.tables) == expected
    clock.now, up = clock.now + FRESH_SECONDS, True
    (cell,) = await directory.get()
    assert (cell.reached, cell.tables) == (True, (0.0, "tables"))
    assert reads == 5


async def test_a_caller_waits_once_for_a_cell_that_hangs_and_cancels_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cell_directory, "READ_SECONDS", 0.3)
    clock, cancelled = Clock(), 0

    async def hang() -> str:
        nonlocal cancelled
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled += 1
            raise
        raise AssertionError

    directory = CellDirectory({"us1": hang}, clock)
    leaving = asyncio.create_task(directory.get())
    await asyncio.sleep(0.05)
    leaving.cancel()
    assert [one.reached for one in await directory.get()] == [False]
    assert cancelled == 1  # by the time limit of the read, not by the caller that left
    await directory.get()
    assert cancelled == 1
