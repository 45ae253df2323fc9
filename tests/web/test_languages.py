"""The language of the page: the browser's or the player's choice, for everything that the page shows."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.web.page_actions import create_table, words
from tests.web.visitors import Visits

pytestmark = pytest.mark.browser


def test_the_page_speaks_the_language_of_the_browser(visits: Visits) -> None:
    page = visits.come(locale="de-AT")
    expect(page.get_by_role("heading", name="Insel-Brettspiele")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.get_by_role("button", name="Gegner suchen")).to_be_visible()
    page.get_by_role("combobox", name="Sprache").select_option("en")
    expect(page.get_by_role("heading", name="Island board games")).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name="Island board games")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", "en")


def test_a_language_that_the_page_lacks_falls_back_to_english(visits: Visits) -> None:
    page = visits.come(locale="fi-FI")
    expect(page.get_by_role("heading", name="Island board games")).to_be_visible()


def test_a_switch_during_a_game_keeps_the_selection(visits: Visits) -> None:
    page = visits.come()
    create_table(page, "kreta", seats=2, bots=1)
    asked: list[str | None] = []
    page.on("request", lambda request: asked.append(request.headers.get("accept-language")))
    page.locator(".list-toggle, .word").first.wait_for()
    if not page.locator(".word").count():
        page.locator(".list-toggle").click()
    words_before = words(page).count()
    page.get_by_role("tab", name="Table").click()
    page.get_by_role("combobox", name="Language").select_option("de")
    expect(page.get_by_role("tab", name="Verlauf")).to_be_visible()
    expect(page.get_by_role("region", name="Deine Möglichkeiten").locator(".word")).to_have_count(words_before)
    expect(page.locator(".heading")).to_contain_text("Du bist am Zug")
    page.get_by_role("region", name="Deine Möglichkeiten").locator(".word").first.click()
    expect(page.locator(".selected").first).to_be_attached()
    selected = page.locator(".selected").evaluate_all("found => found.map(one => one.dataset.id)")
    page.get_by_role("combobox", name="Sprache").select_option("en")
    expect(page.get_by_role("tab", name="Log", exact=True)).to_be_visible()
    expect(page.locator(".heading")).to_contain_text("Your turn")
    assert page.locator(".selected").evaluate_all("found => found.map(one => one.dataset.id)") == selected
    assert "de" in asked


def test_a_refusal_at_a_table_is_in_the_language_of_the_page(visits: Visits) -> None:
    path = create_table(visits.come(), "kreta", seats=3, bots=0, name="Ada")
    page = visits.come(path, locale="de-AT", expect_failures=True)
    page.get_by_label("Dein Name").fill("Ada")
    page.get_by_role("button", name="Mitspielen").click()
    refusal = page.get_by_role("alert")
    expect(refusal).to_contain_text("Den Namen Ada gibt es an diesem Tisch schon. Wähle einen anderen Namen.")


def test_a_response_of_a_proxy_is_explained_in_the_language_of_the_page(visits: Visits) -> None:
    page = visits.come(locale="de-AT", expect_failures=True)
    page.get_by_label("Dein Name").fill("Ada")
    page.route("**/v1/sessions", lambda route: route.fulfill(status=403, body="<h1>Forbidden"))
    page.get_by_role("button", name="Spielen", exact=True).click()
    sentence = "Die Antwort kam nicht vom Spielserver. Versuche es später noch einmal."
    expect(page.get_by_role("alert")).to_have_text(sentence)
