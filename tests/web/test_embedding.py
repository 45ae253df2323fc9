"""The page in a frame of another site: only where the operator allows it, and without a token in any address."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import Browser, FrameLocator, Locator, Page, expect

from skerry.v1 import session_pb2
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
    """A site with the element.

    ``localhost`` is another site than the 127.0.0.1 of the server: the browser blocks storage in the frame. At
    127.0.0.1, it is the same site, and all frames of the server share storage.
    """

    def __init__(self, script: str) -> None:
        self.script = script
        self.requests: list[str] = []
        super().__init__(("127.0.0.1", 0), _Handler)

    @property
    def origin(self) -> str:
        return f"http://localhost:{self.server_port}"

    @property
    def same_site_origin(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


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
    origins = f"{site.origin},{site.same_site_origin}"
    with Server(folder / "data", SKERRY_EMBED_ORIGINS=origins, SKERRY_ACCESS_LOG=str(log)) as server:
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
    """Add the element to the page."""
    count = page.locator("skerry-table").count()
    page.evaluate(
        """async (attributes) => {
            await customElements.whenDefined("skerry-table");
            const element = document.createElement("skerry-table");
            for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
            document.body.append(element);
        }""",
        {"session": table.name, "server": server, **attributes},
    )
    return page.locator("skerry-table").nth(count).frame_locator("iframe")


def set_attribute(page: Page, name: str, value: str | None) -> None:
    """Change an attribute of the element. ``None`` removes it."""
    page.evaluate(
        """([name, value]) => {
            const element = document.querySelector("skerry-table");
            if (value === null) element.removeAttribute(name);
            else element.setAttribute(name, value);
        }""",
        [name, value],
    )


def first_move(frame: FrameLocator) -> Locator:
    """A move of the viewer's seat."""
    return frame.get_by_role("region", name="What you can do").get_by_role("button").first


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
        moves.get_by_role("button", name="List of moves").click()
        moves.locator(".word").first.click()
        moves.get_by_role("button", name="Confirm").click()
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
        set_attribute(host_page, "theme", "light")
        host_page.wait_for_function("(states) => window.states.length > states", arg=states)  # it answers in order
        assert inner.evaluate("given") == 0
        host_page.evaluate("(token) => { document.querySelector('skerry-table').token = token; }", token)
        host_page.wait_for_function("states.some((state) => state.yourTurn)")
        assert inner.evaluate("given") == 1


def test_a_token_opens_only_the_element_that_has_it(
    host_page: Page, site: Site, embeddable: tuple[Server, Path]
) -> None:
    """Also on the site of the server, where the frames of a tab share storage, and after the game."""
    server, _ = embeddable
    host_page.goto(site.same_site_origin)
    with server.client() as client:
        table, token = new_table(client)
        earlier = embed(host_page, server.url, table)
        expect(earlier.get_by_text("You are watching.")).to_be_visible()
        seated = embed(host_page, server.url, table, token=token)
        expect(first_move(seated)).to_be_visible()
        later = embed(host_page, server.url, table)
        for frame in (earlier, later):
            expect(frame.get_by_text("You are watching.")).to_be_visible()
            expect(first_move(frame)).to_have_count(0)
        client.seat(table.name, token).resign()
        expect(seated.get_by_role("button", name="Play again")).to_be_visible()
        after = embed(host_page, server.url, table)
        for frame in (earlier, later, after):
            expect(frame.get_by_role("button", name="Download replay")).to_be_visible()
            expect(frame.get_by_role("button", name="Play again")).to_have_count(0)
        inner = next(frame for frame in host_page.frames if frame.url.startswith(server.url))
        assert inner.evaluate("[...Object.values(localStorage), ...Object.values(sessionStorage)].join()") == "[]"


def test_a_seat_that_a_substitute_plays_is_not_to_move(host_page: Page, embeddable: tuple[Server, Path]) -> None:
    server, _ = embeddable
    clock = session_pb2.Clock(per_move=session_pb2.PerMove(time_ms=1000))
    with server.client() as client:
        table = client.create("kreta", seats=2, bots=1, clock=clock)
        frame = embed(host_page, server.url, table, token=table.join("Ada").token)
        expect(frame.get_by_text("The game is paused until a player returns.")).to_be_visible()
        host_page.wait_for_function("!states.at(-1).yourTurn")


def test_a_token_can_be_removed(host_page: Page, embeddable: tuple[Server, Path]) -> None:
    server, _ = embeddable
    with server.client() as client:
        table, token = new_table(client)
        frame = embed(host_page, server.url, table, token=token)
        expect(first_move(frame)).to_be_visible()
        set_attribute(host_page, "token", None)
        expect(frame.get_by_text("You are watching.")).to_be_visible()
        host_page.evaluate("(token) => { document.querySelector('skerry-table').token = token; }", token)
        expect(first_move(frame)).to_be_visible()
        host_page.evaluate("document.querySelector('skerry-table').token = undefined")
        expect(frame.get_by_text("You are watching.")).to_be_visible()


def test_the_element_is_empty_without_a_valid_address(host_page: Page, embeddable: tuple[Server, Path]) -> None:
    server, _ = embeddable
    faults: list[str] = []
    host_page.on("pageerror", lambda error: faults.append(error.message))
    with server.client() as client:
        table, _ = new_table(client)
        frame = embed(host_page, server.url, table)
        for name, valid, invalid in (
            ("session", table.name, None),
            ("session", table.name, "tables/1"),
            ("server", server.url, "play.example"),
        ):
            expect(frame.get_by_text("You are watching.")).to_be_visible()
            set_attribute(host_page, name, invalid)
            expect(host_page.locator("skerry-table iframe")).to_have_count(0)
            set_attribute(host_page, name, valid)
        expect(frame.get_by_text("You are watching.")).to_be_visible()
    assert [fault.split(": ")[-1] for fault in faults] == [
        "expected sessions/{id}",
        "expected a URL such as https://play.example",
    ]
