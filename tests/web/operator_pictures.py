"""The pictures of the operators' page in the documents, with bots, players in search of a game, and spectators."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, Page, expect

from tests.web.server_process import Server
from tests.web.visitors import Visits

DESK = {"width": 1366, "height": 768}
GAMES = ("kreta", "tenerife", "small_islands", "canarias")
QUALITY = 55
"""Of JPEG."""


def take(browser: Browser, folder: Path) -> Iterator[Path]:
    """Take the pictures of the overview and of the sessions. Yield their paths."""
    with (
        TemporaryDirectory(prefix="skerry-test-") as place,
        Server(Path(place), SKERRY_ADMIN="127.0.0.1:0") as server,
        server.client() as skerry,
    ):
        tables = [
            skerry.create(game, seats=2, bots=1, level="easy", labels={"room": str(number)})
            for number, game in enumerate(GAMES * 3)
        ]
        for table in tables:
            table.join("Ada")
        crowd = Visits(browser, server.url)
        for table in tables[:3]:
            crowd.come(f"/{table.name}", expect_failures=True)
        ben = crowd.come()
        ben.get_by_label("Your name").fill("Ben")
        ben.get_by_role("button", name="Find opponents").click()
        visits = Visits(browser, f"http://{server.admin}")
        page = visits.come("/admin", viewport=DESK, locale="en-GB")
        expect(page.get_by_role("region", name="Table: Matchmaking")).to_be_visible()
        yield _photograph(page, folder / "operators-overview-desk.jpg")
        page.get_by_role("link", name="Sessions").click()
        expect(page.get_by_role("row", name="room: 11")).to_be_visible()
        yield _photograph(page, folder / "operators-sessions-desk.jpg")
        visits.close()
        crowd.close()


def _photograph(page: Page, path: Path) -> Path:
    page.wait_for_function("() => document.fonts.status === 'loaded'")
    page.screenshot(path=path, type="jpeg", quality=QUALITY)
    return path
