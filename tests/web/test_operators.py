"""The operators' page, on a server of its own with games of players and bots."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from skerry_client import Client
from tests.web.page_actions import fits
from tests.web.server_process import Server
from tests.web.test_access import AXE, violations
from tests.web.visitors import Visits

pytestmark = pytest.mark.browser

SIZES = ({"width": 1366, "height": 768}, {"width": 820, "height": 1180})
HIDEABLE = """
let hidden = false;
Object.defineProperty(document, "hidden", { get: () => hidden });
window.setHidden = (value) => { hidden = value; document.dispatchEvent(new Event("visibilitychange")); };
"""
"""A page that the test can hide."""
PLAYER = "Ada of the island"


@pytest.fixture(scope="module")
def operated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("operated"), SKERRY_ADMIN="127.0.0.1:0") as server:
        yield server


@pytest.fixture
def operators(browser: Browser, operated: Server) -> Iterator[Visits]:
    visits = Visits(browser, f"http://{operated.admin}")
    yield visits
    visits.close()
    assert visits.faults == []


@pytest.fixture
def skerry(operated: Server) -> Iterator[Client]:
    with operated.client() as client:
        yield client


def open_page(operators: Visits, path: str = "/admin", **settings: object) -> Page:
    return operators.come(path, scripts=[AXE.read_text(encoding="utf-8")], **settings)  # type: ignore[arg-type]


def test_an_operator_finds_a_session_and_ends_it_by_keyboard(operators: Visits, skerry: Client) -> None:
    table = skerry.create("kreta", seats=2, bots=1, visibility="unlisted")
    table.join(PLAYER)
    name = table.name.removeprefix("sessions/")
    page = open_page(operators)
    expect(page.get_by_role("heading", name="Overview")).to_be_visible()
    expect(page.get_by_role("row", name="answers this page")).to_be_visible()
    page.get_by_role("link", name="Sessions").press("Enter")
    expect(page.get_by_role("heading", name="Sessions")).to_be_focused()
    link = page.get_by_role("link", name=name, exact=True)
    link.focus()
    assert violations(page) == []
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=f"Session {name}")).to_be_focused()
    expect(page.get_by_role("row", name="0 player")).to_be_visible()
    assert violations(page) == []
    text = page.locator("body").inner_text()
    assert PLAYER not in text
    assert not re.search(r"skerry_(seat|host|view|key)_", page.content())
    page.get_by_role("button", name="End session").press("Enter")
    word = page.get_by_label("Type “end” to confirm")
    expect(word).to_be_focused()
    assert violations(page) == []
    word.press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()  # nothing is typed
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    page.get_by_role("button", name="End session").press("Enter")
    word.press_sequentially("end")
    word.press("Enter")
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(page.get_by_role("definition").filter(has_text="cancelled")).to_be_visible()
    expect(page.get_by_role("button", name="End session")).to_be_hidden()


@pytest.mark.parametrize("size", SIZES, ids=["desk", "tablet"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_each_screen_fits_and_has_no_violations(
    operators: Visits, skerry: Client, size: dict[str, int], theme: str
) -> None:
    name = skerry.create("tenerife", seats=3, bots=1, labels={"room": "7"}).name.removeprefix("sessions/")
    page = open_page(operators, viewport=size, theme=theme)
    expect(page.get_by_role("region", name="Store", exact=True)).to_contain_text("ms")
    assert violations(page) == []
    assert fits(page)
    page.get_by_role("link", name="Sessions").click()
    expect(page.get_by_role("row", name=name)).to_contain_text("room: 7")
    assert violations(page) == []
    assert fits(page)
    page.get_by_role("link", name=name, exact=True).click()
    expect(page.get_by_role("heading", name="Seats")).to_be_visible()
    assert violations(page) == []
    assert fits(page)


def test_a_replica_that_was_killed_is_shown_as_silent(operators: Visits, operated: Server) -> None:
    page = open_page(operators)
    row = page.get_by_role("row", name="answers this page")
    expect(row.get_by_role("button", name="Drain replica")).to_be_enabled()
    page.route("**/GetOverview", _with_a_silent_replica)
    page.reload()
    silent = page.get_by_role("row", name="silent for 12s")
    expect(silent).to_contain_text("elsewhere, process 7")
    expect(silent.get_by_role("button", name="Drain replica 0123456789abcdef")).to_be_disabled()
    assert violations(page) == []
    assert fits(page)


def _with_a_silent_replica(route: Route) -> None:
    """Add a replica to an answer, as the store knows it twelve seconds after it was killed."""
    answer = route.fetch()
    seen = answer.json()
    killed = {"name": "replicas/0123456789abcdef", "host": "elsewhere", "processId": 7, "silentFor": "12s"}
    seen["replicas"].append({**seen["replicas"][0], **killed, "answers": False})
    route.fulfill(response=answer, json=seen)


@pytest.mark.parametrize("size", SIZES, ids=["desk", "tablet"])
def test_the_page_speaks_the_language_of_the_browser_or_the_chosen_one(
    operators: Visits, skerry: Client, size: dict[str, int]
) -> None:
    name = skerry.create("tenerife", seats=3, bots=1).name.removeprefix("sessions/")
    page = open_page(operators, locale="de-AT", viewport=size, expect_failures=True)
    expect(page).to_have_title("Skerry: Betreiber")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.get_by_role("row", name="beantwortet diese Seite")).to_be_visible()
    assert violations(page) == []
    assert fits(page)
    page.get_by_role("link", name="Partien").click()
    expect(page.get_by_role("row", name=name)).to_contain_text("vor dem Start")
    assert fits(page)
    page.get_by_label("Spiel").fill("chess")
    page.get_by_role("button", name="Suchen").click()
    expect(page.get_by_role("alert")).to_contain_text("Dieser Server hat kein Spiel 'chess'")
    page.get_by_label("Sprache").select_option("English")
    expect(page.get_by_role("heading", name="Sessions")).to_be_visible()
    expect(page).to_have_title("Skerry: operators")
    page.reload()
    expect(page.get_by_role("button", name="Search")).to_be_visible()


def test_sessions_are_searched_and_ordered(operators: Visits, skerry: Client) -> None:
    names = [
        skerry.create("tenerife", seats=2, labels={"room": room}).name.removeprefix("sessions/") for room in ("8", "9")
    ]
    page = open_page(operators, "/admin#sessions", expect_failures=True)
    links = page.get_by_role("rowheader").get_by_role("link")
    expect(links.first).to_have_text(names[1])
    page.get_by_label("Label").fill("room:8")
    page.get_by_label("Label").press("Enter")
    expect(page.get_by_role("status")).to_have_text("1 session.")
    expect(links).to_have_text([names[0]])
    page.get_by_label("Label").fill("")
    page.get_by_label("Order").select_option("longest idle first")
    page.get_by_role("button", name="Search").click()
    expect(links.last).to_have_text(names[1])
    page.get_by_label("Game").fill("chess")
    page.get_by_role("button", name="Search").click()
    expect(page.get_by_role("alert")).to_contain_text("chess")


def test_nothing_is_read_while_the_page_is_hidden(operators: Visits) -> None:
    page = operators.come("/admin", scripts=[HIDEABLE])
    page.clock.install()
    page.reload()
    expect(page.get_by_role("region", name="Store", exact=True)).to_contain_text("ms")
    calls: list[str] = []
    page.on("request", lambda request: calls.append(request.url))
    with page.expect_request("**/GetOverview"):
        page.clock.fast_forward(5_000)
    page.evaluate("setHidden(true)")
    page.clock.fast_forward(5_000)
    calls.clear()
    page.clock.fast_forward(60_000)
    page.wait_for_timeout(200)
    assert calls == []
    with page.expect_request("**/GetOverview"):
        page.evaluate("setHidden(false)")


def test_a_caller_is_banned_and_the_audit_log_says_who_did_it(operators: Visits) -> None:
    page = open_page(operators, "/admin#bans", expect_failures=True)
    expect(page.get_by_text("Nobody is banned.")).to_be_visible()
    for subject in ("not an address", "203.0.113.7"):
        page.get_by_label("Address, key or id").fill(subject)
        page.get_by_label("Reason").fill("floods the lobby")
        page.get_by_label("Reason").press("Enter")
        page.get_by_label("Type “ban” to confirm").fill("ban")
        page.keyboard.press("Enter")
        if subject.startswith("not"):
            expect(page.get_by_role("alert")).to_be_visible()
            page.keyboard.press("Escape")
    expect(page.get_by_role("row", name="203.0.113.7")).to_contain_text("floods the lobby")
    assert violations(page) == []
    assert fits(page)
    page.get_by_role("button", name="Lift the ban of 203.0.113.7").press("Enter")
    page.get_by_label("Type “lift” to confirm").fill("lift")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Nobody is banned.")).to_be_visible()
    page.get_by_role("link", name="Audit log").click()
    rows = page.get_by_role("row")
    expect(rows.nth(1)).to_contain_text("LiftBan")
    expect(rows.nth(2)).to_contain_text("CreateBan")
    expect(rows.nth(2)).to_contain_text("127.0.0.1")
    expect(rows.nth(3)).to_contain_text("INVALID_FIELD")
    assert violations(page) == []
    assert fits(page)


def test_what_does_not_exist_is_said(operators: Visits) -> None:
    page = open_page(operators, "/admin#sessions/aaaaaaaaaaaaaaaa", expect_failures=True)
    expect(page.get_by_role("alert")).to_contain_text("does not exist")
