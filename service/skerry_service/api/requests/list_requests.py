"""Requests of ListSessions: the filter and the page."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as Base64Error
from collections.abc import Callable, Sequence

from msgspec import MsgspecError, msgpack

from skerry.v1 import service_pb2 as pb
from skerry_games.catalogue import all_games, find_game
from skerry_service.api.requests.field_rules import LONGEST_CURSOR, most_items
from skerry_service.api.requests.request_checks import choice_of, game_of, label_of
from skerry_service.api.requests.seat_requests import handle_of
from skerry_service.domain.errors import InvalidField
from skerry_service.domain.index_keys import index_keys_for
from skerry_service.domain.languages.phrases import grouped, phrase
from skerry_service.domain.record import Phase, Record
from skerry_service.domain.seating.reservations import has_seat_reserved_for
from skerry_service.sessions.lists.player_list import PlayerCursor
from skerry_service.sessions.lists.session_list import Cursor

_MOST_LABELS = most_items("ListSessionsRequest.labels")
_decode_player_cursor = msgpack.Decoder(PlayerCursor).decode


def session_filter_of(request: pb.ListSessionsRequest) -> tuple[Callable[[Record], bool], Sequence[bytes] | None]:
    """Return a predicate for the requested sessions, and the index keys under which they are; ``None``: all sessions.

    Raises InvalidField, GameNotFound.
    """
    game = game_of(request.game).id if request.game else None
    phase = choice_of(request, "state", tuple(Phase)) if request.state else None
    labels, bot = _labels_of(request), handle_of(request.reserved_for, "reserved_for")

    def matches(record: Record) -> bool:
        return (
            find_game(record.game, record.ruleset) is not None
            and game in (None, record.game)
            and phase in (None, record.phase)
            and all(_is_labelled(record, *label) for label in labels)
            and (not bot or has_seat_reserved_for(record, bot))
        )

    if game is None and phase is None and not labels and not bot:
        return matches, None
    first = labels[0] if labels else None
    return matches, index_keys_for(all_games() if game is None else (game,), phase, first, bot)


def _labels_of(request: pb.ListSessionsRequest) -> list[tuple[str, str | None]]:
    """Return the labels that a session must have. Raises InvalidField."""
    if len(request.labels) > _MOST_LABELS:
        raise InvalidField("labels", phrase("field-labels", most=_MOST_LABELS, number=grouped(len(request.labels))))
    wanted = [label_of(request.label), *(label_of(one, "labels") for one in request.labels)]
    return [one for one in wanted if one is not None]


def _is_labelled(record: Record, key: str, value: str | None) -> bool:
    return any(known == key and value in (None, held) for known, held in record.labels)


def write_cursor(cursor: Cursor | None) -> str:
    """Return the page token for a cursor; empty without one."""
    return "" if cursor is None else urlsafe_b64encode(json.dumps(cursor).encode()).decode()


def write_player_cursor(cursor: PlayerCursor | None) -> str:
    """Return the page token for a position in a player's list; empty without one."""
    return "" if cursor is None else urlsafe_b64encode(msgpack.encode(cursor)).decode()


def read_player_cursor(token: str) -> PlayerCursor | None:
    """Return the position at which a page of a player's list begins. Raises InvalidField."""
    if not token:
        return None
    try:
        if len(token) <= LONGEST_CURSOR:
            cursor = _decode_player_cursor(urlsafe_b64decode(token.encode()))
            if cursor.is_sound:
                return cursor
    except (Base64Error, ValueError, MsgspecError):
        pass
    raise bad_page_token()


def read_cursor(token: str) -> Cursor | None:
    """Return the cursor at which a page begins; ``None`` for the first page. Raises InvalidField."""
    if not token:
        return None
    try:
        if len(token) <= LONGEST_CURSOR:
            since, session = json.loads(urlsafe_b64decode(token.encode()))
            if type(since) is int and type(session) is str:
                return since, session
    except (Base64Error, ValueError, TypeError):
        pass
    raise bad_page_token()


def bad_page_token() -> InvalidField:
    """Return the refusal of a page token that the server did not write."""
    return InvalidField("page_token", "This is no valid page token. Send the next_page_token of the page before.")
