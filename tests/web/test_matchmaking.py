"""Players find each other through the page: they wait, accept, decline, miss a match, reload, and play meanwhile."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect

from tests.web.cuttable_proxy import CuttableProxy
from tests.web.page_actions import TITLES, create_table, fits, open_tab, play, wait_for_turn
from tests.web.server_process import Server
from tests.web.test_access import AXE, violations
from tests.web.visitors import Visits

pytestmark = pytest.mark.browser

SIZES: list[ViewportSize] = [
    {"width": 1366, "height": 768},
    {"width": 844, "height": 390},
    {"width": 390, "height": 844},
]
MINUTE_LATER = """() => {
    const search = JSON.parse(sessionStorage["skerry.search"]);
    sessionStorage["skerry.search"] = JSON.stringify({ ...search, seenAt: search.seenAt - 60_000 });
}"""

FALSIFY = """field => {
    const key = Object.keys(sessionStorage).find(key => key.startsWith("skerry.entropy."));
    sessionStorage[key] = JSON.stringify({ ...JSON.parse(sessionStorage[key]), [field]: btoa("another") });
}"""
"""Replaces what the browser has noted about the seed of a finished game."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server without open tables, which a search would find first. Each test looks for another kind of table."""
    with Server(tmp_path_factory.mktemp("matching")) as server:
        yield server


def find(page: Page, name: str, *, seats: int, game: str = "kreta", clock: str | None = None) -> None:
    """Search for opponents from the lobby."""
    page.get_by_role("radio", name=TITLES[game]).check(force=True)
    page.get_by_role("combobox", name="Players", exact=True).select_option(f"{seats}")
    if clock:
        page.get_by_role("combobox", name="Time limit").select_option(label=clock)
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Find opponents").click()


def standing(page: Page) -> Locator:
    """Return the sentence about the search."""
    return page.get_by_role("region", name="Looking for opponents").get_by_role("status")


def proposal(page: Page) -> Locator:
    return page.get_by_role("dialog", name="Match found")


def answer(page: Page, button: str) -> None:
    proposal(page).get_by_role("button", name=button).click()


def seated_names(page: Page) -> set[str]:
    """Return the names at the table that the page shows."""
    page.wait_for_url("**/sessions/*")
    players = page.get_by_role("list", name="Players").get_by_role("listitem")
    expect(players.first).to_be_visible()
    return set(players.locator("bdi").all_inner_texts())


def test_two_players_find_each_other_and_sit_at_one_table(visits: Visits) -> None:
    clock = "3 minutes each + 2 seconds per turn"
    ada, ben = visits.come(), visits.come(phone=True)
    find(ada, "Ada", seats=2, clock=clock)
    expect(ada.get_by_role("heading", name="Looking for opponents")).to_be_focused()
    expect(standing(ada)).to_contain_text("Nobody else is looking for such a table right now.")
    find(ben, "Ben", seats=2, clock=clock)
    for page in (ada, ben):
        expect(proposal(page)).to_contain_text(f"Kreta, 2 players, {clock}")
        expect(page).to_have_title("Match found! – Skerry")
    answer(ada, "Accept")
    expect(proposal(ada)).to_contain_text("Waiting for the other player")
    answer(ben, "Accept")
    assert seated_names(ada) == seated_names(ben) == {"Ada", "Ben"}
    for page in (ada, ben):
        page.reload()
        expect(page.get_by_role("listitem").filter(has_text="you").first).to_be_visible()
        expect(proposal(page)).to_be_hidden()
    assert ada.title() != "Match found! – Skerry"


