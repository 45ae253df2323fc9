"""One server and one browser for all tests of a process, and separate visitors for each test."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from skerry_client import Client
from skerry_service.edge.rest import web_page_files as built
from tests.web import chromium
from tests.web.server_process import Server
from tests.web.visitors import PATIENCE_MS, Visits

SEEN = Path(__file__).parents[2] / "build" / "web-tests"
"""The folder of screenshots of failed tests."""

expect.set_options(timeout=PATIENCE_MS)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    report = yield
    item.stash[FAILED] = item.stash.get(FAILED, False) or report.failed  # type: ignore[attr-defined]
    return report


FAILED = pytest.StashKey[bool]()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    assert (built.FOLDER / "index.html").exists(), "The page is not built: make page"
    with Server(tmp_path_factory.mktemp("server")) as server:
        yield server


@pytest.fixture
def skerry(server: Server) -> Iterator[Client]:
    with server.client() as client:
        yield client


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = chromium.launch(playwright.chromium)
        yield browser
        browser.close()


@pytest.fixture
def visits(browser: Browser, server: Server, request: pytest.FixtureRequest) -> Iterator[Visits]:
    visits = Visits(browser, server.url)
    yield visits
    if request.node.stash.get(FAILED, False):
        SEEN.mkdir(parents=True, exist_ok=True)
        for number, page in enumerate(visits.pages):
            page.screenshot(path=SEEN / f"{re.sub(r'[^a-z0-9]+', '-', request.node.name.lower())}-{number}.png")
    visits.close()
    assert visits.faults == []
