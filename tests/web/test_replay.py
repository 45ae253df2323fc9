"""The slider over a game's log: earlier positions look as they did live, and the slider matches the log."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from skerry.v1 import session_pb2
from skerry_client import Client, Seat
from tests.web.page_actions import TITLES, choices, open_tab, page_status, sequence, wait_for_sequence, with_seat
from tests.web.server_process import Server
from tests.web.visitors import Visits

pytestmark = pytest.mark.browser

SEED = bytes(range(32))
_PICTURE = """() => [...document.querySelectorAll("ul.players *, section.board *")]
    .filter(element => !element.matches(".pane, .drawing, .drawing > div, section"))
    .filter(element => !element.closest(".zoom, .area:has([data-area^='seat:'])"))
    .map(element => element.cloneNode(false).outerHTML + (element.children.length ? "" : element.textContent))
    .map(text => text.replace(/ style="[^"]*"/, "")).sort()"""
"""All elements of the board, sorted: of two equal pieces, either may be the one that moved. Without what
depends on the room that the dock leaves: styles, panes, and the areas of seats."""


def slider(page: Page) -> Locator:
    return page.get_by_role("slider", name="Log entry")


def slide(page: Page, number: int) -> None:
    """Drag the slider to an entry."""
    slider(page).fill(f"{number}")
    expect(slider(page)).to_have_attribute("aria-valuetext", f"entry {number} of {slider(page).get_attribute('max')}")


def move(seats: Mapping[int, Seat], pick: int) -> session_pb2.Position | None:
    """Make a move for the seat to act. Return the position after it, or ``None`` if the game is over."""
    position = seats[0].position()
    if not position.to_act:
        return None
    mover = seats[position.to_act[0]]
    moves = mover.position().legal_moves
    return mover.act(moves[pick % len(moves)]).position


def received(entry: session_pb2.Entry) -> list[str]:
    """Return the sentences that the page shows for an entry."""
    if entry.HasField("moved"):
        return [event.text for event in entry.moved.events]
    return ["The game starts." if entry.HasField("started") else "The table is created."]


@pytest.mark.timeout(240)  # many positions, on a busy machine
@pytest.mark.parametrize("game", TITLES)
def test_the_replay_draws_the_same_board_as_the_live_game(game: str, visits: Visits, skerry: Client) -> None:
    table = skerry.create(game, seats=2, seed=SEED)
    seats = {number: table.join(name) for number, name in enumerate(("Ada", "Ben"))}
    page = visits.come(f"/{table.name}")
    live = {}
    for number in range(8):
        for _ in range(4):
            move(seats, 5 * number)
        wait_for_sequence(page, now := seats[0].position().sequence)
        # A new page gets the position before the log, and the board needs the latest events of the log.
        expect(slider(page)).to_have_attribute("max", f"{now}")
        live[now] = page.evaluate(_PICTURE)
    while move(seats, 7):
        pass
    expect(page.get_by_role("region", name="Result")).to_be_visible()
    for number, picture in reversed(live.items()):
        slide(page, number)
        wait_for_sequence(page, number)
        assert page.evaluate(_PICTURE) == picture
    slide(page, last := seats[0].position().sequence)
    wait_for_sequence(page, last)


def test_the_slider_matches_the_log(visits: Visits, skerry: Client) -> None:
    table = skerry.create("kreta", seats=2, bots=2, seed=SEED)
    entries = table.replay().entries
    page = visits.come(f"/{table.name}")
    wait_for_sequence(page, len(entries))
    begun = next(entry.sequence for entry in entries if entry.HasField("started"))
    assert (slider(page).get_attribute("min"), slider(page).get_attribute("max")) == (f"{begun}", f"{len(entries)}")
    open_tab(page, "Log")
    log = page.get_by_label("Game log, newest first").get_by_role("listitem")
    expect(log).to_have_count(len(entries))
    expect(log.locator("p")).to_have_text([text for entry in reversed(entries) for text in reversed(received(entry))])
    scores = page.get_by_role("list", name="Players").locator("strong")
    for entry in entries[begun - 1 :: 9]:
        slide(page, entry.sequence)
        wait_for_sequence(page, entry.sequence)
        expect(page.get_by_role("group", name="What happened in this entry").locator("p")).to_have_text(received(entry))
        position = table.position(sequence=entry.sequence)
        expect(scores).to_have_text([f"{seat.score} points" for seat in position.view.kreta.seats])
        current = log.and_(page.locator('[aria-current="step"]')).locator("p")
        expect(current).to_have_text([*reversed(received(entry))])


def test_a_position_before_a_random_draw_says_so(visits: Visits, skerry: Client) -> None:
    table = skerry.create("tenerife", seats=2, bots=2, seed=SEED)
    entries = table.replay().entries
    drawn = next(entry.sequence for entry in entries if entry.HasField("moved") and not entry.HasField("seat"))
    page = visits.come(f"/{table.name}")
    slide(page, drawn - 1)
    expect(page_status(page)).to_have_text("Chance decides what happens next.")


def test_keys_move_the_slider(visits: Visits, skerry: Client) -> None:
    table = skerry.create("tenerife", seats=2, bots=2, seed=SEED)
    page = visits.come(f"/{table.name}")
    wait_for_sequence(page, last := table.session().sequence)
    expect(slider(page)).to_have_attribute("max", f"{last}")
    for key, number in [
        ("ArrowLeft", last - 1),
        ("ArrowLeft", last - 2),
        ("ArrowRight", last - 1),
        ("Home", 2),
        ("ArrowLeft", 2),
        ("ArrowRight", 3),
        ("End", last),
        ("ArrowRight", last),
    ]:
        page.keyboard.press(key)
        wait_for_sequence(page, number)
        expect(slider(page)).to_have_value(f"{number}")
    slider(page).focus()
    page.keyboard.press("Home")
    wait_for_sequence(page, 2)
    page.get_by_role("button", name="Next entry").click()
    wait_for_sequence(page, 3)
    page.get_by_role("button", name="Previous entry").click()
    wait_for_sequence(page, 2)


def test_an_earlier_position_stays_until_the_player_returns(visits: Visits, skerry: Client) -> None:
    """The game continues meanwhile. A seat sees its own view of the past, and no moves."""
    table = skerry.create("canarias", seats=2, seed=SEED)
    seats = {number: table.join(name) for number, name in enumerate(("Ada", "Ben"))}
    for number in range(9):
        move(seats, number)
    page = visits.come(f"/{table.name}", scripts=[with_seat(seats[0], "canarias")])
    wait_for_sequence(page, before := seats[0].position().sequence)
    expect(page.get_by_role("list", name="Players")).to_contain_text("you")
    slide(page, before - 2)
    wait_for_sequence(page, before - 2)
    expect(choices(page)).to_have_count(0)
    own = seats[0].position(sequence=before - 2).view.canarias.hand
    assert own
    move(seats, 1)
    expect(slider(page)).to_have_attribute("max", f"{(now := seats[0].position().sequence)}")
    assert sequence(page) == before - 2
    page.get_by_role("button", name="Back to now").click()
    wait_for_sequence(page, now)
    expect(choices(page)).to_be_visible()


def test_a_rate_limited_slider_waits(browser: Browser, tmp_path: Path) -> None:
    with Server(tmp_path, SKERRY_LIMITS_LOCAL="1", SKERRY_LIMIT_REPLAY="1/3s") as server:
        visits = Visits(browser, server.url)
        with server.client() as skerry:
            name = skerry.create("kreta", seats=2, bots=2, seed=SEED).name
        page = visits.come(f"/{name}", expect_failures=True)
        slider(page).wait_for()
        statuses: list[int] = []
        page.on("response", lambda response: statuses.append(response.status))
        for number in (10, 20):
            slide(page, number)
            wait_for_sequence(page, number)
        assert 429 in statuses
        visits.close()
        assert visits.faults == []