def test_after_a_declined_match_the_other_player_keeps_the_place(visits: Visits) -> None:
    ada, ben = visits.come(), visits.come()
    find(ada, "Ada", seats=2)
    find(ben, "Ben", seats=2)
    ada.keyboard.press("Escape")
    answer(ada, "Accept")
    answer(ben, "Decline")
    expect(ben.get_by_role("region", name="Search ended")).to_contain_text("You declined the match.")
    expect(standing(ada)).to_contain_text("Another player did not accept")
    cleo = visits.come()
    find(cleo, "Cleo", seats=2)
    answer(ada, "Accept")
    answer(cleo, "Accept")
    assert seated_names(ada) == seated_names(cleo) == {"Ada", "Cleo"}
    ben.get_by_role("button", name="Close").click()
    expect(ben.get_by_role("button", name="Find opponents")).to_be_visible()


def test_a_reload_continues_the_search(visits: Visits) -> None:
    ada, ben = visits.come(), visits.come()
    find(ada, "Ada", seats=3, game="tenerife")
    expect(standing(ada)).to_contain_text("Nobody else")
    ada.reload()
    expect(standing(ada)).to_contain_text("Nobody else")
    find(ben, "Ben", seats=3, game="tenerife")
    expect(standing(ada)).to_have_text("1 other player is looking for such a table. 1 more is needed.")
    ada.get_by_role("button", name="Stop looking").click()
    expect(standing(ben)).to_contain_text("Nobody else")
    ada.reload()
    expect(ada.get_by_role("button", name="Find opponents")).to_be_visible()
    expect(ada.get_by_role("region", name="Looking for opponents")).to_be_hidden()


def test_a_search_of_a_page_that_was_closed_long_ago_does_not_go_on(visits: Visits) -> None:
    ada = visits.come(expect_failures=True)  # the browser asks for an icon of the document below
    find(ada, "Ada", seats=4, game="tenerife")
    expect(standing(ada)).to_contain_text("Nobody else")
    ada.goto(f"{visits.url}/openapi.json")
    ada.evaluate(MINUTE_LATER)
    ada.goto(visits.url)
    ended = ada.get_by_role("region", name="Search ended")
    expect(ended).to_contain_text("Your search stopped when this page was closed.")
    ended.get_by_role("button", name="Search again").click()
    expect(standing(ada)).to_contain_text("Nobody else")


def test_a_player_plays_a_bot_while_the_search_goes_on(visits: Visits) -> None:
    ada, ben = visits.come(phone=True), visits.come()
    find(ada, "Ada", seats=2, game="small_islands")
    ada.get_by_role("button", name="Play a bot meanwhile").click()
    wait_for_turn(ada)
    assert fits(ada)
    stop = ada.get_by_role("button", name="Stop").bounding_box()
    assert stop
    assert min(stop["width"], stop["height"]) >= 44
    play(ada, clicks=1)
    find(ben, "Ben", seats=2, game="small_islands")
    for page in (ada, ben):
        answer(page, "Accept")
    expect(ada.get_by_role("list", name="Players")).to_contain_text("Ben")
    ada.get_by_role("link", name="Skerry").click()
    expect(ada.get_by_role("link", name="Continue: Small Islands")).to_have_count(2)


def test_opening_a_table_ends_the_search(visits: Visits) -> None:
    ada, ben = visits.come(), visits.come()
    find(ada, "Ada", seats=2, game="canarias")
    ada.get_by_role("button", name="Open a table instead").click()
    expect(ada.get_by_role("heading", name="Invite friends")).to_be_visible()
    find(ben, "Ben", seats=2, game="canarias")
    assert seated_names(ben) == {"Ada", "Ben"}
    expect(ada.get_by_text("Looking for opponents")).to_be_hidden()


