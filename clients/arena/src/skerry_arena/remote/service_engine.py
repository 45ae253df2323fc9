"""An engine that plays a tournament on a service, with a session for each game."""

from __future__ import annotations

import asyncio
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final

from google.protobuf.json_format import MessageToJson

from skerry.v1.service_pb2 import GetReplayResponse
from skerry_arena.play.record import Record
from skerry_arena.remote.bot_runner import contestant_of
from skerry_arena.remote.seat_player import UnsupportedGame, require_supported, retry_when_limited
from skerry_arena.remote.seat_store import SeatStore, StoredSeat
from skerry_arena.remote.session_game import SessionGame
from skerry_arena.remote.session_record import InvalidReplay
from skerry_arena.running import tournament_folder as folders
from skerry_arena.running.pool import Halted
from skerry_arena.running.worker import Worker
from skerry_arena.settings import Service, Settings
from skerry_client import AsyncClient, SkerryError
from skerry_client.errors import EntriesLost, SequenceAhead, SessionNotFound, TokenInvalid
from skerry_client.transport.tls import credentials_from_environment
from skerry_games.pairing.plan import PlannedGame

_LOST: Final = (SessionNotFound, TokenInvalid, EntriesLost, SequenceAhead)
"""Errors after a restart of a store that lost entries. The engine then plays the game again."""
_TRIES: Final = 3
_RETRY_FOR: Final = 600.0
"""Seconds for which the engine waits for an unavailable service."""


class ServiceFailed(Halted):
    """The service is unavailable, or refuses a call that the tournament needs."""


class ServiceEngine:
    """Plays games on a service and stores their replays."""

    def __init__(self, folder: Path, service: Service, tables: int) -> None:
        """``folder``: the folder of the tournament. ``tables``: the number of games at a time."""
        self._folder = folder
        self._service = service
        self._tables = max(1, tables)

    def __call__(self, settings: Settings, games: Iterable[PlannedGame]) -> Generator[list[Record]]:
        """Play games and yield them as they finish. Raises Halted, OSError."""
        try:
            kept = SeatStore(self._folder / folders.SEATS)
        except ValueError as error:
            raise Halted(str(error)) from None
        with kept, asyncio.Runner() as runner:
            # One thread for each seat, so that no seat waits for a slow program of another.
            runner.get_loop().set_default_executor(ThreadPoolExecutor(self._tables * settings.table + 1))
            playing = _ServiceGames(settings, self._service, iter(games), self._tables, kept)
            try:
                runner.run(playing.begin())
                while finished := runner.run(playing.next()):
                    yield [self._keep(record, replay) for record, replay in finished]
            except (SkerryError, UnsupportedGame, InvalidReplay, ValueError) as error:
                raise ServiceFailed(f"{self._service.server}: {error}") from None
            finally:
                _finish_run(runner.get_loop())
                runner.run(playing.close())

    def _keep(self, record: Record, replay: str) -> Record:
        path = folders.replay_of(self._folder, record.game)
        path.parent.mkdir(exist_ok=True)
        folders.write_whole(path, replay.encode())
        return record


def _finish_run(loop: asyncio.AbstractEventLoop) -> None:
    """Run the callbacks that are left of an interrupted run.

    One of them can be the stop of that run. It would stop the next run.
    """
    loop.call_soon(loop.stop)
    loop.run_forever()


class _ServiceGames:
    """The games in progress."""

    def __init__(
        self, settings: Settings, service: Service, games: Iterator[PlannedGame], tables: int, kept: SeatStore
    ) -> None:
        self._settings = settings
        self._service = service
        self._games = games
        self._tables = tables
        self._free: list[Worker] = []
        self._kept = kept
        self._under_way: set[asyncio.Task[tuple[Record, str]]] = set()
        self._clients: list[AsyncClient] = []

    async def begin(self) -> None:
        """Connect, and leave the seats of a run that was killed."""
        # An unreachable server is an error at the start. Later the engine waits for a server that restarts.
        async with self._client(0) as first_look:
            await require_supported(first_look, self._settings)
        self._clients.append(self._client(_RETRY_FOR))
        for held in self._kept.all():
            await self._give_up(held)

    def _client(self, retry_for: float) -> AsyncClient:
        credentials = credentials_from_environment(wanted=self._service.tls)
        return AsyncClient(self._service.server, credentials=credentials, retry_for=retry_for)

    async def _give_up(self, held: StoredSeat) -> None:
        with suppress(SkerryError):  # the session can be over or expired
            seat = await retry_when_limited(partial(self._clients[0].seat, held.session, held.token))
            await seat.leave()
        self._kept.drop(held)

    async def next(self) -> list[tuple[Record, str]]:
        """Wait for finished games and return them with their replays. An empty list means that no game is left."""
        while len(self._under_way) < self._tables and (game := next(self._games, None)) is not None:
            self._under_way.add(asyncio.create_task(self._play(game)))
        if not self._under_way:
            return []
        done, self._under_way = await asyncio.wait(self._under_way, return_when=asyncio.FIRST_COMPLETED)
        return [task.result() for task in done]

    async def _play(self, game: PlannedGame) -> tuple[Record, str]:
        """Play a game, and play it again if the service has lost it."""
        for _ in range(_TRIES - 1):
            with suppress(*_LOST):
                return await self._play_once(game)
        return await self._play_once(game)

    async def _play_once(self, game: PlannedGame) -> tuple[Record, str]:
        worker = self._free.pop() if self._free else Worker(self._settings, contestant_of)
        table = SessionGame(self._settings, self._service, game, self._clients[0], self._kept)
        try:
            record, replay = await table.play(worker.seated(game))
        finally:
            if table.undisturbed:
                self._free.append(worker)
            else:  # some of its players can still be thinking
                await asyncio.to_thread(worker.close)
        return record, MessageToJson(GetReplayResponse(replay=replay)) + "\n"

    async def close(self) -> None:
        """Cancel the games in progress and leave their seats."""
        for task in self._under_way:
            task.cancel()
        await asyncio.gather(*self._under_way, return_exceptions=True)
        for worker in self._free:
            await asyncio.to_thread(worker.close)
        for client in self._clients:
            await client.close()
