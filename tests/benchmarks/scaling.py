"""What calls cost the longer a game is, the more sessions there are beside it, and the more people watch it.

A figure is processor time of the server and of Redis together for one call, made while nothing else is under way. All
figures of an axis are measured by turns, and the tenth percentile over the turns counts: whatever else the machine does
only adds to one.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, contextmanager
from functools import partial
from random import Random
from typing import Any

import grpc

from skerry.v1 import service_pb2 as pb
from skerry.v1 import service_pb2_grpc, session_pb2

from .callers import GAME
from .filling import RARE_EVERY, fill
from .processes import server
from .redis_servers import roomy
from .report import Point, Row, Target
from .scaling_calls import Cost, Game, Stand, cost, games, told_of_a_move, watched
from .settings import Settings

LENGTHS = (10, 100, 1_000)
STORES = (100, 10_000, 100_000)
WATCHERS = (1, 10, 100, 1_000)
FLAT = Target(1.25, of_floor=True)
"""Against the first figure of the line: noise, and no more."""
A_PAGE = Target(5_000)
_GAMES = 8
_MOVES = 4
"""Of each game in a turn: few, for they make it longer."""
_WATCHING = 10
_TURNS = 12
_PAGES = 10
_MICRO = 1e6
_LISTS: Mapping[str, Mapping[str, Any]] = {
    "20 of all": {},
    "100 of all": {"page_size": 100},
    "20 of a state": {"state": session_pb2.SESSION_STATE_PLAYING},
    "20 of a game, a state and a label": {
        "game": GAME,
        "state": session_pb2.SESSION_STATE_LOBBY,
        "label": "league=7",
    },
    f"one in {RARE_EVERY:,}": {"label": "rare=yes"},
    "none": {"label": "rare=no"},
}

Measure = Callable[[], Awaitable[Cost]]
Line = tuple[str, int]
"""What is called, and how much there is of what the axis counts."""


def run(settings: Settings) -> Iterator[Row]:
    """Measure servers beside each other, each with another number of sessions in its store."""
    stores = STORES[:2] if settings.quick else STORES
    turns = _TURNS // 3 if settings.quick else _TURNS
    with ExitStack() as stack:
        stands = {number: stack.enter_context(_stand(number)) for number in stores}
        yield from asyncio.run(_measure(stands, turns))


@contextmanager
def _stand(number: int) -> Iterator[Stand]:
    with roomy() as (url, redis_pid):
        fill(url, 0, number)
        with server("service_server", environment={"REDIS_URL": url, "SKERRY_PORT": "0"}) as (address, pid):
            yield Stand(address, pid, redis_pid)


async def _measure(stands: Mapping[int, Stand], turns: int) -> list[Row]:
    least = next(iter(stands.values()))
    rows: list[Row] = []
    for over, axis in (
        ("entries in the game", _by_length(least)),
        ("sessions in the store", _by_sessions(stands)),
        ("streams of the game", _by_watchers(least)),
    ):
        async with axis as work:
            rows += _rows(over, await _by_turns(turns, work), FLAT)
    async with _lists(stands) as work:
        rows += _rows("sessions to list from", await _by_turns(turns, work), A_PAGE)
    return rows


async def _by_turns(turns: int, work: Mapping[Line, Measure]) -> dict[Line, Cost]:
    costs: dict[Line, list[Cost]] = {line: [] for line in work}
    for turn in range(turns):
        order = list(work)
        Random(turn).shuffle(order)  # what comes first behind a thousand streams is slower for it
        for line in order:
            costs[line].append(await work[line]())
    return {line: sorted(each, key=sum)[len(each) // 10] for line, each in costs.items()}


@asynccontextmanager
async def _by_length(stand: Stand) -> AsyncIterator[Mapping[Line, Measure]]:
    async with grpc.aio.insecure_channel(stand.address) as channel, AsyncExitStack() as stack:
        work: dict[Line, Measure] = {}
        for entries in LENGTHS:
            *made, followed = await games(channel, _GAMES + 1, entries)
            work |= _calls(stand, made, entries)
            audience = await stack.enter_async_context(watched(stand, followed, _WATCHING))
            tell = partial(told_of_a_move, followed, audience)
            work[f"Act, told to {_WATCHING} streams", entries] = partial(cost, stand, [tell] * _MOVES)
            look_on = [one.look_on for one in made]
            work["Observe: the first stream opened", entries] = partial(cost, stand, look_on)
        yield work


@asynccontextmanager
async def _by_sessions(stands: Mapping[int, Stand]) -> AsyncIterator[Mapping[Line, Measure]]:
    async with AsyncExitStack() as stack:
        work: dict[Line, Measure] = {}
        for number, stand in stands.items():
            channel = await stack.enter_async_context(grpc.aio.insecure_channel(stand.address))
            *made, followed = await games(channel, _GAMES + 1, LENGTHS[0])
            work |= _calls(stand, made, number)
            audience = await stack.enter_async_context(watched(stand, followed, _WATCHING))
            tell = partial(told_of_a_move, followed, audience)
            work[f"Act, told to {_WATCHING} streams", number] = partial(cost, stand, [tell] * _MOVES)
        yield work


def _calls(stand: Stand, made: list[Game], at: int) -> dict[Line, Measure]:
    acts = [one.act for one in made for _ in range(_MOVES)]
    gets = [one.get for one in made for _ in range(_MOVES)]
    return {("Act", at): partial(cost, stand, acts), ("GetSession", at): partial(cost, stand, gets)}


@asynccontextmanager
async def _by_watchers(stand: Stand) -> AsyncIterator[Mapping[Line, Measure]]:
    async with grpc.aio.insecure_channel(stand.address) as channel, AsyncExitStack() as stack:
        work: dict[Line, Measure] = {}
        for streams, game in zip(WATCHERS, await games(channel, len(WATCHERS), LENGTHS[0]), strict=True):
            audience = await stack.enter_async_context(watched(stand, game, streams))
            tell = partial(told_of_a_move, game, audience)
            work["GetSession", streams] = partial(cost, stand, [game.get] * _MOVES * _GAMES)
            work["Act and its messages, for each stream", streams] = partial(_shared, stand, tell, streams)
        yield work


async def _shared(stand: Stand, tell: Callable[[], Awaitable[None]], streams: int) -> Cost:
    server, redis = await cost(stand, [tell] * _MOVES)
    return server / streams, redis / streams


@asynccontextmanager
async def _lists(stands: Mapping[int, Stand]) -> AsyncIterator[Mapping[Line, Measure]]:
    async with AsyncExitStack() as stack:
        work: dict[Line, Measure] = {}
        for number, stand in stands.items():
            channel = await stack.enter_async_context(grpc.aio.insecure_channel(stand.address))
            stub = service_pb2_grpc.SkerryServiceStub(channel)
            for what, filters in _LISTS.items():
                page = partial(stub.ListSessions, pb.ListSessionsRequest(**filters))
                work[what, number] = partial(cost, stand, [page] * _PAGES)
        yield work


def _rows(over: str, costs: Mapping[Line, Cost], target: Target) -> Iterator[Row]:
    first: dict[str, float] = {}
    for (line, at), (of_server, of_redis) in costs.items():
        whole = of_server + of_redis
        ratio = whole / first.setdefault(line, whole)
        what = f"{at:,} {over}: {line}"
        yield Row("scaling", what, whole * _MICRO, "µs", target, ratio, Point(line, over, at))
        if target is A_PAGE:
            yield Row("scaling", f"{what}, Redis's share", of_redis * _MICRO, "µs")
