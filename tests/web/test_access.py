"""Accessibility: a checker on every screen in both themes, keyboard, phone, and text size."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from skerry_client import Client
from tests.web import chromium
from tests.web.page_actions import (
    TITLES,
    choices,
    choosing,
    create_table,
    fits,
    middle_of,
    open_tab,
    page_status,
    play,
    sequence,
    wait_for_turn,
)
from tests.web.page_keys import has_focus, play_by_keys
from tests.web.server_process import Server
from tests.web.visitors import Visits

pytestmark = pytest.mark.browser

SEED = bytes(range(32))
DOING = "section[aria-label='What you can do']"
_CHECK = """async rules => {
    const settings = { resultTypes: ["violations"], ...(rules && { runOnly: rules }) };
    return (await axe.run(settings)).violations.map(({ id, nodes }) => ({
        id, nodes: nodes.map(({ target, html }) => ({ target, html })),
    }));
}"""
AXE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"


@pytest.fixture(scope="module")
def axe() -> str:
    return AXE.read_text(encoding="utf-8")


COLOURS = ["color-contrast", "link-in-text-block"]
"""The checker's rules whose findings depend on the theme."""


def violations(page: Page) -> list[str]:
    """Return the checker's findings in both themes. The page is in the light theme afterwards."""
    page.emulate_media(color_scheme="dark")
    found = findings(page, COLOURS)
    page.emulate_media(color_scheme="light")
    return found + findings(page, None)


def findings(page: Page, rules: list[str] | None) -> list[str]:
    """Return the findings about some of the checker's rules, or about all."""
    wrong = page.evaluate(_CHECK, rules)
    return [f"{one['id']} {node['target']} {node['html']}" for one in wrong for node in one["nodes"]]


def test_the_accessibility_checker_finds_violations(visits: Visits, axe: str) -> None:
    page = visits.come(scripts=[axe])
    expect(page.get_by_label("Your name")).to_be_visible()
    page.evaluate(
        "document.querySelector('label input').closest('label').replaceWith(document.querySelector('label input'))"
    )
    assert violations(page)


def test_lobby_and_room_have_no_violations(visits: Visits, skerry: Client, axe: str) -> None:
    skerry.create("kreta", seats=3, bots=1)
    skerry.create("tenerife", seats=2).join("Cleo")
    page = visits.come(scripts=[axe])
    expect(page.get_by_role("link", name="Join: Tenerife").first).to_be_visible()
    page.get_by_role("radio", name="Small Islands").check(force=True)
    page.get_by_text("Variants").click()
    assert violations(page) == []
    path = create_table(page, "small_islands", seats=3, bots=0)
    expect(page.get_by_role("heading", name="Invite friends")).to_be_visible()
    assert violations(page) == []
    guest = visits.come(path, scripts=[axe], expect_failures=True)
    guest.get_by_label("Your name").fill("Ada")
    guest.get_by_role("button", name="Join").click()
    expect(guest.get_by_role("alert")).to_be_visible()
    assert violations(guest) == []
    nowhere = visits.come("/sessions/nowhere", scripts=[axe], expect_failures=True)
    expect(nowhere.get_by_role("heading", name="Table not available")).to_be_visible()
    assert violations(nowhere) == []


@pytest.mark.parametrize("game", TITLES)
def test_a_table_has_no_violations(game: str, visits: Visits, axe: str) -> None:
    """At the start, at an earlier position, in the tabs, and for a spectator."""
    page = visits.come(scripts=[axe])
    path = create_table(page, game, seats=2, bots=1)
    wait_for_turn(page)
    assert violations(page) == []
    play(page, clicks=2)
    page.get_by_role("slider").press("ArrowLeft")
    expect(page.get_by_role("button", name="Back to now")).to_be_visible()
    for tab in ("Log", "Rules", "Table", "Keys") if game == "small_islands" else ("Rules",):
        open_tab(page, tab)
        assert violations(page) == []
    watcher = visits.come(path, scripts=[axe], phone=True)
    expect(choices(watcher)).to_contain_text("You are watching.")
    assert violations(watcher) == []


def test_a_table_with_clocks_and_a_substitute_has_no_violations(visits: Visits, skerry: Client, axe: str) -> None:
    page = visits.come(scripts=[axe])
    page.get_by_role("combobox", name="Time limit").select_option(label="3 days per turn")
    path = create_table(page, "kreta", seats=2, bots=0)
    skerry.table(path.strip("/")).join("Ben").leave()
    open_tab(page, "Table")
    expect(page.get_by_role("button", name="Open the seat of Ben")).to_be_visible()
    open_tab(page, "Table")
    page.get_by_text("Leave or resign").click()
    assert violations(page) == []


