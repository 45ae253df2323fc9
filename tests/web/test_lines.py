"""Bad lines: reloads, networks that go away, a server that is killed. The page says so calmly, and nothing is lost."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, Request, expect

from skerry_client import Client, Seat
from tests.web.line import Line
from tests.web.playing import TITLES, choices, click, make_table, my_turn, play, reaches, sequence
from tests.web.serving import Server
from tests.web.visiting import Visits

pytestmark = pytest.mark.browser


def lost(page: Page) -> Locator:
    return page.get_by_text("Connection lost. Your game is safe.")


def log_is_whole(page: Page) -> None:
    """Wait until every entry stands in the log once."""
    log = page.get_by_label("Game log, newest first")
    expect(log).to_be_attached()  # before there is a table, nothing is as long as nothing
    expect(log.get_by_role("listitem")).to_have_count(sequence(page))


def test_a_reload_in_the_middle_of_a_game_leads_back_to_the_seat(visits: Visits) -> None:
    page = visits.come()
    make_table(page, "tenerife", seats=2, bots=1)
    my_turn(page)
    play(page, clicks=6)
    my_turn(page)
    before, offered = sequence(page), choices(page).get_by_role("button").all_inner_texts()
    page.reload()
    my_turn(page)
    reaches(page, before)
    log_is_whole(page)
    # The same is offered, unless a selection was under way: that is not kept.
    play(page, clicks=1)
    page.reload()
    my_turn(page)
    assert offered
    play(page, clicks=3)
    assert sequence(page) > before
    log_is_whole(page)


def two_at_a_table(visits: Visits, skerry: Client) -> tuple[Page, Seat]:
    """Let Ada come with a browser, and Ben over the API; let it be his turn. Return her page and his seat."""
    page = visits.come(bad_line=True)
    path = make_table(page, "kreta", seats=2, bots=0)
    name, _, code = path.strip("/").partition("#")
    ben = skerry.table(name, join_code=code or None).join("Ben")
    expect(page.get_by_role("list", name="Players")).to_be_visible()
    while ben.number not in ben.position().to_act:
        my_turn(page)
        click(page, 0)
    reaches(page, ben.position().sequence)
    return page, ben


def moves_on(ben: Seat) -> int:
    """Let Ben play until it is Ada's turn. Return how far the game has come."""
    while ben.number in (position := ben.position()).to_act:
        ben.act(position.legal_moves[0])
    return position.sequence


@pytest.fixture
def line(server: Server) -> Iterator[Line]:
    line = Line(server.url)
    yield line
    line.close()


def test_what_happens_while_the_line_is_cut_comes_when_it_is_healed(
    browser: Browser, line: Line, skerry: Client
) -> None:
    visits = Visits(browser, line.url)
    page, ben = two_at_a_table(visits, skerry)
    before = sequence(page)
    line.cut()
    expect(lost(page)).to_be_visible()
    now = moves_on(ben)
    assert sequence(page) == before < now
    line.heal()
    reaches(page, now)
    expect(lost(page)).to_be_hidden()
    log_is_whole(page)
    my_turn(page)
    click(page, 0)
    visits.close()
    assert visits.faults == []


def test_a_browser_without_a_network_says_so_at_once_and_goes_on_when_it_is_back(
    visits: Visits, skerry: Client
) -> None:
    page, ben = two_at_a_table(visits, skerry)
    page.context.set_offline(True)
    expect(lost(page)).to_be_visible()
    now = moves_on(ben)
    page.context.set_offline(False)
    expect(lost(page)).to_be_hidden()
    reaches(page, now)
    log_is_whole(page)


def test_a_move_made_without_a_network_is_made_once_when_it_is_back(visits: Visits, skerry: Client) -> None:
    page, ben = two_at_a_table(visits, skerry)
    before = moves_on(ben)
    reaches(page, before)
    my_turn(page)
    page.context.set_offline(True)
    while choices(page).get_by_text("Sending your move …").count() == 0:
        choices(page).get_by_role("button").filter(has_not_text="Undo").first.click()
    assert ben.position().sequence == before
    page.context.set_offline(False)
    page.wait_for_function("n => Number(document.querySelector('main').dataset.sequence) > n", arg=before)
    entries = [entry for entry in ben.replay().entries if entry.sequence > before and entry.HasField("seat")]
    assert [entry.seat for entry in entries] == [0]
    log_is_whole(page)


REFUSAL = {
    "error": {
        "code": 400,
        "message": "The abbot stays here.",
        "status": "FAILED_PRECONDITION",
        "details": [
            {
                "@type": "type.googleapis.com/google.rpc.ErrorInfo",
                "reason": "RULE_BROKEN",
                "domain": "skerry",
                "metadata": {"rule": "KRETA-ABBOT-1"},
            }
        ],
    }
}


