"""The page teaches: how to play, and why something cannot be played now."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.web.page_actions import create_table, open_tab, wait_for_turn
from tests.web.visitors import Visits

pytestmark = pytest.mark.browser


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
    king.click()
    question = page.locator(".question")
    expect(question).to_contain_text("king")
    question.get_by_role("link").click()
    expect(page.locator("[id^=rule-KRETA-]:focus")).to_be_visible()
    open_tab(page, "How to play")
    expect(page.locator(".drawer .how-to-play figcaption")).to_have_count(8)
