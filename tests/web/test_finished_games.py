"""Actions after a game: continuing it from an earlier position, and saving it."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import expect

from skerry.v1 import session_pb2
from skerry_client import Client
from tests.web.page_actions import play, sequence, wait_for_sequence, wait_for_turn
from tests.web.test_replay import slide
from tests.web.visitors import Visits

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("game", ["kreta", "small_islands"])
def test_a_game_continues_against_bots_from_any_entry_of_the_replay(game: str, visits: Visits, skerry: Client) -> None:
    table = skerry.create(game, seats=2)
    seats = [table.join(name) for name in ("Ada", "Ben")]
    while to_act := (position := table.position()).to_act:
        mover = seats[to_act[0]]
        mover.act(mover.position().legal_moves[0])
    page = visits.come(f"/{table.name}")
    play_from_here = page.get_by_role("button", name="Play from here")
    expect(page.get_by_role("region", name="Result")).to_be_visible()
    expect(play_from_here).to_have_count(0)
    middle = position.sequence // 2
    slide(page, middle)
    wait_for_sequence(page, middle)
    play_from_here.click()
    page.wait_for_url(lambda url: table.name not in url)
    wait_for_turn(page)
    name = page.evaluate("location.pathname").strip("/")
    session = skerry.table(name).session()
    assert session.visibility == session_pb2.VISIBILITY_UNLISTED
    assert sorted(seat.occupant for seat in session.seats) == [session_pb2.OCCUPANT_PLAYER, session_pb2.OCCUPANT_BOT]
    forked = skerry.table(name).position(sequence=session.opening)
    assert forked.view == table.position(sequence=middle).view
    before = sequence(page)
    assert play(page, clicks=3) == 3
    assert sequence(page) > before


def test_two_clicks_create_one_table(visits: Visits, skerry: Client) -> None:
    table = skerry.create("kreta", seats=2, bots=2)
    page = visits.come(f"/{table.name}")
    expect(page.get_by_role("region", name="Result")).to_be_visible()
    slide(page, table.position().sequence // 2)
    page.get_by_role("button", name="Play from here").dblclick()
    page.wait_for_url(lambda url: table.name not in url)
    wait_for_turn(page)
    page.go_back()
    page.wait_for_url(f"**/{table.name}")
    assert len(json.loads(page.evaluate("localStorage['skerry.sessions']"))) == 1


def test_the_analysis_loads_when_the_player_asks_for_it(visits: Visits, skerry: Client) -> None:
    table = skerry.create("small_islands", seats=2, bots=2)
    page = visits.come(f"/{table.name}", locale="de")
    parts: list[str] = []
    page.on("request", lambda request: parts.extend(re.findall("GameAnalysis|texts-de-analysis", request.url)))
    start = page.get_by_role("button", name="Partie analysieren")
    expect(start).to_be_visible()
    assert parts == []
    start.click()
    analysis = page.get_by_role("region", name="Analyse")
    expect(analysis.get_by_text(re.compile("Züge werden gesucht|Analyse läuft|Gewinnchance")).first).to_be_visible()
    assert sorted(parts) == ["GameAnalysis", "texts-de-analysis"]


def test_an_analysis_that_cannot_be_loaded_says_so(visits: Visits, skerry: Client) -> None:
    table = skerry.create("small_islands", seats=2, bots=2)
    page = visits.come(f"/{table.name}", expect_failures=True)
    page.route("**/GameAnalysis-*.js", lambda route: route.abort())
    page.get_by_role("button", name="Analyse the game").click()
    expect(page.get_by_text("The analysis could not be loaded. Reload the page to try again.")).to_be_visible()


def test_a_refused_replay_shows_an_error(visits: Visits, skerry: Client) -> None:
    page = visits.come(f"/{skerry.create('kreta', seats=2, bots=2).name}", expect_failures=True)
    page.route("**/replay", lambda call: call.fulfill(status=404, body=""))
    page.get_by_role("button", name="Download replay").click()
    expect(page.get_by_role("alert")).to_have_text("The response did not come from the game server. Try again later.")
    page.unroute("**/replay")
    with page.expect_download():
        page.get_by_role("button", name="Download replay").click()
    expect(page.get_by_role("alert")).to_have_count(0)
