"""The calls of the API that the tools make for one seat or table."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from hashlib import blake2b
from typing import NamedTuple
from uuid import UUID

from skerry.v1 import payload_pb2, session_pb2
from skerry.v1 import service_pb2 as api
from skerry_client import errors
from skerry_client.calls import Calls
from skerry_client.transport import rpcs
from skerry_service.wire.entry_sentences import sentences

RECENT_ENTRIES = 12
"""Entries whose events a look shows if the agent does not say what it has seen."""
MAX_OPEN_TABLES = 20
PICTURE_WIDTH = 800
"""Pixels. Models scale larger pictures down."""
Seats = list[api.SeatSetup]


class SeatKey(NamedTuple):
    """What opens a seat."""

    session: str
    """``sessions/{id}``."""
    token: str
    """The seat token. It never leaves the process except to the service."""


class SeatReading(NamedTuple):
    """What a seat sees at one moment."""

    session: session_pb2.Session
    seat: int
    position: session_pb2.Position | None
    """``None`` in the lobby."""
    events: list[str]


async def read_position(calls: Calls, key: SeatKey) -> SeatReading:
    """Read a seat without events. Needs no stream."""
    response = await calls.call(rpcs.GET_SESSION, api.GetSessionRequest(name=key.session), key.token)
    position = response.position if response.HasField("position") else None
    return SeatReading(response.session, response.seat, position, [])


async def read_seat(calls: Calls, key: SeatKey, since: int | None) -> SeatReading:
    """Read a seat and the events after entry ``since``; ``None``: of the newest entries."""
    session, seat, position, events = reading = await read_position(calls, key)
    after = max(0, session.sequence - RECENT_ENTRIES) if since is None else since
    if after == session.sequence:
        return reading
    reached = after
    async with aclosing(_updates(calls, key, after)) as updates:
        async for update in updates:
            events += [sentence for entry in update.entries for sentence in sentences(entry)]
            position = update.position if update.HasField("position") else position
            session = update.session if update.HasField("session") else session
            reached = update.sequence
            if reached >= session.sequence:
                break
    session.sequence = max(reached, session.sequence)
    return SeatReading(session, seat, position, events)


async def newest_sequence(calls: Calls, key: SeatKey) -> int:
    """Return the number of the newest entry."""
    request = api.GetSessionRequest(name=key.session)
    return (await calls.call(rpcs.GET_SESSION, request, key.token)).session.sequence


async def wait_for_turn(calls: Calls, key: SeatKey, after: int, seconds: float) -> None:
    """Return when the seat owes a decision, the game is over, or the time has passed."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds), aclosing(_updates(calls, key, after)) as updates:
            async for update in updates:
                if update.HasField("position") and (update.position.legal_moves or update.position.HasField("outcome")):
                    return


def _updates(calls: Calls, key: SeatKey, after: int) -> AsyncGenerator[api.ObserveResponse, None]:
    """Follow the session after an entry."""
    return calls.observe(api.ObserveRequest(name=key.session, after_sequence=after), key.token, None)


async def position_text(calls: Calls, key: SeatKey) -> str:
    """Return the position in words. Raises NotStarted in the lobby."""
    return (await calls.call(rpcs.GET_POSITION_TEXT, api.GetPositionTextRequest(name=key.session), key.token)).text


async def picture(calls: Calls, key: SeatKey) -> bytes:
    """Return a picture of the position as PNG. Raises NotStarted in the lobby."""
    request = api.GetPictureRequest(name=key.session, format="png", width=PICTURE_WIDTH)
    return (await calls.call(rpcs.GET_PICTURE, request, key.token)).data


async def position_at(calls: Calls, key: SeatKey, sequence: int) -> api.GetSessionResponse:
    """Return the session as it is, with the position right after an entry and its legal moves. Raises SequenceAhead."""
    response = await calls.call(rpcs.GET_SESSION, api.GetSessionRequest(name=key.session), key.token)
    if response.position.sequence != sequence:
        request = api.GetSessionRequest(name=key.session, sequence=sequence)
        response = await calls.call(rpcs.GET_SESSION, request, key.token)
    return response


