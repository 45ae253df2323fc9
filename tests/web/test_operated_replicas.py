"""The operators' page of two replicas, one of which is killed, and with ladders, tournaments and failing webhooks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.operator_scene import Scene, busy_service, two_replicas
from tests.web.page_actions import fits
from tests.web.test_access import AXE, violations
from tests.web.visitors import PHONE, Visits

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

SECONDS = 90_000
"""Far more than the minute after which a killed replica is gone."""


def test_a_killed_replica_is_silent_then_gone_and_the_other_goes_on(browser: Browser, tmp_path: Path) -> None:
    with two_replicas(tmp_path) as (first, second):
        visits = Visits(browser, f"http://{first.admin}")
        page = visits.come("/admin", scripts=[AXE.read_text(encoding="utf-8")], expect_failures=True)
        rows = page.get_by_role("region", name="Table: Replicas").get_by_role("row")
        expect(rows).to_have_count(3)
        other = rows.filter(has_text="live")
        name = other.get_by_role("rowheader").inner_text()
        second.kill()
        expect(rows.filter(has_text=name)).to_contain_text("silent for", timeout=SECONDS)
        expect(page.get_by_role("button", name=f"Drain replica {name}")).to_be_disabled()
        assert violations(page) == []
        expect(rows).to_have_count(2, timeout=SECONDS)
        page.get_by_role("link", name="Sessions").press("Enter")
        expect(page.get_by_role("status")).to_have_text("0 sessions.")
        page.get_by_role("link", name="Overview").press("Enter")
        expect(rows).to_have_count(2)
        first.kill()
        expect(page.get_by_role("alert")).to_have_text("The server does not answer.")
        expect(page.get_by_role("status")).to_contain_text("The figures below are those of")
        assert violations(page) == []
        visits.close()


@pytest.fixture(scope="module")
def scene(browser: Browser) -> Iterator[Scene]:
    with busy_service(browser) as found:
        yield found


def open_page(scene: Scene, path: str, **settings: object) -> Page:
    page = scene.operator(path, **settings)
    page.evaluate(AXE.read_text(encoding="utf-8"))
    return page


@pytest.mark.parametrize("settings", [{}, PHONE, {"theme": "dark", "locale": "de-DE"}], ids=["desk", "phone", "german"])
def test_ladders_tournaments_and_resting_bots_are_shown(scene: Scene, settings: dict[str, object]) -> None:
    page = open_page(scene, "/admin#competitions", **settings)
    expect(page.get_by_role("row", name="tenerife-2").first).to_contain_text("gull")
    expect(page.get_by_role("row", name="gull").last).to_contain_text("gull@example.org")
    expect(page.get_by_role("row", name="Harbour cup")).to_be_visible()
    assert violations(page) == []
    assert fits(page)
    page.get_by_role("row", name="gull").last.get_by_role("link").press("Enter")
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    expect(page.get_by_role("rowheader")).to_have_count(2)


def test_a_failing_webhook_is_shown_with_its_host_and_error(scene: Scene) -> None:
    page = open_page(scene, "/admin")
    row = page.get_by_role("region", name="Failing endpoints", exact=True).get_by_role("row", name="ada")
    expect(row).to_contain_text("http://127.0.0.1:9")
    expect(row).to_contain_text("connection refused")
    assert "token=" not in page.content()
    assert violations(page) == []
    assert fits(page)
