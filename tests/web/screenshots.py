"""Take screenshots of every game: at the start, in the middle, and after the end, on a desktop and on a phone.

    python -m tests.web.screenshots [--games kreta,tenerife] [--dark] [FOLDER]
    python -m tests.web.screenshots --docs      the pictures of README.md and docs/games, in docs/pictures

A Chromium takes them from a real server. The games are the same in every run: the seed and the moves are fixed. The
files are written to ``build/screenshots``, for example ``kreta-middle-1280.png``.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from playwright.sync_api import Browser, Page, expect, sync_playwright

from skerry_client import Client, Seat, Table
from skerry_games.catalogue import all_games
from tests.web import chromium
from tests.web.page_actions import TITLES, wait_for_sequence, wait_for_turn
from tests.web.server_process import Server
from tests.web.visitors import PHONE, Visits

FOLDER = Path("build/screenshots")
DOCS = Path("docs/pictures")
DOCS_MOMENT, DOCS_WIDTH, DOCS_QUALITY = "middle", 1280, 80
SEATS, LEVEL = 3, "easy"
SEED = bytes([7] * 32)
WIDTHS: dict[int, dict[str, Any]] = {
    1280: {"viewport": {"width": 1280, "height": 900}},
    390: PHONE,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Take the screenshots. Return 1 if there is no Chromium."""
    parser = argparse.ArgumentParser(description="Take screenshots of every game.")
    parser.add_argument("folder", nargs="?", type=Path, default=FOLDER)
    parser.add_argument("--games", default=",".join(TITLES), help="ids of games, separated by commas")
    parser.add_argument("--dark", action="store_true", help="use the dark theme")
    parser.add_argument("--docs", action="store_true", help="take only the pictures of the documentation")
    chosen = parser.parse_args(arguments)
    if chromium.find() is None:
        print(chromium.MISSING)
        return 1
    target = DOCS if chosen.docs else chosen.folder
    target.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix="skerry-test-") as folder, sync_playwright() as playwright:
        browser = chromium.launch(playwright.chromium)
        with Server(Path(folder)) as server:
            for game in chosen.games.split(","):
                for name in take(browser, server, game, target, dark=chosen.dark, docs=chosen.docs):
                    print(name, flush=True)
    return 0


def take(
    browser: Browser, server: Server, game: str, folder: Path, *, dark: bool = False, docs: bool = False
) -> Iterator[Path]:
    """Play a game and take its screenshots. Yield their paths."""
    with server.client() as skerry:
        turns = play_out(join_table(skerry, game))
        seat = join_table(skerry, game)
        with_token = f"localStorage.setItem('skerry.sessions', {json.dumps(json.dumps([kept(seat, game)]))})"
        visits = Visits(browser, server.url)
        pages = {
            width: visits.come(f"/{seat.name}", theme="dark" if dark else "light", scripts=[with_token], **settings)
            for width, settings in WIDTHS.items()
        }
        taken = 0
        for moment, until in (("begun", 0), ("middle", turns // 2), ("over", sys.maxsize)):
            if docs and moment != DOCS_MOMENT:
                continue
            taken = play_out(seat, taken, until)
            for width, page in pages.items():
                show(page, seat)
                if not docs:
                    path = folder / f"{game}-{moment}-{width}{'-dark' if dark else ''}.png"
                    page.screenshot(path=path, full_page=True)
                    yield path
                elif width == DOCS_WIDTH:
                    path = folder / f"{game}.jpg"
                    page.screenshot(path=path, full_page=True, type="jpeg", quality=DOCS_QUALITY)
                    yield path
        visits.close()


def join_table(skerry: Client, game: str) -> Seat:
    """Take a seat at a table with bots and a fixed seed."""
    seats = SEATS if SEATS in all_games()[game].seats else all_games()[game].seats[-1]
    table: Table = skerry.create(game, seats=seats, bots=seats - 1, level=LEVEL, seed=SEED, visibility="unlisted")
    return table.join("Ada")


def kept(seat: Seat, game: str) -> dict[str, str]:
    """Return what the player's browser stores about the session."""
    return {"session": seat.name, "game": game, "seatToken": seat.token}


def play_out(seat: Seat, taken: int = 0, until: int = sys.maxsize) -> int:
    """Continue after ``taken`` turns, up to ``until`` turns or the end. Return the number of turns taken."""
    if taken < until:
        for position in seat.turns():
            seat.act(Random(taken).choice(position.legal_moves))
            taken += 1
            if taken == until:
                break
    return taken


def show(page: Page, seat: Seat) -> None:
    """Wait until the page shows the newest position completely."""
    position = next(seat.turns(), None) or seat.position()
    wait_for_sequence(page, position.sequence)
    if position.to_act:
        wait_for_turn(page)
    else:
        expect(page.get_by_role("region", name="Result")).to_be_visible()
    page.evaluate("document.fonts.ready.then(() => scrollTo(0, 0))")


if __name__ == "__main__":
    sys.exit(main())
