"""Bad connections: reloads, lost networks, and a killed server. The page shows it, and loses nothing."""

from __future__ import annotations

import re
import shutil
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Locator, Page, Request, Route, expect

from skerry_client import Client, Seat
from tests.web.cuttable_proxy import CuttableProxy
from tests.web.page_actions import (
    TITLES,
    choices,
    click,
    create_table,
    open_tab,
    play,
    sequence,
    wait_for_sequence,
    wait_for_turn,
)
from tests.web.server_process import Server
from tests.web.visitors import Visits

pytestmark = pytest.mark.browser


def lost(page: Page) -> Locator:
    return page.get_by_text("Connection lost. Your game is safe.")


def wait_for_whole_log(page: Page) -> None:
    """Wait until the log has every entry once."""
    log = page.get_by_label("Game log, newest first")
    expect(log).to_be_attached()  # Before the table is loaded, an empty log would match sequence 0.
    expect(log.get_by_role("listitem")).to_have_count(sequence(page))


def test_a_reload_during_a_game_returns_to_the_seat(visits: Visits) -> None:
    page = visits.come()
    create_table(page, "tenerife", seats=2, bots=1)
    wait_for_turn(page)
    play(page, clicks=6)
    wait_for_turn(page)
    before, offered = sequence(page), choices(page).get_by_role("button").all_inner_texts()
    page.reload()
    wait_for_turn(page)
    wait_for_sequence(page, before)
    wait_for_whole_log(page)
    # The same moves are offered, unless a selection was in progress: a reload discards it.
    play(page, clicks=1)
    page.reload()
    wait_for_turn(page)
    assert offered
    play(page, clicks=3)
    assert sequence(page) > before
    wait_for_whole_log(page)


def two_at_a_table(visits: Visits, skerry: Client) -> tuple[Page, Seat]:
    """Seat Ada with a browser and Ben over the API, and play until it is his turn. Return her page and his seat."""
    page = visits.come(expect_failures=True)
    path = create_table(page, "kreta", seats=2, bots=0)
    name, _, code = path.strip("/").partition("#")
    ben = skerry.table(name, join_code=code or None).join("Ben")
    expect(page.get_by_role("list", name="Players")).to_be_visible()
    while ben.number not in ben.position().to_act:
        wait_for_turn(page)
        click(page, 0)
    wait_for_sequence(page, ben.position().sequence)
    return page, ben


def moves_on(ben: Seat) -> int:
    """Play Ben's seat until it is Ada's turn. Return the sequence."""
    while ben.number in (position := ben.position()).to_act:
        ben.act(position.legal_moves[0])
    return position.sequence


@pytest.fixture
def line(server: Server) -> Iterator[CuttableProxy]:
    line = CuttableProxy(server.url)
    yield line
    line.close()


def test_entries_missed_during_an_outage_arrive_afterwards(
    browser: Browser, line: CuttableProxy, skerry: Client
) -> None:
    visits = Visits(browser, line.url)
    page, ben = two_at_a_table(visits, skerry)
    before = sequence(page)
    line.cut()
    expect(lost(page)).to_be_visible()
    now = moves_on(ben)
    assert sequence(page) == before < now
    line.heal()
    wait_for_sequence(page, now)
    expect(lost(page)).to_be_hidden()
    wait_for_whole_log(page)
    wait_for_turn(page)
    click(page, 0)
    visits.close()
    assert visits.faults == []


def test_an_offline_browser_shows_it_at_once_and_reconnects(visits: Visits, skerry: Client) -> None:
    page, ben = two_at_a_table(visits, skerry)
    page.context.set_offline(True)
    expect(lost(page)).to_be_visible()
    now = moves_on(ben)
    page.context.set_offline(False)
    expect(lost(page)).to_be_hidden()
    wait_for_sequence(page, now)
    wait_for_whole_log(page)


def test_a_move_made_offline_is_made_once_after_reconnecting(visits: Visits, skerry: Client) -> None:
    page, ben = two_at_a_table(visits, skerry)
    before = moves_on(ben)
    wait_for_sequence(page, before)
    wait_for_turn(page)
    page.context.set_offline(True)
    while choices(page).get_by_text("Sending your move …").count() == 0:
        choices(page).get_by_role("button").filter(has_not_text="Undo").first.click()
    assert ben.position().sequence == before
    page.context.set_offline(False)
    page.wait_for_function("n => Number(document.querySelector('main').dataset.sequence) > n", arg=before)
    entries = [entry for entry in ben.replay().entries if entry.sequence > before and entry.HasField("seat")]
    assert [entry.seat for entry in entries] == [0]
    wait_for_whole_log(page)


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


