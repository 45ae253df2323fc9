"""Pictures of the page of a tournament for the docs: a finished knockout, and one in which the visitor plays."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, Page, expect

from skerry.v1 import tournament_pb2 as pb
from tests.web.doc_pictures import SIZES
from tests.web.server_process import Server
from tests.web.tournament_players import create_cup, play
from tests.web.visitors import Visits

NAMES = ("Gull", "Tern", "Puffin", "Skua", "Fulmar", "Cormorant", "Petrel")
RESIGNING = (2, 4, 5)
"""The numbers of the players that resign their games."""
QUALITY = 55
"""Of JPEG."""


def take(browser: Browser, folder: Path) -> Iterator[Path]:
    """Take the pictures. Yield their paths."""
    with TemporaryDirectory(prefix="skerry-test-") as place, Server(Path(place) / "data") as server:
        visits = Visits(browser, server.url)
        finished = create_cup(server, "Harbour cup", pb.TOURNAMENT_FORMAT_KNOCKOUT)
        players = finished.enter(*NAMES)
        finished.start()
        play(players, resigning=RESIGNING)
        page = visits.come(finished.path, viewport=SIZES["wide"], locale="en-GB")
        expect(page.get_by_text("wins the tournament")).to_be_visible()
        yield _shoot(page, folder / "cup-wide.jpg")
        running = create_cup(server, "Evening cup", pb.TOURNAMENT_FORMAT_KNOCKOUT)
        running.enter(*NAMES[:4])
        page = visits.come(running.path, viewport=SIZES["phone"], locale="en-GB")
        page.get_by_label("Your name").fill("Ada")
        page.get_by_role("button", name="Enter").click()
        expect(page.get_by_text("You have entered as Ada.")).to_be_visible()
        running.enter("Ben")
        running.start()
        page.reload()
        expect(page.get_by_text("Your games are in play")).to_be_visible()
        yield _shoot(page, folder / "cup-phone.jpg")
        visits.close()


def _shoot(page: Page, path: Path) -> Path:
    page.wait_for_function("() => document.fonts.status === 'loaded'")
    page.screenshot(path=path, type="jpeg", quality=QUALITY)
    return path
