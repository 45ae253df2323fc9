"""Take screenshots of every game: at the start, in the middle, and after the end, on a desktop and on a phone.

    python -m tests.web.screenshots [--games kreta,tenerife] [--dark] [FOLDER]
    python -m tests.web.screenshots --docs      the pictures of the documents, in docs/pictures

A Chromium takes them from a real server. The games are the same in every run: the seed and the moves are fixed. The
files are written to ``build/screenshots``, for example ``kreta-middle-1280.png``.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

from playwright.sync_api import Browser, sync_playwright

from tests.web import chromium, cup_pictures, doc_pictures, ladder_pictures, operator_pictures, tournament_picture
from tests.web.fixed_games import join_table, play_out, show
from tests.web.page_actions import TITLES, with_seat
from tests.web.server_process import Server
from tests.web.visitors import PHONE, Visits

FOLDER = Path("build/screenshots")
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
    target = doc_pictures.FOLDER if chosen.docs else chosen.folder
    target.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix="skerry-test-") as folder, sync_playwright() as playwright:
        browser = chromium.launch(playwright.chromium)
        with Server(Path(folder)) as server:
            for game in chosen.games.split(","):
                taken = (
                    doc_pictures.take(browser, server, game, target)
                    if chosen.docs
                    else take(browser, server, game, target, dark=chosen.dark)
                )
                for name in taken:
                    print(name, flush=True)
        if chosen.docs:
            print(tournament_picture.take(browser, target))
            for take_pictures in (ladder_pictures.take, cup_pictures.take, operator_pictures.take):
                for path in take_pictures(browser, target):
                    print(path, flush=True)
    return 0


def take(browser: Browser, server: Server, game: str, folder: Path, *, dark: bool = False) -> Iterator[Path]:
    """Play a game and take its screenshots. Yield their paths."""
    with server.client() as skerry:
        turns = play_out(join_table(skerry, game))
        seat = join_table(skerry, game)
        visits = Visits(browser, server.url)
        theme: Literal["dark", "light"] = "dark" if dark else "light"
        scripts = [with_seat(seat, game)]
        pages = {
            width: visits.come(f"/{seat.name}", theme=theme, scripts=scripts, **size) for width, size in WIDTHS.items()
        }
        taken = 0
        for moment, until in (("begun", 0), ("middle", turns // 2), ("over", sys.maxsize)):
            taken = play_out(seat, taken, until)
            for width, page in pages.items():
                show(page, seat)
                path = folder / f"{game}-{moment}-{width}{'-dark' if dark else ''}.png"
                page.screenshot(path=path, full_page=True)
                yield path
        visits.close()


if __name__ == "__main__":
    sys.exit(main())
