"""The checks of programs that use the API: a game under each fault, against random players."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Final

from skerry.v1 import session_pb2
from skerry_arena.certification.check_result import CheckResult
from skerry_arena.entrants import Entrant, command_of
from skerry_arena.play.clock import SeatClock
from skerry_arena.play.contestant import InProcessPlayer
from skerry_arena.remote.api_program import environment_of
from skerry_arena.remote.api_seat import play_by_api
from skerry_arena.remote.certification import faults
from skerry_arena.remote.certification.faults import Fault
from skerry_arena.remote.certification.proxy import Proxy
from skerry_arena.remote.codecs import codec_of
from skerry_arena.remote.seat_player import require_supported, retry_when_limited
from skerry_arena.remote.session_game import TimedContestant, TournamentSeatPlayer, clock_of
from skerry_arena.remote.session_record import SeatFailed
from skerry_arena.settings import Service, Settings
from skerry_client import AsyncClient, AsyncSeat, AsyncTable, SkerryError
from skerry_client.errors import Conflict, FailedPrecondition
from skerry_client.transport.tls import credentials_from_environment
from skerry_games.pairing.plan import seat_seed
from skerry_games.players import player

OUTAGE: Final = 1.0
"""The seconds of a service outage."""


def certify(one: Entrant, settings: Settings, service: Service, at_once: int) -> list[CheckResult]:
    """Return the result of each check. Raises SkerryError if the service is unavailable, UnsupportedGame."""
    return asyncio.run(_certify(one, settings, service, at_once))


async def _certify(one: Entrant, settings: Settings, service: Service, at_once: int) -> list[CheckResult]:
    credentials = credentials_from_environment(wanted=service.tls)
    room = asyncio.Semaphore(at_once)
    async with AsyncClient(service.server, credentials=credentials, retry_for=0) as first_look:
        await require_supported(first_look, settings)
    async with AsyncClient(service.server, credentials=credentials) as client:

        async def run_check(make: Make) -> CheckResult:
            async with room:
                return await _Game(one, settings, service, client).play(make)

        return await asyncio.gather(*map(run_check, MAKES))


class _Game:
    """One game under one fault."""

    def __init__(self, one: Entrant, settings: Settings, service: Service, client: AsyncClient) -> None:
        self._one = one
        self._settings = settings
        self._service = service
        self._client = client
        self._labels = 0

    async def play(self, make: Make) -> CheckResult:
        """Play the game and return the result of the check."""
        await self._sit_down()
        fault = make(self)
        others = [asyncio.create_task(self._play_at_random(seat)) for seat in self._seats[1:]]
        try:
            async with Proxy(self._service, fault) as proxy:
                outage = asyncio.create_task(_interrupt(proxy, fault))
                try:
                    return await self._judged(proxy.address, fault)
                finally:
                    outage.cancel()
                    await asyncio.gather(outage, return_exceptions=True)
        finally:
            for task in others:
                task.cancel()
            await asyncio.gather(*others, return_exceptions=True)
            for seat in self._seats:
                with suppress(SkerryError):  # the game can be over
                    await seat.leave()

    async def _sit_down(self) -> None:
        settings = self._settings
        codec = codec_of(settings.rules)
        create = partial(
            self._client.create,
            settings.game,
            seats=settings.table,
            options=codec.options_to_proto(settings.game_options),
            visibility="unlisted",
            join_code=True,
            abandonment=session_pb2.AbandonmentPolicy(level="random"),  # finishes the game at once after the check
            clock=clock_of(settings.limits),
        )
        self._table: AsyncTable = await retry_when_limited(create)
        names = [self._one.name, *[f"Other {number}" for number in range(1, settings.table)]]
        self._seats: list[AsyncSeat] = [
            await retry_when_limited(partial(self._table.join, name, seat=seat)) for seat, name in enumerate(names)
        ]

    async def _judged(self, address: str, fault: Fault) -> CheckResult:
        variables = environment_of(Service(address), self._table.name, self._seats[0].token)
        try:
            ended = await play_by_api(self._seats[0], command_of(self._one), self._settings.limits, variables)
        except SeatFailed as failed:
            return CheckResult(fault.name, f"{failed.kind}: {failed.detail}")
        if not ended:
            return CheckResult(fault.name, "It did not end within five seconds after its game was over.")
        # The fault cannot occur if the player never makes the call.
        return CheckResult(fault.name, note="" if fault.count or type(fault) is Fault else "the fault did not occur")

    async def _play_at_random(self, seat: AsyncSeat) -> None:
        seed = seat_seed(self._settings, 0, seat.number, "player")
        contestant = TimedContestant(InProcessPlayer(player("random")), SeatClock(self._settings.limits))
        playing = TournamentSeatPlayer(seat, contestant, self._settings.limits.move_seconds, seed, lambda _: None)
        playing.in_order = False
        await playing.play()

    async def add_entry(self) -> None:
        """Cause an entry that is not a move."""
        if self._labels < _MOST_LABELS:
            self._labels += 1
            await self._table.label({"happened": str(self._labels)})

    async def move(self) -> None:
        """Make a move for the player, if its seat owes one."""
        with suppress(Conflict, FailedPrecondition):
            position = await retry_when_limited(self._seats[0].position)
            if position.legal_moves:
                await self._seats[0].act(position.legal_moves[-1])


async def _interrupt(proxy: Proxy, fault: Fault) -> None:
    if isinstance(fault, faults.ServiceOutage):
        await fault.started.wait()
        await proxy.interrupt(OUTAGE)


Make = Callable[[_Game], Fault]
_MOST_LABELS: Final = 5
MAKES: Final[Sequence[Make]] = (
    lambda _: Fault(),
    lambda _: faults.LostResponses(),
    lambda _: faults.MissingResponse(),
    lambda _: faults.BrokenStreams(),
    lambda _: faults.DuplicateMessages(),
    lambda _: faults.UnknownFields(),
    lambda game: faults.UnknownEntryKinds(game.add_entry),
    lambda game: faults.RejectedMoves(game.move),
    lambda _: faults.ServiceOutage(),
)
"""The fault of each check."""
