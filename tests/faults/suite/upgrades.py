"""Upgrades: stores of earlier builds are migrated, by processes that are killed, rolled back, or two at once.

Afterwards every game is there, is played on over the API, and its replay is verified.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import asdict
from itertools import count
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from skerry_client import AsyncClient, SkerryError
from skerry_games.kreta import GAME as KRETA
from skerry_service.replays.verification import first_difference
from skerry_service.store import redis_keys
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from skerry_service.store.redis_store import RedisStore
from skerry_service.store.upgrades.index_survey import survey
from skerry_service.store.upgrades.migration import migrate
from skerry_service.store.upgrades.store_format import StoreFormat
from tests.faults.processes import Service, launch
from tests.faults.suite.kinds import Asked, Kind, Outcome, Row, complaints
from tests.faults.suite.newer_build import NEWER
from tests.faults.suite.players import in_words
from tests.faults.suite.steps import DOOMED_WRITE
from tests.sessions.tables import Sitting
from tests.store.earlier_formats import NAMES, EarlierData, earlier_data, load
from tests.store.servers import ask

ROOT = Path(__file__).parents[3]
_PATIENCE = 120.0
"""Seconds after which a game or a process counts as hanging."""
_CONTINUED = tuple(name for name in NAMES if "kreta_1" not in name)
_ROLLED_BACK = "format_0_facets"
_OLD, _KILLED, _BACK, _BOTH, _RULES, _LATER = (
    "a store of an earlier build is served",
    "a migration is killed before a write, and made again",
    "a migration is killed, the earlier build comes back, and leaves again",
    "two replicas migrate at once",
    "a new ruleset is rolled out, one replica after the other",
    "a store of a later format is refused by name",
)


class _Upgrades:
    """Upgrades as they are tried."""

    def __init__(self, asked: Asked) -> None:
        self.asked = asked
        self.rows = {what: Row(what) for what in _METHODS}
        self.findings: list[str] = []
        self.games = self.moves = self.lost = 0

    async def run(self) -> Outcome:
        ends = time.monotonic() + self.asked.seconds
        for number in count():
            name = _CONTINUED[(number + self.asked.seed) % len(_CONTINUED)]
            for what in self.rows:
                await self._try(what, name, number)
            if time.monotonic() > ends:
                break
        rows = [row for row in self.rows.values() if row.tried]
        received = f"{self.games} games of earlier builds played on, {self.moves:,} moves"
        return Outcome(rows, self.lost, received, self.findings)

    async def _try(self, what: str, name: str, number: int) -> None:
        data = earlier_data(_ROLLED_BACK if what == _BACK else name)
        with TemporaryDirectory(prefix="skerry-upgrade-") as folder:
            async with _redis(Path(folder) / "redis") as redis:
                await load(redis, data)
                upgrade = _Upgrade(Path(folder), redis, data, Random(f"{self.asked.seed} {number}"))
                try:
                    tried = await getattr(upgrade, _METHODS[what])()
                except (AssertionError, SkerryError, OSError, TimeoutError, ExceptionGroup) as error:
                    self.rows[what].tried += 1
                    self.findings.append(f"{what} ({name}): {in_words(error)}")
                    return
        self.rows[what].tried += tried
        self.rows[what].survived += tried
        self.games += upgrade.games
        self.moves += upgrade.moves
        self.lost += upgrade.lost


class _Upgrade:
    """One store of an earlier build, and what happens to it. Methods return how many faults were made."""

    def __init__(self, folder: Path, redis: EmbeddedServer, data: EarlierData, random: Random) -> None:
        self._folder = folder
        self._redis = redis
        self._data = data
        self._random = random
        self.games = self.moves = self.lost = 0

    async def served(self) -> int:
        async with self._services(1) as (service,):
            await self._play(service)
        return 1

    async def killed(self) -> int:
        """Kill a migration before each of its writes, on a store as it was before, and play after the last one."""
        kills = 0
        for write in count(1):
            await load(self._redis, self._data)
            if await self._migrate(write) == 0:
                break
            kills += 1
            await self._complete()
            await self._require_whole()
        async with self._services(1) as (service,):
            await self._play(service)
        return kills

    async def rolled_back(self) -> int:
        """Kill a migration, and have the earlier build move in each game. Skip it without the history of git."""
        tree = self._folder / "earlier"
        if not _check_out(self._data.build, tree):
            return 0
        await self._migrate(self._random.randint(2, 8))
        await self._play_with(tree)
        async with self._services(1) as (service,):
            await self._play(service)
        return 1

    async def two_at_once(self) -> int:
        async with self._services(2) as services:
            await self._play(*services)
        return 1

    async def rolled_out(self) -> int:
        """Play a new game at replicas of two builds. Then stop the old one, and wait for a game of the new ruleset."""
        old = Service(self._folder / "old", redis_url=self._redis.url)
        new = Service(self._folder / "new", redis_url=self._redis.url, module="tests.faults.suite.newer_build")
        async with AsyncExitStack() as stack:
            for service in (old, new):
                stack.push_async_callback(service.close)
                await service.start()
            here, there = [await stack.enter_async_context(AsyncClient(one.address)) for one in (new, old)]
            created = await here.create(KRETA.id, seats=2)
            tables = [await one.table(created.name) for one in (here, there)]
            seats = [await table.join(name) for table, name in zip(tables, ("Ada", "Bob"), strict=True)]
            sitting = Sitting(created.name.removeprefix("sessions/"), "", "", [seat.token for seat in seats])
            await self._play_out((here, there), sitting)
            replay = await created.replay()
            assert (replay.session.ruleset, first_difference(replay)) == (KRETA.ruleset, None)
            assert await old.terminate() == 0
            async with asyncio.timeout(_PATIENCE):
                while (await (await here.create(KRETA.id, seats=2)).session()).ruleset != NEWER:  # noqa: ASYNC110
                    await asyncio.sleep(0.1)
        return 1

    async def refused(self) -> int:
        await ask(self._redis, "HSET", redis_keys.STORE, redis_keys.FORMAT, 99, redis_keys.BUILD, "9.9.9")
        before = await self._dump()
        errors = self._folder / "stderr"
        process = await launch("--port", "0", "--redis-url", self._redis.url, errors=errors)
        async with asyncio.timeout(_PATIENCE):
            assert await process.wait() == 1
        said = errors.read_text()
        assert "The store has format 99, which Skerry 9.9.9 wrote." in said and "Traceback" not in said, said
        assert await self._dump() == before, "it has written to the store"
        return 1

    @asynccontextmanager
    async def _services(self, number: int) -> AsyncIterator[Sequence[Service]]:
        """Start so many services on the store at once."""
        services = [Service(self._folder / f"replica-{at}", redis_url=self._redis.url) for at in range(number)]
        async with AsyncExitStack() as stack:
            for service in services:
                stack.push_async_callback(service.close)
            await asyncio.gather(*(service.start() for service in services))
            yield services
        assert not (said := [line for service in services for line in complaints(service.errors)]), said

    async def _migrate(self, write: int) -> int:
        """Run ``skerry migrate``. It is killed before that write; 0: never. Return its exit code."""
        command = (sys.executable, "-m", "tests.faults.suite.doomed_upgrade", "migrate", "--redis-url", self._redis.url)
        with (self._folder / "migrate").open("wb") as said:
            environment = {**os.environ, DOOMED_WRITE: str(write)}
            process = await asyncio.create_subprocess_exec(
                *command, env=environment, cwd=ROOT, stdout=said, stderr=said
            )
            async with asyncio.timeout(_PATIENCE):
                code = await process.wait()
        assert code in (0, -signal.SIGKILL), (self._folder / "migrate").read_text()
        return code

    async def _complete(self) -> None:
        """Migrate what a killed migration has left."""
        store = RedisStore(self._redis.url)
        try:
            await migrate(store, "this build", StoreFormat(0), watch_seconds=0.0)
        finally:
            await store.close()

    async def _play_with(self, tree: Path) -> None:
        """Have the build of that tree find all sessions and make a move in each game. It uses today's libraries."""
        sittings = [asdict(one) for one in self._data.sittings("playing", "timed")]
        command = (sys.executable, "-c", _PLAY_ONCE, self._redis.url, json.dumps(sittings))
        paths = (tree, tree / "service", tree / "clients" / "python" / "src")
        process = await asyncio.create_subprocess_exec(
            *command,
            env={**os.environ, "PYTHONPATH": ":".join(map(str, paths))},
            cwd=tree,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        async with asyncio.timeout(_PATIENCE):
            said, _ = await process.communicate()
        assert said.decode().split() == sorted(self._data.tokens), said.decode()[-1500:]

    async def _require_whole(self) -> None:
        """Check that the store has every session, and that the indexes have them too."""
        store = RedisStore(self._redis.url)
        try:
            found = await survey(store)
        finally:
            await store.close()
        self.lost += len(self._data.tokens.keys() - set(found.sessions))
        assert set(found.sessions) == self._data.tokens.keys(), "a session is lost"
        assert found.agrees, found.sentence

    async def _play(self, *services: Service) -> None:
        """Play every game to its end, each seat at one of the services, and verify all replays."""
        await self._require_whole()
        async with AsyncExitStack() as stack:
            clients = [await stack.enter_async_context(AsyncClient(service.address)) for service in services]
            listed = {one.name async for one in clients[0].sessions()}
            for sitting in self._data.sittings("playing", "timed"):
                await self._play_out(clients, sitting)
            for sitting in self._data.sittings("playing", "timed", "finished"):
                table = await clients[-1].table(f"sessions/{sitting.id}")
                assert first_difference(await table.replay()) is None
                self.games += 1
            lobbies = {f"sessions/{sitting.id}" for sitting in self._data.sittings("lobby")}
            assert lobbies <= listed, "a lobby is not listed"

    async def _play_out(self, clients: Sequence[AsyncClient], sitting: Sitting) -> None:
        async with asyncio.timeout(_PATIENCE), asyncio.TaskGroup() as group:
            for number, token in enumerate(sitting.seats):
                group.create_task(self._take_turns(clients[number % len(clients)], sitting.id, token))

    async def _take_turns(self, client: AsyncClient, session: str, token: str) -> None:
        seat = await client.seat(f"sessions/{session}", token)
        async for position in seat.turns():
            await seat.act(self._random.choice(position.legal_moves))
            self.moves += 1

    async def _dump(self) -> Mapping[bytes, bytes]:
        return {key: await ask(self._redis, "DUMP", key) for key in await ask(self._redis, "KEYS", "*")}


_PLAY_ONCE = """
import asyncio, json, sys
from skerry_service.sessions.service import Sessions
from skerry_service.store.redis_store import RedisStore
from tests.sessions.tables import Clock, Sitting, move_once

async def play(url, sittings):
    store, found, place = RedisStore(url), set(), -1
    await store.open()
    sessions = Sessions(store, clock_ms=Clock())
    for sitting in sittings:
        await move_once(sessions, Sitting(**sitting))
    while place:
        place, page = await store.some(max(place, 0), 100)
        found.update(page)
    await sessions.close()
    await store.close()
    print(*sorted(found))

asyncio.run(play(sys.argv[1], json.loads(sys.argv[2])))
"""
"""Run with the modules of the earlier build, so it is no module of this one."""
_METHODS = {
    _OLD: "served",
    _KILLED: "killed",
    _BACK: "rolled_back",
    _BOTH: "two_at_once",
    _RULES: "rolled_out",
    _LATER: "refused",
}


@asynccontextmanager
async def _redis(folder: Path) -> AsyncIterator[EmbeddedServer]:
    server = EmbeddedServer(folder)
    await server.start()
    try:
        yield server
    finally:
        await server.stop()


def _check_out(commit: str, folder: Path) -> bool:
    """Write the files of an earlier commit to a new folder. Return whether git has that commit."""
    command = ("git", "archive", commit, "service", "clients", "tests")
    archive = subprocess.run(command, check=False, cwd=ROOT, capture_output=True)
    if archive.returncode:
        return False
    folder.mkdir()
    subprocess.run(["tar", "x", "-C", str(folder)], input=archive.stdout, check=True)
    return True


async def run(asked: Asked) -> Outcome:
    """Try every kind of upgrade, at least once."""
    return await _Upgrades(asked).run()


UPGRADES = Kind("upgrades", "stores of earlier builds, and migrations that are killed, rolled back, or two", run)
