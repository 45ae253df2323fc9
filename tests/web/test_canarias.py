"""Islas Canarias on its picture: what is touched there is what is listed, by pointer and by keys."""

from __future__ import annotations

import random

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.web.playing import choices, make_table, my_turn, sequence
from tests.web.visiting import Visits

pytestmark = pytest.mark.browser

MOST_TOUCHES = 120
"""Far more than it takes until everything that every game has has been touched."""
MOVED = "before => Number(document.querySelector('main.play')?.dataset.sequence) > before"
MOVED_OR_ASKED = f"before => ({MOVED})(before) || document.querySelector('.selection-bar')"


def offered(page: Page, name: str = "") -> Locator:
    """What can be touched in the picture: all of it, or what has such a name."""
    return page.locator(f'.board .selectable[data-target^="{name}"]' if name else ".board .selectable")


def do_it(page: Page, touch: Locator, *, key: str | None = None) -> None:
    """Touch something, or press a key on it, and say yes where it is asked; wait until that is done."""
    before = sequence(page)
    if key:
        touch.press(key)
    else:
        touch.click()
    page.wait_for_function(MOVED_OR_ASKED, arg=before)
    if (sure := choices(page).get_by_role("button", name="Confirm")).count():
        sure.click()
        page.wait_for_function(MOVED, arg=before)
    my_turn(page)


def test_islands_squares_cards_and_the_deck_are_touched_in_the_picture(visits: Visits) -> None:
    page = visits.come()
    make_table(page, "canarias", seats=2, bots=1)
    chance = random.Random(1)
    touched: set[str] = set()
    for _ in range(MOST_TOUCHES):
        my_turn(page)
        expect(offered(page).first).to_be_visible()
        kinds = sorted(
            {name.partition(":")[0] for name in offered(page).evaluate_all("all => all.map(one => one.dataset.target)")}
        )
        kind = next((one for one in kinds if one not in touched), chance.choice(kinds))
        touch = offered(page, kind)
        touched.add(kind)
        if {"island", "hand", "deck", "square"} <= touched:
            return
        do_it(page, touch.nth(chance.randrange(touch.count())))
    pytest.fail(f"nothing but {touched} could be touched")


def test_a_card_is_found_and_played_by_keys(visits: Visits) -> None:
    page = visits.come()
    make_table(page, "canarias", seats=2, bots=1)
    my_turn(page)
    do_it(page, offered(page, "island:").first, key="Enter")
    do_it(page, offered(page, "deck"), key=" ")
    cards = offered(page, "hand:")
    cards.first.focus()
    page.keyboard.press("ArrowRight")
    expect(cards.nth(1)).to_be_focused()
    do_it(page, cards.nth(1), key="Enter")
    expect(page.get_by_label("Game log, newest first")).to_contain_text("Ada puts the")


@pytest.mark.parametrize("phone", [False, True], ids=["desk", "phone"])
def test_hidden_cards_are_backs(visits: Visits, phone: bool) -> None:
    page = visits.come(phone=phone)
    make_table(page, "canarias", seats=3, bots=2)
    my_turn(page)
    do_it(page, offered(page, "island:").first, key="Enter")
    watcher = visits.come(page.evaluate("location.pathname"))
    expect(choices(watcher)).to_contain_text("You are watching.")
    expect(watcher.get_by_role("group", name="Your cards")).to_have_count(0)
    aboard = watcher.get_by_role("img", name="On the ship")
    cards = int(aboard.get_attribute("aria-label").split(": ")[1].split()[0])  # type: ignore[union-attr]
    expect(aboard.locator(".back")).to_have_count(cards)
    assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
