"""Clocks, presence, and players who leave, return, resign or are replaced."""

from __future__ import annotations

import re
import socket
from pathlib import Path
from uuid import uuid4

import grpc
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from skerry.admin.v1 import admin_pb2, admin_pb2_grpc
from skerry.v1 import session_pb2
from skerry_client import Client
from tests.web.page_actions import create_table, join_table, open_tab, page_status, wait_for_sequence
from tests.web.server_process import Server
from tests.web.test_hosting import kept
from tests.web.visitors import Visits

pytestmark = pytest.mark.browser


def place(page: Page, name: str) -> Locator:
    """Return the panel of a player."""
    return page.get_by_role("list", name="Players").get_by_role("listitem").filter(has_text=name)


def log(page: Page) -> Locator:
    """The game log, newest entry first."""
    return page.get_by_role("list", name="Game log")


def insist(page: Page, verb: str) -> None:
    """Press a button, and confirm it."""
    page.get_by_role("button", name=verb, exact=True).click()
    page.get_by_role("button", name=f"Really {verb.lower()}?", exact=True).click()


def leave(page: Page) -> None:
    """Leave the table during the game."""
    open_tab(page, "Table")
    page.get_by_text("Leave or resign").click()
    insist(page, "Leave")


def test_clocks_run_and_a_bot_plays_an_abandoned_seat(visits: Visits) -> None:
    ada = visits.come(expect_failures=True)
    ada.get_by_role("combobox", name="Time limit").select_option(label="3 minutes each + 2 seconds per turn")
    path = create_table(ada, "kreta", seats=2, bots=0, name="Ada")
    ben = visits.come(path, expect_failures=True)
    join_table(ben, "Ben")
    for page in (ada, ben):
        expect(page.locator(".player").get_by_role("timer")).to_have_count(2)
        expect(page.locator(".player.now").get_by_role("timer")).to_have_text(re.compile(r"2:5\d"))
        expect(page.locator(".player:not(.now)").get_by_role("timer")).to_have_accessible_name(
            re.compile(r"(Ada|Ben) has 3 minutes left")
        )
    leave(ben)
    expect(place(ada, "Ben")).to_contain_text("Left. A bot plays")
    expect(place(ada, "Ben").get_by_role("timer")).to_have_count(0)
    expect(log(ada)).to_contain_text("Ben leaves. A bot takes over.")
    ben.reload()
    expect(ben.get_by_text("You left and a bot plays for you.")).to_be_visible()
    ben.get_by_role("button", name="Take your seat back").click()
    expect(log(ada)).to_contain_text("Ben is back.")
    expect(place(ada, "Ben")).not_to_contain_text("A bot plays")
    leave(ben)
    open_tab(ada, "Table")
    ada.get_by_role("button", name="Open the seat of Ben").click()
    ada.get_by_role("button", name="Really open the seat of Ben?").click()
    expect(ben.get_by_text("You no longer have a seat here")).to_be_visible()
    assert kept(ben) == []
    join_table(ben, "Eve")
    expect(place(ada, "Eve")).to_have_count(1)
    open_tab(ada, "Log")
    expect(log(ada).get_by_text("A player leaves. A bot takes over.")).to_have_count(2)
    open_tab(ada, "Table")
    ada.get_by_text("Leave or resign").click()
    insist(ada, "Resign")
    for page in (ada, ben):
        expect(page.get_by_role("region", name="Result")).to_be_visible()
        expect(page_status(page)).to_contain_text("Eve wins. Ada resigned.")
        expect(page.get_by_role("timer")).to_have_count(0)


def test_the_ranking_shows_who_resigned(visits: Visits, skerry: Client) -> None:
    table = skerry.create("tenerife", seats=3, bots=1)
    ada, ben = table.join("Ada"), table.join("Ben")
    ada.resign()
    ben.leave()  # no player is left, so bots finish the game at once
    page = visits.come(f"/{table.name}")
    rows = page.get_by_role("table", name="Ranking").get_by_role("row")
    expect(rows.last).to_contain_text("Ada resigned")
    expect(rows.filter(has_text="resigned")).to_have_count(1)


def test_a_timeout_is_shown(visits: Visits, skerry: Client) -> None:
    clock = session_pb2.Clock(per_move=session_pb2.PerMove(time_ms=1000))
    table = skerry.create("kreta", seats=2, clock=clock, options={"start_seat": 0})
    table.join("Ada")
    table.join("Ben")
    page = visits.come(f"/{table.name}")
    expect(place(page, "Ada")).to_contain_text("Out of time. A bot plays")
    expect(log(page)).to_contain_text("Ada ran out of time. A bot takes over.")