def test_a_match_goes_with_a_lost_connection_and_the_search_goes_on(
    browser: Browser, server: Server, visits: Visits
) -> None:
    line = CuttableProxy(server.url)
    cut_off = Visits(browser, line.url)
    ada, ben = cut_off.come(expect_failures=True), visits.come()
    find(ada, "Ada", seats=2, game="tenerife")
    find(ben, "Ben", seats=2, game="tenerife")
    answer(ada, "Accept")
    expect(proposal(ben)).to_be_visible()
    line.cut()
    expect(standing(ada)).to_have_text("The connection is lost. Trying again …")
    expect(proposal(ada)).to_be_hidden()
    expect(standing(ben)).to_contain_text("Nobody else")
    line.heal()
    for page in (ada, ben):
        answer(page, "Accept")
    assert seated_names(ada) == seated_names(ben) == {"Ada", "Ben"}
    cut_off.close()
    line.close()
    assert cut_off.faults == []


def test_a_refused_name_is_explained(visits: Visits) -> None:
    page = visits.come(expect_failures=True)
    find(page, "Seat 2", seats=2)
    ended = page.get_by_role("region", name="Search ended").get_by_role("status")
    expect(ended).to_have_text("A player's name must not read like a seat, a bot, chance or a spectator.")


def test_every_screen_of_a_search_fits_and_has_no_violations(visits: Visits) -> None:
    ada = visits.come(phone=True, scripts=[AXE.read_text(encoding="utf-8")])
    ben, clock = visits.come(), "30 seconds per turn"
    find(ada, "Ada", seats=2, clock=clock)
    expect(standing(ada)).to_contain_text("Nobody else")
    check_screen(ada)
    find(ben, "Ben", seats=2, clock=clock)
    expect(proposal(ada)).to_be_visible()
    expect(proposal(ada).get_by_role("button", name="Accept")).to_be_focused()
    check_screen(ada)
    ada.keyboard.press("Shift+Tab")
    ada.keyboard.press("Enter")
    expect(ada.get_by_role("region", name="Search ended")).to_be_visible()
    check_screen(ada)


def check_screen(page: Page) -> None:
    """Check the sizes of screens and, on the last one, accessibility."""
    for size in SIZES:
        page.set_viewport_size(size)
        assert fits(page), size
    assert violations(page) == []


@pytest.fixture(scope="module")
def counting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that distinguishes callers by address: callers on its own machine have no no-shows."""
    with Server(tmp_path_factory.mktemp("counting"), SKERRY_TRUSTED_PROXIES="127.0.0.1") as server:
        yield server


def test_a_player_who_does_not_answer_learns_the_wait(browser: Browser, counting: Server) -> None:
    visits = Visits(browser, counting.url)
    ada, ben = (
        visits.come(extra_http_headers={"x-forwarded-for": f"198.51.100.{number}"}, expect_failures=True)
        for number in (1, 2)
    )
    find(ada, "Ada", seats=2)
    find(ben, "Ben", seats=2)
    answer(ben, "Accept")
    ended = ada.get_by_role("region", name="Search ended")
    expect(ended).to_contain_text("You did not answer in time")
    expect(standing(ben)).to_contain_text("Another player did not accept")
    ended.get_by_role("button", name="Search again").click()
    expect(standing(ada)).to_contain_text("You did not accept an earlier match")
    expect(ada.get_by_text("The next match can come in 0:")).to_be_visible()
    visits.close()
    assert visits.faults == []


def test_the_result_says_whether_the_chance_is_what_was_agreed(visits: Visits) -> None:
    page = visits.come()
    create_table(page, "kreta", seats=2, bots=1)
    wait_for_turn(page)
    open_tab(page, "Table")
    page.get_by_text("Leave or resign").click()
    page.get_by_role("button", name="Resign", exact=True).click()
    page.get_by_role("button", name="Really resign?", exact=True).click()
    for _ in range(2):
        expect(page.get_by_text("Your browser added its own random number to the seed")).to_be_visible()
        expect(page.get_by_text("The server's seed is the one that it had fixed before.")).to_be_visible()
        page.reload()
    for field, sentence in (("commitment", "changed its seed"), ("entropy", "did not use the random number")):
        page.evaluate(FALSIFY, field)
        page.reload()
        expect(page.get_by_text(f"The server {sentence}")).to_be_visible()
