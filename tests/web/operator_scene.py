"""A service of two replicas that is busy: bots and players at tables, spectators, a ladder, a tournament."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from socket import AF_UNIX, socket
from tempfile import TemporaryDirectory
from time import sleep

from msgspec import Struct
from playwright.sync_api import Browser, Page, expect

from skerry.v1 import tournament_pb2
from skerry_client import Client, Seat
from skerry_service.access.api_key_file import format_line
from skerry_service.store.embedded.server_binary import find_binary
from tests.ladders.bots import KEYS, OPERATOR, version
from tests.web.ladder_bots import PATIENCE, create_ladder
from tests.web.server_process import Server
from tests.web.tournament_players import Cup, create_cup
from tests.web.visitors import Visits

GAMES = ("kreta", "tenerife", "small_islands", "canarias")
LADDER = "tenerife-2"
_CLOSED_PORT = "127.0.0.1:9"
_SCOPES = "ladder,bots,host,play,watch,webhooks"
_WITH_KEY = f"sessionStorage.setItem('skerry-operator-key', '{OPERATOR}')"


class Scene(Struct):
    """The replicas, and the browser of an operator."""

    replicas: tuple[Server, Server]
    browser: Browser
    visits: list[Visits]

    def close(self) -> None:
        """Close all browsers."""
        for visits in self.visits:
            visits.close()

    def operator(self, path: str = "/admin", **settings: object) -> Page:
        """Open the operators' page of the first replica."""
        visits = Visits(self.browser, f"http://{self.replicas[0].admin}")
        self.visits.append(visits)
        page = visits.come(path, scripts=[_WITH_KEY], **settings)  # type: ignore[arg-type]
        page.wait_for_function("() => document.fonts.status === 'loaded'")
        return page


@contextmanager
def two_replicas(folder: Path, **settings: str) -> Iterator[tuple[Server, Server]]:
    """Run two replicas of one store, each with an operators' port."""
    path = folder / "valkey"
    command = [find_binary(), "--port", "0", "--unixsocket", path, "--dir", folder, "--save", ""]
    durable = ["--appendonly", "yes", "--appendfsync", "always"]
    with subprocess.Popen([*map(str, command), *durable], stdout=subprocess.DEVNULL) as store:
        try:
            _await_server(path, store)
            known = {"REDIS_URL": f"unix://{path}", "SKERRY_ADMIN": "127.0.0.1:0", **settings}
            with Server(folder / "first", **known) as first, Server(folder / "second", **known) as second:
                yield first, second
        finally:
            store.kill()


def _await_server(path: Path, store: subprocess.Popen[bytes]) -> None:
    """Wait until the store accepts connections."""
    while store.poll() is None:
        with socket(AF_UNIX) as client, suppress(OSError):
            client.connect(str(path))
            return
        sleep(0.05)
    raise AssertionError("The store did not start.")


@contextmanager
def busy_service(browser: Browser) -> Iterator[Scene]:
    """Run the service until the context ends."""
    with TemporaryDirectory(prefix="skerry-test-") as place, ExitStack() as stack:
        folder = Path(place)
        lines = [format_line(key, _SCOPES) for key in KEYS.values()]
        (folder / "keys").write_text("\n".join((*lines, format_line(OPERATOR, "admin"), "* - play,host,watch")))
        settings = {"SKERRY_KEYS": f"{folder / 'keys'}", "SKERRY_WEBHOOKS_ALLOW": _CLOSED_PORT}
        replicas = stack.enter_context(two_replicas(folder, **settings))
        scene = Scene(replicas, browser, [])
        stack.callback(scene.close)
        first, second = replicas
        ada = stack.enter_context(first.client(api_key=KEYS["ada"]))
        ada.set_webhook_endpoint("main", f"http://{_CLOSED_PORT}/games?token=hidden", events=["create", "end"])
        tables = [
            ada.create(game, seats=2, bots=1, level="easy", labels={"room": str(number)})
            for number, game in enumerate(GAMES * 3)
        ]
        for table in tables:
            table.join("Ada")
        _play_ladder(first, stack)
        _play_cup(first)
        _crowd(scene, [table.name for table in tables[:3]], second)
        yield scene


def _crowd(scene: Scene, sessions: list[str], second: Server) -> None:
    """Let visitors watch at both replicas, and two of them search for opponents."""
    for server in scene.replicas:
        visits = Visits(scene.browser, server.url)
        scene.visits.append(visits)
        for session in sessions:
            visits.come(f"/{session}", expect_failures=True)
        searching = visits.come()
        searching.get_by_label("Your name").fill("Ben" if server is second else "Cyd")
        if server is second:  # another game: the two must not meet
            searching.get_by_role("radio", name="Kreta").check(force=True)
        searching.get_by_role("button", name="Find opponents").click()
        expect(searching.get_by_role("button", name="Stop looking")).to_be_visible()


def _play_cup(server: Server) -> None:
    cup: Cup = create_cup(server, "Harbour cup", tournament_pb2.TOURNAMENT_FORMAT_SWISS)
    cup.enter("Ada", "Ben", "Cyd", "Dot", "Eve")
    cup.start()


def _play_ladder(server: Server, stack: ExitStack) -> None:
    """Let one bot leave three games, so that it rests, and two others begin a game."""
    create_ladder(server, LADDER, "tenerife")
    clients = {name: stack.enter_context(server.client(api_key=KEYS[key])) for name, key in _BOTS.items()}
    for name, client in clients.items():
        client.register_bot(name, version(name), contact=f"{name}@example.org")
    for _ in range(3):
        gull, tern = _meet(clients, "gull", "tern")
        gull.leave()
        tern.resign()
    _meet(clients, "tern", "skua")


_BOTS = {"gull": "bob", "tern": "cyd", "skua": "dee"}


def _meet(clients: dict[str, Client], *bots: str) -> list[Seat]:
    def find(name: str) -> Seat:
        return clients[name].find_ladder_game(LADDER, name, version(name), wait_for=PATIENCE)

    with ThreadPoolExecutor(len(bots)) as threads:
        return list(threads.map(find, bots))
