"""The page of a tournament's game, opened from a file: slider, keys and playing, without a network."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from skerry_arena.reports.game_page import game_page
from skerry_arena.reports.page import templates
from skerry_arena.running.worker import Worker
from skerry_games.pairing.plan import games
from tests.arena.samples import settings

pytestmark = pytest.mark.browser


def test_a_page_replays_its_game_from_a_file(browser: Browser, tmp_path: Path) -> None:
    tournament = settings("random", "<i>=random", game="kreta", games=2)
    record = Worker(tournament).play(next(games(tournament)))
    (tmp_path / "0.html").write_text(game_page(templates(), tournament, record))
    faults: list[str] = []
    page = browser.new_page()
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda said: faults.append(said.text))
    page.on("request", lambda request: faults.append(request.url) if request.url.startswith("http") else None)
    page.goto((tmp_path / "0.html").as_uri())
    slider, current = page.get_by_role("slider"), page.locator("[aria-current]")
    last = int(slider.get_attribute("max") or "")
    expect(current).to_have_text("The game begins.")
    page.keyboard.press("End")
    expect(current).to_have_text(record.reason.format(*record.lineup))
    final = page.locator("#picture").inner_html()
    page.keyboard.press("ArrowLeft")
    expect(slider).to_have_value(f"{last - 1}")
    page.keyboard.press("Home")
    assert page.locator("#picture").inner_html() != final
    slider.fill(f"{last - 2}")
    page.get_by_role("button", name="Play").click()
    expect(slider).to_have_value(f"{last}")
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    assert page.locator("#picture").inner_html() == final and page.locator("#picture i").count() == 0
    back = page.locator("#back")
    back.press("Space")
    expect(slider).to_have_value(f"{last - 1}")
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    page.get_by_role("listitem").filter(has_text="The game begins.").click()
    expect(slider).to_have_value("0")
    page.close()
    assert faults == []
