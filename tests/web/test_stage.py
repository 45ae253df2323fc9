"""The table fits the screen: whole games at four sizes, in which nothing that a decision needs is outside the window."""

from __future__ import annotations

import random
from typing import Any

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.web.page_actions import TITLES, choices, choosing, create_table, is_over, wait_for_turn_or_end, words
from tests.web.visitors import Visits

pytestmark = pytest.mark.browser

SIZES: tuple[ViewportSize, ...] = (
    {"width": 1366, "height": 768},
    {"width": 1024, "height": 768},
    {"width": 390, "height": 844},
    {"width": 844, "height": 390},
)
TOUCH = 44
"""The least side of a target for a finger, in pixels."""
OUTSIDE = """async touch => {
    const frame = () => new Promise(done => requestAnimationFrame(done));
    for (let count = 0; count < 3; count += 1) await frame();
    const faults = [];
    const name = one => one.dataset?.id ?? (one.textContent.trim() || one.className);
    const check = (one, isTarget) => {
        const box = one.getBoundingClientRect(), by = 1;
        const isInside = box.x >= -by && box.y >= -by && box.right <= innerWidth + by && box.bottom <= innerHeight + by;
        const where = [box.x, box.y, box.width, box.height].map(Math.round).join();
        if (!isInside) faults.push(`${name(one)} is outside: ${where}`);
        if (isTarget && Math.min(box.width, box.height) < touch - 0.5) faults.push(`${name(one)} is small: ${where}`);
    };
    const all = selector => [...document.querySelectorAll(selector)];
    for (const one of all(".board :is(.selectable, .selected)")) check(one, one.matches(".selectable"));
    for (const one of all(".player, .heading [role=status], .question")) check(one, false);
    for (const one of all(".undo, .confirm, .list-toggle")) check(one, true);
    const clipped = all(".board :is(.selectable, .selected)").filter(one => {
        const box = one.getBoundingClientRect(), pane = one.closest(".pane").getBoundingClientRect(), by = 2;
        return box.x < pane.x - by || box.y < pane.y - by || box.right > pane.right + by || box.bottom > pane.bottom + by;
    });
    for (const one of clipped) faults.push(`${name(one)} is outside its pane`);
    const main = document.querySelector("main.play"), page = document.scrollingElement;
    if (page.scrollWidth > innerWidth || page.scrollHeight > innerHeight) faults.push("the page scrolls");
    if (main.scrollHeight > main.clientHeight + 1 || main.scrollWidth > main.clientWidth) {
        faults.push(`the stage scrolls: ${main.scrollHeight} in ${main.clientHeight}`);
    }
    return [...new Set(faults)];
}"""
"""Returns what of a decision is not in the window, or too small for a finger."""
MIDDLES = """() => [...document.querySelectorAll(".board .selectable")].map(one => {
    const box = (one.querySelector(".reach, .edge") ?? one).getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
})"""
"""Returns the middle of each target on the screen."""
SAMPLED = 4
"""Of decisions of a kind that was seen before, one of so many is checked, at one size."""


def faults(page: Page, chance: random.Random, *, all_sizes: bool) -> list[str]:
    """Return what does not fit at the four sizes, or at one of them."""
    found = []
    for size in SIZES if all_sizes else [chance.choice(SIZES)]:
        page.set_viewport_size(size)
        wrong = page.evaluate(OUTSIDE, TOUCH)
        found += [f"{size['width']}x{size['height']}: {one}" for one in wrong]
    return found


def kind_of(page: Page) -> Any:
    """Return the kind of the decision: its task, how many elements are selected, and what the targets are."""
    return page.evaluate(
        """() => [document.querySelector(".heading [role=status]").textContent.replace(/\\d+/g, ""),
            document.querySelectorAll(".selected").length,
            [...new Set([...document.querySelectorAll(".selectable")].map(one => one.dataset.id.split(":")[0]))].sort(),
        ].join(" ")"""
    )


@pytest.mark.parametrize("game", TITLES)
def test_everything_that_a_decision_needs_is_on_the_screen(game: str, visits: Visits) -> None:
    seed = random.randrange(1 << 32)
    print(f"seed {seed}")
    chance = random.Random(seed)
    page = visits.come(viewport=SIZES[0], has_touch=True, is_mobile=True)
    create_table(page, game, seats=3, bots=2)
    known: set[str] = set()
    while wait_for_turn_or_end(page):
        kind = kind_of(page)
        if kind not in known or chance.randrange(SAMPLED) == 0:
            assert faults(page, chance, all_sizes=kind not in known) == [], kind
        known.add(kind)
        with choosing(page):
            choose(page, chance)
    assert is_over(page)
    assert len(known) > 4
    for size in SIZES:
        page.set_viewport_size(size)
        assert page.evaluate(OUTSIDE, TOUCH) == [], size


def choose(page: Page, chance: random.Random) -> None:
    """Confirm the selected move, or touch something that can be selected on the table or in the list."""
    if (sure := choices(page).get_by_role("button", name="Confirm", exact=True)).count():
        return sure.tap()
    middles = page.evaluate(MIDDLES)
    if middles:
        return page.touchscreen.tap(*chance.choice(middles))
    words(page).nth(chance.randrange(words(page).count())).tap()
    return None