def focused(page: Page) -> Locator:
    return page.locator(":focus")


def tab_to(page: Page, wanted: Callable[[], bool], *, most: int = 400) -> None:
    """Press Tab until the focus is on the wanted element."""
    for _ in range(most):
        if wanted():
            return
        page.keyboard.press("Tab")
    raise AssertionError("Tab does not lead there.")


def focus_is_on(page: Page, selector: str) -> Callable[[], bool]:
    """Return a function that tells whether the focused element matches a selector."""
    return lambda: has_focus(page, selector)


@pytest.mark.timeout(240)  # a whole game, on a busy machine
def test_a_whole_game_is_played_by_keyboard_alone(visits: Visits) -> None:
    page = visits.come()
    expect(page.get_by_role("radio", name="Tenerife")).to_be_attached()
    tab_to(page, focus_is_on(page, "input[type=radio]"))
    while not page.get_by_role("radio", name="Tenerife").is_checked():
        page.keyboard.press("ArrowRight")
    tab_to(page, focus_is_on(page, "select"))
    page.keyboard.press("2")
    expect(page.get_by_role("combobox", name="Players")).to_have_value("2")
    tab_to(page, focus_is_on(page, "input[autocomplete=nickname]"))
    page.keyboard.type("Ada")
    page.keyboard.press("Enter")
    expect(choices(page).get_by_role("button", name="List of moves")).to_be_visible()
    tab_to(page, focus_is_on(page, ".list-toggle"))
    page.keyboard.press("Enter")
    decisions, presses = play_by_keys(page, arrows=(6, 12))
    print(f"{presses} key presses for {decisions} decisions")
    assert decisions > 5
    assert presses <= 3 * decisions
    expect(page_status(page)).to_be_visible()
    tab_to(page, focus_is_on(page, ".result .now"))


def test_two_digits_select_from_more_than_nine_moves(visits: Visits) -> None:
    page = visits.come()
    create_table(page, "kreta", seats=2, bots=1)
    wait_for_turn(page)
    with choosing(page):
        page.locator('.piece[data-id="card:0:architect"]').click()
        choices(page).get_by_role("button", name="Confirm").click()
    wait_for_turn(page)
    wanted = choices(page).locator(".word[data-keys='21']")
    expect(wanted).to_have_accessible_description("keys 2 1")
    text = wanted.inner_text()
    page.keyboard.press("2")
    expect(wanted).to_be_visible()
    page.keyboard.press("1")
    expect(choices(page).locator(".selection-bar")).to_contain_text(text.removesuffix(" …"))


def test_the_focus_follows_a_selection_by_keyboard_and_returns_when_it_is_undone(visits: Visits) -> None:
    page = visits.come()
    create_table(page, "tenerife", seats=2, bots=1)
    wait_for_turn(page)
    before = sequence(page)
    choices(page).get_by_role("button", name="…").first.focus()
    page.keyboard.press("Enter")
    expect(choices(page).get_by_role("button", name="Undo")).to_be_visible()
    # Not space 1, if the bot was first there.
    expect(focused(page)).to_have_text(re.compile(r"lay (a |an )?\w+ below space \d"))
    page.keyboard.press("Escape")
    expect(choices(page).get_by_role("button", name="Undo")).to_have_count(0)
    expect(focused(page)).to_have_text(re.compile(r"\w+ …"))
    assert sequence(page) == before
    page.keyboard.press("1")
    page.keyboard.press("1")
    expect(choices(page).get_by_role("button", name="Confirm")).to_be_focused()


def test_selectable_elements_stand_out_in_forced_colours(visits: Visits) -> None:
    page = visits.come(forced_colors="active")
    chosen, other = page.locator(".game.chosen"), page.locator(".game:not(.chosen)")
    border = "element => getComputedStyle(element).borderTopColor"
    assert chosen.evaluate(border) != other.first.evaluate(border)
    create_table(page, "tenerife", seats=2, bots=1)
    wait_for_turn(page)
    edge = "element => getComputedStyle(element.querySelector('.edge, .reach')).stroke"
    hot, other = page.locator(".piece.selectable"), page.locator(".piece:not(.selectable)")
    assert hot.first.evaluate(edge) != other.first.evaluate(edge)
    choices(page).get_by_role("button", name="…").first.click()
    space, other = page.locator(".place.selectable"), page.locator(".place:not(.selectable, .selected)")
    assert space.first.evaluate(edge) != other.first.evaluate(edge)


