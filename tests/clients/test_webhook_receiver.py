"""The receiver of the page on webhooks runs: against a real server, with a real endpoint."""

from __future__ import annotations

import re
import socket
import time
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from http.client import HTTPConnection
from pathlib import Path

import pytest

from skerry_client import Client
from skerry_service.access.api_key_file import format_line, new_key
from tests.clients.test_examples import ROOT, SECONDS, program_in_a_pipe
from tests.rest.processes import running

MOST_LINES = 40
KEY = new_key("island")


def program() -> str:
    """Return the program of the page."""
    page = (ROOT / "docs" / "how-to" / "webhooks.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", page.partition("## Example: a receiver")[2], re.DOTALL)
    return str(blocks[0])


def posted(address: str, body: bytes, **headers: str) -> int:
    """Send a request to the receiver, as anyone can. Return the status of the response."""
    connection = HTTPConnection(address, timeout=SECONDS)
    connection.request("POST", "/", body, headers)
    return connection.getresponse().status


def wait_for(address: str) -> None:
    host, _, port = address.partition(":")
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        with suppress(ConnectionRefusedError), socket.create_connection((host, int(port))):
            return
        time.sleep(0.05)
    pytest.fail("the receiver does not listen")


def test_the_receiver_is_short() -> None:
    assert len([line for line in program().splitlines() if line.strip()]) <= MOST_LINES


def test_the_receiver_prints_each_event_once_and_rejects_forged_ones(tmp_path: Path) -> None:
    keys = tmp_path / "keys"
    keys.write_text(format_line(KEY, "play,host,watch,webhooks"))
    with socket.create_server(("127.0.0.1", 0)) as free:
        receiver = f"127.0.0.1:{free.getsockname()[1]}"
    with (
        running("--webhook-host", receiver, "--keys", str(keys)) as (url, _),
        Client(url.removeprefix("http://"), api_key=KEY) as skerry,
    ):
        _, secret = skerry.set_webhook_endpoint("main", f"http://{receiver}/")
        with program_in_a_pipe("-c", program(), RECEIVER_ADDRESS=receiver, WEBHOOK_SECRET=secret) as run:
            assert run.stdout
            wait_for(receiver)
            assert skerry.ping_webhook_endpoint("main").status == 204
            assert run.stdout.readline() == "webhook.ping \n"
            forged = {"webhook-id": "msg_1", "webhook-timestamp": str(int(time.time())), "webhook-signature": "v1,a"}
            assert [posted(receiver, b"{}", **forged), posted(receiver, b"x" * 100_000)] == [401, 401]
            table = skerry.create("kreta", seats=2)
            assert run.stdout.readline() == f"session.create {table.name}\n"
            table.join("Ada")
            assert run.stdout.readline() == f"seat.join {table.name}\n"
            assert skerry.resend_webhooks("main", datetime.now(UTC) - timedelta(hours=1)) == 1
            table.join("Bob")  # the service sends the earlier events again before this one
            assert run.stdout.readline() == f"seat.join {table.name}\n"
            assert run.stdout.readline() == f"session.start {table.name}\n"
            run.kill()
