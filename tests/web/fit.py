"""Whether everything that a decision needs is in the window and legible, at four sizes."""

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
LEGIBLE = {"text": 11, "other": 9, "piece": 14, "cards": 6, "chosen": 0.9}
"""The least size of texts in the hand that a decision needs, and of others, and the least side of pieces, in pixels.
Of hands with more cards and tiles than that, a part of these; and where a window is resized while a move is chosen."""
_OUTSIDE = """async ([touch, legible]) => {
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
    const scaleOf = ({ a, b }) => Math.hypot(a, b);
    const scaleIn = (part, symbol) => {
        const own = scaleOf(part.transform.baseVal.consolidate()?.matrix ?? { a: 1, b: 0 });
        return part === symbol ? own : own * scaleIn(part.parentNode, symbol);
    };
    const held = all(".hand .piece > use"), cards = held.filter(use => use.getBBox().width > 60);
    const isChosen = document.querySelector(".selected") !== null, isCrowded = cards.length > legible.cards;
    const part = (isChosen ? legible.chosen : 1) * (isCrowded ? legible.cards / cards.length : 1);
    for (const use of held) {
        const piece = use.parentNode, symbol = document.querySelector(use.getAttribute("href"));
        const scale = scaleOf(use.getScreenCTM()), box = symbol.getBBox();
        const least = part * (piece.matches(".selectable, .selected") ? legible.text : legible.other);
        const drawn = [...symbol.querySelectorAll("text")].map(text => [text, scale * scaleIn(text, symbol)]);
        const badges = [...piece.querySelectorAll(":scope > text")].map(text => [text, scale]);
        for (const [text, by] of [...drawn, ...badges]) {
            const size = by * parseFloat(getComputedStyle(text).fontSize);
            if (size < least - 0.05) faults.push(`${text.textContent} on ${name(piece)} is ${size.toFixed(1)} px high`);
        }
        const side = scale * Math.min(box.width, box.height);
        const isSmall = symbol.querySelector("path, rect, circle") && side < part * legible.piece - 0.5;
        if (isSmall) faults.push(`${name(piece)} is ${side.toFixed(1)} px wide`);
    }
    const main = document.querySelector("main.play"), page = document.scrollingElement;
    if (page.scrollWidth > innerWidth || page.scrollHeight > innerHeight) faults.push("the page scrolls");
    if (main.scrollHeight > main.clientHeight + 1 || main.scrollWidth > main.clientWidth) {
        faults.push(`the stage scrolls: ${main.scrollHeight} in ${main.clientHeight}`);
    }
    return [...new Set(faults)];
}"""
"""Returns what of a decision is not in the window, too small for a finger, or not legible in the hand."""
_KIND = """() => [
    document.querySelectorAll(".selected").length,
    [...new Set([...document.querySelectorAll(".selectable")].map(one => one.dataset.id.split(":")[0]))].sort(),
].join(" ")"""
_MIDDLES = """() => [...document.querySelectorAll(".board .selectable")].map(one => {
    const box = (one.querySelector(".reach, .edge") ?? one).getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
})"""
"""Returns the middle of each target on the screen."""


class FitCheck:
    """Looks for faults at decisions of a game: at all sizes at the first of a kind, and at one size at some others."""

    SAMPLED = 5
    """Of decisions of a known kind, one of so many is checked."""

    def __init__(self, page: Page, chance: random.Random) -> None:
        self.kinds: set[str] = set()
        self._page = page
        self._chance = chance

    def faults(self) -> list[str]:
        """Return what does not fit of the decision on the screen, if it is checked."""
        kind = str(self._page.evaluate(_KIND))
        if kind not in self.kinds:
            sizes = list(SIZES)
        else:
            sizes = [] if self._chance.randrange(self.SAMPLED) else [self._chance.choice(SIZES)]
        self.kinds.add(kind)
        return [f"{kind} at {size['width']}x{size['height']}: {one}" for size in sizes for one in self._faults_at(size)]

    def _faults_at(self, size: ViewportSize) -> list[str]:
        """Return what is still wrong when the board has had time to move its targets into the window."""
        self._page.set_viewport_size(size)
        found: list[str] = []
        for _ in range(10):
            found = self._page.evaluate(_OUTSIDE, [TOUCH, LEGIBLE])
            if not found:
                break
        return found


def choose(page: Page, chance: random.Random) -> None:
    """Confirm the selected move, or touch something that can be selected on the table or in the list."""
    if (sure := choices(page).get_by_role("button", name="Confirm", exact=True)).count():
        return sure.tap()
    middles = page.evaluate(_MIDDLES)
    if middles:
        return page.touchscreen.tap(*chance.choice(middles))
    words(page).nth(chance.randrange(words(page).count())).tap()
    return None
