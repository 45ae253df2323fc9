"""The table in a real browser: first paint, time until a move is shown, and frames while dragging a large table."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, Page, sync_playwright

from tests.web import chromium, page_actions, page_keys
from tests.web.server_process import Server
from tests.web.visitors import DESK, PATIENCE_MS

from . import page_dragging, rest
from .report import Row, Target
from .settings import Settings

WATCHERS = 200
MOST_PRESSES = Target(3)
_PAINT = "() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
_TIME_MOVES = """() => {
    window.waits = [];
    let clicked;
    addEventListener("click", () => { clicked = performance.now(); }, true);
    new MutationObserver(() => requestAnimationFrame(() => {
        if (clicked !== undefined) window.waits.push(performance.now() - clicked);
        clicked = undefined;
    })).observe(document.querySelector("main"), { attributes: true, attributeFilter: ["data-sequence"] });
}"""
"""Records the time from the click that sends a move to the first frame that shows it."""


def run(settings: Settings) -> Iterator[Row]:
    """Measure on loopback, without animations."""
    with TemporaryDirectory() as folder, sync_playwright() as playwright, Server(Path(folder)) as server:
        browser = chromium.launch(playwright.chromium)
        yield from _paints(browser, server, settings)
        yield from _moves(browser, server)
        yield from _keys(browser, server)
        yield from page_dragging.run(browser, server, settings)
        browser.close()
    yield from _watchers(settings)


def _new_page(browser: Browser, url: str) -> Page:
    """Return the page in a browser with an empty cache."""
    context = browser.new_context(reduced_motion="reduce", **DESK)
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    page.goto(url)
    return page


def _paints(browser: Browser, server: Server, settings: Settings) -> Iterator[Row]:
    times = []
    for _ in range(3 if settings.quick else 10):
        page = _new_page(browser, server.url)
        page.wait_for_function(_PAINT)
        times.append(page.evaluate(_PAINT))
        page.context.close()
    yield Row("page", "the lobby: first paint, nothing cached, median", median(times), "ms")
    yield Row("page", "the lobby: first paint, worst", max(times), "ms")


def _moves(browser: Browser, server: Server) -> Iterator[Row]:
    page = _new_page(browser, server.url)
    page_actions.create_table(page, "kreta", seats=2, bots=1)
    page_actions.wait_for_turn(page)
    page.evaluate(_TIME_MOVES)
    page_actions.play(page)
    waits: list[float] = page.evaluate("window.waits")
    page.context.close()
    yield Row("page", f"move clicked to table changed, median of {len(waits)}", median(waits), "ms")
    yield Row("page", "move clicked to table changed, worst", max(waits), "ms")


def _keys(browser: Browser, server: Server) -> Iterator[Row]:
    """Play each game with the digits that the list of moves shows, confirming each move."""
    for game, title in page_actions.TITLES.items():
        page = _new_page(browser, server.url)
        page_actions.create_table(page, game, seats=2, bots=1)
        page_actions.wait_for_turn(page)
        decisions, presses = page_keys.play_by_keys(page)
        page.context.close()
        yield Row(
            "page", f"{title}, {decisions} decisions: key presses, in the mean", presses / decisions, "", MOST_PRESSES
        )


def _watchers(settings: Settings) -> Iterator[Row]:
    move = rest.watched(WATCHERS, settings).cpu * WATCHERS * 1000
    yield Row("page", f"{WATCHERS} pages watch one game: CPU of the server a move", move, "ms")
