"""The memory of a session: in Redis, by length and game, and in the server."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from random import Random
from secrets import token_bytes

import grpc
from msgspec import Struct
from redis.asyncio import Redis

from skerry.v1 import service_pb2_grpc
from skerry_games.api import AnyGame
from skerry_games.catalogue import all_games
from skerry_service.domain.table import OPEN, Table
from skerry_service.sessions.actions.new_session import NewSession
from skerry_service.sessions.service import Sessions
from skerry_service.store import redis_keys
from skerry_service.store.redis_store import RedisStore
from tests.store.servers import running_server

from .callers import GAME, Seated, ServiceCaller, seat
from .load import SERVICE_METHOD, AioCall
from .processes import resident_bytes, server
from .recorded import record
from .report import Row, Target
from .settings import Settings

ENTRIES = 100
SMALL, GROWN = Target(8), Target(14)
_KIB, _MIB = 1 << 10, 1 << 20
_MOVES_EACH = 5
_WARM_UP = 100
"""Sessions created before the first memory reading, so that one-time costs of the server are not counted."""
_AT_ONCE = 16


class _Stage(Struct, frozen=True):
    name: str
    reached: Callable[[Table], bool]
    target: Target | None = None


_STAGES = (
    _Stage("just begun", lambda table: True, SMALL),
    _Stage(f"{ENTRIES} entries", lambda table: table.sequence >= ENTRIES, GROWN),
    _Stage("finished", lambda table: not table.to_act),
)


def run(settings: Settings) -> Iterator[Row]:
    """Measure each game in Redis, with its most seats, then the server."""
    with running_server("everysec") as redis:
        for game in all_games().values():
            yield from asyncio.run(_in_redis(game, redis.url))
        environment = {"REDIS_URL": redis.url, "SKERRY_PORT": "0"}
        with server("service_server", environment=environment) as (address, pid):
            sessions = 1000 if settings.quick else 2000
            held = asyncio.run(_in_server(address, pid, sessions))
            yield Row("memory", f"server, 1,000 sessions of {GAME} in play", held / sessions * 1000 / _MIB, "MiB")


async def _in_redis(game: AnyGame, url: str) -> list[Row]:
    """Play one game at random and measure its keys at each stage. A stage that the game never reaches has no row."""
    seats = game.seats[-1]
    rows: list[Row] = []
    store, redis = RedisStore(url), Redis.from_url(url)

    async def measure(session: str, stage: str, target: Target | None) -> None:
        usage = [
            await redis.execute_command("MEMORY", "USAGE", key, "SAMPLES", 0)
            for key in (redis_keys.head(session), redis_keys.log(session))
        ]
        size = sum(part or 0 for part in usage)
        rows.append(Row("memory", f"Redis, {game.id}, {seats} seats: {stage}", size / _KIB, "KiB", target))

    sessions = Sessions(store, clock_ms=lambda: 0)
    table, _, _ = await sessions.create(NewSession(game, game.options_type(), (OPEN,) * seats), token_bytes(16))
    session = table.record.id
    await measure(session, "lobby", SMALL)
    tokens = [
        (await sessions.players.join(session, f"Player {number}", number, token_bytes(16)))[2]
        for number in range(seats)
    ]
    table, _ = await sessions.get(session, None)
    random, stages = Random(1), list(_STAGES)
    while stages:
        while stages and stages[0].reached(table):
            stage = stages.pop(0)
            await measure(session, stage.name, stage.target)
        if not table.to_act:
            break
        table = await _move(sessions, table, tokens, random)
    await redis.aclose()
    await store.close()
    return rows


async def _move(sessions: Sessions, table: Table, tokens: list[str], random: Random) -> Table:
    actor = table.to_act[0]
    move = random.choice(table.game.legal_moves(table.state, actor))
    change, _ = await sessions.moves.act(
        await sessions.moves.seated(table.record.id, tokens[actor]), move, table.sequence, token_bytes(16)
    )
    return change.table


async def _in_server(address: str, pid: int, sessions: int) -> int:
    """Return by how many bytes the server grows with that many sessions in play."""
    game = all_games()[GAME]
    recording = await record(game, game.seats[0], 1)
    gate = asyncio.Semaphore(_AT_ONCE)
    async with grpc.aio.insecure_channel(address) as channel:
        stub = service_pb2_grpc.SkerryServiceStub(channel)

        async def begin() -> None:
            async with gate:
                await _play(channel, await seat(stub, recording))

        await asyncio.gather(*(begin() for _ in range(_WARM_UP)))
        before = resident_bytes(pid)
        await asyncio.gather(*(begin() for _ in range(sessions)))
        return resident_bytes(pid) - before


async def _play(channel: grpc.aio.Channel, session: Seated) -> None:
    caller = ServiceCaller([session])
    act: AioCall = channel.unary_unary(SERVICE_METHOD)
    for _ in range(_MOVES_EACH):
        request, metadata = caller.request()
        caller.accept(await act(request, metadata=metadata))