def test_a_refused_move_is_told_with_its_rule_until_the_next_is_begun(visits: Visits) -> None:
    page = visits.come(phone=True, bad_line=True)
    make_table(page, "kreta", seats=2, bots=1)
    my_turn(page)
    before = sequence(page)
    page.route("**/*:act", lambda call: call.fulfill(status=400, json=REFUSAL))
    refusal = choices(page).get_by_role("alert")
    while not refusal.count():
        click(page, 0)
    expect(refusal).to_contain_text("The abbot stays here.")
    expect(refusal.get_by_role("link", name="KRETA-ABBOT-1")).to_be_visible()
    page.unroute("**/*:act")
    my_turn(page)
    choices(page).get_by_role("button").first.click()
    expect(refusal).to_have_count(0)
    while sequence(page) == before:
        my_turn(page)
        click(page, 0)


def silent(page: Page) -> Locator:
    return page.get_by_text("The server is not responding.")


@pytest.mark.parametrize("status", [500, 503, None])
def test_the_lobby_says_that_the_server_is_silent_and_comes_by_itself_when_it_answers(
    status: int | None, visits: Visits
) -> None:
    page = visits.come(bad_line=True)
    page.route("**/v1/**", lambda call: call.fulfill(status=status, body="") if status else call.abort())
    page.reload()
    expect(silent(page)).to_be_visible()
    expect(page.get_by_role("radio")).to_have_count(0)
    page.unroute("**/v1/**")
    expect(page.get_by_role("radio")).to_have_count(len(TITLES))
    expect(silent(page)).to_be_hidden()


def test_a_server_that_is_away_for_long_is_not_asked_by_more_and_more_calls(visits: Visits) -> None:
    page = visits.come(bad_line=True)
    expect(page.get_by_role("radio").first).to_be_attached()
    asked: list[str] = []
    page.route("**/v1/sessions?*", lambda call: asked.append(call.request.url))  # and nobody answers
    page.clock.install()
    page.reload()
    for _ in range(9):
        page.clock.run_for(1_000)
    assert 0 < len(asked) <= 2  # the list of open tables, and that of those in play


def test_a_board_that_does_not_come_is_asked_for_until_it_does(visits: Visits) -> None:
    page = visits.come(bad_line=True)
    page.route("**/assets/ui-*", lambda call: call.abort())
    make_table(page, "tenerife", seats=2, bots=1)
    expect(page.get_by_text("Part of this page did not load.")).to_be_visible()
    page.unroute("**/assets/ui-*")
    my_turn(page)
    expect(page.get_by_role("group", name="Map of Tenerife")).to_be_visible()
    expect(page.locator(".shallows").first).to_have_css("opacity", "0.45")


LIMIT = {
    "error": {
        "code": 429,
        "message": "Too many streams.",
        "status": "RESOURCE_EXHAUSTED",
        "details": [{"domain": "skerry", "reason": "LIMIT_REACHED", "metadata": {}}, {"retryDelay": "0.2s"}],
    }
}


def test_a_table_that_a_limit_refuses_to_tell_of_is_asked_for_until_it_does(visits: Visits, skerry: Client) -> None:
    page, ben = two_at_a_table(visits, skerry)
    page.route("**/*:observe*", lambda call: call.fulfill(status=429, json=LIMIT))
    page.reload()
    expect(lost(page)).to_be_visible()
    now = moves_on(ben)
    reaches(page, now)
    page.unroute("**/*:observe*")
    expect(lost(page)).to_be_hidden()
    my_turn(page)
    log_is_whole(page)


LATER = """
    const real = window.fetch;
    window.fetch = async (...asked) => {
        const answer = await real(...asked);
        const [cut, sew] = [new TextDecoderStream(), new TextEncoderStream()];
        const epoch = new TransformStream({
            transform: (text, to) => to.enqueue(text.replace(/"epoch":"/g, `"epoch":"${window.later ?? ""}`)),
        });
        const body = answer.body?.pipeThrough(cut).pipeThrough(epoch).pipeThrough(sew);
        return new Response(body, { status: answer.status, headers: answer.headers });
    };
"""
"""Lets a server seem to have come back with less than it had, as often as ``later`` changes."""


def test_a_table_that_begins_anew_leaves_no_stream_behind(browser: Browser, line: Line) -> None:
    visits = Visits(browser, line.url)
    page = visits.come(scripts=[LATER], bad_line=True)
    streams: list[Request] = []

    def begins(call: Request) -> None:
        streams.extend([call] if ":observe" in call.url else [])

    def ends(call: Request) -> None:
        streams[:] = [one for one in streams if one != call]

    page.on("request", begins)
    page.on("requestfailed", ends)
    page.on("requestfinished", ends)
    make_table(page, "kreta", seats=2, bots=1)
    my_turn(page)
    log_is_whole(page)
    for later in range(3):
        page.evaluate("later => { window.later = later }", later)
        line.cut()
        expect(lost(page)).to_be_visible()
        line.heal()
        expect(lost(page)).to_be_hidden()
        log_is_whole(page)
        my_turn(page)
    click(page, 0)
    assert len(streams) == 1
    visits.close()
    assert visits.faults == []


