"""Ten bots on a ladder, while the two replicas that serve it are killed by turns. Every game has to count once."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from skerry.v1 import ladder_pb2
from skerry_client import AsyncClient, SkerryError
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from tests.faults.processes import Service, until
from tests.faults.suite.kinds import Asked, Kind, Outcome, Struck, complaints
from tests.faults.suite.players import in_words
from tests.ladders.bots import KEYS, create_ladder, serving, version, write_keys

LADDER = "tenerife-2"
_BETWEEN_KILLS = 5.0
_MOST_KILLS = 240
"""A restart costs more processor time than the bots, so a long run kills less often."""
_SETTLE_SECONDS = 300.0
"""Far longer than a game: a busy machine is no failure."""
_KILL = "a replica of two, killed with SIGKILL"


class LadderBot:
    """A bot that moves at random, over whichever replica answers."""

    def __init__(self, key: str, clients: Sequence[AsyncClient], seed: int, pause: float) -> None:
        """``pause``: seconds before each move."""
        self.name = f"{key}-bot"
        self._clients = clients
        self._random = Random(seed)
        self._pause = pause
        self._doing, self._latest_error = "has not begun", "no error"
        self.finished: dict[str, Sequence[int]] = {}
        """The ranks of each game that it has seen end."""

    async def play(self) -> None:
        """Play games for ever."""
        while True:
            try:
                await self.play_one()
            except (SkerryError, TimeoutError) as error:
                self._latest_error = in_words(error)

    async def play_one(self) -> None:
        """Play one game to its end."""
        client, self._doing = self._random.choice(self._clients), "asks for a game"
        seat = await client.find_ladder_game(LADDER, self.name, version(self.name), wait_for=30)
        async for position in seat.turns():
            self._doing = f"has move {position.sequence} of {seat.name}"
            await asyncio.sleep(self._pause)
            await seat.act(self._random.choice(position.legal_moves))
        self._doing = f"reads the result of {seat.name}"
        session = await seat.session()
        self.finished[seat.name] = tuple(session.outcome.ranks)

    def __str__(self) -> str:
        return f"{self.name} {self._doing} after {len(self.finished)} games ({self._latest_error})"


async def run(asked: Asked) -> Outcome:
    """Let ten bots play while replicas are killed and started again. Then compare the ladder with the sessions."""
    struck = Struck([_KILL])
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="skerry-faults-")))
        store = EmbeddedServer(folder / "redis")
        await store.start()
        stack.push_async_callback(store.stop)
        async with serving(store, folder, flush=False) as service:
            await create_ladder(service, LADDER)
        keys = write_keys(folder / "keys")
        replicas = [Service(folder / str(at), "--keys", str(keys), redis_url=store.url) for at in range(2)]
        for replica in replicas:
            stack.push_async_callback(replica.close)
        await asyncio.gather(*(replica.start() for replica in replicas))
        bots = [await _bot(stack, key, at, asked, replicas) for at, key in enumerate(KEYS)]
        playing = [asyncio.create_task(bot.play()) for bot in bots]
        findings = []
        try:
            await _kill_by_turns(replicas, bots, struck, asked.seconds)
        except TimeoutError:
            findings = [f"no game ended for {_SETTLE_SECONDS:g} s", *map(str, bots)]
        for task in playing:
            task.cancel()
        ended = await asyncio.gather(*playing, return_exceptions=True)
        findings += [in_words(one) for one in ended if isinstance(one, Exception)]
        if findings:
            return Outcome(struck.rows(_played(bots)), len(findings), "not played to the end", findings)
        reader = await stack.enter_async_context(AsyncClient(replicas[0].address, api_key=KEYS["ada"]))
        return await _compare(reader, bots, struck, [replica.errors for replica in replicas])


async def _bot(stack: AsyncExitStack, key: str, number: int, asked: Asked, replicas: Sequence[Service]) -> LadderBot:
    made = [AsyncClient(one.address, api_key=KEYS[key], retry_for=20, timeout=5) for one in replicas]
    clients = [await stack.enter_async_context(one) for one in made]
    bot = LadderBot(key, clients, number + 100 * asked.seed, asked.pause)
    await clients[0].register_bot(bot.name, version(bot.name))
    return bot


async def _kill_by_turns(
    replicas: Sequence[Service], bots: Sequence[LadderBot], struck: Struck, seconds: float
) -> None:
    loop = asyncio.get_running_loop()
    ends, turn, between = loop.time() + seconds, 0, max(_BETWEEN_KILLS, seconds / _MOST_KILLS)
    while loop.time() < ends:
        await asyncio.sleep(min(between, max(0.0, ends - loop.time())))
        victim, turn = replicas[turn % len(replicas)], turn + 1
        await victim.kill()
        played = _played(bots)
        struck.note(_KILL, played)
        await victim.start()
        await until(lambda: _played(bots) > played, _SETTLE_SECONDS)  # noqa: B023 - awaited at once


def _played(bots: Sequence[LadderBot]) -> int:
    return sum(len(bot.finished) for bot in bots)


async def _compare(reader: AsyncClient, bots: Sequence[LadderBot], struck: Struck, errors: Sequence[Path]) -> Outcome:
    """Compare the results of the ladder with its sessions, and with what the bots saw."""

    async def finished() -> dict[str, Sequence[int]]:
        sessions = [one async for one in reader.sessions(label=f"ladder={LADDER}", state="finished")]
        return {one.name: tuple(one.outcome.ranks) for one in sessions}

    async def recorded() -> bool:
        return len(await _rows(reader)) >= len(await finished())

    with suppress(TimeoutError):
        await until(recorded, _SETTLE_SECONDS)
    rows, sessions = await _rows(reader), await finished()
    seen = {name: ranks for bot in bots for name, ranks in bot.finished.items()}
    times = Counter(row.session for row in rows)
    ranks = {row.session: tuple(seat.rank for seat in row.seats) for row in rows}
    findings = [f"{name} counts {count} times" for name, count in times.items() if count > 1]
    findings += [f"{name} does not count" for name in {**sessions, **seen} if name not in times]
    findings += [
        f"{name} counts with other ranks"
        for name in {**sessions, **seen}
        if ranks.get(name) not in _equal(sessions, seen, name)
    ]
    standings = [one async for one in reader.standings(LADDER)]
    games = sum(one.games for one in standings)
    if games != 2 * len(rows):
        findings.append(f"the standings have {games} games of {len(rows)} results")
    head_to_head = 0
    for bot in bots:
        head_to_head += sum(one.wins + one.ties + one.losses for one in await reader.head_to_head(LADDER, bot.name))
    if head_to_head != 2 * len(rows):
        findings.append(f"head to head has {head_to_head} of {2 * len(rows)} results")
    findings += [line for path in errors for line in complaints(path)]
    return Outcome(struck.rows(_played(bots)), len(findings), f"{len(rows)} games of {len(bots)} bots", findings)


def _equal(sessions: dict[str, Sequence[int]], seen: dict[str, Sequence[int]], name: str) -> list[Sequence[int]]:
    return [found[name] for found in (sessions, seen) if name in found]


async def _rows(reader: AsyncClient) -> list[ladder_pb2.LadderGame]:
    return [game async for game in reader.ladder_games(LADDER) if game.HasField("end_time")]


LADDERS = Kind("ladders", "one of two replicas killed while ten bots play on a ladder", run)
