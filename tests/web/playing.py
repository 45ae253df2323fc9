"""What people do at the page, by what it shows and says: nothing here knows how a game is drawn, or its rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from playwright.sync_api import Locator, Page, expect

TITLES = {
    "kreta": "Kreta",
    "tenerife": "Tenerife",
    "canarias": "Islas Canarias",
    "small_islands": "Small Islands",
}
_CHOICES = """() => {
    const doing = document.querySelector('section[aria-label="What you can do"]');
    return [document.querySelector("main").dataset.sequence, doing?.innerHTML];
}"""
"""What is offered, and at which position: the same can be offered again."""
_CHANGED = """([before, offered]) => {
    const doing = document.querySelector('section[aria-label="What you can do"]');
    if (!doing) return true;
    const isOther = document.querySelector("main").dataset.sequence !== before || doing.innerHTML !== offered;
    return isOther && doing.textContent !== "Sending your move …";
}"""
"""Whether that is something else now, and no move is on its way."""
_TURN_OR_END = """() => {
    const doing = document.querySelector('section[aria-label="What you can do"]');
    return doing?.querySelector("button") || document.querySelector('section[aria-label="Result"]');
}"""


def make_table(page: Page, game: str, *, seats: int, bots: int, name: str = "Ada", level: str | None = "random") -> str:
    """Make a table in the lobby and sit down at it. Return its path. ``level``: of the bots; ``None``: as it stands."""
    page.get_by_role("radio", name=TITLES[game]).check(force=True)
    page.get_by_role("combobox", name="Players", exact=True).select_option(f"{seats}")
    page.get_by_role("combobox", name="Bots", exact=True).select_option(f"{bots}")
    if bots and level is not None:
        page.get_by_role("combobox", name="Bot strength").select_option(level)
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Play" if bots == seats - 1 else "Create table", exact=True).click()
    page.wait_for_url("**/sessions/*")
    return page.evaluate("location.pathname + location.hash")  # type: ignore[no-any-return]


def sit_down(page: Page, name: str) -> None:
    """Take a seat in the room."""
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Join").click()


def choices(page: Page) -> Locator:
    """What can be done now, in words."""
    return page.get_by_role("region", name="What you can do")


def sentence(page: Page) -> Locator:
    """The sentence that says who must do what."""
    return page.get_by_role("main").get_by_role("status").first


def my_turn(page: Page) -> None:
    """Wait until there is something to choose."""
    expect(choices(page).get_by_role("button").first).to_be_visible()


def is_over(page: Page) -> bool:
    """Whether the result is shown."""
    return page.get_by_role("region", name="Result").count() > 0


def goes_on(page: Page) -> bool:
    """Wait until there is something to choose, or the game is over. Return which."""
    page.wait_for_function(_TURN_OR_END)
    return not is_over(page)


def click(page: Page, pick: int) -> None:
    """Touch one of the things that are offered, or do what has been chosen whole; wait until that shows."""
    with choosing(page):
        buttons = choices(page).get_by_role("button").filter(has_not_text="Undo")
        if (do := buttons.filter(has_text="Confirm")).count():
            do.click()
        else:
            buttons.nth(pick % buttons.count()).click()


@contextmanager
def choosing(page: Page) -> Iterator[None]:
    """Wait afterwards until what is done inside has changed what can be done."""
    before = page.evaluate(_CHOICES)
    yield
    page.wait_for_function(_CHANGED, arg=before)


def play(page: Page, *, clicks: int = 1000, pick: Callable[[int], int] = lambda number: 5 * number) -> int:
    """Play on by clicks alone until the game is over, or for so many clicks. Return how many were made."""
    for number in range(clicks):
        if not goes_on(page):
            return number
        click(page, pick(number))
    return clicks


def sequence(page: Page) -> int:
    """The entry after which the table is shown."""
    return int(page.get_by_role("main").get_attribute("data-sequence") or 0)


def reaches(page: Page, number: int) -> None:
    """Wait until the table is shown as it was after that entry."""
    expect(page.get_by_role("main")).to_have_attribute("data-sequence", f"{number}")


def fits(page: Page) -> bool:
    """Whether the page is no wider than what it is shown on. Phones make their window wider for a page that is."""
    return bool(page.evaluate("Math.max(document.scrollingElement.scrollWidth, innerWidth) <= screen.width"))
