"""Plays one game of a plan as a session of a service."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Final

from skerry.v1 import session_pb2
from skerry_arena.entrants import command_of
from skerry_arena.play.clock import SeatClock
from skerry_arena.play.contestant import AnswerCounts, Contestant, FailureKind, GameStart, PlayerFailed
from skerry_arena.play.game_score import is_decided
from skerry_arena.play.record import Failure, Record
from skerry_arena.remote.api_program import environment_of
from skerry_arena.remote.api_seat import play_by_api
from skerry_arena.remote.codecs import codec_of
from skerry_arena.remote.seat_player import SeatPlayer, retry_when_limited
from skerry_arena.remote.seat_store import SeatStore, StoredSeat
from skerry_arena.remote.session_record import SeatFailed, record_of
from skerry_arena.settings import Limits, Service, Settings
from skerry_client import AsyncClient, AsyncSeat, AsyncTable, SkerryError
from skerry_client.errors import SessionNotFound, SubstitutePlays, TimeUp
from skerry_games.api import Outcome
from skerry_games.information_state import InformationState
from skerry_games.pairing.plan import PlannedGame, seat_seed

_LEAVING: Final = 5.0
"""The most seconds to leave seats, so that an interrupt does not wait for an unavailable service."""
_LEAST_BANK: Final = 1_000
_MOST_GRACE: Final = 3_600_000


class TimedContestant:
    """A contestant with a clock that measures only its thinking, not the calls to the service."""

    def __init__(self, contestant: Contestant, clock: SeatClock) -> None:
        self._contestant = contestant
        self._clock = clock
        self._begun = False

    def begin(self, beginning: GameStart) -> None:
        self._contestant.begin(beginning)
        self._begun = True

    def observe(self, events: Iterable[Any]) -> None:
        self._contestant.observe(events)

    @property
    def counts(self) -> AnswerCounts:
        # Before the start, a contestant still has the counts of its last game.
        return self._contestant.counts if self._begun else AnswerCounts()

    def choose(self, position: InformationState, seconds: float) -> int:
        return self._clock.timed(lambda allowed: self._contestant.choose(position, allowed))

    def end(self, outcome: Outcome) -> None:
        self._contestant.end(outcome)

    def close(self) -> None:
        self._contestant.close()


class TournamentSeatPlayer(SeatPlayer):
    """Plays a seat until its player fails."""

    in_order = True
    """Whether seats that decide at once act in their order, so that equal settings give equal games."""

    async def _decide(self, position: session_pb2.Position) -> None:
        # A seat that does not act gets the next position after the choice of another seat.
        if not self.in_order or position.to_act[:1] == [self._seat.number]:
            await super()._decide(position)

    async def play(self) -> session_pb2.Session:
        """Play to the end and return the finished session. Raises SeatFailed, UnsupportedGame, SkerryError."""
        try:
            session = await super().play()
        except (SubstitutePlays, TimeUp):
            known = self._seat.last_position
            sequence = known.sequence if known is not None else 0
            raise SeatFailed(self._seat.number, FailureKind.TIMEOUT, "Its turn took too long.", sequence) from None
        if self._able:
            outcome = session.outcome
            ended = Outcome(tuple(outcome.ranks), tuple(outcome.scores), outcome.reason)
            await asyncio.to_thread(self._contestant.end, ended)
        return session

    def _instead(self, failed: PlayerFailed, sequence: int, moves: int) -> int:
        raise SeatFailed(self._seat.number, failed.kind, failed.detail, sequence)


class SessionGame:
    """One game, from the creation of its session to its record."""

    def __init__(
        self, settings: Settings, service: Service, game: PlannedGame, client: AsyncClient, kept: SeatStore
    ) -> None:
        self._settings = settings
        self._service = service
        self._game = game
        self._client = client
        self._kept = kept
        self._clocks = [SeatClock(settings.limits) for _ in game.lineup]
        self._timed_by_service = any(settings.players[one].uses_api for one in game.lineup)
        self._timed: dict[int, TimedContestant] = {}
        self._failed: list[SeatFailed] = []
        self._over = False

    @property
    def undisturbed(self) -> bool:
        """Whether all players have played to the end without a failure."""
        return self._over and not self._failed

    async def play(self, contestants: Sequence[Contestant]) -> tuple[Record, session_pb2.Replay]:
        """Play the game with a contestant for each seat. Seats of programs that use the API do not use theirs.

        Raises SkerryError, UnsupportedGame, InvalidReplay. After an error, all seats are left.
        """
        table, seats = await retry_when_limited(self._create), list[AsyncSeat]()
        try:
            for number, name in enumerate(self._names()):
                seats.append(await retry_when_limited(partial(table.join, name, seat=number)))
                self._kept.add(StoredSeat(table.name, seats[-1].token))
            await self._play(seats, contestants)
        finally:
            if not self._over:
                await self._leave(seats)
                await self._cancel(table)
            for seat in seats:
                self._kept.drop(StoredSeat(table.name, seat.token))
        replay = await retry_when_limited(table.replay)
        if replay.session.state != session_pb2.SESSION_STATE_FINISHED:
            raise SessionNotFound(f"{table.name} was cancelled")
        counts = [self._timed[seat].counts if seat in self._timed else AnswerCounts() for seat in range(len(seats))]
        return record_of(self._settings, self._game, replay, self._failed, self._seconds(replay), counts), replay

    async def _create(self) -> AsyncTable:
        settings = self._settings
        codec = codec_of(settings.rules)
        return await self._client.create(
            settings.game,
            seats=settings.table,
            options=codec.options_to_proto(settings.game_options),
            seed=None if settings.deals_anew else self._game.seed,
            visibility="unlisted",
            join_code=True,
            abandonment=session_pb2.AbandonmentPolicy(level="random"),  # finishes a game that all have left at once
            labels={"run": settings.seed[:8], "game": str(self._game.number)},
            clock=clock_of(settings.limits) if self._timed_by_service else None,
        )

    def _names(self) -> list[str]:
        """Return the names of the seats. A player with several seats gets numbers."""
        names: list[str] = []
        for one in self._game.lineup:
            name, number = self._settings.players[one].name, 1
            while name in names:
                number += 1
                name = f"{self._settings.players[one].name[:38]} {number}"
            names.append(name)
        return names

    async def _play(self, seats: Sequence[AsyncSeat], contestants: Sequence[Contestant]) -> None:
        """Play until the game is over or decided by failures."""
        pending = {
            asyncio.create_task(self._play_seat(seat, contestant))
            for seat, contestant in zip(seats, contestants, strict=True)
        }
        try:
            while pending and not self._is_decided():
                done, pending = await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    try:
                        task.result()
                    except SeatFailed as failed:
                        self._failed.append(failed)
                        if not self._is_decided():  # otherwise another seat could still choose meanwhile
                            await self._leave([seats[failed.seat]])
            self._over = not self._is_decided()
        finally:
            for task in pending:
                task.cancel()
            await asyncio.gather(*pending, return_exceptions=True)

    def _is_decided(self) -> bool:
        failures = [Failure(one.seat, 0, one.kind) for one in self._failed]
        return is_decided(failures, self._settings.table, self._settings.on_failure)

    async def _play_seat(self, seat: AsyncSeat, contestant: Contestant) -> None:
        """Play a seat. Raises SeatFailed."""
        settings, number = self._settings, self._game.number
        if (one := settings.players[self._game.lineup[seat.number]]).uses_api:
            variables = environment_of(self._service, seat.name, seat.token)
            await play_by_api(seat, command_of(one), settings.limits, variables)
            return
        seed = seat_seed(settings, number, seat.number, "player")
        timed = self._timed[seat.number] = TimedContestant(contestant, self._clocks[seat.number])
        player = TournamentSeatPlayer(seat, timed, settings.limits.move_seconds, seed, _discard)
        player.in_order = not self._timed_by_service  # no seat waits for others while the service's clock runs
        await player.play()

    async def _leave(self, seats: Sequence[AsyncSeat]) -> None:
        """Leave these seats to the service. Once all are left, it plays the game to its end at once."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_LEAVING):
                for seat in seats:
                    with suppress(SkerryError):  # the game can be over, or the service unavailable
                        await seat.leave()

    async def _cancel(self, table: AsyncTable) -> None:
        """Cancel the session if its game has not started."""
        with suppress(SkerryError, TimeoutError):
            async with asyncio.timeout(_LEAVING):
                await table.cancel()

    def _seconds(self, replay: session_pb2.Replay) -> list[float]:
        """Return the thinking time of each seat, measured by the arena or, for API programs, by the service."""
        seconds = [clock.seconds for clock in self._clocks]
        for entry in replay.entries:
            if entry.HasField("seat") and self._settings.players[self._game.lineup[entry.seat]].uses_api:
                seconds[entry.seat] += entry.moved.time.charged_ms / 1000
        return seconds


def clock_of(limits: Limits) -> session_pb2.Clock:
    """Return the clock of the session for these limits. It measures whole turns."""
    bank = max(_LEAST_BANK, round(1000 * limits.bank_seconds))
    grace = min(_MOST_GRACE, max(1, round(1000 * limits.move_seconds)))
    return session_pb2.Clock(bank_with_grace=session_pb2.BankWithGrace(time_ms=bank, grace_ms=grace))


def _discard(_: str) -> None:
    """Discard a message, because the record has all failures."""