def test_a_refusal_and_its_rule_are_shown_until_the_next_selection(visits: Visits) -> None:
    page = visits.come(phone=True, expect_failures=True)
    create_table(page, "kreta", seats=2, bots=1)
    wait_for_turn(page)
    before = sequence(page)
    page.route("**/*:act", lambda call: call.fulfill(status=400, json=REFUSAL))
    refusal = choices(page).get_by_role("alert")
    while not refusal.count():
        click(page, 0)
    expect(refusal).to_contain_text("The abbot stays here.")
    expect(refusal.get_by_role("link", name="KRETA-ABBOT-1")).to_be_visible()
    page.unroute("**/*:act")
    wait_for_turn(page)
    choices(page).get_by_role("button").first.click()
    expect(refusal).to_have_count(0)
    while sequence(page) == before:
        wait_for_turn(page)
        click(page, 0)


def failing(status: int | None) -> Callable[[Route], None]:
    """Return a handler that answers calls with a status, or cuts their connections."""
    return lambda call: call.fulfill(status=status, body="") if status else call.abort()


def silent(page: Page) -> Locator:
    return page.get_by_text("The server is not responding.")


def test_the_lobby_shows_an_outage_and_recovers_by_itself(visits: Visits) -> None:
    page = visits.come(expect_failures=True)
    games = page.get_by_role("radio")
    for status in (500, 503, None):
        expect(games).to_have_count(len(TITLES))  # no call is under way that the reload would end
        page.route("**/v1/**", failing(status))
        page.reload()
        expect(silent(page)).to_be_visible()
        expect(games).to_have_count(0)
        page.unroute("**/v1/**")
        expect(games).to_have_count(len(TITLES))
        expect(silent(page)).to_be_hidden()


def test_calls_do_not_pile_up_during_a_long_outage(visits: Visits) -> None:
    page = visits.come(expect_failures=True)
    expect(page.get_by_role("radio").first).to_be_attached()
    asked: list[str] = []
    page.route("**/v1/sessions?*", lambda call: asked.append(call.request.url))  # never answered
    page.clock.install()
    page.reload()
    for _ in range(9):
        page.clock.run_for(1_000)
    assert 0 < len(asked) <= 2  # the list of open tables, and the list of games in progress


LIMIT = {
    "error": {
        "code": 429,
        "message": "Too many streams.",
        "status": "RESOURCE_EXHAUSTED",
        "details": [{"domain": "skerry", "reason": "LIMIT_REACHED", "metadata": {}}, {"retryDelay": "0.2s"}],
    }
}


def test_a_rate_limited_table_is_requested_until_it_loads(visits: Visits, skerry: Client) -> None:
    page, ben = two_at_a_table(visits, skerry)
    page.route("**/*:observe*", lambda call: call.fulfill(status=429, json=LIMIT))
    page.reload()
    expect(lost(page)).to_be_visible()
    now = moves_on(ben)
    wait_for_sequence(page, now)
    page.unroute("**/*:observe*")
    expect(lost(page)).to_be_hidden()
    wait_for_turn(page)
    wait_for_whole_log(page)


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
"""Changes the epoch of all responses whenever ``later`` changes, as if the server had lost entries."""


def test_a_reset_table_leaves_no_stream_open(browser: Browser, line: CuttableProxy) -> None:
    visits = Visits(browser, line.url)
    page = visits.come(scripts=[LATER], expect_failures=True)
    streams: list[Request] = []

    def begins(call: Request) -> None:
        streams.extend([call] if ":observe" in call.url else [])

    def ends(call: Request) -> None:
        streams[:] = [one for one in streams if one != call]

    page.on("request", begins)
    page.on("requestfailed", ends)
    page.on("requestfinished", ends)
    create_table(page, "kreta", seats=2, bots=1)
    wait_for_turn(page)
    wait_for_whole_log(page)
    for later in range(3):
        page.evaluate("later => { window.later = later }", later)
        line.cut()
        expect(lost(page)).to_be_visible()
        line.heal()
        expect(lost(page)).to_be_hidden()
        wait_for_whole_log(page)
        wait_for_turn(page)
    click(page, 0)
    assert len(streams) == 1
    visits.close()
    assert visits.faults == []


def test_a_reset_table_shows_a_lost_connection_until_it_is_loaded(browser: Browser, line: CuttableProxy) -> None:
    visits = Visits(browser, line.url)
    page = visits.come(scripts=[LATER], expect_failures=True)
    create_table(page, "kreta", seats=2, bots=1)
    wait_for_turn(page)
    wait_for_whole_log(page)
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
    wait_for_whole_log(page)
    visits.close()
    assert visits.faults == []


