"""Frames a second while a player drags a full table of Small Islands, on a desktop and on a slow phone."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from playwright.sync_api import Browser, CDPSession, Page

from skerry_client import Client, Seat
from tests.web.page_actions import wait_for_turn, with_seat
from tests.web.server_process import Server
from tests.web.visitors import PATIENCE_MS, PHONE

from .report import Row
from .settings import Settings

SEED = bytes([7] * 32)
SEATS = 4
LEFT = 3
"""The position is that of the player's turn so many turns before the end."""
LARGER = 4
"""The steps of the wheel before the table is dragged. It is then 2.4 times as large as before."""
STEPS = 60
"""The positions of the pointer in one drag."""
SCREENS: dict[str, tuple[dict[str, Any], int]] = {
    "1366 × 768": ({"viewport": {"width": 1366, "height": 768}}, 1),
    "phone, processor 4 × slower": (PHONE, 4),
}
"""The settings of a browser, and how much slower its processor is made."""
_TIME_FRAMES = """() => {
    window.frames_ms = [];
    let before = performance.now();
    const next = (now) => { window.frames_ms.push(now - before); before = now; requestAnimationFrame(next); };
    requestAnimationFrame(next);
}"""


def run(browser: Browser, server: Server, settings: Settings) -> Iterator[Row]:
    """Measure each of the screens."""
    with server.client() as client:
        seat = _late_position(client)
    for screen, (options, slower) in SCREENS.items():
        page = _open(browser, server, seat, options)
        pieces = page.locator(".board .piece").count()
        frames, busy = _drag(page, slower, drags=2 if settings.quick else 8)
        page.context.close()
        rate = 1000 * len(frames) / sum(frames)
        longer = 100 * sum(frame > 1.5 * 1000 / 60 for frame in frames) / len(frames)
        yield Row("page", f"Small Islands, {pieces} pieces, dragged, {screen}: frames", rate, "a second")
        yield Row("page", "the same: frames that come late", longer, "%")
        yield Row("page", "the same: main thread a frame", busy, "ms")


def _late_position(client: Client) -> Seat:
    """Return the seat of a player at a table that is almost full, at the player's turn."""
    turns = _play(_seat(client))
    seat = _seat(client)
    _play(seat, turns - LEFT)
    return seat


def _seat(client: Client) -> Seat:
    return client.create("small_islands", seats=SEATS, bots=SEATS - 1, seed=SEED).join("Ada")


def _play(seat: Seat, most: int | None = None) -> int:
    """Make moves by chance, up to a number of them or the end. Return the number of moves made."""
    for taken, position in enumerate(seat.turns()):
        if taken == most:
            return taken
        seat.act(Random(taken).choice(position.legal_moves))
    return taken + 1


def _open(browser: Browser, server: Server, seat: Seat, options: dict[str, Any]) -> Page:
    context = browser.new_context(reduced_motion="reduce", **options)
    context.set_default_timeout(PATIENCE_MS)
    context.add_init_script(with_seat(seat, "small_islands"))
    page = context.new_page()
    page.goto(f"{server.url}/{seat.name}")
    wait_for_turn(page)
    return page


def _drag(page: Page, slower: int, *, drags: int) -> tuple[list[float], float]:
    """Drag the board by touch. Return the frames' lengths and the main thread's processor time a frame, in ms."""
    box = page.locator(".pane.board").bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    for _ in range(LARGER):
        page.mouse.wheel(0, -100)
    devtools = page.context.new_cdp_session(page)
    devtools.send("Emulation.setCPUThrottlingRate", {"rate": slower})
    devtools.send("Performance.enable", {"timeDomain": "threadTicks"})
    _touch(devtools, "touchStart", x, y)
    before = _work(devtools)
    page.evaluate(_TIME_FRAMES)
    for drag in range(drags):
        way = -1 if drag % 2 else 1
        for step in range(STEPS):
            part = way * (step / STEPS - 0.5)
            _touch(devtools, "touchMove", x + part * box["width"] / 2, y + part * box["height"] / 3)
    frames: list[float] = page.evaluate("window.frames_ms")
    work = _work(devtools) - before
    devtools.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    return frames, 1000 * work / len(frames)


def _touch(devtools: CDPSession, kind: str, x: float, y: float) -> None:
    devtools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})


def _work(devtools: CDPSession) -> float:
    """Return the processor time of the page's main thread in seconds, with that of being slower."""
    metrics = devtools.send("Performance.getMetrics")["metrics"]
    return float(next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration"))
