"""Table manners: clocks, who is there, and players who leave, come back, resign and make room."""

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
from tests.web.playing import make_table, reaches, sentence, sit_down
from tests.web.serving import Server
from tests.web.test_hosting import kept
from tests.web.visiting import Visits

pytestmark = pytest.mark.browser


def place(page: Page, name: str) -> Locator:
    """Where somebody sits at the table."""
    return page.get_by_role("list", name="Players").get_by_role("listitem").filter(has_text=name)


def log(page: Page) -> Locator:
    """The game log, newest entry first."""
    return page.get_by_role("list", name="Game log")


def insist(page: Page, verb: str) -> None:
    """Press a button that asks once."""
    page.get_by_role("button", name=verb, exact=True).click()
    page.get_by_role("button", name=f"Really {verb.lower()}?", exact=True).click()


def leave(page: Page) -> None:
    """Leave the table in play."""
    page.get_by_text("Leave or resign").click()
    insist(page, "Leave")


def test_clocks_run_and_who_leaves_is_played_for_until_somebody_is_back(visits: Visits) -> None:
    ada = visits.come(bad_line=True)
    ada.get_by_role("combobox", name="Time limit").select_option(label="3 minutes each + 2 seconds per turn")
    path = make_table(ada, "kreta", seats=2, bots=0, name="Ada")
    ben = visits.come(path, bad_line=True)
    sit_down(ben, "Ben")
    for page in (ada, ben):
        expect(page.locator(".player").get_by_role("timer")).to_have_count(2)
        expect(page.locator(".player.now").get_by_role("timer")).to_have_text(re.compile(r"2:5\d"))
        expect(page.locator(".player:not(.now)").get_by_role("timer")).to_have_accessible_name(
            re.compile(r"(Ada|Ben) has 3 minutes 0 seconds left")
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
    ada.get_by_role("button", name="Open the seat of Ben").click()
    ada.get_by_role("button", name="Really open the seat of Ben?").click()
    expect(ben.get_by_text("You no longer have a seat here")).to_be_visible()
    assert kept(ben) == []
    sit_down(ben, "Eve")
    expect(place(ada, "Eve")).to_have_count(1)
    expect(log(ada).get_by_text("A player leaves. A bot takes over.")).to_have_count(2)
    ada.get_by_text("Leave or resign").click()
    insist(ada, "Resign")
    for page in (ada, ben):
        expect(page.get_by_role("region", name="Result")).to_be_visible()
        expect(sentence(page)).to_contain_text("Eve wins. Ada resigned.")
        expect(page.get_by_role("timer")).to_have_count(0)


def test_the_ranking_says_who_is_last_because_of_a_resignation(visits: Visits, skerry: Client) -> None:
    table = skerry.create("tenerife", seats=3, bots=1)
    ada, ben = table.join("Ada"), table.join("Ben")
    ada.resign()
    ben.leave()  # nobody is left: bots play on to the end at once
    page = visits.come(f"/{table.name}")
    rows = page.get_by_role("table", name="Ranking").get_by_role("row")
    expect(rows.last).to_contain_text("Ada resigned")
    expect(rows.filter(has_text="resigned")).to_have_count(1)


def test_whose_time_is_up_is_told(visits: Visits, skerry: Client) -> None:
    clock = session_pb2.Clock(per_move=session_pb2.PerMove(time_ms=1000))
    table = skerry.create("kreta", seats=2, clock=clock, options={"start_seat": 0})
    table.join("Ada")
    table.join("Ben")
    page = visits.come(f"/{table.name}")
    expect(place(page, "Ada")).to_contain_text("Out of time. A bot plays")
    expect(log(page)).to_contain_text("Ada ran out of time. A bot takes over.")


def test_a_game_that_nobody_is_left_at_rests_if_somebody_can_come_back(visits: Visits, skerry: Client) -> None:
    clock = session_pb2.Clock(per_move=session_pb2.PerMove(time_ms=1000))
    table = skerry.create("kreta", seats=2, bots=1, clock=clock)
    page = visits.come(f"/{table.name}")
    sit_down(page, "Ada")
    expect(sentence(page)).to_contain_text("The game is paused until a player returns.")
    expect(page.get_by_text("You ran out of time and a bot plays for you.")).to_be_visible()
    expect(page.get_by_role("button", name="Take your seat back")).to_be_visible()


def test_a_bank_that_is_used_up_is_told_and_bots_play_on(visits: Visits, skerry: Client) -> None:
    clock, slowly = session_pb2.Clock(bank=session_pb2.Bank(time_ms=1000)), "mcts:1000"
    table = skerry.create(
        "kreta", seats=2, bots=1, level=slowly, clock=clock, abandonment=session_pb2.AbandonmentPolicy(level=slowly)
    )
    page = visits.come(f"/{table.name}")
    sit_down(page, "Ada")
    expect(page.get_by_text("Your time is used up. A bot plays for you.")).to_be_visible()
    expect(page.get_by_role("button", name="Take your seat back")).to_have_count(0)
    expect(sentence(page)).not_to_contain_text("paused")


def test_a_session_that_is_called_off_is_over_for_everybody(visits: Visits) -> None:
    ada = visits.come()
    path = make_table(ada, "kreta", seats=3, bots=0, name="Ada")
    ben = visits.come(path)
    sit_down(ben, "Ben")
    expect(sentence(ben)).to_contain_text("You have a seat.")
    expect(ben.get_by_role("button", name="Cancel the game")).to_have_count(0)
    ben.get_by_role("link", name="Skerry").click()
    expect(ben.get_by_text("waiting for players", exact=True)).to_be_visible()
    insist(ada, "Cancel the game")
    expect(sentence(ada)).to_contain_text("The host cancelled this game.")
    ben.reload()
    expect(ben.get_by_text("cancelled", exact=True)).to_be_visible()
    for page in (ada, ben):
        assert kept(page) == []
    ben.goto(visits.url + path)
    expect(sentence(ben)).to_contain_text("The host cancelled this game.")


def test_who_called_a_session_off_is_told_as_it_was(browser: Browser, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        operators = f"127.0.0.1:{free.getsockname()[1]}"
    with Server(tmp_path / "ended", SKERRY_ADMIN=operators) as server:
        visits = Visits(browser, server.url)
        page = visits.come()
        path = make_table(page, "kreta", seats=2, bots=1)
        expect(sentence(page)).to_contain_text("play a card")
        with grpc.insecure_channel(operators) as channel:
            request = admin_pb2.EndSessionRequest(name=path.strip("/"), request_id=str(uuid4()))
            admin_pb2_grpc.AdminServiceStub(channel).EndSession(request)
        expect(sentence(page)).to_contain_text("The server operator cancelled this game.")
        visits.close()
    assert visits.faults == []


def test_a_game_for_its_players_alone_is_named_to_who_comes_by(visits: Visits, skerry: Client) -> None:
    table = skerry.create("kreta", seats=2, spectating="nobody")
    for name in ("Ada", "Ben"):
        table.join(name)
    page = visits.come(f"/{table.name}", bad_line=True)
    expect(page.get_by_text("Only the players can see this game until it is over.")).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_have_text("Kreta")


def test_who_looks_on_late_is_told_so_and_shown_what_was(visits: Visits, skerry: Client) -> None:
    table = skerry.create("kreta", seats=2, delay=session_pb2.SpectatorDelay(entries=5))
    seats = [table.join(name) for name in ("Ada", "Ben")]
    page = visits.come(f"/{table.name}")
    for _ in range(8):
        mover = seats[table.position().to_act[0]]
        mover.act(mover.position().legal_moves[0])
    reaches(page, table.position().sequence - 5)
    expect(page.get_by_text("You are watching with a delay of 5 log entries.")).to_be_visible()
    seats[0].resign()
    expect(page.get_by_role("region", name="Result")).to_be_visible()
    expect(page.get_by_text("You are watching with a delay")).to_have_count(0)
