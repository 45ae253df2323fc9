"""The screens of tournaments, with players that play while they are open."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from skerry.v1 import tournament_pb2 as pb
from tests.web.page_actions import choices, fits
from tests.web.server_process import Server
from tests.web.test_access import AXE, violations
from tests.web.tournament_players import create_cup, play
from tests.web.visitors import Visits

pytestmark = pytest.mark.browser

PAUSE_MS = 8_000
"""Between two readings of an open tournament."""


@pytest.fixture(scope="module")
def cups(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("cups") / "data") as server:
        yield server


@pytest.fixture
def on_cups(browser: Browser, cups: Server) -> Iterator[Visits]:
    visits = Visits(browser, cups.url)
    yield visits
    visits.close()
    assert visits.faults == []


def tables_of(page: Page, number: int) -> list[str]:
    """Return the text of each table of a round in the bracket."""
    rounds = page.get_by_role("region", name="Bracket").locator(".bracket > li")
    return [table.replace("\n", " ") for table in rounds.nth(number).locator(".bracket-table").all_inner_texts()]


def test_a_knockout_is_drawn_while_bots_play_it_and_its_winner_is_named(on_cups: Visits, cups: Server) -> None:
    cup = create_cup(cups, "Harbour cup", pb.TOURNAMENT_FORMAT_KNOCKOUT)
    players = cup.enter("Ada", "Ben", "Cleo", "<b>Dot</b>")
    page = on_cups.come(scripts=[AXE.read_text(encoding="utf-8")])
    page.clock.install()
    page.reload()
    page.get_by_role("link", name="Tournaments").click()
    expect(page.get_by_role("region", name="Open for entry").get_by_text("4 of 16 entrants")).to_be_visible()
    assert violations(page) == []
    page.get_by_role("link", name="Harbour cup").click()
    expect(page.get_by_role("rowheader")).to_have_text(["Ada", "Ben", "Cleo", "<b>Dot</b>"])
    cup.start()
    page.clock.fast_forward(PAUSE_MS)
    expect(page.get_by_role("region", name="Now").get_by_role("link", name="Watch")).to_have_count(4)
    assert tables_of(page, 1) == ["not decided yet not decided yet"]
    play(players, resigning=[2, 3, 4])
    page.clock.fast_forward(PAUSE_MS)
    expect(page.get_by_text("Ada wins the tournament")).to_be_visible()
    names = {one.number: one.display_name for one in cup.read().tournament.entrants}
    final = [names[one] for one in cup.read().rounds[-1].tables[0].entrants]
    shown = [f"{name} advances 100%" if name == "Ada" else f"{name} 0%" for name in final]
    assert tables_of(page, 1) == [" ".join(shown)]
    expect(page.get_by_role("row").nth(1)).to_have_text("1Ada4 games44")
    assert violations(page) == []
    page.get_by_role("region", name="Latest games").get_by_role("link", name="Replay").first.click()
    expect(page.get_by_role("slider")).to_be_visible()
    expect(page.get_by_role("region", name="Result").get_by_role("link", name="All tables")).to_be_visible()
    page.get_by_role("region", name="Result").get_by_role("link", name="Tournament").click()
    expect(page.get_by_role("heading", name="Harbour cup")).to_be_visible()


def test_a_person_enters_leaves_and_finds_the_next_game(on_cups: Visits, cups: Server) -> None:
    cup = create_cup(cups, f"Evening cup {'W' * 60}", pb.TOURNAMENT_FORMAT_ROUND_ROBIN, join_code_required=True)
    page = on_cups.come(
        f"{cup.path}#code={cup.code}", phone=True, scripts=[AXE.read_text(encoding="utf-8")], expect_failures=True
    )
    page.clock.install()
    page.reload()
    (rival,) = cup.enter("Rival")
    expect(page.get_by_label("Join code")).to_have_value(cup.code)
    page.get_by_label("Your name").fill("rival")
    page.get_by_label("Join code").fill("0")
    page.get_by_role("button", name="Enter").click()
    expect(page.get_by_role("alert")).to_contain_text("code")
    page.get_by_label("Join code").fill(cup.code)
    page.get_by_role("button", name="Enter").click()
    expect(page.get_by_role("alert")).to_contain_text("Rival is taken in this tournament")
    _lose_response(page, "Ada")
    expect(page.get_by_label("Your name")).to_have_value("Ada")
    page.get_by_label("Your name").fill("ada")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status").get_by_text("You have entered as Ada.")).to_be_visible()
    expect(page.get_by_role("heading", name="Your entry")).to_be_focused()
    page.get_by_role("button", name="Leave the tournament").click()
    expect(page.get_by_role("rowheader")).to_have_text(["Rival"])
    expect(page.get_by_role("heading", name="Enter", exact=True)).to_be_focused()
    page.get_by_role("button", name="Enter").click()
    expect(page.get_by_role("rowheader")).to_have_text(["Rival", "Ada"])
    page.reload()
    expect(page.get_by_text("You have entered as Ada.")).to_be_visible()
    cup.start()
    page.clock.fast_forward(PAUSE_MS)
    own = page.get_by_role("region", name="Your next game")
    expect(own.get_by_role("link", name="Play against Rival")).to_have_count(2)
    assert fits(page)
    assert violations(page) == []
    own.get_by_role("link", name="Play against Rival").first.click()
    expect(choices(page)).to_be_visible()
    page.go_back()
    expect(own).to_be_visible()
    play([rival], resigning=[1])
    page.clock.fast_forward(PAUSE_MS)
    expect(page.get_by_text("Ada wins the tournament")).to_be_visible()


def _lose_response(page: Page, name: str) -> None:
    """Enter, but lose the response and reload the page."""

    def lose(route: Route) -> None:
        route.fetch()
        route.abort()

    page.route("**/*:enter", lose)  # the page repeats the call
    page.get_by_label("Your name").fill(name)
    with page.expect_event("requestfailed"):
        page.keyboard.press("Enter")
    page.reload()
    page.unroute("**/*:enter")


@pytest.mark.parametrize("path", ["nonsense", "No%20id"])
def test_a_missing_tournament_shows_an_error(on_cups: Visits, path: str) -> None:
    page = on_cups.come(f"/tournaments/{path}", expect_failures=True)
    expect(page.get_by_role("heading", name="Tournament not found")).to_be_visible()
    page.get_by_role("link", name="All tournaments").click()
    expect(page.get_by_role("heading", name="Tournaments", exact=True)).to_be_visible()
