"""The picture of the live page of a tournament in the documents."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser

PLAYERS = ("random", "easy", "medium", "Ada=easy", "Bob=random", "Cleo=greedy")
FLAGS = ("--game", "kreta", "--format", "swiss", "--rounds", "3", "--games", "6", "--seed", "5a" * 32)
MOMENT = 42
"""The number of finished games in the picture: the third round has begun."""


def take(browser: Browser, folder: Path) -> Path:
    """Play a Swiss tournament until its third round, take the picture, and end it."""
    players = [part for player in PLAYERS for part in ("--player", player)]
    command = [sys.executable, "-m", "skerry_arena.cli", "tournament", "run", *players, *FLAGS, "--live", ":0"]
    with TemporaryDirectory(prefix="skerry-test-") as place:
        process = subprocess.Popen([*command, "--out", f"{place}/cup"], stderr=subprocess.PIPE, text=True)
        try:
            assert process.stderr is not None
            url = process.stderr.readline().removeprefix("Live page: ").strip()
            page = browser.new_page(viewport={"width": 1000, "height": 860})
            page.goto(url)
            page.wait_for_function(
                "(least) => parseInt(document.querySelector('main strong').textContent) >= least", arg=MOMENT, timeout=0
            )
            path = folder / "tournament-live.jpg"
            page.screenshot(path=path, type="jpeg", quality=60)
            page.close()
            return path
        finally:
            process.kill()
            process.communicate()
