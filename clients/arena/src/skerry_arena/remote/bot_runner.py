"""A program of bots: it takes seats, plays them, and returns to its seats after a crash."""

from __future__ import annotations

import asyncio
import sys
from collections import deque
from collections.abc import AsyncGenerator, Sequence
from functools import partial
from hashlib import sha256
from typing import Final

from msgspec import Struct

from skerry.v1 import session_pb2
from skerry_arena.entrants import Entrant, builtin_factory, command_of
from skerry_arena.play.contestant import Contestant, InProcessPlayer
from skerry_arena.programs.program import Program
from skerry_arena.remote.identity import Identity
from skerry_arena.remote.seat_player import SeatPlayer, Tell, UnsupportedGame, retry_when_limited
from skerry_arena.remote.seat_store import SeatStore, StoredSeat
from skerry_arena.settings import Limits
from skerry_client import AsyncClient, AsyncSeat, SkerryError
from skerry_client.errors import Denied, FailedPrecondition, LimitReached, NameTaken, NotFound
from skerry_games.catalogue import find_game

LOOK_EVERY: Final = 5.0
"""Seconds between two searches for sessions that ask for bots."""
_NAMES: Final = 9


class BotSettings(Struct, frozen=True):
    """The settings of a program of bots."""

    entrant: Entrant
    sessions: tuple[str, ...]
    """The sessions to join. If empty, public sessions with ``label`` and an open seat."""
    label: str
    identity: Identity | None
    """The named bot whose reserved seats to take, regardless of ``label``; ``None`` for seats without reservation."""
    join_code: str | None
    game: str | None
    most: int
    """The most seats at a time."""
    each: int
    """The most seats in each session that it finds."""
    games: int | None
    """The number of games after which it ends; ``None``: it never ends."""
    limits: Limits
    seed: bytes
    """32 bytes. Together with the order of the games they fix the players' random numbers."""


