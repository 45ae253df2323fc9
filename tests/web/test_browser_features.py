"""Features of the browser that the page uses: sounds, notifications, sharing, and what survives a view that fails."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from skerry_client import Client, Seat
from tests.web.page_actions import click, create_table, open_tab, page_status, wait_for_turn, with_seat
from tests.web.visitors import Visits

pytestmark = pytest.mark.browser

_NOTED = """(() => {
    const noted = (window.noted = { notes: [], asked: 0, notified: [], badges: [] });
    window.OscillatorNode = class extends OscillatorNode {
        constructor(audio, settings) {
            super(audio, settings);
            noted.notes.push(settings.frequency);
        }
    };
    window.Notification = class extends Notification {
        constructor(title, settings) {
            super(title, settings);
            noted.notified.push(title);
        }
        static async requestPermission() {
            noted.asked += 1;
            return window.permission;
        }
    };
    navigator.setAppBadge = async count => void noted.badges.push(count);
    navigator.clearAppBadge = async () => void noted.badges.push("none");
    Object.defineProperty(document, "hidden", { get: () => window.isAway === true });
})()"""
"""Records notes, notifications, badges and requests for permission. ``isAway`` hides the page."""
_BROKEN = """window.ResizeObserver = class {
    constructor() {
        throw new Error("no observer");
    }
}"""
"""Breaks the board, which measures its room."""


def noted(page: Page, what: str) -> list[object]:
    """Return what the script has recorded since the last time."""
    return page.evaluate("what => window.noted[what].splice(0)", what)  # type: ignore[no-any-return]


def sit_opposite(visits: Visits, skerry: Client) -> tuple[Page, Seat]:
    """Seat Ada at a browser and Ben, who begins, over the API. Return her page and his seat."""
    table = skerry.create("kreta", seats=2, options={"start_seat": 1})
    ada, ben = table.join("Ada"), table.join("Ben")
    page = visits.come(
        f"/{table.name}",
        scripts=[_NOTED, with_seat(ada, "kreta")],
        permissions=["notifications"],
    )
    expect(page_status(page)).to_have_text("Ben: play a card.")
    return page, ben


def pass_the_turn(page: Page, ben: Seat) -> None:
    """Play Ben's moves until it is Ada's turn."""
    while ben.number in (position := ben.position()).to_act:
        ben.act(position.legal_moves[0])
    wait_for_turn(page)


def test_a_turn_is_signalled_by_sound_title_notification_and_badge(visits: Visits, skerry: Client) -> None:
    page, ben = sit_opposite(visits, skerry)
    open_tab(page, "Table")
    assert page.evaluate("window.noted.asked") == 0
    switch = page.get_by_label("Notify me when it is my turn")
    for answer, is_allowed in (("denied", False), ("granted", True)):
        page.evaluate("answer => { window.permission = answer }", answer)
        switch.click()
        expect(switch).to_be_checked(checked=is_allowed)
        expect(page.get_by_text("The browser blocks notifications")).to_have_count(int(not is_allowed))
    assert page.evaluate("window.noted.asked") == 2
    expect(page).to_have_title("Kreta – Skerry")
    noted(page, "badges")
    page.evaluate("window.isAway = true")
    pass_the_turn(page, ben)
    expect(page).to_have_title("Your turn: Kreta")
    assert (noted(page, "notes"), noted(page, "notified")) == ([587, 784], ["Your turn: Kreta"])
    assert noted(page, "badges") == [1]
    page.evaluate("window.isAway = false")
    page.keyboard.press("m")
    expect(page.get_by_label("Sounds")).not_to_be_checked()
    while ben.number not in ben.position().to_act:
        click(page, 0)
    expect(page).to_have_title("Kreta – Skerry")
    assert noted(page, "badges") == ["none"]
    pass_the_turn(page, ben)
    assert noted(page, "notes") == noted(page, "notified") == noted(page, "badges") == []


def test_sounds_are_off_at_first_on_a_phone(visits: Visits) -> None:
    page = visits.come(phone=True, scripts=[_NOTED])
    create_table(page, "kreta", seats=2, bots=1)
    wait_for_turn(page)
    open_tab(page, "Table")
    sounds = page.get_by_label("Sounds")
    expect(sounds).not_to_be_checked()
    page.keyboard.press("m")
    expect(sounds).to_be_checked()


def test_a_table_is_shared_by_the_device_or_copied(visits: Visits, skerry: Client) -> None:
    table = skerry.create("kreta", seats=2, bots=2)
    page = visits.come(f"/{table.name}", permissions=["clipboard-read", "clipboard-write"])
    url = f"{visits.url}/{table.name}?language=en"  # of the preview and its picture: a chat sends no Accept-Language
    share = page.get_by_role("region", name="Result").get_by_role("button", name="Share")
    page.evaluate("() => { navigator.share = undefined }")
    share.click()
    expect(page.get_by_text("The link is copied.")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == url
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error('no clipboard')) }")
    share.click()
    expect(page.get_by_text(f"Copy this link: {url}")).to_be_visible()
    page.evaluate("() => { navigator.share = async data => { window.shared = data } }")
    share.click()
    page.wait_for_function("() => window.shared")
    assert page.evaluate("window.shared") == {"title": "Kreta – Skerry", "url": url}
    expect(page.get_by_text(url)).to_have_count(0)


def test_a_view_that_fails_leaves_the_rest_of_the_page(visits: Visits) -> None:
    page = visits.come(scripts=[_BROKEN])
    create_table(page, "kreta", seats=2, bots=1)
    expect(page.get_by_role("alert")).to_contain_text("This table cannot be shown because of an error in this page.")
    expect(page.get_by_role("button", name="Reload")).to_be_visible()
    page.get_by_role("link", name="Skerry").click()
    page.get_by_role("link", name="Continue: Kreta").wait_for()
    create_table(page, "kreta", seats=2, bots=0)
    expect(page.get_by_role("heading", name="Invite friends")).to_be_visible()
    assert {fault.split("\n")[0] for fault in visits.faults} == {"console: Error: no observer"}
    visits.faults.clear()
