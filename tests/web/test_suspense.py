"""The page reports the game as it is shown: moves, points and the end. It keeps finished games, and its own files."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from skerry_client import Client, Seat
from tests.web.page_actions import create_table, open_tab, page_status, wait_for_sequence, wait_for_turn, with_seat
from tests.web.visitors import Visits

pytestmark = pytest.mark.browser

SEED = bytes(range(32))
_HELD = """(() => {
    const real = window.setTimeout;
    const slowed = ms => ms * (ms >= 300 && ms <= 800 ? window.slower ?? 1 : 1);
    window.setTimeout = (task, ms, ...rest) => real(task, slowed(ms), ...rest);
})()"""
"""Multiplies the times for which events are shown by ``slower``."""
_IN_THE_AIR = """(() => {
    window.flown = [];
    const real = Element.prototype.animate;
    Element.prototype.animate = function (...all) {
        const animation = real.apply(this, all);
        if (this.matches(".flight")) {
            window.flown.push(this.textContent);
            animation.pause();
        }
        return animation;
    };
})()"""
"""Records points that fly to seats, and keeps them in the air."""
_COUNTED = """() => {
    const kinds = (window.counted = []);
    new MutationObserver(() => {
        const rows = document.querySelectorAll('.sources tbody tr').length;
        const ranked = !!document.querySelector('table[aria-label="Ranking"]');
        const now = `${rows}${ranked ? "!" : ""}`;
        if (document.querySelector('.winner') && kinds.at(-1) !== now) kinds.push(now);
    }).observe(document.body, { subtree: true, childList: true });
}"""
"""Records how many sources of points are shown, and whether the ranking is."""


def scores(page: Page) -> list[int]:
    """Return the points that the page shows."""
    shown = page.get_by_role("list", name="Players").locator(".score").all_inner_texts()
    return [int(text.split()[0]) for text in shown]


def act(seat: Seat, move: Any = None) -> None:
    """Make a move, or the first legal one, at the newest position."""
    legal = seat.position().legal_moves
    seat.act(legal[0] if move is None else move)


def last_move(skerry: Client) -> tuple[list[Seat], Any]:
    """Play Tenerife up to its last move. Return the seats, and the name of the mover."""
    table = skerry.create("tenerife", seats=2, seed=SEED)
    seats = [table.join(name) for name in ("Ada", "Ben")]
    moves: list[tuple[int, Any]] = []
    while to_act := table.position().to_act:
        moves.append((to_act[0], seats[to_act[0]].position().legal_moves[0]))
        seats[to_act[0]].act(moves[-1][1])
    again = skerry.create("tenerife", seats=2, seed=SEED)
    seats = [again.join(name) for name in ("Ada", "Ben")]
    for seat, move in moves[:-1]:
        act(seats[seat], move)
    return seats, moves[-1]


def test_nothing_is_revealed_before_it_is_shown(visits: Visits, skerry: Client) -> None:
    seats, (mover, move) = last_move(skerry)
    scripts = [_HELD, "window.slower = 1e5"]
    page = visits.come(f"/{seats[0].name}", scripts=scripts, reduced_motion="no-preference")
    expect(page.get_by_role("list", name="Players")).to_be_visible()
    before = scores(page)
    page.evaluate(_COUNTED)
    act(seats[mover], move)
    outcome = skerry.table(seats[0].name).position().outcome
    expect(page.get_by_role("button", name="Skip")).to_be_visible()
    expect(page_status(page)).to_have_text(f"{('Ada', 'Ben')[mover]} plays …")
    assert scores(page) != list(outcome.scores)
    assert sum(before) <= sum(scores(page)) <= sum(outcome.scores)
    assert "wins" not in page.inner_text("body")
    page.evaluate("window.slower = 0.01")
    page.keyboard.press("Escape")
    expect(page.get_by_role("region", name="Result")).to_be_attached()
    expect(page_status(page)).to_contain_text("win")
    assert scores(page) == list(outcome.scores)
    expect(page.get_by_role("table", name="Ranking")).to_be_attached()
    counted = page.evaluate("window.counted")
    assert (counted[0], counted[-1][-1], len(counted) > 2) == ("0", "!", True), counted
    for tab in ("Log", "Result"):
        open_tab(page, tab)
    assert page.evaluate("window.counted") == counted, "the points are counted once"


def until_points_are_gained(seats: list[Seat], before: list[int]) -> tuple[int, list[int]]:
    """Make the first legal moves until a seat gains points. Return the sequence, and the points of each seat."""
    while True:
        position = seats[0].position(view="scene")
        points = [seat.score for seat in position.scene.seats]
        if points != before:
            return position.sequence, points
        act(seats[position.to_act[0]])


def test_points_fly_to_their_seat_and_count_there(visits: Visits, skerry: Client) -> None:
    table = skerry.create("canarias", seats=2, seed=SEED)
    seats = [table.join(name) for name in ("Ada", "Ben")]
    scripts = [_HELD, "window.slower = 0.01", _IN_THE_AIR]
    page = visits.come(f"/{table.name}", scripts=scripts, reduced_motion="no-preference")
    expect(page.get_by_role("list", name="Players")).to_be_visible()
    _, points = until_points_are_gained(seats, [0, 0])
    page.wait_for_function("() => window.flown.length")
    expect(page.get_by_role("button", name="Skip")).to_have_count(0)
    assert page.evaluate("window.flown") == [f"+{sum(points)}"]
    assert scores(page) == [0, 0]
    page.keyboard.press("Escape")
    expect(page.locator(".flight")).to_have_count(0)
    assert scores(page) == points
    page.emulate_media(reduced_motion="reduce")
    newest, points = until_points_are_gained(seats, points)
    wait_for_sequence(page, newest)
    assert (scores(page), page.evaluate("window.flown.length")) == (points, 1)


def test_missed_moves_are_counted_and_shown_on_request(visits: Visits, skerry: Client) -> None:
    table = skerry.create("tenerife", seats=2, seed=SEED)
    seats = [table.join(name) for name in ("Ada", "Ben")]
    first = table.position().to_act[0]
    page = visits.come(
        f"/{table.name}", scripts=[with_seat(seats[1 - first], "tenerife"), _HELD, "window.slower = 1e5"]
    )
    expect(page.get_by_role("list", name="Players")).to_be_visible()
    act(seats[first])
    missed = page.get_by_text(f"1 move by {('Ada', 'Ben')[first]}")
    expect(missed).to_be_visible()
    page.get_by_role("button", name="Show", exact=True).click()
    expect(page.get_by_role("button", name="Skip")).to_be_visible()
    expect(missed).to_have_count(0)
    page.get_by_role("button", name="Skip").click()
    expect(missed).to_be_visible()


def test_a_player_who_comes_back_sees_what_happened_meanwhile(visits: Visits, skerry: Client) -> None:
    table = skerry.create("kreta", seats=2, seed=SEED)
    seats = [table.join(name) for name in ("Ada", "Ben")]
    mover = table.position().to_act[0]
    path, scripts = f"/{table.name}", ["localStorage['skerry.sessions'] ??= '[]'", _HELD, "window.slower = 1e5"]
    page = visits.come(scripts=scripts, reduced_motion="no-preference")
    page.evaluate(with_seat(seats[1 - mover], "kreta"))
    page.goto(visits.url + path)
    expect(page.get_by_role("list", name="Players")).to_be_visible()
    while not page.evaluate("Object.keys(localStorage).some(key => key.startsWith('skerry.seen.'))"):
        page.wait_for_timeout(20)
    page.goto(visits.url)
    moves = 0
    while table.position().to_act == [mover] or not moves:
        act(seats[mover])
        moves += 1
    page.goto(visits.url + path)
    missed = page.get_by_text(f"{'1 move' if moves == 1 else f'{moves} moves'} by {('Ada', 'Ben')[mover]}")
    for _ in range(2):  # a reload before it was shown
        expect(missed).to_be_visible()
        page.reload()
    page.get_by_role("button", name="Show", exact=True).click()
    expect(page.get_by_role("button", name="Skip")).to_be_visible()
    expect(page_status(page)).not_to_contain_text("Your turn")
    page.evaluate("window.slower = 0.001")
    page.keyboard.press("Escape")
    expect(missed).to_be_visible()  # skipped, so not seen
    page.get_by_role("button", name="Show", exact=True).click()
    expect(missed).to_have_count(0)  # the positions were read, and are being shown
    wait_for_turn(page)
    page.reload()
    wait_for_turn(page)
    expect(missed).to_have_count(0)


def test_a_finished_game_stays_in_the_lobby(visits: Visits, skerry: Client) -> None:
    table = skerry.create("kreta", seats=2, bots=1)
    ada = table.join("Ada")
    ada.act(ada.position().legal_moves[0])
    page = visits.come(f"/{table.name}", scripts=["localStorage['skerry.sessions'] ??= '[]'"])
    page.evaluate(with_seat(ada, "kreta"))
    page.reload()
    wait_for_turn(page)
    ada.resign()
    expect(page.get_by_role("button", name="Play again")).to_be_attached()
    page.goto(page.url.replace(table.name, ""))
    games = page.locator(".finished")
    expect(games).to_contain_text("Kreta: 1 game, 0 wins")
    assert ada.token not in page.evaluate("JSON.stringify(localStorage)")
    games.get_by_role("link", name="Replay: Kreta").click()
    expect(page.get_by_role("slider").first).to_be_attached()


def test_a_game_against_bots_alone_is_unlisted(visits: Visits, skerry: Client) -> None:
    page = visits.come()
    path = create_table(page, "kreta", seats=2, bots=1)
    assert path.strip("/") not in [session.name for session in skerry.sessions()]


def test_the_installed_page_opens_without_a_network(visits: Visits, skerry: Client) -> None:
    table = skerry.create("kreta", seats=2, bots=2)
    page = visits.come(service_workers="allow", expect_failures=True)
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.reload()  # now through the worker, which keeps the files
    expect(page.get_by_role("heading", name="Start a game")).to_be_visible()
    page.goto(f"{visits.url}/{table.name}")
    expect(page.get_by_role("slider").first).to_be_attached()
    kept = page.evaluate(
        "caches.open('skerry-page-1').then(c => c.keys()).then(all => all.map(one => new URL(one.url).pathname))"
    )
    assert {path for path in kept if not path.startswith("/assets/")} == {"/"}
    page.context.set_offline(True)
    page.reload()
    expect(page.get_by_text("The server is not responding. Trying again …")).to_be_attached()
    page.context.set_offline(False)
    expect(page.get_by_role("slider").first).to_be_attached()
