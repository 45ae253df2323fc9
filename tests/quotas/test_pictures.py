"""Limits on pictures that are drawn at once, over the wire."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from skerry.v1 import service_pb2 as pb
from skerry_service.api.pictures import picture_methods, rasterizer
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from tests.api.transports import of_connections
from tests.api.wire import play_out, refused, sit_down
from tests.quotas.limited_servers import address, limited
from tests.rest.web import connection, request
from tests.store.servers import PATIENCE, until

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_one_caller_can_have_few_pictures_drawn_at_once(
    valkey: EmbeddedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    allowed = threading.Event()

    def draw(svg: str) -> bytes:
        assert allowed.wait(PATIENCE)
        return b"a picture"

    monkeypatch.setattr(rasterizer, "draw_png", draw)
    monkeypatch.setattr(picture_methods, "MOST_FRAMES", 3)
    async with limited(valkey, drawings_address="2", drawings_server="3", animations_address="1") as web:
        sitting = await sit_down(web.api, 2)
        await play_out(web.api, sitting)

        def animation(caller: int, width: int) -> asyncio.Task[Any]:
            request = pb.GetReplayPictureRequest(name=sitting.name, width=width)

            async def call() -> bytes:
                answer = await web.api.stub.GetReplayPicture(request, metadata=address(caller))
                return bytes(answer.data)

            return asyncio.create_task(call())

        def drawing(caller: int, width: int) -> asyncio.Task[Any]:
            request = pb.GetPictureRequest(name=sitting.name, format="png", width=width)

            async def call() -> bytes:
                answer = await web.api.stub.GetPicture(request, metadata=address(caller))
                return bytes(answer.data)

            return asyncio.create_task(call())

        async def only_refused(calls: set[asyncio.Task[Any]], limit: str) -> set[asyncio.Task[Any]]:
            done, others = await asyncio.wait(calls, return_when=asyncio.FIRST_COMPLETED)
            with refused("RESOURCE_EXHAUSTED", "LIMIT_REACHED", limit=limit) as refusal:
                await done.pop()
            assert refusal.retry_after
            return others

        waiting = await only_refused({drawing(3, width) for width in (100, 101, 102)}, "drawings_address")
        await web.api.stub.GetPicture(pb.GetPictureRequest(name=sitting.name), metadata=address(3))  # SVG takes no slot
        waiting |= await only_refused({drawing(4, 103), drawing(5, 104)}, "drawings_server")
        animations = await only_refused({animation(3, 100), animation(3, 101)}, "animations_address")
        allowed.set()
        assert await asyncio.gather(*waiting) == [b"a picture"] * 3
        assert all(await asyncio.gather(*animations))
        assert await drawing(3, 105) == b"a picture"


@of_connections
async def test_a_picture_whose_caller_has_gone_over_rest_is_not_drawn(
    valkey: EmbeddedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    allowed, drawn, begun, forgotten = threading.Event(), list[str](), list[bytes](), list[bytes]()

    def draw(svg: str) -> bytes:
        drawn.append(svg)
        assert allowed.wait(PATIENCE)
        return b"a picture"

    begin, forget = rasterizer.Rasterizer._begin, rasterizer.Rasterizer._forget

    def begins(self: rasterizer.Rasterizer, loop: asyncio.AbstractEventLoop, digest: bytes, svg: str) -> Any:
        begun.append(digest)
        return begin(self, loop, digest, svg)

    def forgets(self: rasterizer.Rasterizer, digest: bytes, drawing: Any) -> None:
        forgotten.append(digest)
        forget(self, digest, drawing)

    monkeypatch.setattr(rasterizer, "draw_png", draw)
    monkeypatch.setattr(rasterizer.Rasterizer, "_begin", begins)
    monkeypatch.setattr(rasterizer.Rasterizer, "_forget", forgets)
    async with limited(valkey, drawings_server="2") as web:
        sitting = await sit_down(web.api, 2)
        path = f"/v1/{sitting.name}/picture.png?width="
        first = asyncio.create_task(web.call("GET", f"{path}211"))
        await until(lambda: bool(drawn))
        async with connection(web.address) as (_, writer):
            writer.write(request("GET", f"{path}212", {}))
            await until(lambda: len(begun) == 2)
        await until(lambda: bool(forgotten))
        allowed.set()
        assert (await first).status == 200
        assert (await web.call("GET", f"{path}214")).status == 200
    assert len(drawn) == 2