class BotRunner:
    """Plays seats of one service, each with a player of its own."""

    def __init__(self, client: AsyncClient, wanted: BotSettings, kept: SeatStore, tell: Tell) -> None:
        self._client = client
        self._wanted = wanted
        self._kept = kept
        self._tell = tell
        self._playing: dict[asyncio.Task[None], str] = {}
        self.refused: set[str] = set()
        """Sessions that refused a seat."""
        self._begun = 0

    async def run(self) -> None:
        """Play until all wanted games are over. Raises SkerryError if the service is unavailable.

        A cancelled program leaves its seats, unless it stores them for its next run.
        """
        try:
            for held in self._kept.all():
                await self._return_to(held)
            if self._wanted.sessions:
                await self._join_all(self._wanted.sessions)
                await self._finish()
            else:
                await self._look_for_tables()
        finally:
            await self._leave()

    async def _return_to(self, held: StoredSeat) -> None:
        try:
            seat = await self._seat(held)
        except (NotFound, Denied) as gone:
            self._tell(f"{held.session}: {gone}")
            self._kept.drop(held)
        else:
            self._tell(f"{held.session}: Returned to seat {seat.number}.")
            self._begin(seat, held)

    async def _seat(self, held: StoredSeat) -> AsyncSeat:
        return await retry_when_limited(partial(self._client.seat, held.session, held.token))

    async def _look_for_tables(self) -> None:
        while not self._enough:
            found = self._sessions()
            try:
                names = [name async for one in found for name in self._room_at(one)]
            except LimitReached as limit:
                await asyncio.sleep(limit.retry_after or LOOK_EVERY)
                continue
            await self._join_all(names)
            if self._playing:
                await asyncio.wait(self._playing, timeout=LOOK_EVERY)
            else:
                await asyncio.sleep(LOOK_EVERY)
        await self._finish()

    def _sessions(self) -> AsyncGenerator[session_pb2.Session, None]:
        wanted, known = self._wanted, self._wanted.identity
        if known is not None:
            return self._client.sessions(game=wanted.game, reserved_for=known.handle)
        return self._client.sessions(game=wanted.game, state="lobby", label=wanted.label)

    def _room_at(self, session: session_pb2.Session) -> list[str]:
        """Return the session's name once for each seat to take in it."""
        game = find_game(session.game, session.ruleset)
        if game is None or session.name in self.refused:
            return []
        known = self._wanted.identity
        own = known.handle if known is not None else ""
        vacant = [seat for seat in session.seats if seat.occupant == session_pb2.OCCUPANT_OPEN]
        vacant = [seat for seat in vacant if seat.reserved_for == own]
        if known is not None:  # take all of them, because they are reserved for this bot
            return [session.name] * len(vacant)
        held = list(self._playing.values()).count(session.name)
        return [session.name] * min(len(vacant), self._wanted.each - held)

    @property
    def _enough(self) -> bool:
        return self._wanted.games is not None and self._begun >= self._wanted.games

    async def _join_all(self, sessions: Sequence[str]) -> None:
        left = deque(sessions)
        while left:
            name = left.popleft()
            while len(self._playing) >= self._wanted.most and not self._enough:
                await asyncio.wait(self._playing, return_when=asyncio.FIRST_COMPLETED)
            if self._enough:
                return
            try:
                seat = await self._join(name)
            except LimitReached as limit:
                self._tell(f"{name}: {limit}")
                await asyncio.sleep(limit.retry_after or LOOK_EVERY)
                if self._wanted.sessions:  # no search will find these again
                    left.appendleft(name)
            except (FailedPrecondition, NotFound, Denied) as refused:
                self.refused.add(name)
                self._tell(f"{name}: {refused}")
            else:
                held = StoredSeat(seat.name, seat.token)
                self._kept.add(held)
                self._tell(f"{seat.name}: Took seat {seat.number}.")
                self._begin(seat, held)

    async def _join(self, session: str) -> AsyncSeat:
        """Take a seat, with a number after the name if the session has that name already."""
        table = await self._client.table(session, join_code=self._wanted.join_code)
        name = self._wanted.entrant.name
        token = self._wanted.identity.token if self._wanted.identity is not None else None
        for number in range(2, _NAMES):
            try:
                return await table.join(name, bot_token=token)
            except NameTaken:
                name = f"{self._wanted.entrant.name[:38]} {number}"
        return await table.join(name, bot_token=token)

    def _begin(self, seat: AsyncSeat, held: StoredSeat) -> None:
        seed = sha256(self._wanted.seed + self._begun.to_bytes(8, "big")).digest()
        self._begun += 1
        task = asyncio.create_task(self._play(seat, held, seed))
        self._playing[task] = seat.name
        task.add_done_callback(self._playing.pop)

    async def _play(self, seat: AsyncSeat, held: StoredSeat, seed: bytes) -> None:
        contestant = contestant_of(self._wanted.entrant, self._wanted.limits)
        player = SeatPlayer(seat, contestant, self._wanted.limits.move_seconds, seed, self._tell)
        try:
            session = await player.play()
        except (SkerryError, UnsupportedGame) as error:
            self._tell(f"{seat.name}: {error}")
            if isinstance(error, UnsupportedGame):
                await self._give_up(held)
        else:
            self._tell(f"{seat.name}: Game over. {result_text(session, seat.number)}")
            self._kept.drop(held)
        finally:
            await asyncio.to_thread(contestant.close)

    async def _finish(self) -> None:
        while self._playing:
            await asyncio.wait(self._playing)

    async def _leave(self) -> None:
        """Stop playing. Leave seats that are not stored, so that no other player waits for them."""
        for task in list(self._playing):
            task.cancel()
        await asyncio.gather(*self._playing, return_exceptions=True)
        if self._kept.persistent:
            return
        for held in self._kept.all():
            await self._give_up(held)

    async def _give_up(self, held: StoredSeat) -> None:
        """Leave a seat, so that no other player waits for it."""
        try:
            await (await self._seat(held)).leave()
        except SkerryError as error:
            self._tell(f"{held.session}: {error}")
        else:
            self._tell(f"{held.session}: Left the seat.")
            self._kept.drop(held)


def contestant_of(one: Entrant, limits: Limits) -> Contestant:
    """Return the contestant of an entrant: a random player in this process, all others in processes of their own."""
    make = builtin_factory(one)
    if make is None:
        return Program(command_of(one), limits)
    if one.player == "random":
        return InProcessPlayer(make)
    return Program((sys.executable, "-m", "skerry_arena.programs.host", one.player), limits)


async def play_game(seat: AsyncSeat, wanted: BotSettings, tell: Tell) -> None:
    """Play a seat of a registered bot to the end of its game. Raises UnsupportedGame, SkerryError."""
    seed = sha256(wanted.seed + f"{seat.name} {seat.number}".encode()).digest()
    contestant = contestant_of(wanted.entrant, wanted.limits)
    try:
        session = await SeatPlayer(seat, contestant, wanted.limits.move_seconds, seed, tell).play()
    finally:
        await asyncio.to_thread(contestant.close)
    tell(f"{seat.name}: Game over. {result_text(session, seat.number)}")


def result_text(session: session_pb2.Session, seat: int) -> str:
    """Return the result of a seat in a finished session as sentences."""
    outcome = session.outcome
    if seat >= len(outcome.ranks):
        return ""
    return f"Rank {outcome.ranks[seat]} of {len(outcome.ranks)}, {outcome.scores[seat]} points."
