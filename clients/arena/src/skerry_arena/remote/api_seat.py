"""A seat that a program plays through the API, until the game is over or the program fails."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

from skerry.v1 import session_pb2
from skerry_arena.play.contestant import FailureKind
from skerry_arena.remote.api_program import ApiProgram
from skerry_arena.remote.seat_player import retry_when_limited
from skerry_arena.remote.session_record import SeatFailed
from skerry_arena.settings import Limits
from skerry_client import AsyncSeat

_CAUSES: Final = {
    "timed_out": (FailureKind.TIMEOUT, "Its time was up."),
    "left": (FailureKind.LEFT, "It left its seat."),
    "resigned": (FailureKind.LEFT, "It resigned."),
}


async def play_by_api(seat: AsyncSeat, command: Sequence[str], limits: Limits, variables: Mapping[str, str]) -> bool:
    """Run a program that plays the seat. Return whether it ended by itself after the game.

    ``variables``: its environment (``environment_of``). Raises SeatFailed, SkerryError.
    """
    try:
        program = await ApiProgram.start(command, limits, variables)
    except OSError as error:
        raise SeatFailed(seat.number, FailureKind.START, f"It did not start: {error}.", 0) from None
    ended = asyncio.create_task(program.ended())
    watched = asyncio.create_task(retry_when_limited(partial(_until_over, seat)))
    try:
        await asyncio.wait((ended, watched), return_when=asyncio.FIRST_COMPLETED)
        if not watched.done():
            session = await retry_when_limited(seat.session)
            in_play = session.state == session_pb2.SESSION_STATE_PLAYING
            if in_play and not session.seats[seat.number].HasField("substitute"):
                raise SeatFailed(seat.number, FailureKind.CRASH, ended.result(), session.sequence)
        await watched
        return await program.close()
    finally:
        for task in (ended, watched):
            task.cancel()
        await asyncio.gather(ended, watched, return_exceptions=True)
        await program.kill()


async def _until_over(seat: AsyncSeat) -> None:
    """Wait until the game is over. Raises SeatFailed as soon as the player has left, resigned or timed out."""
    async for update in seat.observe(after_sequence=0):
        for entry in update.entries:
            cause = _CAUSES.get(entry.WhichOneof("kind") or "")
            if cause is not None and entry.HasField("seat") and entry.seat == seat.number:
                raise SeatFailed(seat.number, *cause, entry.sequence)
