"""A unix socket serves every protocol, and its path belongs to one server at a time."""

from __future__ import annotations

import asyncio
import stat
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import grpc
import pytest

from skerry.v1 import service_pb2 as pb
from skerry_games.catalogue import all_games
from skerry_service.edge.listening.listening_sockets import open_unix_listener
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from skerry_service.wiring.config import Config
from skerry_service.wiring.server import running_server
from skerry_service.wiring.workers.supervisor import running_workers
from tests.api.wire import Api
from tests.store.servers import running_server as running_store


@pytest.fixture(scope="module")
def valkey() -> Iterator[EmbeddedServer]:
    with running_store() as server:
        yield server


@pytest.fixture
def path() -> Iterator[Path]:
    """A path that is short enough for a unix socket."""
    with TemporaryDirectory(prefix="skerry-test-") as folder:
        yield Path(folder) / "skerry.sock"


def mode_of(path: Path) -> int | None:
    """Return the permissions of a path; ``None`` if there is nothing."""
    return stat.S_IMODE(path.stat().st_mode) if path.exists() else None


async def test_a_unix_socket_serves_grpc_and_http_and_is_removed_at_the_end(valkey: EmbeddedServer, path: Path) -> None:
    async with running_server(Config(port=0, redis_url=valkey.url, socket=path)):
        assert mode_of(path) == 0o660
        async with grpc.aio.insecure_channel(f"unix:{path}") as channel:
            listed = await Api(channel).stub.ListGames(pb.ListGamesRequest())
            assert len(listed.games) == len(all_games())
        reader, writer = await asyncio.open_unix_connection(str(path))
        writer.write(b"GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
        assert (await reader.read()).startswith(b"HTTP/1.1 200 ")
        writer.close()
    assert mode_of(path) is None


def test_a_path_with_a_server_is_refused_and_one_without_is_replaced(path: Path) -> None:
    with open_unix_listener(path), pytest.raises(OSError, match=f"cannot listen on {path}: another server"):
        open_unix_listener(path)
    assert path.is_socket(), "as after a crash"
    open_unix_listener(path).close()


def test_a_path_of_another_kind_of_file_is_refused(path: Path) -> None:
    path.write_text("precious")
    with pytest.raises(OSError, match="cannot listen on"):
        open_unix_listener(path)
    assert path.read_text() == "precious"


async def test_several_workers_cannot_share_a_unix_socket(valkey: EmbeddedServer, path: Path) -> None:
    with pytest.raises(OSError, match="SKERRY_SOCKET"):
        async with running_workers(Config(port=0, redis_url=valkey.url, socket=path, workers=2)):
            pass
