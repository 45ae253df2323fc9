"""A player who has lost the seat token does not respond. After a time, the host can open the seat to others."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from skerry.v1 import session_pb2
from skerry_client import Client
from tests.web.page_actions import join_table, open_tab
from tests.web.test_access import AXE, violations
from tests.web.test_clocks_and_absence import place
from tests.web.visitors import Visits

pytestmark = pytest.mark.browser


def hosted(visits: Visits, skerry: Client, *, to_act: int = 1, open_after_ms: int = 30_000, **settings: Any) -> Page:
    """Return the page of Ada, seat 0, who hosts a game with Ben, seat 1. ``to_act``: whose turn it is."""
    policy = session_pb2.AbandonmentPolicy(open_after_ms=open_after_ms)
    table = skerry.create("kreta", seats=2, abandonment=policy)
    seats = [table.join(name) for name in ("Ada", "Ben")]
    while (mover := table.position().to_act[0]) != to_act:
        seats[mover].act(seats[mover].position().legal_moves[0])
    kept = {"session": table.name, "game": "kreta", "seatToken": seats[0].token, "hostToken": table.host_token}
    script = f"localStorage.setItem('skerry.sessions', {json.dumps(json.dumps([kept]))})"
    return visits.come(f"/{table.name}", scripts=[script, AXE.read_text(encoding="utf-8")], **settings)


def open_seat(page: Page) -> None:
    """Press the button that opens Ben's seat, and confirm it, by keyboard."""
    page.get_by_role("button", name="Open the seat of Ben", exact=True).press("Enter")
    page.get_by_role("button", name="Really open the seat of Ben?").press("Enter")


def test_the_page_says_how_long_a_player_can_still_respond(visits: Visits, skerry: Client) -> None:
    page = hosted(visits, skerry, open_after_ms=3_600_000, expect_failures=True)
    open_tab(page, "Table")
    page.get_by_text("A player does not respond").press("Enter")
    expect(page.get_by_text("If Ben does not respond for 1 hour, you can open the seat.")).to_be_visible()
    open_seat(page)
    left = re.compile(r"Ben can still respond\. You can open the seat in [56]\d:\d\d\.")
    expect(page.get_by_role("alert")).to_have_text(left)
    assert violations(page) == []


def test_the_host_opens_the_seat_of_a_player_who_does_not_respond(visits: Visits, skerry: Client) -> None:
    page = hosted(visits, skerry, expect_failures=True)
    open_tab(page, "Table")
    page.get_by_text("A player does not respond").press("Enter")
    open_seat(page)
    opened, alert = place(page, "Ben").get_by_text("The seat is open."), page.get_by_role("alert")
    expect(opened.or_(alert)).to_be_visible()
    if alert.count():  # not on a machine so slow that the time is over
        expect(alert).to_contain_text("0:00", timeout=40_000)
        open_seat(page)
    expect(opened).to_be_visible()
    expect(alert).to_have_count(0)
    join_table(visits.come(urlsplit(page.url).path), "Eve")
    expect(place(page, "Eve")).to_have_count(1)


def test_the_time_left_is_said_in_german_too(visits: Visits, skerry: Client) -> None:
    page = hosted(visits, skerry, open_after_ms=90_000_000, locale="de", expect_failures=True)
    page.get_by_role("tab", name="Tisch").click()
    page.get_by_text("Jemand antwortet nicht").click()
    expect(page.get_by_text("Wenn Ben 1 Tag 1 Stunde lang nichts tut, kannst du den Platz freigeben.")).to_be_visible()
    page.get_by_role("button", name="Platz von Ben freigeben").click()
    page.get_by_role("button", name="Platz von Ben wirklich freigeben?").click()
    expect(page.get_by_role("alert")).to_have_text(
        re.compile(r"Ben kann noch antworten\. In 1\sT 0\s?h kannst du den Platz freigeben\.")
    )


def test_a_player_who_owes_nothing_is_not_offered(visits: Visits, skerry: Client) -> None:
    page = hosted(visits, skerry, to_act=0)
    open_tab(page, "Table")
    expect(page.get_by_text("Leave or resign")).to_be_visible()
    expect(page.get_by_text("A player does not respond")).to_have_count(0)
