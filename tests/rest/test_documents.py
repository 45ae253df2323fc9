"""What the documents tell about HTTP happens: their commands are run, their page is held against the contract."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from shutil import which

import pytest

from skerry_service.edge.http import http_refusals
from skerry_service.edge.http.http_refusals import HttpRefusal
from skerry_service.edge.rest.openapi.document import describe_services
from tests.api.wire import SERVICE
from tests.rest.processes import running

with_curl = pytest.mark.skipif(which("curl") is None, reason="curl is not installed")

ROOT = Path(__file__).resolve().parents[2]
SERVED = "http://127.0.0.1:8080"
"""Where the documents think the service is."""


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """A server in a process of its own."""
    with running() as (url, _):
        yield url


def blocks(page: str) -> list[str]:
    """Return the shell sessions of a page."""
    return re.findall(r"```bash\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL)


def run(script: str, url: str) -> list[str]:
    """Run a script under bash against that server; return the lines that it prints."""
    environment = {name: value for name, value in os.environ.items() if "proxy" not in name.lower()}
    command = ["bash", "-euo", "pipefail", "-c", script.replace(SERVED, url)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@with_curl
@pytest.mark.deep
def test_the_game_of_the_page_is_played_to_its_end(url: str) -> None:
    *listed, outcome, _, _, last = run("\n".join(blocks("docs/tutorials/rest.md")), url)
    assert len(listed) > 1
    assert all(line.startswith('"text":"play ') for line in listed)
    assert "KRETA-END-1" in outcome
    assert re.search(r"The game is over: .+ (is|are) ahead with \d+ points", last)


@with_curl
def test_the_readmes_first_three_calls_lead_to_a_game(url: str) -> None:
    (block,) = blocks("README.md")
    create, join, look = block.splitlines()
    made = json.loads("".join(run(create, url)))
    assert made["session"]["state"] == "SESSION_STATE_LOBBY"
    session = made["session"]["name"].removeprefix("sessions/")
    joined = json.loads("".join(run(join.replace("SESSION", session), url)))
    asked = look.replace("SESSION", session).replace("SEAT_TOKEN", joined["seatToken"])
    position = json.loads("".join(run(asked, url)))["position"]
    assert position["toAct"] == [position["seat"]]
    assert position["legalMoves"]


def test_every_reason_of_http_is_listed_with_its_status() -> None:
    page = (ROOT / "docs" / "reference" / "rest.md").read_text(encoding="utf-8")
    kinds = [one for one in vars(http_refusals).values() if isinstance(one, type) and issubclass(one, HttpRefusal)]
    listed = dict(
        re.findall(r"\| `(HTTP_\w+)` \|", page) and [row[::-1] for row in re.findall(r"\| (\d+) \| `(HTTP_\w+)`", page)]
    )
    assert listed == {kind.reason: str(kind.http.value) for kind in kinds}


def test_the_page_that_follows_a_game_uses_what_the_api_has() -> None:
    """Its paths are routes, and each field that it reads is a field of what it reads it from."""
    page = (ROOT / "docs" / "how-to" / "follow.html").read_text(encoding="utf-8")
    description = describe_services(SERVICE)
    assert re.findall(r"https?://[^\"'`\s<]+", page) == [SERVED, "http://..."][::-1]
    for path in ("/sessions", "/sessions/{session}", "/sessions/{session}:observe"):
        assert f"/v1{path}" in description["paths"]
    assert {"/sessions?pageSize=1", "/${name}", "/${name}:observe?afterSequence=0"} == set(
        re.findall(r"\$\{api\}(/[^`]*)`", page)
    )
    schemas = {
        name.removeprefix("skerry.v1."): {field for case in one.get("oneOf", [one]) for field in case["properties"]}
        for name, one in description["components"]["schemas"].items()
        if "enum" not in one
    }
    for kind, fields in {
        "ListSessionsResponse": "sessions", "Session": "name game seats", "GetSessionResponse": "session",
        "Seat": "displayName", "ObserveResponse": "entries position sequence", "Entry": "moved", "Moved": "events",
        "Event": "text", "Position": "toAct outcome", "Outcome": "reason",
    }.items():  # fmt: skip
        for field in fields.split():
            assert field in page
            assert field in schemas[kind]


def test_the_page_is_short() -> None:
    assert len((ROOT / "docs" / "how-to" / "follow.html").read_text(encoding="utf-8").splitlines()) <= 40