LOOKS = "one => ['fill', 'backgroundColor'].map(name => getComputedStyle(one)[name]).join()"


def looks_change_on_hover(page: Page) -> set[bool]:
    """Return whether a card and a button look different under the pointer."""
    changes = set()
    for one in (page.locator(".piece.selectable > .edge").first, choices(page).get_by_role("button").first):
        before = one.evaluate(LOOKS)
        one.hover()
        changes.add(one.evaluate(LOOKS) != before)
    return changes


def test_arrow_keys_and_pointers_on_the_board(visits: Visits) -> None:
    page = visits.come()
    create_table(page, "kreta", seats=2, bots=1)
    wait_for_turn(page)
    assert looks_change_on_hover(page) == {True}
    page.locator(".board [data-id][tabindex='0']").first.focus()
    first = focused(page).get_attribute("data-id")
    page.keyboard.press("ArrowRight")
    assert focused(page).get_attribute("data-id") != first
    page.keyboard.press("ArrowLeft")
    assert focused(page).get_attribute("data-id") == first


def test_a_table_is_used_by_touch(visits: Visits) -> None:
    """A tap leaves no hover style, shows a player's pieces, confirms what it has selected, and hits small places."""
    page = visits.come(phone=True)
    create_table(page, "kreta", seats=2, bots=1)
    wait_for_turn(page)
    assert looks_change_on_hover(page) == {False}
    page.get_by_role("button", name="What Ada has").tap()
    received = page.get_by_role("list", name="Players").get_by_text(re.compile(r"^villagers \d$"))
    expect(received.first).to_be_visible()
    expect(received.last).to_be_hidden()
    page.get_by_role("button", name="What Ada has").tap()
    page.locator('.piece[data-id="card:0:architect"]').tap()
    chosen = page.locator(".piece.selected")
    expect(chosen).to_have_accessible_name("confirm: play the architect")
    with choosing(page):
        chosen.tap()
    name = page.locator('.selectable[data-id^="fort:"]').first.get_attribute("data-id")
    fort = page.locator(f'.place[data-id="{name}"]')
    fort.scroll_into_view_if_needed()
    x, y = middle_of(fort)
    page.touchscreen.tap(x + 16, y)
    expect(choices(page).get_by_text(re.compile(r"^build a fort on space \d+$"))).to_be_visible()
    expect(fort).to_have_class(re.compile("selected"))


@pytest.fixture
def farsighted(browser: Browser, server: Server) -> Iterator[Visits]:
    """Visitors with a browser whose text is twice the usual size."""
    large = chromium.launch(browser.browser_type, "--blink-settings=defaultFontSize=32")
    visits = Visits(large, server.url)
    yield visits
    visits.close()
    large.close()
    assert visits.faults == []


def test_text_follows_the_text_size_of_the_browser(farsighted: Visits, skerry: Client) -> None:
    page = farsighted.come(phone=True)
    for game in TITLES:
        expect(page.get_by_role("heading", level=2).first).to_have_css("font-size", "56px")
        assert fits(page)
        create_table(page, game, seats=2, bots=1)
        wait_for_turn(page)
        expect(choices(page).get_by_role("button").first).to_have_css("font-size", "32px")
        assert fits(page), game
        page.get_by_role("link", name="Skerry").click()
    table = skerry.create("canarias", seats=5, bots=5, seed=SEED)
    page.goto(f"{farsighted.url}/{table.name}")
    expect(page.get_by_role("table", name="Where the points came from")).to_be_visible()
    assert fits(page)


def test_a_question_mark_shows_the_keyboard_shortcuts_except_in_a_text_field(visits: Visits, skerry: Client) -> None:
    table = skerry.create("kreta", seats=2)
    seat = table.join("Ada")
    table.join("Ben")
    seat.leave()
    table.open_seat(seat.number)
    page = visits.come(f"/{table.name}", phone=True)
    page.get_by_label("Your name").press("?")
    expect(page.get_by_label("Your name")).to_have_value("?")
    keys = page.get_by_label("Keyboard shortcuts")
    expect(keys).to_be_hidden()
    page.get_by_role("heading", name="Kreta").click()
    page.keyboard.press("?")
    expect(keys).to_be_visible()
    assert fits(page)
    page.get_by_role("button", name="Close").tap()
    expect(keys).to_be_hidden()
