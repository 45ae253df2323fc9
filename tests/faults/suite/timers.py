"""Kills between the moment at which something is scheduled and the moment at which it is due: for every timer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from skerry.v1 import service_pb2 as api
from skerry.v1 import session_pb2
from skerry_service.store import redis_keys
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from tests.faults.driver import Api, Table, connect, take_seats
from tests.faults.processes import Service, ask
from tests.faults.suite.kinds import Asked, Kind, Outcome, Row, complaints
from tests.webhooks.receivers import Receiver, receiving

_LATEST_KILL = 0.3
"""Seconds after the last call of a round."""
_MINUTE_MS = 60_000
_STEPS_MS = (_MINUTE_MS, 10 * _MINUTE_MS, 10 * _MINUTE_MS)
"""By which the store clock is moved: past a clock and a lease, then twice past the other times. A restarted replica
finds its finished games by a scan, and archives them a minute later."""
_END_MS = 400 * 24 * 60 * _MINUTE_MS
_SEEN_SECONDS = 2.5
"""After this time every replica has seen that the store clock was moved."""
_LOOK_SECONDS = 0.1
_PATIENCE = 90.0
"""Longer than it takes to read all shards of a queue."""
_MOVES = 3
_PLAYERS = [api.SeatSetup()] * 2
_BOTS = [api.SeatSetup(occupant=session_pb2.OCCUPANT_BOT, level="easy")] * 2

Happened = Callable[[], Awaitable[bool]]


class Round:
    """Sessions that wait for one timer each, and what each of them waits for."""

    def __init__(self, client: Api, receiver: Receiver, redis: EmbeddedServer, random: Random) -> None:
        self._client = client
        self._receiver = receiver
        self._redis = redis
        self._random = random
        self.timed: list[Table] = []
        """Tables at which exactly one player runs out of time."""

    async def begin(self) -> tuple[dict[str, Happened], dict[str, Happened]]:
        """Create the sessions. Return what is to happen while games go on, and what at the end of a lifetime."""
        soon = {
            "a clock": await self._clock(),
            "an absent player": await self._absence(),
            "a bot that thinks": await self._bots(),
            "a webhook": await self._webhook(),
            "the move to the archive": await self._archive(),
        }
        return soon, {"the end of a lifetime": await self._lobby()}

    async def _create(self, seats: Sequence[api.SeatSetup], **fields: object) -> str:
        request = api.CreateSessionRequest(game="kreta", seats=seats, **fields)  # type: ignore[arg-type]
        created = await self._client.call("CreateSession", request)
        return str(created.session.name)

    async def _table(self, **fields: object) -> Table:
        return await take_seats(self._client, await self._create(_PLAYERS, **fields), 2, self._random)

    async def _clock(self) -> Happened:
        clock = session_pb2.Clock(per_move=session_pb2.PerMove(time_ms=1_000), on_expiry=session_pb2.TIMEOUT_ACTION_END)
        return self._ends(await self._table(clock=clock))

    async def _absence(self) -> Happened:
        absence = session_pb2.AbandonmentPolicy(absence_ms=120_000, on_absence=session_pb2.TIMEOUT_ACTION_END)
        return self._ends(await self._table(abandonment=absence))

    def _ends(self, table: Table) -> Happened:
        self.timed.append(table)

        async def is_over() -> bool:
            return (await self._look(table.name)).session.state == session_pb2.SESSION_STATE_FINISHED

        return is_over

    async def _bots(self) -> Happened:
        name = await self._create(_BOTS)
        before = (await self._look(name)).session.sequence

        async def has_moved() -> bool:
            return (await self._look(name)).session.sequence >= before + _MOVES

        return has_moved

    async def _webhook(self) -> Happened:
        table = await self._table()
        for token in table.tokens:
            await self._client.call("SetWebhook", api.SetWebhookRequest(name=table.name, url=self._receiver.url), token)

        async def is_sent() -> bool:
            return any(request.data["session"] == table.name for request in self._receiver.requests)

        return is_sent

    async def _archive(self) -> Happened:
        table = await self._table()
        await self._client.call("ResignSession", api.ResignSessionRequest(name=table.name), table.tokens[0])

        async def has_moved() -> bool:
            return not await self._is_stored(table.name) and bool((await self._look(table.name)).session.outcome.ranks)

        return has_moved

    async def _lobby(self) -> Happened:
        name = await self._create(_PLAYERS)

        async def is_gone() -> bool:
            return not await self._is_stored(name)

        return is_gone

    async def _is_stored(self, name: str) -> bool:
        return bool(await ask(self._redis.url, "EXISTS", redis_keys.head(name.removeprefix("sessions/")).decode()))

    async def _look(self, name: str) -> api.GetSessionResponse:
        found = await self._client.call("GetSession", api.GetSessionRequest(name=name))
        assert isinstance(found, api.GetSessionResponse)
        return found


@asynccontextmanager
async def _replicas(folder: Path, redis: EmbeddedServer, receiver: Receiver) -> AsyncIterator[list[Service]]:
    arguments = ("--archive", str(folder / "archive"), "--archive-after", "1", "--limits", "off")
    allow = {"SKERRY_WEBHOOKS_ALLOW": f"127.0.0.1:{receiver.port}"}
    names = ("one", "two")
    services = [Service(folder / name, *arguments, redis_url=redis.url, environment=allow) for name in names]
    try:
        for service in services:
            await service.start()
        yield services
    finally:
        for service in services:
            await service.close()


async def run(asked: Asked) -> Outcome:
    """Kill the replica that has scheduled something, and wait until another one, or its successor, has done it."""
    outcome, random = Outcome(), Random(asked.seed)
    rows: dict[str, Row] = {}
    loop = asyncio.get_running_loop()
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="skerry-faults-")))
        redis = EmbeddedServer(folder / "redis")
        await redis.start()
        stack.push_async_callback(redis.stop)
        receiver = await stack.enter_async_context(receiving())
        services = await stack.enter_async_context(_replicas(folder, redis, receiver))
        ends, rounds = loop.time() + asked.seconds, 0
        while loop.time() < ends and not outcome.findings:
            victim, other = random.sample(services, 2)
            rounds += 1
            await _round(victim, other, redis, receiver, random, rows, outcome)
        outcome.findings += [line for service in services for line in complaints(service.errors)]
    outcome.rows = list(rows.values())
    outcome.received = f"{rounds} rounds, {len(receiver.requests)} webhooks"
    return outcome


async def _round(
    victim: Service,
    other: Service,
    redis: EmbeddedServer,
    receiver: Receiver,
    random: Random,
    rows: dict[str, Row],
    outcome: Outcome,
) -> None:
    async with connect(victim.address) as client, connect(other.address) as survivor:
        waiting = Round(client, receiver, redis, random)
        soon, late = await waiting.begin()
        await asyncio.sleep(random.uniform(0, _LATEST_KILL))
        await victim.kill()
        await victim.start()
        for step in _STEPS_MS:
            await _advance(redis, step)
            await asyncio.sleep(_SEEN_SECONDS)
        await _await(soon, rows, outcome)
        for table in waiting.timed:
            replay = await survivor.call("GetReplay", api.GetReplayRequest(name=table.name))
            times = sum(entry.HasField("timed_out") for entry in replay.replay.entries)
            outcome.lost += abs(times - 1)
        await _advance(redis, _END_MS)
        await _await(late, rows, outcome)


async def _await(expected: dict[str, Happened], rows: dict[str, Row], outcome: Outcome) -> None:
    for what, happened in expected.items():
        row = rows.setdefault(what, Row(what))
        row.tried += 1
        try:
            async with asyncio.timeout(_PATIENCE):
                while not await happened():  # noqa: ASYNC110 - it happens in other processes
                    await asyncio.sleep(_LOOK_SECONDS)
        except TimeoutError:
            outcome.findings.append(f"{what}: nothing happened")
        else:
            row.survived += 1


async def _advance(redis: EmbeddedServer, by_ms: int) -> None:
    """Move the store clock. Each replica sees that within two ticks."""
    uptime = int(await ask(redis.url, "HGET", redis_keys.STORE.decode(), "a"))
    await ask(redis.url, "HSET", redis_keys.STORE.decode(), "a", uptime + by_ms)


TIMERS = Kind("timers", "the replica that has scheduled something, killed before it is due", run)
