"""Bots of the tests, and a service with a ladder."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import grpc
from msgspec import Struct

from skerry.admin.v1 import admin_pb2 as admin
from skerry.admin.v1 import admin_pb2_grpc
from skerry.v1 import ladder_pb2 as pb
from skerry_client import AsyncClient, AsyncSeat
from skerry_service.access.api_key_file import format_line, new_key
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from skerry_service.wiring.config import Config
from skerry_service.wiring.server import running_server
from tests.store.servers import ask

if TYPE_CHECKING:
    from skerry.admin.v1.admin_pb2_grpc import AdminServiceAsyncStub as Stub

PATIENCE = 60.0
KEYS = {name: new_key(name) for name in ("ada", "bob", "cyd", "dee", "eve", "fay", "guy", "hal", "ida", "jon")}

OPERATOR = new_key("operator")
AS_OPERATOR = (("x-api-key", OPERATOR),)


def version(text: str) -> str:
    """Return the hash of a program."""
    return sha256(text.encode()).hexdigest()


def write_keys(path: Path) -> Path:
    """Write the file of API keys. Calls without a key may do everything but own bots."""
    lines = [format_line(key, "ladder,bots,host,play,watch,webhooks") for key in KEYS.values()]
    path.write_text("\n".join((*lines, format_line(OPERATOR, "admin"), "* - watch")))
    return path


class LadderService(Struct):
    """A running service."""

    address: str
    http: str
    operators: Stub
    operators_address: str

    def client(self, key: str) -> AsyncClient:
        """Return a client with an API key."""
        return AsyncClient(self.address, api_key=KEYS[key])


@asynccontextmanager
async def serving(
    valkey: EmbeddedServer, folder: Path, *, flush: bool = True, **settings: Any
) -> AsyncIterator[LadderService]:
    """Serve on a store, which is emptied first."""
    if flush:
        await ask(valkey, "FLUSHALL")
    keys = write_keys(folder / "keys")
    config = Config(port=0, http="127.0.0.1:0", admin="127.0.0.1:0", redis_url=valkey.url, keys=keys, **settings)
    async with running_server(config) as running:
        assert running.admin
        assert running.http
        async with grpc.aio.insecure_channel(running.admin) as channel:
            yield LadderService(running.address, running.http, admin_pb2_grpc.AdminServiceStub(channel), running.admin)


async def create_ladder(service: LadderService, name: str = "tenerife-2", **fields: Any) -> pb.Ladder:
    """Create a ladder of two-seat Tenerife games."""
    wanted: dict[str, Any] = {"game": "tenerife", "seats": 2, **fields}
    response = await service.operators.CreateLadder(
        admin.CreateLadderRequest(name=f"ladders/{name}", **wanted), metadata=AS_OPERATOR
    )
    return response.ladder


async def next_seat(client: AsyncClient, bot: str, ladder: str = "tenerife-2") -> AsyncSeat:
    """Return the seat of a bot's next game."""
    return await client.find_ladder_game(ladder, bot, version(bot), wait_for=PATIENCE)


async def until(condition: Any) -> Any:
    """Return the first true value of an asynchronous condition."""
    async with asyncio.timeout(PATIENCE):
        while not (value := await condition()):  # noqa: ASYNC110 - the condition is in another process
            await asyncio.sleep(0.05)
        return value
