"""The examples that show pictures: the notebooks, and the bot that posts to a chat."""

from __future__ import annotations

import ast
import json
import re
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import HTTP
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import module_from_spec, spec_from_file_location
from io import StringIO
from pathlib import Path
from queue import Queue
from struct import unpack
from threading import Thread
from types import ModuleType
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen
from xml.etree import ElementTree

import pytest

from tests.clients.servers import ServerProcess
from tests.clients.test_examples import EXAMPLES, program_in_a_pipe, run_program
from tests.rest.processes import running

NOTEBOOK = EXAMPLES / "notebook.ipynb"
ONLINE_NOTEBOOK = EXAMPLES / "online_notebook.ipynb"
PATIENCE = 30
EVERYONE = "@everyone"


def test_the_notebook_shows_tables() -> None:
    shown, printed = run_notebook(NOTEBOOK)
    drawings = [ElementTree.fromstring(one._repr_svg_()) for one in shown]
    assert {drawing.tag for drawing in drawings} == {"{http://www.w3.org/2000/svg}svg"}
    assert len(set(map(ElementTree.tostring, drawings))) == 4
    assert "seat 0 (Ada, you)" in printed
    assert "KRETA-END-1" in printed


def test_the_online_notebook_plays_a_game(server: ServerProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SKERRY_SERVER", server.address)
    shown, printed = run_notebook(ONLINE_NOTEBOOK)
    assert len({ElementTree.tostring(ElementTree.fromstring(one._repr_svg_())) for one in shown}) == 3
    assert "seat 0 (Ada, you)" in printed
    assert re.search(r"^KRETA-END-1: .*\n\{[01]: \d+, [01]: \d+\}$", printed, re.MULTILINE)


@pytest.mark.parametrize("path", [NOTEBOOK, ONLINE_NOTEBOOK], ids=lambda path: path.stem)
def test_a_notebook_is_stored_without_its_outputs(path: Path) -> None:
    """They would be out of date after each change of a drawing."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    assert not any(cell.get("outputs") or cell.get("execution_count") for cell in notebook["cells"])


def run_notebook(path: Path) -> tuple[list[Any], str]:
    """Run the cells in order; return the values at their ends, and what they printed."""
    names: dict[str, Any] = {}
    shown, printed = [], StringIO()
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            body = ast.parse("".join(cell["source"])).body
            last = body.pop() if isinstance(body[-1], ast.Expr) else None
            with redirect_stdout(printed):
                exec(compile(ast.Module(body, []), path.name, "exec"), names)
                if isinstance(last, ast.Expr):
                    shown.append(eval(compile(ast.Expression(last.value), path.name, "eval"), names))
    return [one for one in shown if one is not None], printed.getvalue()


class Chat(ThreadingHTTPServer):
    """A chat that takes posts. It fails first: it limits the sender, its proxy fails, and a connection ends."""

    def __init__(self) -> None:
        self.posts: Queue[EmailMessage] = Queue()
        self.failures = [429, 502, None, 503]
        super().__init__(("127.0.0.1", 0), _ChatHandler)


class _ChatHandler(BaseHTTPRequestHandler):
    server: Chat

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        failure = self.server.failures.pop() if self.server.failures else 204
        if failure is None:
            return  # the connection ends without a response
        self.send_response(failure)
        if failure == 204:
            self.server.posts.put(message_from_bytes(bytes(self.headers) + body, policy=HTTP))
        else:
            self.send_header("Retry-After", "0.01")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def chat() -> Iterator[Chat]:
    with Chat() as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


def call(url: str, body: Any = None, token: str = "") -> Any:
    """Call the REST API: with POST if there is a body."""
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(url, data, headers), timeout=PATIENCE) as answer:
        return json.load(answer)


def play(session: str, tokens: list[str], moves: int) -> int:
    """Play until a turn ends after that many moves, or to the end; return the number of moves.

    The server sends no webhook for a move after which the same seat is to move.
    """
    made, before = 0, None
    while to_act := (position := call(session)["position"])["toAct"]:
        if made >= moves and to_act[0] != before:
            break
        before = to_act[0]
        move = call(session, token=tokens[before])["position"]["legalMoves"][0]
        call(f"{session}:act", {"move": move, "expectedSequence": position["sequence"]}, tokens[before])
        made += 1
    return made


def moves_of(session: str) -> list[str]:
    """Return what the chat should say: a message for each move of a seat."""
    entries = call(f"{session}/replay")["replay"]["entries"]
    moved = [entry["moved"] for entry in entries if "moved" in entry and "seat" in entry]
    return [" ".join(event["text"] for event in move["events"]) for move in moved]


def read_post(post: EmailMessage) -> tuple[str, int]:
    """Return the words of a post and the width of its picture. A player's name must not mention anybody."""
    words, picture = post.iter_parts()
    assert words.get_param("name", header="content-disposition") == "payload_json"
    assert picture.get_param("name", header="content-disposition") == "files[0]"
    message = json.loads(words.get_content())
    assert message["allowed_mentions"] == {"parse": []}
    assert "urllib" not in post["User-Agent"]  # Discord responds with 403
    png = picture.get_content()
    assert png.startswith(b"\x89PNG")
    return message["content"], unpack(">I", png[16:20])[0]


@pytest.mark.parametrize("moves", [3, pytest.param(1000, marks=pytest.mark.deep)])
def test_the_chat_bot_posts_each_move_with_its_picture(moves: int) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        bot = f"127.0.0.1:{free.getsockname()[1]}"
    with running("--webhook-host", bot) as (url, _), chat() as posts_of:
        created = call(f"{url}/v1/sessions", {"game": "kreta", "seats": [{}, {}]})
        session = f"{url}/v1/{created['session']['name']}"
        variables = {
            "SKERRY_HTTP": url,
            "SKERRY_HOST_TOKEN": created["hostToken"],
            "CHAT_WEBHOOK": f"http://127.0.0.1:{posts_of.server_port}/hook",
            "BOT_ADDRESS": bot,
        }
        tokens = [call(f"{session}:join", {"displayName": name})["seatToken"] for name in (EVERYONE, "Bob")]
        before = int(call(session)["session"]["sequence"])
        with program_in_a_pipe(str(EXAMPLES / "chat_bot.py"), created["session"]["name"], **variables) as program:
            while int(call(session)["session"]["sequence"]) == before:  # the bot has not set its webhook yet
                time.sleep(0.05)
            with pytest.raises(HTTPError, match="401"):
                call(f"http://{bot}/", {"event": "WEBHOOK_EVENT_END"})
            made = play(session, tokens, moves)
            posts = [read_post(posts_of.posts.get(timeout=PATIENCE)) for _ in range(made)]
            if made >= moves:
                program.kill()
        assert posts == [(words, 800) for words in moves_of(session)]
        assert made >= moves or program.returncode == 0


@pytest.fixture
def chat_bot(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The example as a module, which does not start."""
    for name in ("SKERRY_HOST_TOKEN", "CHAT_WEBHOOK"):
        monkeypatch.setenv(name, "unused")
    monkeypatch.setattr(sys, "argv", ["chat_bot.py", "sessions/x"])
    spec = spec_from_file_location("chat_bot", EXAMPLES / "chat_bot.py")
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_chat_bot_waits_for_a_chat_that_is_away(
    chat_bot: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    waits: list[float] = []
    with Chat() as away:
        pass  # nothing listens at its port now

    def sleep(seconds: float) -> None:
        waits.append(seconds)
        if len(waits) == 8:
            monkeypatch.undo()
            back = ThreadingHTTPServer(("127.0.0.1", away.server_port), _ChatHandler)
            back.failures, back.posts = [], away.posts  # type: ignore[attr-defined]
            Thread(target=back.serve_forever, daemon=True).start()

    monkeypatch.setattr(time, "sleep", sleep)
    assert chat_bot.send(f"http://127.0.0.1:{away.server_port}/secret", b"words", {}) == b""
    assert away.posts.get_nowait()
    assert waits == [1, 2, 4, 8, 16, 32, 60, 60]
    printed = capsys.readouterr().err
    assert printed.count("refused") == printed.count("\n") == 8
    assert "secret" not in printed


def test_the_chat_bot_stops_when_the_chat_rejects_a_post(chat_bot: ModuleType) -> None:
    with chat() as server:
        server.failures = [404]
        with pytest.raises(HTTPError, match="404"):
            chat_bot.send(f"http://127.0.0.1:{server.server_port}/", b"words", {})


def test_the_chat_bot_cuts_a_long_text_after_a_sentence(chat_bot: ModuleType) -> None:
    sentence = "Ada takes 12 lemons, a bridge and 3 boats. "
    words = 60 * sentence
    assert chat_bot.shorten(words) == f"{46 * sentence}…"
    assert 2_000 - len(sentence) < len(chat_bot.shorten(words)) <= 2_000
    assert chat_bot.shorten(words[:2_000]) == words[:2_000]
    assert chat_bot.shorten(words.replace(".", ",")) == f"{46 * sentence.replace('.', ',')}Ada takes 12 …"
    assert chat_bot.shorten("x" * 5_000) == f"{'x' * 1_998} …"


def test_the_chat_bot_refuses_a_session_with_a_delay() -> None:
    with running() as (url, _):
        created = call(f"{url}/v1/sessions", {"game": "kreta", "seats": [{}, {}], "delay": {"entries": 5}})
        name = created["session"]["name"]
        variables = {
            "SKERRY_HTTP": url,
            "SKERRY_HOST_TOKEN": created["hostToken"],
            "CHAT_WEBHOOK": "http://127.0.0.1:1/",
        }
        run = run_program(str(EXAMPLES / "chat_bot.py"), name, **variables, BOT_ADDRESS="127.0.0.1:1")
    assert (run.returncode, run.stderr.count("\n")) == (1, 1)
    assert f"{name} has a delay for spectators." in run.stderr
