"""The page teaches: how to play, and why something cannot be played now."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.web.page_actions import choices, create_table, open_tab, wait_for_turn
from tests.web.visitors import Visits

pytestmark = pytest.mark.browser


def focus_by_keys(page: Page, card: Locator) -> None:
    """Go to a card of the hand that cannot be played, by Shift and arrows from the last card that can."""
    page.locator(".board.hand .selectable").last.focus()
    for _ in range(page.locator(".board.hand .piece").count()):
        if card.evaluate("card => card === document.activeElement"):
            return
        page.keyboard.press("Shift+ArrowLeft")
    expect(card).to_be_focused()


def test_a_newcomer_reads_how_to_play_and_learns_why_a_card_does_nothing(visits: Visits) -> None:
    page = visits.come()
    summary = page.locator("summary", has_text="How to play")
    summary.click()
    expect(page.locator(".how-to-play figure svg").first).to_be_visible()
    create_table(page, "kreta", seats=2, bots=1)
    wait_for_turn(page)
    own = page.evaluate("document.querySelector('.board.hand [data-id^=\"card:\"]').dataset.id.split(':')[1]")
    king = page.locator(f'[data-id="card:{own}:king"]')
    expect(king).not_to_contain_class("selectable")
    question, heard = page.locator(".question"), choices(page).get_by_role("alert")
    focus_by_keys(page, king)
    page.keyboard.press("Enter")
    expect(heard).to_contain_text("king")
    expect(king).to_be_focused()
    page.keyboard.press("Escape")
    expect(heard).to_have_count(0)
    page.keyboard.press("Tab")
    expect(page.locator(":focus[data-id]:not(.selectable)")).to_have_count(0)
    king.click()
    expect(question).to_contain_text("king")
    question.get_by_role("link").click()
    expect(page.locator("[id^=rule-KRETA-]:focus")).to_be_visible()
    open_tab(page, "How to play")
    expect(page.locator(".drawer .how-to-play figcaption")).to_have_count(8)