def test_screen_readers_announce_a_lost_connection_once(browser: Browser, line: CuttableProxy) -> None:
    visits = Visits(browser, line.url)
    page = visits.come(expect_failures=True)
    create_table(page, "kreta", seats=2, bots=1)
    wait_for_turn(page)
    line.cut()
    expect(page.get_by_text("Trying again in")).to_be_visible()
    heard = page.get_by_role("status").filter(has_text="Connection lost")
    expect(heard).to_have_text("Connection lost. Your game is safe.")
    visits.close()


@pytest.fixture
def frail(tmp_path: Path) -> Iterator[Server]:
    """A separate server that the test can kill."""
    with Server(tmp_path / "frail") as server:
        yield server


def test_a_game_continues_after_the_server_was_killed(browser: Browser, frail: Server) -> None:
    visits = Visits(browser, frail.url)
    page, watcher = visits.come(expect_failures=True), None
    path = create_table(page, "small_islands", seats=2, bots=1)
    wait_for_turn(page)
    play(page, clicks=4)
    watcher = visits.come(path, expect_failures=True)
    before = sequence(page)
    wait_for_sequence(watcher, before)
    frail.kill()
    for one in (page, watcher):
        expect(lost(one)).to_be_visible()
    frail.start()
    for one in (page, watcher):
        expect(lost(one)).to_be_hidden()
    play(page, clicks=6)
    assert sequence(page) > before
    wait_for_sequence(watcher, sequence(page))
    for one in (page, watcher):
        wait_for_whole_log(one)
    visits.close()
    assert visits.faults == []


class ProxyWithoutServer(BaseHTTPRequestHandler):
    """A proxy whose server is down."""

    def do_GET(self) -> None:  # the name is that of the base class
        self.send_response(502)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Write no log."""


def test_the_installed_page_opens_while_a_proxy_has_no_server(browser: Browser, frail: Server) -> None:
    visits = Visits(browser, frail.url)
    page = visits.come(service_workers="allow", expect_failures=True)
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.reload()  # now through the worker, which keeps the files
    expect(page.get_by_role("heading", name="Start a game")).to_be_visible()
    frail.kill()
    address = urlsplit(frail.url)
    with ThreadingHTTPServer((str(address.hostname), int(address.port or 0)), ProxyWithoutServer) as proxy:
        serving = threading.Thread(target=proxy.serve_forever)
        serving.start()
        try:
            page.reload()
            expect(page.get_by_text("The server is not responding. Trying again …")).to_be_attached()
        finally:
            proxy.shutdown()
            serving.join()
    frail.start()
    expect(page.get_by_role("heading", name="Start a game")).to_be_visible()
    visits.close()
    assert visits.faults == []


def test_a_move_that_the_server_lost_can_be_made_again(browser: Browser, tmp_path: Path) -> None:
    games, before = tmp_path / "lossy", tmp_path / "before"
    with Server(games, SKERRY_FSYNC="everysec") as server:
        visits = Visits(browser, server.url)
        page = visits.come(expect_failures=True)
        create_table(page, "kreta", seats=2, bots=1)
        wait_for_turn(page)
        shutil.copytree(games / "appendonlydir", before)
        reached = sequence(page)
        while sequence(page) == reached:
            click(page, 0)
        server.kill()
        expect(lost(page)).to_be_visible()
        shutil.rmtree(games / "appendonlydir")
        shutil.copytree(before, games / "appendonlydir")
        server.start()
        expect(lost(page)).to_be_hidden()
        wait_for_sequence(page, reached)
        wait_for_turn(page)
        while sequence(page) == reached:
            click(page, 0)
        visits.close()
    assert visits.faults == []


def test_two_pages_of_one_seat_show_the_same_table(visits: Visits) -> None:
    page = visits.come()
    path = create_table(page, "kreta", seats=2, bots=1)
    wait_for_turn(page)
    other = visits.open(page.context, path)
    wait_for_turn(other)
    play(page, clicks=3)
    wait_for_sequence(other, sequence(page))


def test_each_page_of_a_seat_can_play_again_after_a_reload(visits: Visits) -> None:
    page = visits.come()
    path = create_table(page, "kreta", seats=2, bots=1)
    wait_for_turn(page)
    later = visits.open(page.context, path, expect_failures=True)
    later.route("**/*:observe?*", lambda call: call.abort())
    later.reload()
    wait_for_turn(later)
    open_tab(page, "Table")
    page.get_by_text("Leave or resign").click()
    page.get_by_role("button", name="Resign", exact=True).click()
    page.get_by_role("button", name="Really resign?").click()
    again = [one.get_by_role("button", name="Play again") for one in (page, later)]
    expect(again[0]).to_be_visible()
    later.unroute("**/*:observe?*")
    expect(again[1]).to_be_visible()
    later.reload()
    expect(again[1]).to_be_visible()
