"""The board of Islas Canarias: its elements select the listed moves, by pointer and by keyboard."""

from __future__ import annotations

import random

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.web.page_actions import choices, create_table, sequence, wait_for_turn
from tests.web.visitors import Visits

pytestmark = pytest.mark.browser

MOST_TOUCHES = 120
"""Far more selections than it takes to use every kind of element."""
MOVED = "before => Number(document.querySelector('main.play')?.dataset.sequence) > before"
MOVED_OR_ASKED = f"before => ({MOVED})(before) || document.querySelector('.selection-bar')"


def offered(page: Page, name: str = "") -> Locator:
    """Return the selectable elements of the board, or those whose target starts with ``name``."""
    return page.locator(f'.board .selectable[data-id^="{name}"]' if name else ".board .selectable")


def do_it(page: Page, touch: Locator, *, key: str | None = None) -> None:
    """Select an element by click or key, confirm if necessary, and wait for the move."""
    before = sequence(page)
    if key:
        touch.press(key)
    else:
        touch.click()
    page.wait_for_function(MOVED_OR_ASKED, arg=before)
    if (sure := choices(page).get_by_role("button", name="Confirm")).count():
        sure.click()
        page.wait_for_function(MOVED, arg=before)
    wait_for_turn(page)


def test_islands_squares_cards_and_the_deck_are_selectable_on_the_board(visits: Visits) -> None:
    page = visits.come()
    create_table(page, "canarias", seats=2, bots=1)
    chance = random.Random(1)
    touched: set[str] = set()
    for _ in range(MOST_TOUCHES):
        wait_for_turn(page)
        expect(offered(page).first).to_be_visible()
        kinds = sorted(
            {name.partition(":")[0] for name in offered(page).evaluate_all("all => all.map(one => one.dataset.id)")}
        )
        kind = next((one for one in kinds if one not in touched), chance.choice(kinds))
        touch = offered(page, kind)
        touched.add(kind)
        if {"island", "hand", "deck", "square"} <= touched:
            return
        do_it(page, touch.nth(chance.randrange(touch.count())))
    pytest.fail(f"nothing but {touched} could be touched")


def test_a_card_is_played_by_keyboard(visits: Visits) -> None:
    page = visits.come()
    create_table(page, "canarias", seats=2, bots=1)
    wait_for_turn(page)
    do_it(page, offered(page, "island:").first, key="Enter")
    do_it(page, offered(page, "deck"), key=" ")
    cards = offered(page, "hand:")
    cards.first.focus()
    page.keyboard.press("ArrowRight")
    expect(cards.nth(1)).to_be_focused()
    do_it(page, cards.nth(1), key="Enter")
    expect(page.get_by_label("Game log, newest first")).to_contain_text("Ada puts the")


@pytest.mark.parametrize("phone", [False, True], ids=["desk", "phone"])
def test_hidden_cards_are_shown_as_backs(visits: Visits, phone: bool) -> None:
    page = visits.come(phone=phone)
    create_table(page, "canarias", seats=3, bots=2)
    wait_for_turn(page)
    do_it(page, offered(page, "island:").first, key="Enter")
    watcher = visits.come(page.evaluate("location.pathname"))
    expect(choices(watcher)).to_contain_text("You are watching.")
    expect(watcher.locator(".piece").first).to_be_visible()
    for hand in ("hand:0", "hand:1", "hand:2"):
        expect(watcher.locator(f'.piece[data-id^="{hand}:"]')).to_have_count(1)  # the pile of backs
    expect(page.locator('.piece[data-id^="hand:0:"]')).to_have_count(5)
    faces = watcher.locator('.piece use[href^="#symbol-card-"]:not([href="#symbol-card-back"])')
    assert set(faces.evaluate_all("all => all.map(one => one.closest('.piece').dataset.id.split(':')[0])")) <= {"now"}
    assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
