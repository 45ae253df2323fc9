"""The cost of calls by length of the game, number of stored sessions and number of streams.

A figure is the total processor time of the server and of Redis for one call, made while nothing else is in flight. All
figures of an axis are measured alternately. Each figure is the tenth percentile over the turns, because other load on
the machine only adds time.
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
from .scaling_calls import Cost, Game, Stand, cost, deliver_move, games, watched
from .settings import Settings

LENGTHS = (10, 100, 1_000)
STORES = (100, 10_000, 100_000)
WATCHERS = (1, 10, 100, 1_000)
FLAT = Target(1.25, of_floor=True)
"""Bound of the ratio to the first figure of the line. It allows for noise only."""
A_PAGE = Target(5_000)
_GAMES = 8
_MOVES = 4
"""Moves of each game in a turn. Few, because they make the game longer."""
_SPECTATORS = 10
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
"""The call, and the value on the axis."""


def run(settings: Settings) -> Iterator[Row]:
    """Measure servers that run side by side, each with another number of sessions in its store."""
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
        Random(turn).shuffle(order)  # a call right after one with a thousand streams is slower
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
            audience = await stack.enter_async_context(watched(stand, followed, _SPECTATORS))
            deliver = partial(deliver_move, followed, audience)
            work[f"Act with {_SPECTATORS} streams", entries] = partial(cost, stand, [deliver] * _MOVES)
            first_streams = [game.open_stream for game in made]
            work["Observe: the first stream opened", entries] = partial(cost, stand, first_streams)
        yield work


@asynccontextmanager
async def _by_sessions(stands: Mapping[int, Stand]) -> AsyncIterator[Mapping[Line, Measure]]:
    async with AsyncExitStack() as stack:
        work: dict[Line, Measure] = {}
        for number, stand in stands.items():
            channel = await stack.enter_async_context(grpc.aio.insecure_channel(stand.address))
            *made, followed = await games(channel, _GAMES + 1, LENGTHS[0])
            work |= _calls(stand, made, number)
            audience = await stack.enter_async_context(watched(stand, followed, _SPECTATORS))
            deliver = partial(deliver_move, followed, audience)
            work[f"Act with {_SPECTATORS} streams", number] = partial(cost, stand, [deliver] * _MOVES)
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
            deliver = partial(deliver_move, game, audience)
            work["GetSession", streams] = partial(cost, stand, [game.get] * _MOVES * _GAMES)
            work["Act and its messages, for each stream", streams] = partial(_shared, stand, deliver, streams)
        yield work


async def _shared(stand: Stand, deliver: Callable[[], Awaitable[None]], streams: int) -> Cost:
    server, redis = await cost(stand, [deliver] * _MOVES)
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
