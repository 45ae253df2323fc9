"""The focus after a change of screen, which keyboard and screen-reader users depend on."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from skerry_client import Client
from tests.web.page_actions import create_table, is_over, open_tab, wait_for_sequence, wait_for_turn
from tests.web.visitors import Visits

pytestmark = pytest.mark.browser

SEED = bytes(range(32))


def heading(page: Page) -> Locator:
    """Return the heading of the screen."""
    return page.get_by_role("heading", level=1)


def room(page: Page) -> str:
    """Create a table with one open seat. Return the session's name."""
    path = create_table(page, "kreta", seats=2, bots=0)
    expect(page.get_by_role("heading", name="Invite friends")).to_be_visible()
    return path.strip("/").partition("#")[0]


def test_the_heading_of_a_new_screen_gets_a_lost_focus(visits: Visits, skerry: Client) -> None:
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
    page.get_by_role("link", name="Skerry").click()
    room(page)
    page.get_by_role("button", name="Cancel the game").press("Enter")
    page.keyboard.press("Enter")
    expect(page.get_by_text("The host cancelled this game.")).to_be_visible()
    expect(heading(page)).to_be_focused()
    page.get_by_role("link", name="All tables").press("Enter")
    expect(page.get_by_role("heading", name="Island board games")).to_be_focused()
    page.go_back()
    expect(page.get_by_text("The host cancelled this game.")).to_be_visible()
    expect(heading(page)).to_be_focused()


def test_the_focus_stays_on_an_element_that_survives_the_change_of_screen(visits: Visits, skerry: Client) -> None:
    page = visits.come()
    name = room(page)
    home = page.get_by_role("link", name="Skerry")
    home.focus()
    skerry.table(name).join("Ben")
    expect(page.get_by_role("list", name="Players")).to_be_visible()
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    expect(home).to_be_focused()


def test_a_loaded_page_keeps_the_focus_at_its_top(visits: Visits, skerry: Client) -> None:
    page = visits.come(f"/{skerry.create('kreta', seats=2, bots=2, seed=SEED).name}")
    expect(page.get_by_role("slider")).to_be_visible()
    assert is_over(page)
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    expect(page.locator("body")).to_be_focused()


def test_keys_move_the_slider_of_a_game_opened_by_a_link(visits: Visits, skerry: Client) -> None:
    page = visits.come()
    path = create_table(page, "kreta", seats=2, bots=1)
    wait_for_turn(page)
    open_tab(page, "Table")
    page.get_by_text("Leave or resign").click()
    page.get_by_role("button", name="Resign", exact=True).click()
    page.get_by_role("button", name="Really resign?").click()
    page.get_by_role("link", name="All tables").press("Enter")
    expect(heading(page)).to_be_focused()
    page.go_back()
    last = skerry.table(path.strip("/")).session().sequence
    expect(page.get_by_role("slider")).to_have_attribute("max", f"{last}")
    expect(heading(page)).to_be_focused()
    page.keyboard.press("ArrowLeft")
    wait_for_sequence(page, last - 1)
