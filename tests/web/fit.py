"""Whether everything that a decision needs is in the window, at four sizes."""

from __future__ import annotations

import random

from playwright.sync_api import Page, ViewportSize

from tests.web.page_actions import choices, words

SIZES: tuple[ViewportSize, ...] = (
    {"width": 1366, "height": 768},
    {"width": 1024, "height": 768},
    {"width": 390, "height": 844},
    {"width": 844, "height": 390},
)
TOUCH = 44
"""The least side of a target for a finger, in pixels."""
_OUTSIDE = """async touch => {
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
        if (box.x < pane.x - by || box.y < pane.y - by) return true;
        return box.right > pane.right + by || box.bottom > pane.bottom + by;
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
_KIND = """() => [
    document.querySelector(".heading [role=status]").textContent.replace(/\\d+/g, ""),
    document.querySelectorAll(".selected").length,
    [...new Set([...document.querySelectorAll(".selectable")].map(one => one.dataset.id.split(":")[0]))].sort(),
].join(" ")"""
_MIDDLES = """() => [...document.querySelectorAll(".board .selectable")].map(one => {
    const box = (one.querySelector(".reach, .edge") ?? one).getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
})"""
"""Returns the middle of each target on the screen."""


def faults(page: Page, chance: random.Random, *, all_sizes: bool) -> list[str]:
    """Return what does not fit at the four sizes, or at one of them."""
    found = []
    for size in SIZES if all_sizes else [chance.choice(SIZES)]:
        page.set_viewport_size(size)
        wrong = page.evaluate(_OUTSIDE, TOUCH)
        found += [f"{size['width']}x{size['height']}: {one}" for one in wrong]
    return found


def kind_of(page: Page) -> str:
    """Return the kind of the decision: its task, how many elements are selected, and what can be selected."""
    return str(page.evaluate(_KIND))


def choose(page: Page, chance: random.Random) -> None:
    """Confirm the selected move, or touch something that can be selected on the table or in the list."""
    if (sure := choices(page).get_by_role("button", name="Confirm", exact=True)).count():
        return sure.tap()
    middles = page.evaluate(_MIDDLES)
    if middles:
        return page.touchscreen.tap(*chance.choice(middles))
    words(page).nth(chance.randrange(words(page).count())).tap()
    return None