def test_a_game_without_players_is_paused_if_a_player_can_return(visits: Visits, skerry: Client) -> None:
    clock = session_pb2.Clock(per_move=session_pb2.PerMove(time_ms=1000))
    table = skerry.create("kreta", seats=2, bots=1, clock=clock)
    page = visits.come(f"/{table.name}")
    join_table(page, "Ada")
    expect(page_status(page)).to_contain_text("The game is paused until a player returns.")
    expect(page.get_by_text("You ran out of time and a bot plays for you.")).to_be_visible()
    expect(page.get_by_role("button", name="Take your seat back")).to_be_visible()


def test_an_empty_bank_is_shown_and_bots_play_on(visits: Visits, skerry: Client) -> None:
    clock, slowly = session_pb2.Clock(bank=session_pb2.Bank(time_ms=1000)), "expert"
    table = skerry.create(
        "kreta", seats=2, bots=1, level=slowly, clock=clock, abandonment=session_pb2.AbandonmentPolicy(level=slowly)
    )
    page = visits.come(f"/{table.name}")
    join_table(page, "Ada")
    expect(page.get_by_text("Your time is used up. A bot plays for you.")).to_be_visible()
    expect(page.get_by_role("button", name="Take your seat back")).to_have_count(0)
    expect(page_status(page)).not_to_contain_text("paused")


def test_a_cancelled_game_ends_for_all_players(visits: Visits) -> None:
    ada = visits.come()
    path = create_table(ada, "kreta", seats=3, bots=0, name="Ada")
    ben = visits.come(path)
    join_table(ben, "Ben")
    expect(page_status(ben)).to_contain_text("You have a seat.")
    expect(ben.get_by_role("button", name="Cancel the game")).to_have_count(0)
    ben.get_by_role("link", name="Skerry").click()
    expect(ben.get_by_text("waiting for players", exact=True)).to_be_visible()
    insist(ada, "Cancel the game")
    expect(page_status(ada)).to_contain_text("The host cancelled this game.")
    ben.reload()
    expect(ben.get_by_text("cancelled", exact=True)).to_be_visible()
    for page in (ada, ben):
        assert kept(page) == []
    ben.goto(visits.url + path)
    expect(page_status(ben)).to_contain_text("The host cancelled this game.")


def test_a_game_cancelled_by_the_operator_says_so(browser: Browser, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        operators = f"127.0.0.1:{free.getsockname()[1]}"
    with Server(tmp_path / "ended", SKERRY_ADMIN=operators) as server:
        visits = Visits(browser, server.url)
        page = visits.come()
        path = create_table(page, "kreta", seats=2, bots=1)
        expect(page_status(page)).to_contain_text("play a card")
        with grpc.insecure_channel(operators) as channel:
            request = admin_pb2.EndSessionRequest(name=path.strip("/"), request_id=str(uuid4()))
            admin_pb2_grpc.AdminServiceStub(channel).EndSession(request)
        expect(page_status(page)).to_contain_text("The server operator cancelled this game.")
        visits.close()
    assert visits.faults == []


def test_a_private_game_shows_its_name_to_others(visits: Visits, skerry: Client) -> None:
    table = skerry.create("kreta", seats=2, spectating="nobody")
    for name in ("Ada", "Ben"):
        table.join(name)
    page = visits.come(f"/{table.name}", expect_failures=True)
    expect(page.get_by_text("Only the players can see this game until it is over.")).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_have_text("Kreta")


def test_spectators_see_that_their_view_is_delayed(visits: Visits, skerry: Client) -> None:
    table = skerry.create("kreta", seats=2, delay=session_pb2.SpectatorDelay(entries=5))
    seats = [table.join(name) for name in ("Ada", "Ben")]
    page = visits.come(f"/{table.name}")
    for _ in range(8):
        mover = seats[table.position().to_act[0]]
        mover.act(mover.position().legal_moves[0])
    wait_for_sequence(page, table.position().sequence - 5)
    expect(page.get_by_text("You are watching with a delay of 5 log entries.")).to_be_visible()
    seats[0].resign()
    expect(page.get_by_role("region", name="Result")).to_be_visible()
    expect(page.get_by_text("You are watching with a delay")).to_have_count(0)
