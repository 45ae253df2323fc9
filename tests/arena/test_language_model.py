"""The example that plays with a language model, against a server that answers from a script."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
from msgspec import json

from tests.arena.conftest import Run

EXAMPLE = Path(__file__).parents[2] / "examples" / "language_model.py"
HANGS = "hangs"


class StandIn(ThreadingHTTPServer):
    """A server of chat completions. Each entry of its script is a reply, a status, or HANGS; then it plays on."""

    daemon_threads = True

    def __init__(self, *script: str | int) -> None:
        super().__init__(("127.0.0.1", 0), Completions)
        self.script = list(script)
        self.prompts: list[str] = []
        self.headers: list[dict[str, str]] = []
        self.ended = Event()


class Completions(BaseHTTPRequestHandler):
    server: StandIn

    def do_POST(self) -> None:
        asked = json.decode(self.rfile.read(int(self.headers["Content-Length"])))
        prompt = asked["messages"][-1]["content"]
        assert (self.path, asked["model"]) == ("/v1/chat/completions", "some-model")
        self.server.prompts.append(prompt)
        self.server.headers.append(dict(self.headers))
        step = self.server.script.pop(0) if self.server.script else f"I think.\n{prompt.splitlines()[-2].upper()}!"
        if step == HANGS:
            self.server.ended.wait(60)
            return
        status = step if isinstance(step, int) else 200
        body = json.encode(
            {"choices": [{"message": {"content": step}}], "usage": {"prompt_tokens": 100, "completion_tokens": 10}}
        )
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Write nothing to standard error."""


@pytest.fixture
def servers() -> Iterator[list[StandIn]]:
    started: list[StandIn] = []
    yield started
    for one in started:
        one.ended.set()
        one.shutdown()
        one.server_close()


def played(arena: Run, servers: list[StandIn], folder: Path, *script: str | int, **flags: str) -> dict[str, Any]:
    """Play one block of Kreta, and return the standing of the model."""
    servers.append(StandIn(*script))
    Thread(target=servers[-1].serve_forever, args=(0.01,), daemon=True).start()
    (folder / "key").write_text("secret\n")
    url = f"http://127.0.0.1:{servers[-1].server_port}/v1"
    model = f"model=program:{sys.executable} {EXAMPLE} {url} some-model {folder / 'key'}"
    given = {"game": "kreta", "games": "2", "retries": "2", "move-seconds": "60", "workers": "0", **flags}
    options = [part for name, value in given.items() for part in (f"--{name}", value)]
    ran = arena("tournament", "run", "--player", "random", "--player", model, *options, "--network", "--out", "cup")
    assert (ran.returncode, ran.stderr) == (0, "")
    summary = json.decode((folder / "cup" / "summary.json").read_bytes())
    standing: dict[str, Any] = next(one for one in summary["standings"] if one["name"] == "model")
    return standing


def test_the_example_is_short() -> None:
    assert len(EXAMPLE.read_text().splitlines()) <= 40


def test_a_model_plays_and_its_refusals_and_tokens_are_counted(
    tmp_path: Path, arena: Run, servers: list[StandIn]
) -> None:
    standing = played(arena, servers, tmp_path, "Let me see.\nhalt", "I have no idea, {[", 429)
    answers, (server,) = standing["answers"], servers
    assert standing["failures"] == {}
    assert (answers["illegal"], answers["unreadable"], answers["retries"]) == (1, 1, 2)
    completed = answers["decisions"] + answers["retries"]
    assert (answers["tokens_in"], answers["tokens_out"]) == (100 * completed, 10 * completed)
    assert len(server.prompts) == completed + 1  # the busy server was asked again
    assert "KRETA-TURN-1" in server.prompts[1] and "No move has the words" in server.prompts[2]
    assert "seat 0" in server.prompts[0] and server.headers[0]["Authorization"] == "Bearer secret"
    assert "secret" not in (tmp_path / "cup" / "tournament.json").read_text()


@pytest.mark.deep
@pytest.mark.parametrize(
    ("script", "kind"), [((HANGS,), "timeout"), ((401,), "crash"), (("no", "no", "no"), "garbled")]
)
def test_a_model_that_does_not_answer_fails_and_the_tournament_goes_on(
    tmp_path: Path, arena: Run, servers: list[StandIn], script: tuple[str | int, ...], kind: str
) -> None:
    flags = {"move-seconds": "5"} if HANGS in script else {}
    assert played(arena, servers, tmp_path, *script, **flags)["failures"] == {kind: 1}
