"""The screens of ladders, with bots that play while they are open."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.ladders.bots import version
from tests.web.ladder_bots import create_ladder, ladder_server, play_ladder, play_people, start_season, wait_for_results
from tests.web.page_actions import fits
from tests.web.page_keys import has_focus
from tests.web.server_process import Server
from tests.web.test_access import AXE, violations
from tests.web.visitors import Visits

pytestmark = pytest.mark.browser

LADDER = "tenerife-2"
PAUSE_MS = 8_000
"""Between two readings of an open ladder."""


@pytest.fixture(scope="module")
def ladder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with a ladder, on which two bots have played a block."""
    with ladder_server(tmp_path_factory.mktemp("ladder")) as server:
        create_ladder(server, LADDER, "tenerife")
        play_ladder(server, LADDER, {"gull": ["play", "play"], "tern": ["resign", "resign"]})
        wait_for_results(server, LADDER, 2)
        yield server


@pytest.fixture
def on_ladders(browser: Browser, ladder: Server) -> Iterator[Visits]:
    visits = Visits(browser, ladder.url)
    yield visits
    visits.close()
    assert visits.faults == []


def wait_for_games(page: Page, count: int) -> None:
    """Wait until the standings contain so many finished games."""
    expect(page.get_by_text(f"{count} finished games", exact=True)).to_be_visible()


def test_a_ladder_is_read_by_keyboard_while_bots_play(on_ladders: Visits, ladder: Server) -> None:
    page = on_ladders.come(scripts=[AXE.read_text(encoding="utf-8")])
    page.clock.install()
    page.reload()
    page.get_by_role("link", name="Ladders").click()
    expect(page.get_by_role("heading", name="Ladders", exact=True)).to_be_visible()
    assert violations(page) == []
    page.get_by_role("link", name="Tenerife, 2 players").click()
    wait_for_games(page, 2)
    gull = page.get_by_role("row").filter(has=page.get_by_role("button", name="gull"))
    expect(gull.get_by_role("cell")).to_have_text(["–", "—1 of 10 blocks", "2", "0", "now"])
    button = page.get_by_role("button", name="gull")
    button.focus()
    page.keyboard.press("Enter")
    expect(button).to_have_attribute("aria-expanded", "true")
    expect(page.get_by_text(version("gull"), exact=True)).to_be_visible()
    against = page.get_by_role("region", name="Head to head of gull").get_by_role("row", name="tern")
    expect(against.get_by_role("cell")).to_have_text(["2", "0", "0", "100%"])
    assert violations(page) == []
    scroll = page.evaluate("scrollTo(0, 40); scrollY")
    play_ladder(ladder, LADDER, {"gull": ["play", "play"], "tern": ["resign", "resign"]})
    wait_for_results(ladder, LADDER, 4)
    page.clock.fast_forward(PAUSE_MS)
    wait_for_games(page, 4)
    expect(gull.get_by_role("cell").nth(2)).to_have_text("4")
    assert has_focus(page, ".bot[aria-expanded=true]")
    assert page.evaluate("scrollY") == scroll


def test_a_game_of_a_ladder_is_replayed(on_ladders: Visits) -> None:
    page = on_ladders.come(f"/ladders/{LADDER}#season=1")
    page.get_by_role("button", name="tern").click()
    games = page.get_by_role("region", name="Latest games of tern")
    games.get_by_role("link", name="Replay").last.click()
    expect(page.get_by_role("slider")).to_be_visible()
    page.go_back()
    expect(games).to_be_visible()


def test_a_ladder_fits_a_phone_and_keeps_its_old_seasons(on_ladders: Visits, ladder: Server) -> None:
    start_season(ladder, LADDER, 2)
    page = on_ladders.come(f"/ladders/{LADDER}", phone=True)
    expect(page.get_by_text("No games in this season yet.")).to_be_visible()
    page.get_by_role("combobox", name="Season").select_option("1")
    page.get_by_role("button", name="gull").click()
    expect(page.get_by_role("region", name="Head to head of gull").get_by_role("row", name="tern")).to_be_visible()
    expect(page.get_by_role("columnheader", name="Games")).to_have_count(0)
    assert fits(page)
    page.reload()
    expect(page.get_by_role("combobox", name="Season")).to_have_value("1")
    expect(page.get_by_role("button", name="gull", expanded=True)).to_be_visible()


def test_a_ladder_of_people_shows_games_and_no_bots(on_ladders: Visits, ladder: Server) -> None:
    name = play_people(ladder, "kreta")
    page = on_ladders.come(f"/ladders/{name}", phone=True, scripts=[AXE.read_text(encoding="utf-8")])
    expect(page.get_by_text(f"{name} · people", exact=True)).to_be_visible()
    expect(page.get_by_text("1 of 10 games", exact=True)).to_have_count(2)
    expect(page.get_by_text("0 games in play", exact=True)).to_be_visible()
    expect(page.get_by_role("region", name="Latest games")).to_contain_text("Bob resigned")
    expect(page.get_by_role("table").get_by_role("button")).to_have_count(0)
    assert violations(page) == []
    assert fits(page)


@pytest.mark.parametrize("path", ["nonsense", "No%20id", f"{LADDER}#season=99"])
def test_a_missing_ladder_shows_an_error(on_ladders: Visits, path: str) -> None:
    page = on_ladders.come(f"/ladders/{path}", expect_failures=True)
    expect(page.get_by_role("heading", name="Ladder not found")).to_be_visible()
    page.get_by_role("link", name="All ladders").click()
    expect(page.get_by_role("link", name="Tenerife, 2 players")).to_be_visible()
