"""Moves by the keyboard, with the keys that the list of moves shows."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.web.page_actions import choosing, is_over, sequence, wait_for_turn_or_end

LED = """() => document.activeElement.matches(".confirm, .selectable, .word, .list-toggle")
    || document.querySelector('section[aria-label="Result"]')"""
"""Whether the page has led the focus to the next decision."""
_LISTED = "() => [...document.querySelectorAll('.word[data-keys]')].map((word) => word.dataset.keys)"


def has_focus(page: Page, selector: str) -> bool:
    """Return whether the focused element matches a selector."""
    return bool(page.evaluate("selector => document.activeElement.matches(selector)", selector))


def play_by_keys(page: Page, arrows: tuple[int, ...] = ()) -> tuple[int, int]:
    """Play a game to its end, with the list of moves open. Return the numbers of decisions and of presses.

    The decisions with the numbers ``arrows`` are made by an arrow and Enter instead of digits.
    """
    decisions = presses = 0
    page.keyboard.press("ArrowRight")  # from wherever the focus is to the first target
    while wait_for_turn_or_end(page):
        decisions += 1
        before = sequence(page)
        while sequence(page) == before and not is_over(page):
            presses += _press(page, decisions, with_arrow=decisions in arrows)
    return decisions, presses


def _press(page: Page, number: int, *, with_arrow: bool) -> int:
    """Take one step of a move, or confirm it. Return the number of presses."""
    page.wait_for_function(LED)
    if has_focus(page, ".confirm"):
        keys = ["Enter"]
    elif with_arrow:
        keys = ["ArrowRight", "Enter"]
    else:
        listed: list[str] = page.evaluate(_LISTED)
        keys = list(listed[5 * number % len(listed)])
    with choosing(page):
        for key in keys:
            page.keyboard.press(key)
    return len(keys)
