"""The pictures of the operators' page in the documents, with bots, people who search for a game, and spectators."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from tests.web.operator_scene import busy_service

DESK = {"width": 1366, "height": 768}
QUALITY = 55
"""Of JPEG."""


def take(browser: Browser, folder: Path) -> Iterator[Path]:
    """Take the pictures of the overview and of the sessions. Yield their paths."""
    with busy_service(browser) as scene:
        page = scene.operator(viewport=DESK, locale="en-GB")
        expect(page.get_by_role("region", name="Table: Matchmaking")).to_be_visible()
        expect(page.get_by_text("connection refused")).to_be_visible()
        yield _photograph(page, folder / "operators-overview-desk.jpg")
        page.get_by_role("link", name="Sessions").click()
        expect(page.get_by_role("row", name="room: 11")).to_be_visible()
        yield _photograph(page, folder / "operators-sessions-desk.jpg")


def _photograph(page: Page, path: Path) -> Path:
    page.wait_for_function("() => document.fonts.status === 'loaded'")
    page.screenshot(path=path, type="jpeg", quality=QUALITY)
    return path
