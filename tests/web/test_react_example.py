"""The example in React, as Vite serves it: a move, and the same seat after a reload."""

from __future__ import annotations

import os
import re
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.web.server_process import Server

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "react"
MOST_LINES = 150


@pytest.fixture
def url(server: Server) -> Iterator[str]:
    """The URL of the example, for the games of the server."""
    assert (EXAMPLE / "node_modules").exists(), "The packages of the example are missing: make test-web"
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = ["node", "node_modules/vite/bin/vite.js", "--host", "127.0.0.1", "--port", str(port), "--strictPort"]
    environment = os.environ | {"SKERRY_HTTP": server.url, "NO_COLOR": "1"}
    with subprocess.Popen(command, cwd=EXAMPLE, env=environment, stdout=subprocess.PIPE, text=True) as vite:
        assert vite.stdout
        try:
            assert any("Local:" in line for line in vite.stdout)
            yield f"http://127.0.0.1:{port}/"
        finally:
            vite.terminate()


@pytest.mark.browser
def test_the_example_shows_a_table_and_moves(browser: Browser, url: str) -> None:
    page = browser.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(url)
    picture, status = page.get_by_role("img", name="The table"), page.get_by_role("status")
    expect(picture).to_be_visible()
    expect(status).to_have_text(re.compile(r"^entry \d+$"))
    before, drawn = status.inner_text(), picture.get_attribute("src") or ""
    page.get_by_role("button").first.click()
    expect(status).not_to_have_text(before)
    expect(status).to_have_text(re.compile(r"^entry \d+$"))
    expect(picture).not_to_have_attribute("src", drawn)
    assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 0
    moves, after = page.get_by_role("button").all_inner_texts(), status.inner_text()
    page.reload()
    expect(status).to_have_text(after)
    assert page.get_by_role("button").all_inner_texts() == moves, "the reload continues the game"
    assert faults == []
    page.close()


@pytest.mark.browser
@pytest.mark.parametrize("end", ["over", "expired", "taken", "malformed"])
def test_the_example_starts_anew_if_the_stored_seat_cannot_play(
    browser: Browser, url: str, server: Server, end: str
) -> None:
    page = browser.new_page()
    page.goto(url)
    expect(page.get_by_role("img", name="The table")).to_be_visible()
    stored = page.evaluate("sessionStorage.getItem('seat')")
    name, token = stored.split()
    if end == "over":
        with server.client() as skerry:
            skerry.seat(name, token).resign()
        expect(page.get_by_role("status")).not_to_have_text(re.compile(r"^entry \d+$"))
    left = {"over": stored, "expired": f"sessions/none {token}", "taken": f"{name} another", "malformed": "x"}[end]
    page.evaluate("seat => sessionStorage.setItem('seat', seat)", left)
    page.reload()
    expect(page.get_by_role("status")).to_have_text(re.compile(r"^entry \d+$"))
    assert page.evaluate("sessionStorage.getItem('seat')").split()[0] not in (name, "sessions/none")
    page.close()


@pytest.mark.browser
def test_the_example_keeps_the_stored_seat_without_a_connection(browser: Browser, url: str) -> None:
    page = browser.new_page()
    page.goto(url)
    expect(page.get_by_role("img", name="The table")).to_be_visible()
    stored = page.evaluate("sessionStorage.getItem('seat')")
    page.route("**/v1/**", lambda route: route.fulfill(status=400, body="a proxy"))
    page.reload()
    expect(page.get_by_text("unexpected response")).to_be_visible()
    assert page.evaluate("sessionStorage.getItem('seat')") == stored
    page.unroute("**/v1/**")
    page.get_by_role("button", name="New game").click()
    expect(page.get_by_role("status")).to_have_text(re.compile(r"^entry \d+$"))
    assert page.evaluate("sessionStorage.getItem('seat')") != stored
    page.close()


@pytest.mark.browser
def test_the_example_compiles_and_is_short() -> None:
    done = subprocess.run(
        ["node", "node_modules/typescript/bin/tsc"], cwd=EXAMPLE, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
    lines = [line for file in (EXAMPLE / "src").iterdir() for line in file.read_text(encoding="utf-8").splitlines()]
    assert len(lines) <= MOST_LINES
