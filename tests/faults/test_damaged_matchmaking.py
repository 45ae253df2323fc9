"""Each field of each key of a game's matchmaking is damaged in turn. Other calls go on, and the queue heals."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from uuid import uuid4

import pytest
from google.protobuf.message import Message

from skerry_games.catalogue import all_games
from skerry_service.domain.log import pack
from skerry_service.matching.tickets import Claim
from skerry_service.store import redis_keys
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from tests.api.ticket_clients import TicketClient
from tests.api.wire import Api as Calls
from tests.store.servers import ask

from .driver import Api, Table
from .processes import Service
from .test_damaged_fields import KINDS, Command, answers, public_table, service
from .test_external_redis import redis

pytestmark = [pytest.mark.deep, pytest.mark.timeout(900)]

__all__ = ["redis", "service"]

GAME, OTHER = "kreta", "tenerife"
RULES = all_games()[GAME].ruleset
MATCHER, NEWS = redis_keys.matcher(RULES), redis_keys.match_news(RULES)
TICKET = b"t" * 12
_NEWEST = 2
"""Of the news, so many: all others have been read."""


AT_ONCE = """
local at = 1
while at <= #ARGV do
  local length = tonumber(ARGV[at])
  redis.call(unpack(ARGV, at + 1, at + length))
  at = at + length + 1
end
"""
"""Runs commands without any of the service in between."""


async def plant(server: EmbeddedServer) -> None:
    """Store what a matcher stores only for moments, or only about callers that do not confirm."""
    await ask(server, "ZADD", redis_keys.agreed_matches(RULES), 0, "an agreed match")
    await ask(server, "ZADD", redis_keys.match_no_shows(RULES), 64 * 1000 + 1, b"caller")
    await ask(server, "SET", redis_keys.match_claim(RULES, TICKET.hex()), pack(Claim(b"request", "session")))


async def harms(server: EmbeddedServer) -> list[tuple[bytes, list[Command]]]:
    found: list[tuple[bytes, list[Command]]] = []
    for key in sorted(await ask(server, "KEYS", MATCHER + b"*")):
        read, harms_of = KINDS[await ask(server, "TYPE", key)]
        contents = await ask(server, *read(key))
        found += [(key, commands) for _, commands in harms_of(key, contents[-_NEWEST:] if key == NEWS else contents)]
        found += [(key, [("DEL", key)]), (key, [("DEL", key), ("LPUSH", key, "x")])]
    return found


async def seated(calls: Calls, game: str) -> None:
    """Let two players find seats at one table."""
    pair = [TicketClient(calls, f"Player {uuid4().hex[:8]}", game=game) for _ in range(2)]
    found = await asyncio.gather(*(one.finds() for one in pair))
    assert len({one.session.name for one in found}) == 1
    assert {one.seat for one in found} == {0, 1}


async def stable(client: Api, tables: Sequence[Table]) -> dict[str, Message]:
    """Return the responses of calls about those sessions, but for lists in which matched sessions come first."""
    found = await answers(client, tables)
    return {call: one for call, one in found.items() if not call.startswith("ListSessions") or "label" in call}


async def test_damage_to_one_queue_harms_no_other_call_and_heals(
    redis: EmbeddedServer, service: Service, client: Api
) -> None:
    calls = Calls(client.channel)
    tables = [await public_table(client, seed) for seed in (1, 2)]
    before = await stable(client, tables)
    waiting: Sequence[TicketClient] = [await TicketClient(calls, "Ada", seats=(4,)).waits()]
    await seated(calls, GAME)
    await plant(redis)
    for _, commands in await harms(redis):
        await plant(redis)
        words = [word for command in commands for word in (len(command), *command)]
        await ask(redis, "EVAL", AT_ONCE, 0, *words)
        await asyncio.gather(seated(calls, GAME), seated(calls, OTHER))
        assert await stable(client, tables) == before, commands
    for one in waiting:
        assert not one.task.done()
        await one.hangs_up()
    errors = service.errors.read_text()
    assert "Traceback" not in errors
    assert "INTERNAL" not in errors
