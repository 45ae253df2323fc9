"""A lesson on the page, completed by touching what it marks."""

from __future__ import annotations

import os
import re

import pytest
from playwright.sync_api import Page, expect

from tests.web.page_actions import TITLES, middle_of
from tests.web.visitors import Visits

pytestmark = pytest.mark.browser

_STEP = re.compile(r"^(\d+) of (\d+):")


def step_of(page: Page) -> tuple[int, int]:
    """Return the number of the step shown, and the number of steps."""
    shown = _STEP.match(page.get_by_role("region", name="Lesson").inner_text())
    assert shown
    return int(shown[1]), int(shown[2])


def touch(page: Page, element: str) -> None:
    """Click in the middle of an element of the board, once it stays where it is."""
    page.mouse.click(*middle_of(page.locator(element).first))


def complete(page: Page) -> int:
    """Touch what the lesson marks and lights until its last step is shown. Return how many steps there were."""
    steps = 0
    while True:
        step, count = step_of(page)
        steps += 1
        if folder := os.environ.get("LESSON_PICTURES"):
            page.screenshot(path=f"{folder}/{step:02}.png")
        if step == count:
            return steps
        following = page.get_by_role("button", name="Next", exact=True)
        if following.count():
            following.click()
        else:
            touch(page, ".taught.selectable")
            confirm = page.locator(".dock .confirm")
            if confirm.count():
                confirm.click()
        ready = page.locator(".lesson", has_text=f"{step + 1} of").locator(
            "xpath=self::*[not(contains(., 'Watch what'))]"
        )
        expect(ready).to_have_count(1)


def test_a_lesson_is_completed_by_touching_what_it_marks(visits: Visits) -> None:
    page = visits.come()
    page.get_by_role("radio", name=TITLES["kreta"]).check(force=True)
    page.get_by_role("button", name="Learn").click()
    page.wait_for_url("**/sessions/*")
    lesson = page.get_by_role("region", name="Lesson")
    for _ in range(2):
        lesson.get_by_role("button", name="Next", exact=True).click()
    expect(lesson).to_contain_text("3 of 15")
    touch(page, '[data-id="card:0:castellan"]')
    expect(lesson.get_by_role("alert")).to_contain_text("Keep him for later")
    touch(page, '[data-id="card:0:commander"]')
    page.locator(".dock .confirm").click()
    expect(lesson).to_contain_text("4 of 15")
    page.reload()
    expect(lesson).to_contain_text("4 of 15")
    assert complete(page) == 12
    lesson.get_by_role("button", name="Play on").click()
    expect(lesson).to_have_count(0)
