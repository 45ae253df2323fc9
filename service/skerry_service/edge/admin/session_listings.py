"""Lists of all sessions for operators: filtered, and in an order of time.

Nothing in the store is ordered by creation or idle time. An ordered list reads the sessions that there are, up to a
bound, because operators ask rarely and an index would cost every commit.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from time import time_ns
from typing import Protocol

from google.protobuf.timestamp_pb2 import Timestamp

from skerry.admin.v1 import admin_pb2 as pb
from skerry.v1 import session_pb2
from skerry_service.api.requests.request_checks import choice_of, game_of
from skerry_service.domain.errors import InvalidField, SessionDamaged
from skerry_service.domain.languages.phrases import phrase
from skerry_service.domain.record import Phase, Record
from skerry_service.sessions.loader import confined, read_record
from skerry_service.sessions.store_port import Summary

MAX_PAGE_SIZE = 1000
DEFAULT_PAGE_SIZE = 100
MAX_READ = 10_000
"""Sessions that are read for a page of an ordered list."""
_READ_AT_ONCE = 200
"""Sessions that are read together. Calls of players come between."""
_MAX_CURSOR = 2**64 - 1
_CURSOR_DIGITS = len(str(_MAX_CURSOR))
_NEWEST, _IDLE = pb.SESSION_ORDER_NEWEST, pb.SESSION_ORDER_IDLE
Matches = Callable[[pb.SessionSummary], bool]


class AllSessions(Protocol):
    """The listing of a store's sessions."""

    async def scan(self, cursor: int, count: int) -> tuple[int, Sequence[str]]:
        """Return the cursor of the next page and about ``count`` session ids. Cursor 0 starts and ends the listing."""

    async def summaries(self, sessions: Sequence[str]) -> Sequence[Summary | SessionDamaged | None]:
        """Return the summary of each session; ``None`` for a session that has expired."""

    async def changed_ms(self, sessions: Sequence[str]) -> Sequence[int]:
        """Return when the last entry of each session was stored, in ms since 1970; 0 if that cannot be read."""


class SessionListings:
    """The pages of ListAllSessions."""

    def __init__(self, sessions: AllSessions) -> None:
        self._sessions = sessions

    async def page(self, request: pb.ListAllSessionsRequest) -> pb.ListAllSessionsResponse:
        """Return a page. Raises InvalidField, GameNotFound, StoreUnavailable."""
        if not 0 <= request.page_size <= MAX_PAGE_SIZE:
            raise InvalidField("page_size", phrase("field-page-size", most=MAX_PAGE_SIZE, default=DEFAULT_PAGE_SIZE))
        size, position, matches = request.page_size or DEFAULT_PAGE_SIZE, _cursor(request.page_token), _filter(request)
        if request.order in (_NEWEST, _IDLE):
            return await self._ordered(request.order, matches, position, size)
        if request.order:
            raise InvalidField("order", "Send an order that this server knows.")
        cursor, found = await self._sessions.scan(position, size)
        response = pb.ListAllSessionsResponse(next_page_token=str(cursor) if cursor else "")
        response.sessions.extend(filter(matches, await self._summaries(tuple(dict.fromkeys(found)))))
        return response

    async def _ordered(
        self, order: pb.SessionOrder.ValueType, matches: Matches, first: int, size: int
    ) -> pb.ListAllSessionsResponse:
        found, incomplete = await self._all(matches)
        if order == _NEWEST:
            found.sort(key=lambda one: one.create_time.ToMilliseconds(), reverse=True)
            await self._add_changes(found[first : first + size])
        else:
            await self._add_changes(found)
            found.sort(key=lambda one: one.change_time.ToMilliseconds())
        following = str(first + size) if len(found) > first + size else ""
        return pb.ListAllSessionsResponse(
            sessions=found[first : first + size], next_page_token=following, incomplete=incomplete
        )

    async def _all(self, matches: Matches) -> tuple[list[pb.SessionSummary], bool]:
        """Return the sessions that match, and whether the store has more than are read."""
        seen, found, cursor = set[str](), list[pb.SessionSummary](), 0
        while True:
            cursor, page = await self._sessions.scan(cursor, _READ_AT_ONCE)
            fresh = [session for session in dict.fromkeys(page) if session not in seen]
            seen.update(fresh)
            found += filter(matches, await self._summaries(fresh))
            if not cursor or len(seen) >= MAX_READ:
                return found, bool(cursor)
            await asyncio.sleep(0)

    async def _summaries(self, sessions: Sequence[str]) -> list[pb.SessionSummary]:
        summaries = await self._sessions.summaries(sessions)
        return [
            _summary_message(session, summary)
            for session, summary in zip(sessions, summaries, strict=True)
            if summary is not None
        ]

    async def _add_changes(self, summaries: Sequence[pb.SessionSummary]) -> None:
        for start in range(0, len(summaries), _READ_AT_ONCE):
            part = [one for one in summaries[start : start + _READ_AT_ONCE] if not one.damaged]
            times = await self._sessions.changed_ms([one.name.removeprefix("sessions/") for one in part])
            for summary, changed in zip(part, times, strict=True):
                if changed:
                    summary.change_time.FromMilliseconds(changed)


def _filter(request: pb.ListAllSessionsRequest) -> Matches:
    """Return whether a summary is wanted. Raises InvalidField, GameNotFound."""
    game = game_of(request.game).id if request.game else ""
    phase = choice_of(request, "state", tuple(Phase)) if request.state else None
    key, has_value, value = request.label.partition(":")
    age_ms = request.min_age.ToMilliseconds()
    if age_ms < 0:
        raise InvalidField("min_age", "Send a duration of 0 or more.")
    latest_ms = time_ns() // 1_000_000 - age_ms

    def matches(one: pb.SessionSummary) -> bool:
        return (
            game in ("", one.game)
            and (phase is None or phase.value == one.state)
            and (not key or (key in one.labels and (not has_value or one.labels[key] == value)))
            and (not age_ms or one.create_time.ToMilliseconds() <= latest_ms)
        )

    return matches


def _cursor(token: str) -> int:
    if not token:
        return 0
    is_number = len(token) <= _CURSOR_DIGITS and token.isascii() and token.isdecimal()
    if not is_number or int(token) > _MAX_CURSOR:
        raise InvalidField("page_token", "This is not a page token. Pass the next_page_token of the previous page.")
    return int(token)


def _summary_message(session: str, summary: Summary | SessionDamaged) -> pb.SessionSummary:
    name = f"sessions/{session}"
    if isinstance(summary, SessionDamaged):
        return pb.SessionSummary(name=name, damaged=True)
    try:
        with confined(session):
            return _undamaged_summary(name, read_record(session, summary), summary.sequence)
    except SessionDamaged:
        return pb.SessionSummary(name=name, damaged=True, sequence=summary.sequence)


def _undamaged_summary(name: str, record: Record, sequence: int) -> pb.SessionSummary:
    return pb.SessionSummary(
        name=name,
        game=record.game,
        ruleset=record.ruleset,
        state=session_pb2.SessionState.ValueType(record.phase),
        visibility=session_pb2.Visibility.ValueType(record.visibility),
        seats=len(record.seats),
        players=len(record.players()),
        sequence=sequence,
        create_time=_time(record.created_ms),
        labels=dict(record.labels),
    )


def _time(milliseconds: int) -> Timestamp:
    time = Timestamp()
    time.FromMilliseconds(milliseconds)
    return time
