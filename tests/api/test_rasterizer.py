"""The thread that draws PNG: one picture at a time, each once, and none for callers that have gone."""

from __future__ import annotations

import asyncio
import threading

import pytest

from skerry_games.kreta import GAME as KRETA
from skerry_service.api.pictures.pictures import Pictures, PictureStyle
from skerry_service.api.pictures.rasterizer import Rasterizer
from skerry_service.sessions.memory_store import MemoryStore
from skerry_service.sessions.service import Sessions
from skerry_service.watching.turns import Turn
from tests.sessions.tables import Clock, move_once, sit_down

PATIENCE = 20


class Drawer:
    """Draws when it is allowed to, and records what it drew."""

    def __init__(self) -> None:
        self.drawn: list[str] = []
        self.allowed = threading.Event()

    def __call__(self, svg: str) -> bytes:
        assert self.allowed.wait(PATIENCE)
        self.drawn.append(svg)
        if svg == "broken":
            raise ValueError(svg)
        return svg.encode()


async def queued(rasterizer: Rasterizer, *svgs: str) -> list[asyncio.Task[bytes]]:
    tasks = [asyncio.create_task(rasterizer.png(svg)) for svg in svgs]
    await asyncio.sleep(0)
    return tasks


async def test_equal_pictures_are_drawn_once_and_the_loop_goes_on() -> None:
    drawer = Drawer()
    rasterizer = Rasterizer(drawer)
    tasks = await queued(rasterizer, "first", "second", "first")
    drawer.allowed.set()
    assert await asyncio.gather(*tasks) == [b"first", b"second", b"first"]
    assert drawer.drawn == ["first", "second"]
    assert await rasterizer.png("first") == b"first"
    assert drawer.drawn == ["first", "second"]


async def test_a_picture_that_no_caller_waits_for_is_not_drawn() -> None:
    drawer = Drawer()
    rasterizer = Rasterizer(drawer)
    _, abandoned, shared, patient, last = await queued(rasterizer, "begun", "abandoned", "shared", "shared", "last")
    for task in (abandoned, shared):
        task.cancel()
    await asyncio.wait((abandoned, shared))
    (anew,) = await queued(rasterizer, "abandoned")
    drawer.allowed.set()
    assert (await patient, await last, await anew) == (b"shared", b"last", b"abandoned")
    assert drawer.drawn == ["begun", "shared", "last", "abandoned"]


async def test_a_picture_that_cannot_be_drawn_harms_no_other() -> None:
    drawer = Drawer()
    rasterizer = Rasterizer(drawer)
    broken, next_one = await queued(rasterizer, "broken", "next one")
    drawer.allowed.set()
    with pytest.raises(ValueError, match="broken"):
        await broken
    assert await next_one == b"next one"


async def test_a_known_animation_waits_for_no_other() -> None:
    pytest.importorskip("svg2png_py")
    sessions, pictures = Sessions(MemoryStore(), clock_ms=Clock()), Pictures()
    turns = [Turn(await move_once(sessions, await sit_down(sessions, KRETA, 2)), ())]
    style = PictureStyle("png", "light", 100)
    drawn = await pictures.animation(turns, None, "epoch", style)
    async with pictures._animations, asyncio.timeout(PATIENCE):  # another one is being drawn
        assert await pictures.animation(turns, None, "epoch", style) is drawn
    await sessions.close()
