"""The page on protocols: its commands are run. Connect for ES calls the service over each protocol."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from shutil import which
from threading import Thread

import pytest
from playwright.sync_api import sync_playwright

from skerry.v1 import service_pb2 as pb
from skerry_service.edge.framing import transport_refusals
from skerry_service.edge.framing.envelopes import END_STREAM, TRAILERS, EnvelopeReader
from skerry_service.edge.framing.transport_refusals import TransportRefusal
from tests.generators.workshop import ROOT, Workshop, blocks
from tests.web import chromium

PAGE = "reference/protocols.md"
CLIENTS = Path(__file__).with_name("connect_clients.ts")
COMPILE = "tsc --strict --noUncheckedIndexedAccess --target es2022 --module nodenext --skipLibCheck --outDir js"
TRANSPORTS = [
    "connect", "connect, json", "connect, get", "connect, gzip", "grpc-web", "grpc-web, json", "grpc-web, gzip",
    "connect of fetch", "grpc-web of fetch", "grpc",
]  # fmt: skip

with_curl = pytest.mark.skipif(which("curl") is None, reason="curl is not installed")


def enveloped(data: bytes) -> list[tuple[int, bytes]]:
    """Return the flags and the content of each envelope."""
    reader, found = EnvelopeReader(2**24), []
    reader.feed(data)
    while (envelope := reader.next()) is not None:
        found.append(envelope)
    assert reader.is_empty
    return found


@pytest.fixture(scope="module")
def generated(workshop: Workshop) -> Workshop:
    """The workshop, with the types of the API."""
    workshop.put("buf.gen.yaml", next(block for block in blocks("how-to/other-languages.md", "yaml")))
    workshop.run("skerry protos protos && buf generate protos")
    return workshop


@with_curl
@pytest.mark.node
@pytest.mark.timeout(300)  # waits for npm's programs
def test_the_commands_of_the_page_get_responses(workshop: Workshop) -> None:
    workshop.run("\n".join(blocks(PAGE, "bash")))
    received = {name: (workshop.folder / name).read_bytes() for name in RECEIVED}
    for name in ("connect.json", "get.json"):
        assert json.loads(received[name])["game"]["id"] == "kreta"
    for name in ("buf-connect.json", "buf-grpcweb.json", "buf-grpc.json"):
        assert "kreta" in {game["id"] for game in json.loads(received[name])["games"]}
    *messages, (flags, end) = enveloped(received["stream.bin"])
    assert (flags, json.loads(end)) == (END_STREAM, {})
    assert json.loads(messages[-1][1])["session"]["state"] == "SESSION_STATE_FINISHED"
    (_, games), (flags, trailers) = enveloped(received["grpc-web.bin"])
    assert (flags, trailers) == (TRAILERS, b"grpc-status: 0\r\n")
    ((_, over_grpc),) = enveloped(received["grpc.bin"])
    assert pb.ListGamesResponse.FromString(games) == pb.ListGamesResponse.FromString(over_grpc)


RECEIVED = (
    "connect.json", "get.json", "stream.bin", "grpc-web.bin", "grpc.bin", "buf-connect.json", "buf-grpcweb.json",
    "buf-grpc.json",
)  # fmt: skip


@pytest.mark.node
@pytest.mark.timeout(300)  # compiles
def test_connect_for_es_calls_the_service_over_each_protocol(generated: Workshop) -> None:
    generated.put("connect_clients.ts", CLIENTS.read_text(encoding="utf-8"))
    lines = generated.run(
        f"{COMPILE} connect_clients.ts && node js/connect_clients.js http://{generated.address} {generated.url}"
    )
    assert [line.rpartition(": ")[0] for line in lines] == TRANSPORTS


@pytest.mark.node
@pytest.mark.timeout(300)  # compiles, and starts a browser
@pytest.mark.skipif(chromium.find() is None, reason=chromium.MISSING)
def test_the_page_that_watches_a_game_shows_its_log_in_a_browser(generated: Workshop) -> None:
    (source,) = blocks(PAGE, "tsx")
    generated.put("watch.tsx", source)
    generated.put("index.html", '<!doctype html><meta charset="utf-8"><body><script src="watch.js"></script>')
    generated.run(f"esbuild watch.tsx --bundle --outfile=watch.js --jsx=automatic --log-level=error {WITH_PREACT}")
    bots = json.dumps({"game": "kreta", "seats": [{"occupant": "OCCUPANT_BOT"}] * 2})
    (made,) = generated.run(f"curl -sS --json '{bots}' http://127.0.0.1:8080/skerry.v1.SkerryService/CreateSession")
    with files_served(generated.folder) as url, sync_playwright() as playwright:
        browser = chromium.launch(playwright.chromium)
        page = browser.new_page()
        page.goto(f"{url}/index.html#{json.loads(made)['session']['name']}")
        page.get_by_text("The stream has ended.").wait_for(timeout=60_000)
        assert len(page.get_by_role("listitem").all()) > 20
        browser.close()


WITH_PREACT = "--alias:react=preact/compat --alias:react-dom/client=preact/compat/client --jsx-import-source=preact"
"""Preact stands in for React, which the repository does not install."""


@contextmanager
def files_served(folder: Path) -> Iterator[str]:
    """Serve a folder on a port of its own, so that the page has another origin than the API. Yield its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(QuietHandler, directory=str(folder)))
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class QuietHandler(SimpleHTTPRequestHandler):
    """Serves files without a log."""

    def log_message(self, *_: object) -> None:
        pass


def test_every_reason_of_the_protocols_is_listed_with_its_code() -> None:
    page = (ROOT / "docs" / PAGE).read_text(encoding="utf-8")
    kinds = [one for one in vars(transport_refusals).values() if isinstance(one, type)]
    refusals = [kind for kind in kinds if issubclass(kind, TransportRefusal)]
    codes = {3: "invalid_argument", 8: "resource_exhausted", 12: "unimplemented", 13: "internal"}
    listed = {reason: code for code, reason in re.findall(r"\| `(\w+)` \| `(RPC_\w+)`", page)}
    assert listed == {kind.reason: codes[kind.code] for kind in refusals}
