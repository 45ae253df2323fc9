"""The page in a frame of another site: only where the operator allows it, and without a token in any address."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import Browser, FrameLocator, Page, expect

from skerry_client import Client, Table
from tests.web.server_process import Server
from tests.web.visitors import PATIENCE_MS

pytestmark = pytest.mark.browser

ROOT = Path(__file__).parents[2]
HOST_PAGE = """<!doctype html><title>Another site</title>
<script type="module" src="/table.js"></script>
<script>
  window.states = [];
  addEventListener("skerry-state", (event) => states.push(event.detail));
</script>
<body></body>"""


FORGE_BESIDE = """(forged) => new Promise((sent) => {
    const beside = document.createElement("iframe");
    window.forge = () => {
        const { contentWindow } = document.querySelector("skerry-table").shadowRoot.querySelector("iframe");
        beside.contentWindow.eval("(to, forged) => to.postMessage(forged, '*')")(contentWindow, forged);
        sent();
    };
    beside.srcdoc = "<script>parent.forge()<\\/script>";
    document.body.append(beside);
})"""
"""Lets another frame of the page send a message to the frame of the element."""


@pytest.fixture(scope="module")
def component() -> str:
    """The element as a browser loads it."""
    command = [str(ROOT / "node_modules/.bin/esbuild"), "clients/typescript/src/table.ts", "--format=esm"]
    built = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    return built.stdout


class Site(ThreadingHTTPServer):
    """A site with the element: ``localhost`` is another site than the 127.0.0.1 of the server."""

    def __init__(self, script: str) -> None:
        self.script = script
        self.requests: list[str] = []
        super().__init__(("127.0.0.1", 0), _Handler)

    @property
    def origin(self) -> str:
        return f"http://localhost:{self.server_port}"


class _Handler(BaseHTTPRequestHandler):
    server: Site

    def do_GET(self) -> None:
        self.server.requests.append(f"{self.requestline}\n{self.headers}")
        is_script = self.path == "/table.js"
        self.send_response(200)
        self.send_header("content-type", "text/javascript" if is_script else "text/html")
        self.end_headers()
        self.wfile.write((self.server.script if is_script else HOST_PAGE).encode())

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def site(component: str) -> Iterator[Site]:
    with Site(component) as site:
        Thread(target=site.serve_forever, daemon=True).start()
        yield site
        site.shutdown()


@pytest.fixture(scope="module")
def embeddable(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, Path]]:
    """A server that lets the site embed it, and its access log."""
    folder = tmp_path_factory.mktemp("embeddable")
    log = folder / "access.log"
    with Server(folder / "data", SKERRY_EMBED_ORIGINS=site.origin, SKERRY_ACCESS_LOG=str(log)) as server:
        yield server, log


@pytest.fixture
def host_page(browser: Browser, site: Site) -> Iterator[Page]:
    """A page of the site, which notes every request, and every error of its console."""
    context = browser.new_context(reduced_motion="reduce", viewport={"width": 1280, "height": 900})
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    page.goto(site.origin)
    yield page
    context.close()


def embed(page: Page, server: str, table: Table, **attributes: str) -> FrameLocator:
    """Put the element on the page."""
    page.evaluate(
        """async (attributes) => {
            await customElements.whenDefined("skerry-table");
            const element = document.createElement("skerry-table");
            for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
            document.body.replaceChildren(element);
        }""",
        {"session": table.name, "server": server, **attributes},
    )
    return page.frame_locator("skerry-table iframe")


def new_table(client: Client) -> tuple[Table, str]:
    """Return a table in play where it is a player's turn, and the player's token."""
    table = client.create("kreta", seats=2, bots=1)
    return table, table.join("Ada").token


def test_a_server_without_the_setting_is_not_shown(host_page: Page, server: Server, skerry: Client) -> None:
    table, token = new_table(skerry)
    refusals: list[str] = []
    host_page.on("console", lambda message: refusals.append(message.text))
    with host_page.expect_console_message(lambda message: "frame-ancestors" in message.text):
        frame = embed(host_page, server.url, table, token=token)
    expect(frame.get_by_role("main")).to_have_count(0)
    assert host_page.evaluate("states") == []


def test_a_player_plays_on_another_site(host_page: Page, site: Site, embeddable: tuple[Server, Path]) -> None:
    server, log = embeddable
    addresses: list[str] = []
    host_page.on("request", lambda request: addresses.append(f"{request.url} {request.headers.get('referer')}"))
    with server.client() as client:
        table, token = new_table(client)
        frame = embed(host_page, server.url, table, token=token, theme="dark")
        host_page.wait_for_function("states.some((state) => state.yourTurn)")
        before = host_page.evaluate("states.at(-1)")
        assert (before["session"], before["over"]) == (table.name, False)
        moves = frame.get_by_role("region", name="What you can do")
        moves.get_by_role("button").first.click()
        confirm = moves.get_by_role("button", name="Confirm")
        if confirm.count():
            confirm.click()
        host_page.wait_for_function(
            "(before) => states.some((state) => state.sequence > before)", arg=before["sequence"]
        )
        assert table.session().sequence > before["sequence"]
        body = frame.locator("body")
        assert body.evaluate("matchMedia('(prefers-color-scheme: dark)').matches") is False
        assert (
            body.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--paper').trim()") == "#10191e"
        )
        expect(frame.get_by_role("link", name="API docs")).to_be_hidden()
        height = body.evaluate("document.body.offsetHeight")
        host_page.wait_for_function(
            "(height) => document.querySelector('skerry-table').offsetHeight === Math.min(innerHeight, height)",
            arg=height,
        )
        client.seat(table.name, token).resign()
        host_page.wait_for_function("states.at(-1).over")
    assert not any(token in address for address in (*addresses, *site.requests, log.read_text()))
    assert any(table.name in address for address in addresses)
    assert site.origin not in log.read_text()


def test_a_token_after_the_hash_is_removed_at_once(host_page: Page, embeddable: tuple[Server, Path]) -> None:
    server, log = embeddable
    with server.client() as client:
        table, token = new_table(client)
        host_page.goto(f"{server.url}/{table.name}#token={token}")
        expect(host_page.get_by_role("region", name="What you can do").get_by_role("button").first).to_be_visible()
        assert host_page.url == f"{server.url}/{table.name}"
        host_page.reload()  # the tab keeps the seat, and no other tab has it
        expect(host_page.get_by_role("region", name="What you can do").get_by_role("button").first).to_be_visible()
        assert host_page.evaluate("localStorage.getItem('skerry.sessions')") is None
        host_page.goto(f"{server.url}/{table.name}#token=skerry_seat_wrong")
        expect(host_page.get_by_text("You are watching.")).to_be_visible()
    assert token not in log.read_text()


def test_messages_of_other_windows_are_ignored(host_page: Page, embeddable: tuple[Server, Path]) -> None:
    """Only the window that embeds the page can give it a seat: not one that it opened, and not a frame beside it."""
    server, _ = embeddable
    with server.client() as client:
        table, token = new_table(client)
        frame = embed(host_page, server.url, table)
        expect(frame.get_by_role("main")).to_have_attribute("data-sequence", f"{table.session().sequence}")
        inner = next(frame for frame in host_page.frames if frame.url.startswith(server.url))
        inner.evaluate("() => { window.given = 0; addEventListener('storage', () => given++); }")
        forged = {"type": "skerry-open", "session": table.name, "token": token}
        inner.evaluate("(forged) => postMessage(forged, '*')", forged)
        host_page.evaluate(FORGE_BESIDE, forged)
        states = host_page.evaluate("states.length")
        host_page.evaluate("document.querySelector('skerry-table').setAttribute('theme', 'light')")
        host_page.wait_for_function("(states) => window.states.length > states", arg=states)  # it answers in order
        assert inner.evaluate("given") == 0
        host_page.evaluate("(token) => { document.querySelector('skerry-table').token = token; }", token)
        host_page.wait_for_function("states.some((state) => state.yourTurn)")
        assert inner.evaluate("given") == 1
