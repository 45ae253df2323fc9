"""Actions of players on the page. They use its texts and roles, and know neither boards nor rules."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from playwright.sync_api import Locator, Page, TimeoutError, expect

from skerry_client import Seat
from skerry_games.catalogue import all_games

TITLES = {game.id: game.title for game in all_games().values()}
_CHOICES = """() => {
    const doing = document.querySelector('section[aria-label="What you can do"]');
    return [document.querySelector("main").dataset.sequence, doing?.innerHTML];
}"""
"""The moves offered, with the sequence of the position: several positions can offer the same moves."""
_CHANGED = """([before, offered]) => {
    const doing = document.querySelector('section[aria-label="What you can do"]');
    if (!doing) return true;
    const isOther = document.querySelector("main").dataset.sequence !== before || doing.innerHTML !== offered;
    return isOther && doing.querySelector(".question").textContent !== "Sending your move …";
}"""
"""Whether the moves or the position have changed, and no move is being sent."""
_STUCK = """() => [document.querySelector("main").innerText, document.activeElement.outerHTML.slice(0, 300)]"""
"""What the page shows, and what has the focus."""
_OFFERED = """() => document.querySelector('section[aria-label="What you can do"]')
    ?.querySelector(".word, .confirm, .list-toggle")"""
_TURN_OR_END = """() => {
    const doing = document.querySelector('section[aria-label="What you can do"]');
    const offered = doing?.querySelector(".word, .confirm, .list-toggle");
    return offered || document.querySelector('section[aria-label="Result"]');
}"""


def create_table(
    page: Page, game: str, *, seats: int, bots: int, name: str = "Ada", level: str | None = "random"
) -> str:
    """Create a table in the lobby and take a seat. Return its path. ``level`` of the bots; ``None``: the default."""
    page.get_by_role("radio", name=TITLES[game]).check(force=True)
    page.get_by_role("combobox", name="Players", exact=True).select_option(f"{seats}")
    page.get_by_role("combobox", name="Bots", exact=True).select_option(f"{bots}")
    if bots and level is not None:
        page.get_by_role("combobox", name="Bot strength").select_option(level)
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Play" if bots == seats - 1 else "Create table", exact=True).click()
    page.wait_for_url("**/sessions/*")
    return page.evaluate("location.pathname + location.hash")  # type: ignore[no-any-return]


def with_seat(seat: Seat, game: str) -> str:
    """Return the script that gives a seat to a browser, for the page to run first."""
    kept = json.dumps([{"session": seat.name, "game": game, "seatToken": seat.token}])
    return f"localStorage.setItem('skerry.sessions', {json.dumps(kept)})"


def join_table(page: Page, name: str) -> None:
    """Take a seat at the table shown."""
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Join").click()


def choices(page: Page) -> Locator:
    """Return the list of moves in words."""
    return page.get_by_role("region", name="What you can do")


def page_status(page: Page) -> Locator:
    """Return the sentence that says whose turn it is."""
    return page.get_by_role("main").get_by_role("status").first


def words(page: Page) -> Locator:
    """Return the moves in words, or the next steps of moves, which the page lists."""
    return choices(page).locator(".word")


def wait_for_turn(page: Page) -> None:
    """Wait until the page offers a move. Open the list of moves in words."""
    page.wait_for_function(_OFFERED)
    toggle = choices(page).get_by_role("button", name="List of moves")
    if toggle.count() and toggle.get_attribute("aria-expanded") == "false":
        toggle.click()
    expect(choices(page).locator(".word, .confirm").first).to_be_visible()


def open_tab(page: Page, title: str) -> None:
    """Show a tab of the drawer."""
    tab, more = page.get_by_role("tab", name=title), page.locator(".more")
    tab.or_(more).locator("visible=true").first.wait_for()
    if more.is_visible() and more.get_attribute("aria-expanded") == "false":
        more.click()
    tab.click()


def is_over(page: Page) -> bool:
    """Return whether the page shows the result."""
    return page.get_by_role("region", name="Result").count() > 0


def wait_for_turn_or_end(page: Page) -> bool:
    """Wait until the page offers a move or the game is over. Return whether it offers a move."""
    page.wait_for_function(_TURN_OR_END)
    return not is_over(page)


def click(page: Page, pick: int) -> None:
    """Click one of the moves offered, or confirm the selected move. Wait for the change."""
    with choosing(page):
        if (do := choices(page).get_by_role("button", name="Confirm", exact=True)).count():
            do.click()
        else:
            wait_for_turn(page)
            words(page).nth(pick % words(page).count()).click()


@contextmanager
def choosing(page: Page) -> Iterator[None]:
    """On exit, wait until the moves offered have changed."""
    before = page.evaluate(_CHOICES)
    yield
    try:
        page.wait_for_function(_CHANGED, arg=before)
    except TimeoutError as error:
        raise AssertionError(f"Nothing changed: {page.evaluate(_STUCK)}, before: {before}") from error


def play(page: Page, *, clicks: int = 1000, pick: Callable[[int], int] = lambda number: 5 * number) -> int:
    """Play by clicks until the game is over, or for a number of clicks. Return the number of clicks made."""
    for number in range(clicks):
        if not wait_for_turn_or_end(page):
            return number
        click(page, pick(number))
    return clicks


def sequence(page: Page) -> int:
    """Return the sequence of the position shown."""
    return int(page.get_by_role("main").get_attribute("data-sequence") or 0)


def wait_for_sequence(page: Page, number: int) -> None:
    """Wait until the page shows the position after an entry."""
    expect(page.get_by_role("main")).to_have_attribute("data-sequence", f"{number}")


_NEXT_FRAMES = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


def middle_of(element: Locator) -> tuple[float, float]:
    """Return the middle of an element in the window, once it stays where it is."""
    box = None
    while (now := element.bounding_box()) is None or now != box:
        box = now
        element.page.evaluate(_NEXT_FRAMES)
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def fits(page: Page) -> bool:
    """Return whether the page is no wider than the screen. Phones widen their window for a wider page."""
    return bool(page.evaluate("Math.max(document.scrollingElement.scrollWidth, innerWidth) <= screen.width"))
