"""Plays a tournament that a server holds: the server pairs the players, which are registered bots, and records results.

Afterwards the games become records of a log, whose plan follows from the seed that the server has then published.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from hashlib import sha256
from typing import Final

import msgspec
from msgspec import Struct

from skerry.v1 import session_pb2
from skerry.v1 import tournament_pb2 as pb
from skerry_arena.play.contestant import FailureKind
from skerry_arena.play.record import Record
from skerry_arena.remote.bot_runner import BotSettings
from skerry_arena.remote.codecs import codec_of
from skerry_arena.remote.seat_player import Tell, retry_when_limited
from skerry_arena.remote.session_game import clock_of
from skerry_arena.remote.session_record import SeatFailed, record_of
from skerry_arena.remote.tournament_runner import TournamentRunner
from skerry_arena.running.pool import Halted
from skerry_arena.settings import Settings
from skerry_client import AsyncClient
from skerry_games.pairing import rounds
from skerry_games.pairing.form import Format

FORMATS: Final = {
    Format.ROUND_ROBIN: pb.TOURNAMENT_FORMAT_ROUND_ROBIN,
    Format.GAUNTLET: pb.TOURNAMENT_FORMAT_GAUNTLET,
    Format.SWISS: pb.TOURNAMENT_FORMAT_SWISS,
    Format.KNOCKOUT: pb.TOURNAMENT_FORMAT_KNOCKOUT,
}


def request_of(settings: Settings, title: str, at_once: int) -> pb.CreateTournamentRequest:
    """Return the request that creates the tournament of these settings. ``at_once``: games of a player at a time."""
    request = pb.CreateTournamentRequest(
        title=title,
        game=settings.game,
        seats=settings.table,
        format=FORMATS[settings.format],
        rounds=settings.rounds or 0,
        meetings=settings.meetings,
        most_entrants=len(settings.players),
        games_at_once=at_once,
        clock=clock_of(settings.limits),
        join_code_required=True,  # or others could take the places of the players
    )
    options = codec_of(settings.rules).options_to_proto(settings.game_options)
    getattr(request.options, settings.game).CopyFrom(options)
    return request


class PlayedTournament(Struct, frozen=True):
    """A finished tournament."""

    settings: Settings
    """The settings with the published seed, and with the number of games that the server has planned."""
    records: tuple[Record, ...]
    replays: Mapping[int, session_pb2.Replay]
    """By number of the game."""


class HostedTournament:
    """A tournament on a server, all of whose entrants this program plays."""

    def __init__(
        self, client: AsyncClient, settings: Settings, tournament: str, organizer_token: str, tell: Tell
    ) -> None:
        """``tournament``: ``tournaments/{id}``, from ``request_of``."""
        self._client = client
        self._settings = settings
        self._name = tournament
        self._organizer_token = organizer_token
        self._tell = tell

    async def play(self, at_once: int) -> None:
        """Enter the players in their order, start, and play all games. A repeat goes on with the tournament.

        Raises SkerryError, UnsupportedGame, and Halted if the tournament is cancelled.
        """
        seats = ThreadPoolExecutor(len(self._settings.players) * at_once + 1)  # so that no seat waits for another
        asyncio.get_running_loop().set_default_executor(seats)
        code = (await self._client.tournament(self._name, self._organizer_token)).join_code
        runners = [
            TournamentRunner(self._client, self._bot(index, at_once, code), self._name, one.name, self._tell)
            for index, one in enumerate(self._settings.players)
        ]
        entries = [await runner.enter() for runner in runners]
        await self._client.start_tournament(self._name, self._organizer_token)
        async with asyncio.TaskGroup() as group:
            for runner, entry in zip(runners, entries, strict=True):
                group.create_task(runner.play(*entry))

    def _bot(self, index: int, at_once: int, code: str) -> BotSettings:
        settings = self._settings
        return BotSettings(
            entrant=settings.players[index],
            sessions=(),
            label="",
            identity=None,
            join_code=code,
            game=settings.game,
            most=at_once,
            each=1,
            games=None,
            limits=settings.limits,
            seed=sha256(f"{settings.seed} {index}".encode()).digest(),
        )

    async def played(self) -> PlayedTournament:
        """Return the finished tournament. Raises SkerryError, Halted, InvalidReplay."""
        found = (await self._client.tournament(self._name)).tournament
        if found.state != pb.TOURNAMENT_STATE_FINISHED:
            raise Halted(f"{self._name} is not finished. {found.reason}".strip())
        settings = msgspec.structs.replace(
            self._settings, seed=found.pairing_seed, games=self._settings.planned_by_server
        )
        results = await retry_when_limited(self._games)
        if void := [game.session for game in results.values() if game.void]:
            raise Halted(f"{void[0]} has no result, so the log cannot have it.")
        records: dict[int, Record] = {}
        replays: dict[int, session_pb2.Replay] = {}
        for games in rounds.games(settings, records):
            for game in games:
                if (result := results.get(game.number)) is None:
                    raise Halted(f"{self._name} does not have game {game.number} of its plan.")
                replays[game.number] = replay = await self._replay(result.session)
                seconds = _seconds(replay, settings.table)
                record = record_of(settings, game, replay, _failures(result, replay), seconds)
                found_there = [(one.display_name, one.rank) for one in result.seats]
                if found_there != list(zip(record.lineup, record.ranks, strict=True)):
                    raise Halted(f"{result.session} has other players or ranks than its replay by the plan.")
                records[game.number] = record
        return PlayedTournament(settings, tuple(records.values()), replays)

    async def _games(self) -> dict[int, pb.TournamentGame]:
        return {game.number: game async for game in self._client.tournament_games(self._name)}

    async def _replay(self, session: str) -> session_pb2.Replay:
        table = await retry_when_limited(partial(self._client.table, session))
        return await retry_when_limited(table.replay)


def _failures(result: pb.TournamentGame, replay: session_pb2.Replay) -> list[SeatFailed]:
    last = replay.entries[-1].sequence if replay.entries else 0
    return [
        SeatFailed(seat, FailureKind.TIMEOUT, f"It {one.failure}.", last)
        for seat, one in enumerate(result.seats)
        if one.failure
    ]


def _seconds(replay: session_pb2.Replay, seats: int) -> list[float]:
    """Return the time of each seat, as the server has measured it."""
    seconds = [0.0] * seats
    for entry in replay.entries:
        if entry.HasField("moved") and entry.HasField("seat"):
            seconds[entry.seat] += entry.moved.time.charged_ms / 1000
    return seconds
