"""A server with a ladder, and bots that play on it with the Python client."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext, suppress
from pathlib import Path
from random import Random
from time import monotonic, sleep
from typing import Literal
from urllib.request import urlopen

import grpc

from skerry.admin.v1 import admin_pb2, admin_pb2_grpc
from skerry.v1.ladder_pb2 import LADDER_KIND_PEOPLE
from skerry.v1.session_pb2 import TIMEOUT_ACTION_END, AbandonmentPolicy
from skerry_client import Client, Seat
from tests.ladders.bots import AS_OPERATOR, KEYS, version, write_keys
from tests.web.server_process import Server

PATIENCE = 30.0
Plan = Literal["play", "resign", "stall"]
"""What a bot does in a game: it plays to the end with random moves, resigns after some turns, or never moves."""


def ladder_server(folder: Path) -> Server:
    """Return a server whose callers need an API key to own bots, and none to read."""
    return Server(folder / "data", SKERRY_KEYS=f"{write_keys(folder / 'keys')}", SKERRY_ADMIN="127.0.0.1:0")


def create_ladder(server: Server, name: str, game: str, seconds: int = 300) -> None:
    """Create a ladder of two-seat games. ``seconds``: each seat's time for a game, beside one for each turn."""
    request = admin_pb2.CreateLadderRequest(name=f"ladders/{name}", game=game, seats=2)
    request.clock.bank.time_ms, request.clock.bank.increment_ms = 1000 * seconds, 1000
    with grpc.insecure_channel(server.admin) as channel:
        admin_pb2_grpc.AdminServiceStub(channel).CreateLadder(request, metadata=AS_OPERATOR)


def play_people(server: Server, game: str) -> str:
    """Create a ladder of people, and let Bob resign against Ada at a rated table. Return the name of the ladder."""
    name = f"{game}-people"
    request = admin_pb2.CreateLadderRequest(name=f"ladders/{name}", game=game, seats=2, kind=LADDER_KIND_PEOPLE)
    with grpc.insecure_channel(server.admin) as channel:
        admin_pb2_grpc.AdminServiceStub(channel).CreateLadder(request, metadata=AS_OPERATOR)
    ends = AbandonmentPolicy(on_resignation=TIMEOUT_ACTION_END)
    with server.client(api_key=KEYS["ada"]) as client:
        table = client.create(game, seats=2, rated=True, abandonment=ends)
        table.join("Ada", player_id="ada")
        table.join("Bob", player_id="bob").resign()
    wait_for_results(server, name, 1)
    return name


def start_season(server: Server, name: str, season: int) -> None:
    """Start a season of a ladder."""
    request = admin_pb2.StartLadderSeasonRequest(name=f"ladders/{name}", season=season)
    with grpc.insecure_channel(server.admin) as channel:
        admin_pb2_grpc.AdminServiceStub(channel).StartLadderSeason(request, metadata=AS_OPERATOR)


def play_ladder(server: Server, ladder: str, plans: Mapping[str, Sequence[Plan]], *, is_even: bool = True) -> None:
    """Let bots play at the same time, each as many games as it has plans. Each bot has an API key of its own.

    ``is_even``: whether every bot finds an opponent for all its games. Otherwise it stops when it has waited for long.
    """
    with ThreadPoolExecutor(len(plans)) as threads:
        playing = [
            threads.submit(_play, server.client(api_key=KEYS[key]), ladder, bot, plan)
            for key, (bot, plan) in zip(KEYS, plans.items(), strict=False)
        ]
        for one in playing:
            with nullcontext() if is_even else suppress(TimeoutError):
                one.result()


def wait_for_results(server: Server, ladder: str, count: int) -> None:
    """Wait until the ratings of a ladder follow from so many results."""
    end = monotonic() + PATIENCE
    while int(json.load(urlopen(f"{server.url}/v1/ladders/{ladder}"))["games"]) < count:
        assert monotonic() < end, f"The ladder has no {count} results."
        sleep(0.05)


def _play(client: Client, ladder: str, bot: str, plans: Sequence[Plan]) -> None:
    with client:
        client.register_bot(bot, version(bot), engine_commit="9fceb02")
        for number, plan in enumerate(plans):
            _play_game(client.find_ladder_game(ladder, bot, version(bot), wait_for=PATIENCE), plan, Random(number))


def _play_game(seat: Seat, plan: Plan, random: Random) -> None:
    least = random.randrange(1, 8) if plan == "resign" else 0
    for turn, position in enumerate(seat.turns(), 1):
        if turn == least:
            seat.resign()
            return
        if plan != "stall":
            seat.act(random.choice(position.legal_moves))
