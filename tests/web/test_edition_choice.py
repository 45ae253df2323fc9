"""The form of a new table offers the editions of a game, if the server has several."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.games.other_editions import other_text
from tests.web.page_actions import create_table
from tests.web.server_process import Server
from tests.web.visitors import Visits

pytestmark = pytest.mark.browser


@pytest.fixture
def with_editions(browser: Browser, tmp_path: Path) -> Iterator[tuple[Visits, Server]]:
    """A server with an edition of Kreta, and its visitors."""
    folder = tmp_path / "other"
    folder.mkdir()
    (folder / "kreta.json").write_text(other_text("kreta"), encoding="utf-8")
    with Server(tmp_path / "server", SKERRY_EDITIONS=str(folder)) as server:
        visits = Visits(browser, server.url)
        yield visits, server
        visits.close()
        assert visits.faults == []


@pytest.mark.parametrize("phone", [False, True])
def test_a_table_begins_with_the_chosen_edition(with_editions: tuple[Visits, Server], phone: bool) -> None:
    visits, server = with_editions
    page = visits.come(phone=phone)
    page.get_by_role("radio", name="Tenerife").check(force=True)
    expect(page.get_by_role("combobox", name="Edition")).to_have_count(0)
    page.get_by_role("radio", name="Kreta").check(force=True)
    choice = page.get_by_role("combobox", name="Edition")
    expect(choice).to_have_value("house")
    choice.select_option("other")
    with page.expect_response("**/games/kreta:howToPlay?*edition=other") as how:
        page.locator(".new summary").first.click()
    assert how.value.ok
    page.get_by_role("combobox", name="Players", exact=True).select_option("4")
    expect(choice).to_have_value("other")
    width = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert width[0] <= width[1]
    path = create_table(page, "kreta", seats=2, bots=1)
    with server.client() as skerry:
        session = skerry.table(path.partition("#")[0].lstrip("/")).session()
    assert session.options.kreta.edition == "other"
    expect(page.locator(".board, svg").filter(has_text="Sélino").first).to_be_attached()


def test_a_server_with_one_edition_offers_no_choice(visits: Visits) -> None:
    page = visits.come()
    page.get_by_role("radio", name="Kreta").check(force=True)
    expect(page.get_by_role("combobox", name="Players", exact=True)).to_be_visible()
    expect(page.get_by_role("combobox", name="Edition")).to_have_count(0)
