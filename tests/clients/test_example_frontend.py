"""The example of a frontend with its own users: two players and three devices, from sign-in to the end of a game."""

from __future__ import annotations

import json
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from html import escape
from http.cookiejar import CookieJar
from pathlib import Path
from random import Random
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, Request, build_opener, urlopen

import pytest

from tests.clients.test_examples import EXAMPLES, environment_of
from tests.rest.processes import running

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 20
pytestmark = pytest.mark.timeout(180)  # two services start on a busy machine, and then a whole game is played


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Run the service as the guide says, and the frontend; yield the URL of the frontend."""
    folder = tmp_path_factory.mktemp("frontend")
    with socket.create_server(("127.0.0.1", 0)) as free:
        address = f"127.0.0.1:{free.getsockname()[1]}"
    guide = (ROOT / "docs" / "how-to" / "identity.md").read_text(encoding="utf-8")
    (issuers,) = (block for block in re.findall(r"```json\n(.*?)```", guide, re.DOTALL) if "8090" in block)
    (folder / "issuers.json").write_text(issuers.replace("127.0.0.1:8090", address))
    command = [sys.executable, "-m", "skerry_service.cli", "keys", "new", "frontend", "--scopes", "play,host,webhooks"]
    key, line = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    (folder / "keys").write_text(line)
    files = ("--keys", str(folder / "keys"), "--issuers", str(folder / "issuers.json"))
    with running(*files, "--webhook-host", address) as (url, _):
        server = url.removeprefix("http://")
        environment = environment_of(SKERRY_SERVER=server, SKERRY_API_KEY=key, FRONTEND=address)
        program = subprocess.Popen(
            [sys.executable, str(EXAMPLES / "frontend.py")], env=environment, stderr=subprocess.DEVNULL
        )
        try:
            await_answer(f"http://{address}/keys")
            yield f"http://{address}"
        finally:
            program.kill()
            program.wait()


def await_answer(url: str) -> None:
    end = time.monotonic() + PATIENCE
    while True:
        try:
            assert json.load(urlopen(url, timeout=PATIENCE))
            return
        except URLError:
            assert time.monotonic() < end
            time.sleep(0.05)


class Device:
    """A browser on which a user has signed in."""

    def __init__(self, url: str, user: str) -> None:
        self.url = url
        self._opener = build_opener(HTTPCookieProcessor(CookieJar()))
        assert "Anmelden" in self.get("/")
        assert f"Spiele von {escape(user)}" in self.post("/", user=user)

    def get(self, path: str) -> str:
        with self._opener.open(self.url + path, timeout=60) as response:
            self.path = response.url.removeprefix(self.url)
            return str(response.read().decode())

    def post(self, path: str, **form: str) -> str:
        """Send a form; return the page that it leads to."""
        with self._opener.open(self.url + path, urlencode(form).encode(), timeout=60) as response:
            self.path = response.url.removeprefix(self.url)
            return str(response.read().decode())

    def wait_for(self, path: str, pattern: str) -> str:
        """Reload a page, as its script does after each webhook, until it matches. Never poll."""
        while not re.search(pattern, page := self.get(path)):
            (news,) = re.findall(r'EventSource\("(.*?)"\)', page)
            assert self.get(news) == "data: news\n\n", f"no webhook for {pattern} at {path}"
        return page


def moves_of(page: str) -> list[str]:
    """Return the values of the buttons of the legal moves."""
    return re.findall(r'<button name=move value="(.*?)">', page)


def play(table: str, devices: Sequence[Device], most: int = 1000) -> str:
    """Play at random until the game is over, or ``most`` times each device in turn; return the last page."""
    rng, page = Random(7), ""
    for number in range(most * len(devices)):
        device = devices[number % len(devices)]
        page = device.wait_for(table, "name=move|<h2>") if number else device.get(table)
        while "<h2>" not in page and (legal := moves_of(page)):
            page = device.post(table, move=rng.choice(legal))
        if "<h2>" in page:
            break
    return page


def test_a_game_in_german_by_webhooks_alone_goes_on_on_a_second_device(url: str) -> None:
    phone, laptop, bob = Device(url, "Ada"), Device(url, "Ada"), Device(url, "Bob")
    phone.post("/")
    table = phone.path
    assert "Hier fehlt noch jemand." in phone.get(table)
    bob.post("/")
    assert bob.path == table, "Bob takes the free seat"
    assert "Ada, Bob" in phone.wait_for("/", "Bob")
    first = [phone, bob] if moves_of(phone.get(table)) else [bob, phone]
    legal = moves_of(first[0].get(table))
    assert legal and legal == moves_of(first[0].post(table, move="1-0")), "a move from an old page changes nothing"
    play(table, first, 3)
    assert moves_of(laptop.get(table)) == [], "the laptop has no seat yet"
    assert re.search(f'href="{table}"', laptop.get("/")), "and lists the game"
    laptop.post(table)
    assert "Hier weiterspielen" in phone.get(table), "the phone offers to continue there"
    last = play(table, [laptop if device is phone else device for device in first])
    assert re.findall(r"<h2>(.*?) \[\d+, \d+\]</h2>", last) == ["KRETA-END-1: Die 11. Festungskarte ist gewertet."]
    for device in (phone, laptop, bob):
        assert "</svg>" in device.wait_for(table, "<h2>")
        assert re.search(f'href="{table}">.*?</a> KRETA-END-1', device.get("/"), re.DOTALL)


def test_pages_take_nothing_from_strangers(url: str) -> None:
    ada, eve = Device(url, "Ada"), Device(url, "<b>Eve")
    ada.post("/")
    assert "<b>Eve" not in eve.get("/")
    with pytest.raises(HTTPError, match="400") as refused:
        eve.post(ada.path, move="1-0")
    assert refused.value.read().decode().startswith("Du hast keinen Platz in dieser Partie")
    for path in ("/sessions/nothing", f"{ada.path}:cancel"):
        with pytest.raises(HTTPError, match="400"):
            eve.post(path)
    assert "Ada, frei" in ada.get("/")
    with pytest.raises(HTTPError, match="401"):
        urlopen(Request(f"{url}/webhook", b'{"data": {}}', {"webhook-signature": "v1,nothing"}), timeout=PATIENCE)