def test_a_table_that_begins_anew_is_lost_until_it_is_there(browser: Browser, line: Line) -> None:
    visits = Visits(browser, line.url)
    page = visits.come(scripts=[LATER], bad_line=True)
    make_table(page, "kreta", seats=2, bots=1)
    my_turn(page)
    log_is_whole(page)
    read = re.compile(r"/v1/sessions/[^:]*$")
    with page.expect_request(read):
        page.route(read, lambda call: call.abort())
        page.evaluate("window.later = 1")
        line.cut()
        line.heal()
    expect(page.get_by_label("Game log, newest first").get_by_role("listitem")).to_have_count(0)
    expect(lost(page)).to_be_visible()
    page.unroute(read)
    expect(lost(page)).to_be_hidden()
    log_is_whole(page)
    visits.close()
    assert visits.faults == []


def test_screen_readers_hear_that_the_connection_is_lost_and_not_each_attempt(browser: Browser, line: Line) -> None:
    visits = Visits(browser, line.url)
    page = visits.come(bad_line=True)
    make_table(page, "kreta", seats=2, bots=1)
    my_turn(page)
    line.cut()
    expect(page.get_by_text("Trying again in")).to_be_visible()
    heard = page.get_by_role("status").filter(has_text="Connection lost")
    expect(heard).to_have_text("Connection lost. Your game is safe.")
    visits.close()


@pytest.fixture
def frail(tmp_path: Path) -> Iterator[Server]:
    """A server of the test's own, to be killed."""
    with Server(tmp_path / "frail") as server:
        yield server


def test_a_killed_server_comes_back_to_the_game_and_the_page_to_the_server(browser: Browser, frail: Server) -> None:
    visits = Visits(browser, frail.url)
    page, watcher = visits.come(bad_line=True), None
    path = make_table(page, "small_islands", seats=2, bots=1)
    my_turn(page)
    play(page, clicks=4)
    watcher = visits.come(path, bad_line=True)
    before = sequence(page)
    reaches(watcher, before)
    frail.kill()
    for one in (page, watcher):
        expect(lost(one)).to_be_visible()
    frail.start()
    for one in (page, watcher):
        expect(lost(one)).to_be_hidden()
    play(page, clicks=6)
    assert sequence(page) > before
    reaches(watcher, sequence(page))
    for one in (page, watcher):
        log_is_whole(one)
    visits.close()
    assert visits.faults == []


def test_a_move_that_the_server_has_lost_can_be_made_again(browser: Browser, tmp_path: Path) -> None:
    games, before = tmp_path / "lossy", tmp_path / "before"
    with Server(games, SKERRY_FSYNC="everysec") as server:
        visits = Visits(browser, server.url)
        page = visits.come(bad_line=True)
        make_table(page, "kreta", seats=2, bots=1)
        my_turn(page)
        shutil.copytree(games / "appendonlydir", before)
        reached = sequence(page)
        click(page, 0)
        server.kill()
        expect(lost(page)).to_be_visible()
        shutil.rmtree(games / "appendonlydir")
        shutil.copytree(before, games / "appendonlydir")
        server.start()
        expect(lost(page)).to_be_hidden()
        reaches(page, reached)
        my_turn(page)
        click(page, 0)
        assert sequence(page) > reached
        visits.close()
    assert visits.faults == []


def test_two_pages_of_one_seat_show_the_same_table(visits: Visits) -> None:
    page = visits.come()
    path = make_table(page, "kreta", seats=2, bots=1)
    my_turn(page)
    other = visits.open(page.context, path)
    my_turn(other)
    play(page, clicks=3)
    reaches(other, sequence(page))


def test_each_page_of_a_seat_can_play_again_after_a_reload(visits: Visits) -> None:
    page = visits.come()
    path = make_table(page, "kreta", seats=2, bots=1)
    my_turn(page)
    later = visits.open(page.context, path, bad_line=True)
    later.route("**/*:observe?*", lambda call: call.abort())
    later.reload()
    my_turn(later)
    page.get_by_text("Leave or resign").click()
    page.get_by_role("button", name="Resign", exact=True).click()
    page.get_by_role("button", name="Really resign?").click()
    again = [one.get_by_role("button", name="Play again") for one in (page, later)]
    expect(again[0]).to_be_visible()
    later.unroute("**/*:observe?*")
    expect(again[1]).to_be_visible()
    later.reload()
    expect(again[1]).to_be_visible()
