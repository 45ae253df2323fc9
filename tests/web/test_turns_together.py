"""Two players at one table: they say something to each other, and one takes back a move."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.web.page_actions import click, create_table, join_table, open_tab, page_status, wait_for_turn
from tests.web.test_access import AXE, violations
from tests.web.visitors import Visits

pytestmark = pytest.mark.browser

_KEY_AT_ONCE = """() => new MutationObserver((_, observer) => {
    if (!document.querySelector(".undo[aria-keyshortcuts]")) return;
    observer.disconnect();
    document.body.dispatchEvent(new KeyboardEvent("keydown", {key: "z", bubbles: true}));
}).observe(document.body, {childList: true, subtree: true})"""
"""Press `z` as soon as the page shows the button, before the browser draws it."""


def said(page: Page, text: str) -> Locator:
    """Return the bubble beside a seat."""
    return page.get_by_role("list", name="Players").get_by_text(text)


def say(page: Page, text: str) -> None:
    """Send an emote by keyboard."""
    page.get_by_role("button", name="Say …").press("Enter")
    page.get_by_role("group", name="Say to everyone").get_by_role("button", name=text).press("Enter")
    expect(page.get_by_role("button", name="Say …")).to_be_focused()


def sit_two(visits: Visits) -> tuple[Page, Page]:
    ada, ben = visits.come(scripts=[AXE.read_text(encoding="utf-8")]), visits.come()
    path = create_table(ada, "tenerife", seats=2, bots=0)
    ben.goto(visits.url + path)
    join_table(ben, "Ben")
    return ada, ben


def test_players_say_something_and_take_back_moves(visits: Visits) -> None:
    ada, ben = sit_two(visits)
    for page in (ada, ben):
        expect(page_status(page)).to_have_text(re.compile(r"^(Your turn|Ada|Ben):"))  # chance has drawn who begins
    talk(ada, ben)
    player, name, other = (ada, "Ada", ben) if is_to_move(ada) else (ben, "Ben", ada)
    undo = player.get_by_role("button", name="Undo move")
    for number, by_key in enumerate((False, True), 1):
        wait_for_turn(player)
        expect(undo).to_have_count(0)
        if by_key:
            player.evaluate(_KEY_AT_ONCE)
        taken_back = other.get_by_role("list", name="Game log, newest first").get_by_text(f"{name} takes back a move.")
        while not undo.count() and taken_back.count() < number:
            click(player, 0)
        if not by_key:
            undo.click()
        expect(taken_back).to_have_count(number)


def is_to_move(page: Page) -> bool:
    """Return whether the page says that it is its player's turn."""
    return page_status(page).inner_text().startswith("Your turn")


def talk(ada: Page, ben: Page) -> None:
    """Let the players say something. Ben mutes Ada, and unmutes her."""
    open_tab(ben, "Log")
    say(ben, "Good luck!")
    expect(said(ada, "Good luck!")).to_be_visible()
    expect(ada.get_by_role("list", name="Game log, newest first")).to_contain_text("Ben: Good luck!")
    assert violations(ada) == []
    open_tab(ben, "Table")
    ben.get_by_label("Show emotes").uncheck()
    open_tab(ada, "Log")
    ada.get_by_role("button", name="Say …").click()
    assert violations(ada) == []
    ada.get_by_role("button", name="Thanks!").click()
    expect(said(ada, "Thanks!")).to_be_visible()
    open_tab(ben, "Log")
    expect(ben.get_by_role("list", name="Game log, newest first")).to_contain_text("Ada: Thanks!")
    assert said(ben, "Thanks!").count() == 0
    expect(said(ada, "Thanks!")).to_have_count(0)
