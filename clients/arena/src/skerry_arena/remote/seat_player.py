"""Plays one seat of a session. For each decision it samples a state, asks the contestant and acts."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, Final, TypeVar

from msgspec import MsgspecError, msgpack

from skerry.v1 import session_pb2
from skerry.v1.service_pb2 import SampleStatesResponse
from skerry_arena.play.contestant import Contestant, GameStart, PlayerFailed
from skerry_arena.remote.codecs import codec_of
from skerry_arena.settings import Settings
from skerry_client import AsyncClient, AsyncSeat
from skerry_client.errors import Conflict, GameOver, LimitReached, NotYourTurn
from skerry_games.api import AnyGame
from skerry_games.catalogue import added_editions, all_games, find_game
from skerry_games.information_state import seen_from
from skerry_games.position import Position
from skerry_games.rng import SeededRng

Tell = Callable[[str], None]
Answer = TypeVar("Answer")
_VIEWS: Final = 1
_LAST_RESORT: Final = 2
"""Draw numbers of information states, and of moves after a failure. The player itself has 0."""


class UnsupportedGame(Exception):
    """A game or ruleset that this version does not support. The message is a sentence."""


class SeatPlayer:
    """Plays a seat to the end of its game."""

    def __init__(self, seat: AsyncSeat, contestant: Contestant, seconds: float, seed: bytes, tell: Tell) -> None:
        """``seconds``: the time limit of a decision. ``seed``: 32 bytes for the player's random numbers."""
        self._seat = seat
        self._contestant = contestant
        self._seconds = seconds
        self._seed = seed
        self._tell = tell
        self._dice = SeededRng(seed, _VIEWS)
        self._last_resort = SeededRng(seed, _LAST_RESORT)
        self._able = False

    async def play(self) -> session_pb2.Session:
        """Play to the end and return the finished session. Raises UnsupportedGame, SkerryError."""
        await retry_when_limited(self._take_turns)
        return await retry_when_limited(self._seat.session)

    async def _take_turns(self) -> None:
        async for position in self._seat.turns():
            await self._decide(position)

    async def _decide(self, position: session_pb2.Position) -> None:
        """Act on the position, or on a newer one if the game has moved on."""
        while position.legal_moves:
            dealt = await self._sample()
            if dealt.sequence != position.sequence:
                position = await retry_when_limited(self._seat.position)
                continue
            choice = await self._choice(dealt)
            try:
                await self._seat.act(position.legal_moves[choice])
            except GameOver:
                return
            except (Conflict, NotYourTurn):
                position = await retry_when_limited(self._seat.position)
            else:
                return

    async def _choice(self, dealt: SampleStatesResponse) -> int:
        """Return the index of a legal move. Every sampled state lists the legal moves in the same order."""
        game = game_of(dealt.game, dealt.ruleset)
        seen = seen_from(Position(game, read_state(game, dealt.states[0])), dealt.seat, self._dice)
        try:
            if not self._able:
                await self._begin(game, dealt.seat)
            return await asyncio.to_thread(self._contestant.choose, seen, self._seconds)
        except PlayerFailed as failed:
            self._able = False
            return self._instead(failed, dealt.sequence, len(seen.legal_moves))

    def _instead(self, failed: PlayerFailed, sequence: int, moves: int) -> int:
        """Return a random one of so many moves after the player failed at the position of an entry."""
        self._tell(f"{self._seat.name}: The player failed ({failed.kind}): {failed.detail}")
        return self._last_resort.below(moves)

    async def _begin(self, game: AnyGame, seat: int) -> None:
        session = await retry_when_limited(self._seat.session)
        beginning = GameStart(game, read_options(game, session), len(session.seats), seat, self._seed)
        await asyncio.to_thread(self._contestant.begin, beginning)
        self._able = True

    async def _sample(self) -> SampleStatesResponse:
        """Return a state that the seat cannot tell from the true one. Waits while a limit is reached."""
        return await retry_when_limited(self._seat.sample_states)


async def retry_when_limited(call: Callable[[], Awaitable[Answer]]) -> Answer:
    """Make a call. While it raises LimitReached, wait as long as the service says and repeat it."""
    while True:
        try:
            return await call()
        except LimitReached as limit:
            await asyncio.sleep(limit.retry_after or 1.0)


def game_of(game: str, ruleset: str) -> AnyGame:
    """Return the game. Raises UnsupportedGame."""
    newest = all_games().get(game)
    if newest is None:
        raise UnsupportedGame(f"This version does not support the game {game!r}.")
    found = find_game(game, ruleset)
    if found is None:
        known = ", ".join([newest.ruleset, *(one.ruleset for one in added_editions(game))])
        raise UnsupportedGame(f"The service plays {game} with {ruleset}, but this version has {known}.")
    return found


async def require_supported(client: AsyncClient, settings: Settings) -> None:
    """Raise UnsupportedGame unless this version has the rules and the components with which the service plays.

    Raises SkerryError, for example BadOptions, if the service does not have the game or the edition.
    """
    found = await retry_when_limited(partial(client.game, settings.game, edition=settings.rules.editions[0]))
    game_of(found.name.removeprefix("games/"), found.ruleset)


def read_state(game: AnyGame, packed: bytes) -> Any:
    """Decode a state of the service. Raises UnsupportedGame."""
    try:
        return msgpack.decode(packed, type=game.state_type)
    except MsgspecError as error:
        raise UnsupportedGame(f"This version cannot decode a state of {game.id}: {error}.") from None


def read_options(game: AnyGame, session: session_pb2.Session) -> Any:
    """Return the options of a session's game."""
    return codec_of(game).options_from_proto(getattr(session.options, game.id))