async def act(calls: Calls, key: SeatKey, move: payload_pb2.Move, sequence: int) -> api.ActResponse:
    """Make a move. A repeat of the same move on the same sequence only returns the first response."""
    request = api.ActRequest(
        name=key.session,
        move=move,
        expected_sequence=sequence,
        request_id=_repeatable_id(key, move, sequence),
        view=api.POSITION_VIEW_FULL,
    )
    return await calls.call(rpcs.ACT, request, key.token)


def reading_after(session: session_pb2.Session, played: api.ActResponse) -> SeatReading:
    """Return what a seat sees after its move. ``session``: as it was before."""
    after = session_pb2.Session()
    after.CopyFrom(session)
    after.sequence = played.sequence
    if played.position.HasField("outcome"):
        after.state = session_pb2.SESSION_STATE_FINISHED
        after.outcome.CopyFrom(played.position.outcome)
    events = [sentence for entry in played.entries for sentence in sentences(entry)]
    return SeatReading(after, played.position.seat, played.position, events)


def _repeatable_id(key: SeatKey, move: payload_pb2.Move, sequence: int) -> str:
    """Return a request id that is equal for a repeat, and that only the holder of the seat token can compute."""
    bare = payload_pb2.Move()
    bare.CopyFrom(move)
    bare.ClearField("text")
    bare.ClearField("template")
    content = b"%b %d %b" % (key.session.encode(), sequence, bare.SerializeToString(deterministic=True))
    drawn = blake2b(content, digest_size=16, key=key.token.encode(), person=b"agent's move").digest()
    return str(UUID(bytes=drawn, version=4))


async def create(calls: Calls, game: str, seats: Seats, *, private: bool) -> api.CreateSessionResponse:
    """Create a session. ``private``: unlisted, and joining needs a code."""
    request = api.CreateSessionRequest(
        game=game,
        seats=seats,
        visibility=session_pb2.VISIBILITY_UNLISTED if private else session_pb2.VISIBILITY_PUBLIC,
        join_code_required=private,
        request_id=calls.new_id(),
    )
    return await calls.call(rpcs.CREATE_SESSION, request)


async def cancel(calls: Calls, made: api.CreateSessionResponse) -> None:
    """Cancel a session that was just created, if the service lets us."""
    with suppress(errors.SkerryError):
        await calls.call(rpcs.CANCEL_SESSION, api.CancelSessionRequest(name=made.session.name), made.host_token)


async def join(calls: Calls, table: str, name: str, seat: int | None, join_code: str) -> api.JoinSessionResponse:
    """Take a seat."""
    request = api.JoinSessionRequest(
        name=table, display_name=name, seat=seat, join_code=join_code, request_id=calls.new_id()
    )
    return await calls.call(rpcs.JOIN_SESSION, request)


async def leave(calls: Calls, key: SeatKey) -> SeatReading:
    """Leave the seat: in the lobby it is open again, in play a substitute plays it. Return what it then sees."""
    reading = await read_position(calls, key)
    with suppress(errors.SubstitutePlays, errors.GameOver):  # a repeat
        left = (await calls.call(rpcs.LEAVE_SESSION, api.LeaveSessionRequest(name=key.session), key.token)).session
        reading = SeatReading(left, reading.seat, None, [])
    if reading.session.state != session_pb2.SESSION_STATE_LOBBY:  # there, the token is void now
        with suppress(errors.SkerryError):  # the seat is left all the same
            reading = await read_position(calls, key)
    return reading


async def open_tables(calls: Calls) -> list[session_pb2.Session]:
    """Return public tables with open seats, the newest first."""
    request = api.ListSessionsRequest(state=session_pb2.SESSION_STATE_LOBBY, page_size=MAX_OPEN_TABLES)
    return list((await calls.call(rpcs.LIST_SESSIONS, request)).sessions)
