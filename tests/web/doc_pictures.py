"""The pictures of the documents: the screens of each game at three sizes, and the table in the dark theme."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Browser, Page, ViewportSize, expect

from skerry_client import Seat
from tests.web.fixed_games import join_table, play_out, show
from tests.web.page_actions import TITLES, open_tab, with_seat
from tests.web.server_process import Server
from tests.web.visitors import Visits

FOLDER = Path("docs/pictures")
QUALITY = 45
"""Of JPEG. All pictures together have less than 3 MB."""
SIZES: dict[str, ViewportSize] = {
    "wide": {"width": 1366, "height": 768},
    "low": {"width": 844, "height": 390},
    "phone": {"width": 390, "height": 844},
}


def take(browser: Browser, server: Server, game: str, folder: Path) -> Iterator[Path]:
    """Play a game and take the pictures of its screens. Yield their paths."""
    visits = Visits(browser, server.url)
    with server.client() as skerry:
        turns = play_out(join_table(skerry, game))
        seat = join_table(skerry, game)
        taken = play_out(seat, 0, turns // 2)
        page = _open(visits, seat, game)
        yield from _at_all_sizes(page, folder, f"{game}-table")
        page.set_viewport_size(SIZES["wide"])
        page.emulate_media(color_scheme="dark")
        yield _save(page, folder, f"{game}-table-dark")
        page.emulate_media(color_scheme="light")
        open_tab(page, "How to play")
        expect(page.get_by_role("tabpanel").get_by_role("heading").first).to_be_visible()
        yield from _at_all_sizes(page, folder, f"{game}-how-to-play")
        play_out(seat, taken)
        page = _open(visits, seat, game)
        yield from _at_all_sizes(page, folder, f"{game}-result")
    yield from _at_all_sizes(_open_lesson(visits, game), folder, f"{game}-lesson")
    visits.close()


def _open(visits: Visits, seat: Seat, game: str) -> Page:
    """Return the table as its player sees it."""
    page = visits.come(f"/{seat.name}", scripts=[with_seat(seat, game)], viewport=SIZES["wide"], has_touch=True)
    show(page, seat)
    listed = page.get_by_role("button", name="List of moves", expanded=True)
    if listed.count():
        listed.click()
    return page


def _open_lesson(visits: Visits, game: str) -> Page:
    page = visits.come(viewport=SIZES["wide"], has_touch=True)
    page.get_by_role("radio", name=TITLES[game]).check(force=True)
    page.get_by_role("button", name="Learn").click()
    page.wait_for_url("**/sessions/*")
    expect(page.get_by_role("region", name="Lesson")).to_be_visible()
    return page


def _at_all_sizes(page: Page, folder: Path, name: str) -> Iterator[Path]:
    for size, viewport in SIZES.items():
        page.set_viewport_size(viewport)
        yield _save(page, folder, f"{name}-{size}")


def _save(page: Page, folder: Path, name: str) -> Path:
    page.wait_for_function("() => document.fonts.status === 'loaded'")
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    path = folder / f"{name}.jpg"
    page.screenshot(path=path, type="jpeg", quality=QUALITY)
    return path
