"""The slider over a game's log: the past is drawn as it was drawn live, and the slider equals the log."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from skerry.v1 import session_pb2
from skerry_client import Client, Seat
from tests.web.playing import TITLES, choices, reaches, sentence, sequence
from tests.web.serving import Server
from tests.web.visiting import Visits

pytestmark = pytest.mark.browser

SEED = bytes(range(32))
_PICTURE = """() => [...document.querySelectorAll("ul.players *, section.board *")]
    .map(element => element.cloneNode(false).outerHTML + (element.children.length ? "" : element.textContent))
    .map(told => told.replace(' style=""', "")).sort()"""
"""Every element of the picture, in no order: of two pieces that are alike, either may be the one that has moved."""


def slider(page: Page) -> Locator:
    return page.get_by_role("slider", name="Log entry")


def slide(page: Page, number: int) -> None:
    """Drag the slider to an entry, as far as it goes."""
    slider(page).fill(f"{number}")
    expect(slider(page)).to_have_attribute("aria-valuetext", f"entry {number} of {slider(page).get_attribute('max')}")


def move(seats: Mapping[int, Seat], pick: int) -> session_pb2.Position | None:
    """Let a seat that is to act make a move. Return the position after it, or nothing if the game is over already."""
    position = seats[0].position()
    if not position.to_act:
        return None
    mover = seats[position.to_act[0]]
    moves = mover.position().legal_moves
    return mover.act(moves[pick % len(moves)]).position


def told(entry: session_pb2.Entry) -> list[str]:
    """What the page says of an entry, sentence by sentence."""
    if entry.HasField("moved"):
        return [event.text for event in entry.moved.events]
    return ["The game starts." if entry.HasField("started") else "The table is created."]


@pytest.mark.parametrize("game", TITLES)
def test_the_past_looks_as_it_did_live(game: str, visits: Visits, skerry: Client) -> None:
    table = skerry.create(game, seats=2, seed=SEED)
    seats = {number: table.join(name) for number, name in enumerate(("Ada", "Ben"))}
    page = visits.come(f"/{table.name}")
    live = {}
    for number in range(12):
        for _ in range(3):
            move(seats, 5 * number)
        reaches(page, now := seats[0].position().sequence)
        # A page that has just come has the table before the log; what happened last is in the picture.
        expect(slider(page)).to_have_attribute("max", f"{now}")
        live[now] = page.evaluate(_PICTURE)
    while move(seats, 7):
        pass
    expect(page.get_by_role("region", name="Result")).to_be_visible()
    for number, picture in reversed(live.items()):
        slide(page, number)
        reaches(page, number)
        assert page.evaluate(_PICTURE) == picture
    slide(page, last := seats[0].position().sequence)
    reaches(page, last)


def test_the_slider_equals_the_log(visits: Visits, skerry: Client) -> None:
    table = skerry.create("kreta", seats=2, bots=2, seed=SEED)
    entries = table.replay().entries
    page = visits.come(f"/{table.name}")
    reaches(page, len(entries))
    begun = next(entry.sequence for entry in entries if entry.HasField("started"))
    assert (slider(page).get_attribute("min"), slider(page).get_attribute("max")) == (f"{begun}", f"{len(entries)}")
    log = page.get_by_label("Game log, newest first").get_by_role("listitem")
    expect(log).to_have_count(len(entries))
    expect(log.locator("p")).to_have_text([text for entry in reversed(entries) for text in reversed(told(entry))])
    scores = page.get_by_role("list", name="Players").locator("strong")
    for entry in entries[begun - 1 :: 9]:
        slide(page, entry.sequence)
        reaches(page, entry.sequence)
        expect(page.get_by_role("group", name="What happened in this entry").locator("p")).to_have_text(told(entry))
        position = table.position(sequence=entry.sequence)
        expect(scores).to_have_text([f"{seat.score} points" for seat in position.view.kreta.seats])
        current = log.and_(page.locator('[aria-current="step"]')).locator("p")
        expect(current).to_have_text([*reversed(told(entry))])


def test_where_chance_was_to_act_the_page_says_so(visits: Visits, skerry: Client) -> None:
    table = skerry.create("tenerife", seats=2, bots=2, seed=SEED)
    entries = table.replay().entries
    drawn = next(entry.sequence for entry in entries if entry.HasField("moved") and not entry.HasField("seat"))
    page = visits.come(f"/{table.name}")
    slide(page, drawn - 1)
    expect(sentence(page)).to_have_text("Chance decides what happens next.")


def test_keys_lead_through_the_log(visits: Visits, skerry: Client) -> None:
    table = skerry.create("tenerife", seats=2, bots=2, seed=SEED)
    page = visits.come(f"/{table.name}")
    reaches(page, last := table.session().sequence)
    slider(page).wait_for()
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
        reaches(page, number)
        expect(slider(page)).to_have_value(f"{number}")
    slider(page).focus()
    page.keyboard.press("Home")
    reaches(page, 2)
    page.get_by_role("button", name="Next entry").click()
    reaches(page, 3)
    page.get_by_role("button", name="Previous entry").click()
    reaches(page, 2)


def test_who_looks_back_in_a_game_sees_the_past_until_they_return(visits: Visits, skerry: Client) -> None:
    """The game goes on meanwhile; a seat looks with its own eyes, and is offered nothing that has passed."""
    table = skerry.create("canarias", seats=2, seed=SEED)
    seats = {number: table.join(name) for number, name in enumerate(("Ada", "Ben"))}
    for number in range(9):
        move(seats, number)
    kept = {"session": table.name, "game": "canarias", "seatToken": seats[0].token}
    page = visits.come(f"/{table.name}", scripts=[f"localStorage.setItem('skerry.sessions', JSON.stringify([{kept}]))"])
    reaches(page, before := seats[0].position().sequence)
    expect(page.get_by_role("list", name="Players")).to_contain_text("you")
    slide(page, before - 2)
    reaches(page, before - 2)
    expect(choices(page)).to_have_count(0)
    own = seats[0].position(sequence=before - 2).view.canarias.hand
    assert own
    move(seats, 1)
    expect(slider(page)).to_have_attribute("max", f"{(now := seats[0].position().sequence)}")
    assert sequence(page) == before - 2
    page.get_by_role("button", name="Back to now").click()
    reaches(page, now)
    expect(choices(page)).to_be_visible()


def test_who_slides_faster_than_the_server_allows_waits_a_little(browser: Browser, tmp_path: Path) -> None:
    with Server(tmp_path, SKERRY_LIMITS_LOCAL="1", SKERRY_LIMIT_REPLAY="1/3s") as server:
        visits = Visits(browser, server.url)
        with server.client() as skerry:
            name = skerry.create("kreta", seats=2, bots=2, seed=SEED).name
        page = visits.come(f"/{name}", bad_line=True)
        slider(page).wait_for()
        statuses: list[int] = []
        page.on("response", lambda response: statuses.append(response.status))
        for number in (10, 20, 30):
            slide(page, number)
            reaches(page, number)
        assert 429 in statuses
        visits.close()
        assert visits.faults == []
