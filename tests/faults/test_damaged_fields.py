"""Each field of each key is damaged in turn. Calls about other sessions answer as before."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from google.protobuf.message import Message

from skerry.v1 import service_pb2 as api
from skerry.v1 import session_pb2
from skerry_service.store import redis_keys
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from skerry_service.store.redis_store import RedisStore
from tests.store.servers import ask, until

from .driver import Api, Table, new_table, take_seats
from .processes import Service
from .test_external_redis import redis

pytestmark = [pytest.mark.deep, pytest.mark.timeout(600)]

__all__ = ["redis"]

Command = tuple[Any, ...]
VALUES = (b"x", b"", b"\xff\xfe", b"9" * 30, b"-1")
"""They take the place of a value. A damage that gives a plausible number cannot be noticed."""
SCORES = (b"inf", b"-inf", b"1e300", b"-1", b"0.5")
LABELS = {"club": "north"}
FILTERS = (
    api.ListSessionsRequest(),
    api.ListSessionsRequest(game="kreta"),
    api.ListSessionsRequest(label="club=north"),
)
APART = (b"skerry:{match:", b"skerry:{quota:")
"""Keys that belong to no session: those of the matchmaker, and quotas, which expire (``tests/quotas``)."""


@pytest.fixture
async def service(folder: Path, redis: EmbeddedServer) -> AsyncIterator[Service]:
    server = Service(folder, "--limits", "shadow", "--limits-local", redis_url=redis.url)
    try:
        await server.start()
        yield server
    finally:
        await server.close()


async def public_table(client: Api, seed: int) -> Table:
    """Create a session that is listed, has a label and a clock, and has begun."""
    clock = session_pb2.Clock(bank=session_pb2.Bank(time_ms=86_400_000))
    visibility = session_pb2.VISIBILITY_PUBLIC
    request = api.CreateSessionRequest(
        game="kreta", seats=[api.SeatSetup()] * 2, visibility=visibility, labels=LABELS, clock=clock
    )
    created = await client.call("CreateSession", request)
    return await take_seats(client, created.session.name, 2, Random(seed))


def harms_of_hash(key: bytes, contents: list[bytes]) -> Iterator[tuple[bytes, list[Command]]]:
    for field, value in zip(contents[::2], contents[1::2], strict=True):
        for other in (*VALUES, value[: len(value) // 2], value + b"x"):
            yield field, [("HSET", key, field, other)]
        yield field, [("HDEL", key, field)]


def harms_of_zset(key: bytes, contents: list[bytes]) -> Iterator[tuple[bytes, list[Command]]]:
    for member, score in zip(contents[::2], contents[1::2], strict=True):
        for other_score in SCORES:
            yield member, [("ZADD", key, other_score, member)]
        for other in (*VALUES, member[: len(member) // 2], b"\xff" + member, member + b"\xff"):
            yield member, [("ZREM", key, member), ("ZADD", key, score, other)]
        yield member, [("ZREM", key, member)]


def harms_of_stream(key: bytes, contents: list[Any]) -> Iterator[tuple[bytes, list[Command]]]:
    for at, (entry, _) in enumerate(contents):
        yield entry, [("XDEL", key, entry)]
        for value in VALUES:
            again = [
                ("XADD", key, one, "b", value if one == entry else fields[1]) for one, fields in contents[: at + 1]
            ]
            yield entry, [("DEL", key), *again]


def harms_of_string(key: bytes, contents: bytes) -> Iterator[tuple[bytes, list[Command]]]:
    for value in VALUES:
        yield b"", [("SET", key, value, "KEEPTTL")]


Harms = Callable[[bytes, Any], Iterator[tuple[bytes, list[Command]]]]
KINDS: dict[bytes, tuple[Callable[[bytes], Command], Harms]] = {
    b"hash": (lambda key: ("HGETALL", key), harms_of_hash),
    b"zset": (lambda key: ("ZRANGE", key, 0, -1, "WITHSCORES"), harms_of_zset),
    b"stream": (lambda key: ("XRANGE", key, "-", "+"), harms_of_stream),
    b"string": (lambda key: ("GET", key), harms_of_string),
}


async def harms(server: EmbeddedServer, harmed: bytes, spared: Sequence[bytes]) -> list[tuple[bytes, list[Command]]]:
    """Return each damage as its key and its commands. It concerns the harmed session, or no session at all."""
    found: list[tuple[bytes, list[Command]]] = []
    for key in sorted(await ask(server, "KEYS", "*")):
        if key.startswith(APART):
            continue
        read, harms_of = KINDS[await ask(server, "TYPE", key)]
        each = list(harms_of(key, await ask(server, *read(key))))
        found += [(key, commands) for field, commands in each if not any(one in key + field for one in spared)]
        if harmed in key:
            found += [(key, [("DEL", key)]), (key, [("DEL", key), ("LPUSH", key, "x")])]
    return found


async def answers(client: Api, tables: Sequence[Table]) -> dict[str, Message]:
    """Return the responses of calls about those sessions."""
    found: dict[str, Message] = {}
    for table in tables:
        position = await client.once("GetSession", api.GetSessionRequest(name=table.name))
        position.ClearField("clocks")
        found[f"GetSession {table.name}"] = position
        found[f"GetReplay {table.name}"] = await client.once("GetReplay", api.GetReplayRequest(name=table.name))
    names = {table.name for table in tables}
    for filters in FILTERS:
        listed = await client.once("ListSessions", filters)
        found[f"ListSessions {filters}"] = api.ListSessionsResponse(
            sessions=[one for one in listed.sessions if one.name in names]
        )
    return found


async def ticked(server: EmbeddedServer) -> None:
    """Wait until the service has advanced the store clock."""
    before = await uptime(server)

    async def later() -> bool:
        now = await uptime(server)
        return now.isdigit() and now != before

    await until(later)


async def uptime(server: EmbeddedServer) -> bytes:
    found: bytes | None = await ask(server, "HGET", redis_keys.STORE, redis_keys.UPTIME)
    return found or b""


async def restore_indexes(server: EmbeddedServer, session: str) -> None:
    """Do as ``skerry repair`` does: lists and timers have dropped the session while its head was missing."""
    store = RedisStore(server.url)
    await store.indexes.restore(session)
    await store.close()


async def test_a_damaged_field_changes_no_answer_about_another_session(
    redis: EmbeddedServer, service: Service, client: Api
) -> None:
    tables = [await public_table(client, seed) for seed in (1, 2, 3)]
    for table in tables:
        await table.play_acts(2)
    moving = await new_table(client, seed=84)
    first, _, last = tables
    ids = [table.name.removeprefix("sessions/").encode() for table in (*tables, moving)]
    before, whole = await answers(client, (first, last)), await answers(client, tables)
    for key, commands in await harms(redis, ids[1], (ids[0], *ids[2:])):
        if (dump := await ask(redis, "DUMP", key)) is None:
            continue  # a quota that has expired
        for command in commands:
            await ask(redis, *command)
        if key == redis_keys.STORE:
            await ticked(redis)
        assert await answers(client, (first, last)) == before, commands
        await moving.play_acts(1)
        await ask(redis, "DEL", key)
        await ask(redis, "RESTORE", key, 0, dump)
        if not await moving.to_act():
            moving = await new_table(client, seed=len(moving.acknowledged))
    await restore_indexes(redis, ids[1].decode())
    assert await answers(client, tables) == whole
    assert not re.search("Traceback|INTERNAL", service.errors.read_text())
