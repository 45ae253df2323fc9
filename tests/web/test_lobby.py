"""The lobby and the waiting room: tables are created, shared, joined, continued and watched."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from skerry_client import Client
from tests.web.page_actions import (
    TITLES,
    choices,
    create_table,
    fits,
    join_table,
    open_tab,
    page_status,
    play,
    sequence,
    wait_for_sequence,
    wait_for_turn,
)
from tests.web.visitors import Visits

pytestmark = pytest.mark.browser

NAMES = [
    ["<b onclick=x>&amp;Ada</b>", "עדה מלכה", "🏝" * 40],
    ["'\"`$1\\n<!--", "Ada עדה 1", "W" * 40],
]
"""Markup, right-to-left text and forty emoji; quotes, mixed directions, and one long word."""


def listed(page: Page, heading: str) -> Locator:
    """Return the tables of a list in the lobby."""
    return page.get_by_role("heading", name=heading).locator("xpath=..").get_by_role("listitem")


def test_the_lobby_shows_every_game_and_creates_a_table_with_bots(visits: Visits) -> None:
    page = visits.come()
    expect(page).to_have_title("Skerry")
    for title in TITLES.values():
        expect(page.get_by_role("radio", name=title)).to_be_attached()
    create_table(page, "kreta", seats=3, bots=2)
    wait_for_turn(page)
    expect(page.get_by_role("list", name="Players").get_by_role("listitem")).to_have_count(3)
    expect(page).to_have_title("Your turn: Kreta")


def test_links_above_every_screen_are_as_large_as_a_thumb(visits: Visits) -> None:
    page = visits.come(phone=True)
    boxes = [link.bounding_box() for link in page.get_by_role("banner").get_by_role("link").all()]
    assert len(boxes) == 2
    assert all(box and min(box["width"], box["height"]) >= 44 for box in boxes), boxes


def test_a_friend_joins_by_the_link_and_the_game_starts_for_both(visits: Visits) -> None:
    ada = visits.come()
    create_table(ada, "kreta", seats=2, bots=0, name="Ada")
    expect(page_status(ada)).to_contain_text("You have a seat.")
    link = ada.get_by_label("Anyone with this link can join").input_value()
    assert link.startswith(visits.url)
    assert "skerry_" not in link
    ben = visits.come(link.removeprefix(visits.url))
    join_table(ben, "Ben")
    for page, own, other in ((ada, "Ada", "Ben"), (ben, "Ben", "Ada")):
        players = page.get_by_role("list", name="Players").get_by_role("listitem")
        expect(players.filter(has_text=own).filter(has_text="you")).to_have_count(1)
        expect(players.filter(has_text=other).filter(has_text="you")).to_have_count(0)
    expect(page_status(ada)).to_contain_text(re.compile("Your turn|Ben:"))  # chance has drawn
    mover, waiter = (ada, ben) if choices(ada).get_by_role("button").count() else (ben, ada)
    expect(choices(waiter).get_by_role("button")).to_have_count(0)
    wait_for_turn(mover)
    play(mover, clicks=1)
    wait_for_sequence(waiter, sequence(mover))


def test_a_table_is_joined_continued_and_watched_from_the_lobby(visits: Visits) -> None:
    ada = visits.come()
    path = create_table(ada, "tenerife", seats=2, bots=0, name="Ada Lovelace")
    ada.get_by_role("link", name="Skerry").click()
    expect(listed(ada, "Your games").filter(has_text="Ada Lovelace")).to_have_count(1)
    ben = visits.come()
    listed(ben, "Open tables").filter(has_text="Ada Lovelace").get_by_role("link", name="Join: Tenerife").click()
    ben.wait_for_url(f"**{path.partition('#')[0]}*")
    join_table(ben, "Ben Jonson")
    expect(ben.get_by_role("list", name="Players")).to_be_visible()
    cleo = visits.come()
    in_progress = listed(cleo, "Games in progress").filter(has_text="Ada Lovelace")
    in_progress.get_by_role("link", name="Watch: Tenerife").click()
    expect(choices(cleo)).to_contain_text("You are watching.")
    listed(ada, "Your games").get_by_role("link", name="Continue: Tenerife").click()
    expect(ada.get_by_role("list", name="Players")).to_contain_text("you")


def test_back_and_forward_lead_through_the_screens(visits: Visits) -> None:
    page = visits.come()
    path = create_table(page, "kreta", seats=2, bots=0)
    expect(page.get_by_role("heading", name="Invite friends")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("heading", name="Start a game")).to_be_visible()
    page.go_forward()
    expect(page.get_by_role("heading", name="Invite friends")).to_be_visible()
    page.reload()
    expect(page_status(page)).to_contain_text("You have a seat.")
    assert page.evaluate("location.pathname + location.hash") == path


def test_the_host_fills_open_seats_with_bots(visits: Visits) -> None:
    page = visits.come()
    create_table(page, "canarias", seats=3, bots=0)
    page.get_by_role("button", name="Fill open seats with bots").click()
    expect(page.get_by_role("list", name="Players").get_by_role("listitem")).to_have_count(3)


def test_a_table_created_late_does_not_replace_another_screen(visits: Visits, skerry: Client) -> None:
    table = skerry.create("tenerife", seats=2)
    table.join("Cleo")
    page = visits.come()
    held: list[Route] = []
    page.route("**/v1/sessions", lambda call: held.insert(0, call))
    page.get_by_label("Your name").fill("Ada")
    page.get_by_role("button", name="Play", exact=True).click()
    page.get_by_role("link", name="Join: Tenerife").first.click()
    elsewhere = page.url
    expect(page.get_by_role("heading", name="Invite friends")).to_be_visible()
    with page.expect_response("**/*:join"):
        held[0].continue_()
    page.wait_for_function("() => JSON.parse(localStorage['skerry.sessions'] ?? '[]').some(one => one.seatToken)")
    page.evaluate("() => new Promise(done => setTimeout(done))")
    assert page.url == elsewhere
    page.get_by_role("link", name="Skerry").click()
    expect(listed(page, "Your games").filter(has_text="Ada")).to_have_count(1)


def test_all_tabs_of_a_browser_share_a_seat(visits: Visits, skerry: Client) -> None:
    table = skerry.create("kreta", seats=3)
    first = visits.come(f"/{table.name}")
    second = visits.open(first.context, f"/{table.name}")
    expect(second.get_by_role("button", name="Join")).to_be_visible()
    join_table(first, "Ada")
    for page in (first, second):
        expect(page.get_by_role("button", name="Leave the seat")).to_be_visible()
        expect(page_status(page)).to_contain_text("You have a seat.")
    table.join("Ben")
    table.join("Cleo")
    for page in (first, second):
        expect(page.get_by_role("listitem").filter(has_text="Ada").get_by_text("you", exact=True)).to_be_visible()


def test_a_tab_keeps_a_newer_seat_that_another_tab_took(visits: Visits, skerry: Client) -> None:
    table = skerry.create("kreta", seats=3)
    before, since = table.join("Ada"), table.join("Ada Lovelace")
    keep = "kept => { localStorage['skerry.sessions'] = JSON.stringify([kept]) }"
    page = visits.come(expect_failures=True)
    page.evaluate(keep, {"session": table.name, "game": "kreta", "seatToken": before.token})
    page.goto(f"{visits.url}/{table.name}")
    expect(page.get_by_role("listitem").filter(has_text="you")).to_contain_text("Ada")
    page.evaluate(keep, {"session": table.name, "game": "kreta", "seatToken": since.token})
    before.leave()
    expect(page.get_by_role("listitem").filter(has_text="you")).to_contain_text("Ada Lovelace")
    page.reload()
    expect(page.get_by_role("listitem").filter(has_text="you")).to_contain_text("Ada Lovelace")


@pytest.mark.parametrize("path", ["/sessions/aaaaaaaaaaaaaaaa", "/sessions/nonsense", "/sessions/%E0%A4%A"])
def test_a_missing_table_shows_an_error(visits: Visits, path: str) -> None:
    page = visits.come(path, expect_failures=True)
    expect(page.get_by_role("heading", name="Table not available")).to_be_visible()
    page.get_by_role("link", name="All tables").click()
    expect(page.get_by_role("heading", name="Start a game")).to_be_visible()


@pytest.mark.parametrize("names", NAMES, ids=["emoji", "long"])
def test_names_are_shown_literally(visits: Visits, skerry: Client, names: list[str]) -> None:
    ada = visits.come()
    path = create_table(ada, "kreta", seats=4, bots=0)
    code = path.partition("#")[2]
    for name in names[:2]:
        skerry.table(path.partition("#")[0].strip("/"), join_code=code or None).join(name)
    guest = visits.come(path, phone=True)
    expect(guest.get_by_role("listitem").locator("bdi")).to_have_text(["Ada", *names[:2]])
    join_table(guest, names[2])
    for page in (ada, guest):
        players = page.get_by_role("list", name="Players").get_by_role("listitem").locator("bdi")
        expect(players).to_have_text(["Ada", *names])
        assert fits(page)
    received = ada.get_by_label("Game log, newest first").get_by_role("listitem").filter(has_text="joins")
    expect(received.locator("bdi")).to_have_text([*reversed(names), "Ada"])


def test_a_right_to_left_name_does_not_reorder_the_sentence(visits: Visits, skerry: Client) -> None:
    name = "\u0623\u062d\u0645\u062f"  # Ahmad, in Arabic
    table = skerry.create("kreta", seats=2, options={"start_seat": 0})
    table.join(name)
    table.join("Ben")
    page = visits.come(f"/{table.name}")
    expect(page_status(page)).to_have_text(f"{name}: play a card.")
    expect(page_status(page).locator("bdi")).to_have_text(name)


def test_a_long_name_whose_turn_it_is_fits_a_phone(visits: Visits, skerry: Client) -> None:
    table = skerry.create("kreta", seats=2, options={"start_seat": 0})
    table.join("W" * 40)
    table.join("Ben")
    page = visits.come(f"/{table.name}", phone=True)
    expect(page_status(page)).to_have_text(f"{'W' * 40}: play a card.")
    assert fits(page)


def test_a_long_name_of_an_awaited_player_fits_a_phone(visits: Visits, skerry: Client) -> None:
    table = skerry.create("kreta", seats=2, options={"start_seat": 0})
    table.join("W" * 40)
    page = visits.come(f"/{table.name}", phone=True)
    join_table(page, "Ada")
    expect(page.locator(".player.own")).to_be_visible()
    open_tab(page, "Table")
    page.get_by_text("Remind a player", exact=True).click()
    expect(page.get_by_role("button", name=f"Remind {'W' * 40}", exact=True)).to_be_visible()
    assert fits(page)
    open_tab(page, "Table")
    page.get_by_text("Leave or resign").click()
    page.get_by_role("button", name="Resign", exact=True).click()
    page.get_by_role("button", name="Really resign?", exact=True).click()
    page.get_by_role("button", name="Play again").click()
    expect(page_status(page)).to_contain_text(f"Waiting for {'W' * 40}.")
    assert fits(page)


def test_the_title_of_the_tab_shows_the_table(visits: Visits) -> None:
    page = visits.come()
    create_table(page, "tenerife", seats=2, bots=0)
    expect(page.get_by_role("heading", name="Invite friends")).to_be_visible()
    expect(page).to_have_title("Tenerife – Skerry")
    page.get_by_role("link", name="Skerry").click()
    create_table(page, "kreta", seats=2, bots=1)
    wait_for_turn(page)
    expect(page).to_have_title("Your turn: Kreta")
    page.evaluate("history.go(-2)")
    expect(page).to_have_title("Tenerife – Skerry")


def test_a_taken_name_is_refused_with_a_sentence(visits: Visits, skerry: Client) -> None:
    ada = visits.come()
    path = create_table(ada, "kreta", seats=3, bots=0, name="Ada")
    ben = visits.come(path, expect_failures=True)
    join_table(ben, "Ada")
    expect(ben.get_by_role("alert")).to_contain_text("The name Ada is taken at this table")
    join_table(ben, "Ben")
    expect(page_status(ben)).to_contain_text("You have a seat.")
