"""Where the focus is when one screen takes the place of another: keys go on there, and who listens hears it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from skerry_client import Client
from tests.web.playing import is_over, make_table, my_turn, reaches
from tests.web.visiting import Visits

pytestmark = pytest.mark.browser

SEED = bytes(range(32))


def heading(page: Page) -> Locator:
    """The name of what is shown."""
    return page.get_by_role("heading", level=1)


def room(page: Page) -> str:
    """Make a table at which one seat stays open. Return the session's name."""
    path = make_table(page, "kreta", seats=2, bots=0)
    expect(page.get_by_role("heading", name="Invite friends")).to_be_visible()
    return path.strip("/").partition("#")[0]


def test_it_goes_to_the_heading_of_each_screen_that_takes_it_away(visits: Visits, skerry: Client) -> None:
    page = visits.come()
    name = room(page)
    expect(heading(page)).to_be_focused()
    page.get_by_role("button", name="Copy link").focus()
    ben = skerry.table(name).join("Ben")
    expect(page.get_by_role("list", name="Players")).to_be_visible()
    expect(heading(page)).to_be_focused()
    ben.resign()
    page.get_by_role("button", name="Play again").press("Enter")
    expect(page.get_by_role("heading", name="Invite friends")).to_be_visible()
    expect(heading(page)).to_be_focused()
    page.get_by_role("button", name="Cancel the game").press("Enter")
    page.keyboard.press("Enter")
    expect(page.get_by_text("The host cancelled this game.")).to_be_visible()
    expect(heading(page)).to_be_focused()
    page.get_by_role("link", name="All tables").press("Enter")
    expect(page.get_by_role("heading", name="Four island board games")).to_be_focused()
    page.go_back()
    expect(page.get_by_text("The host cancelled this game.")).to_be_visible()
    expect(heading(page)).to_be_focused()


def test_it_stays_where_it_is_beside_the_screens(visits: Visits, skerry: Client) -> None:
    page = visits.come()
    name = room(page)
    api = page.get_by_role("link", name="API docs")
    api.focus()
    skerry.table(name).join("Ben")
    expect(page.get_by_role("list", name="Players")).to_be_visible()
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    expect(api).to_be_focused()


def test_a_page_that_is_loaded_is_read_from_its_top(visits: Visits, skerry: Client) -> None:
    page = visits.come(f"/{skerry.create('kreta', seats=2, bots=2, seed=SEED).name}")
    expect(page.get_by_role("slider")).to_be_visible()
    assert is_over(page)
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    expect(page.locator("body")).to_be_focused()


def test_keys_lead_through_the_log_of_a_game_that_was_come_to_by_a_link(visits: Visits, skerry: Client) -> None:
    page = visits.come()
    make_table(page, "kreta", seats=2, bots=1)
    my_turn(page)
    page.get_by_text("Leave or resign").click()
    page.get_by_role("button", name="Resign", exact=True).click()
    page.get_by_role("button", name="Really resign?").click()
    page.get_by_role("link", name="All tables").press("Enter")
    expect(heading(page)).to_be_focused()
    page.go_back()
    expect(page.get_by_role("slider")).to_be_visible()
    expect(heading(page)).to_be_focused()
    last = int(page.get_by_role("slider").get_attribute("max") or 0)
    page.keyboard.press("ArrowLeft")
    reaches(page, last - 1)
