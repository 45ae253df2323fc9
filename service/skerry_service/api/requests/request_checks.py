"""Checks of requests that need no session."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TypeVar

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.unknown_fields import UnknownFieldSet

from skerry.v1 import service_pb2 as pb
from skerry.v1 import session_pb2
from skerry.v1.payload_pb2 import GameOptions
from skerry_games.api import AnyGame
from skerry_games.catalogue import all_games
from skerry_games.rng import SEED_BYTES
from skerry_service.api.error_table import UnknownField
from skerry_service.api.requests.field_rules import (
    LABEL_KEY,
    LANGUAGE_TAG,
    LONGEST_LABEL,
    LONGEST_LANGUAGE_TAG,
    LONGEST_PLAYER_ID,
    TICKET,
    UUID4,
    most_items,
    whole,
)
from skerry_service.domain.bans.player_check import require_welcome
from skerry_service.domain.bot_decisions import HINT_LEVEL
from skerry_service.domain.errors import GameNotFound, InvalidField, SessionNotFound, TokenInvalid, WrongCell
from skerry_service.domain.languages.phrases import grouped, listed, phrase, quoted, verbatim
from skerry_service.domain.limits import VOUCHED_PREFIX
from skerry_service.domain.record import (
    RANDOM,
    AbandonmentPolicy,
    Clock,
    ClockKind,
    Delay,
    Labels,
    Spectating,
    TimeoutAction,
    WebhookEvent,
)
from skerry_service.domain.seating.display_names import (
    MAX_NAME_LENGTH,
    is_printable,
    is_reserved_name,
    starts_with_combining_mark,
)
from skerry_service.sessions.actions.new_games import NewGames
from skerry_service.sessions.resource_ids import CELL, SERVICE_ID

Choice = TypeVar("Choice", bound=int)

LARGEST_REQUEST = 64 * 1024
"""Bytes. The largest legitimate request, a CreateSession with all options, has less than 1 KiB."""
_ABANDONMENT_ACTIONS = (TimeoutAction.SUBSTITUTE, TimeoutAction.END)
_SECOND_MS, _DAY_MS = 1_000, 86_400_000
USUAL_OPEN_AFTER_MS = _DAY_MS
"""How long a player must not respond before the host can open the seat, if the request does not set it."""
_MOST_LABELS = most_items("LabelSessionRequest.labels")
_LABEL_KEY, _LANGUAGE_TAG = re.compile(LABEL_KEY), re.compile(LANGUAGE_TAG)
_BEARER = "Bearer"
_CELL_AT_END = re.compile(rf"\.({CELL})\Z")
_SESSION = re.compile(rf"sessions/({SERVICE_ID})")
_UUID4, _TICKET = re.compile(UUID4), re.compile(TICKET)
_MAX_SHOWN = 80


def token_of(authorizations: Sequence[str | bytes]) -> str | None:
    """Return the token in ``Bearer <token>``; ``None`` if nothing was sent. The scheme has any case.

    Raises TokenInvalid, also for several tokens, because it is not clear which one counts.
    """
    if not authorizations:
        return None
    if len(authorizations) > 1:
        raise TokenInvalid
    (sent,) = authorizations
    scheme, _, token = (sent if isinstance(sent, str) else sent.decode("latin-1")).partition(" ")
    if not token or (scheme != _BEARER and scheme.lower() != _BEARER.lower()):
        raise TokenInvalid
    return token.lstrip(" ")


@lru_cache(maxsize=4096)
def session_of(name: str) -> str:
    """Return the id in ``sessions/{id}``. Raises InvalidField; SessionNotFound for an id that no session can have."""
    if match := _SESSION.fullmatch(name):
        return match[1]
    if not name.startswith("sessions/"):
        raise InvalidField("name", "The name of a session has the form sessions/{id}.")
    raise SessionNotFound(_short(name.removeprefix("sessions/")))


def require_own_cell(name: str, own: str) -> None:
    """Raise WrongCell for a name or ticket of another cell. ``own``: that of this server; empty without one."""
    if "." in name and (match := _CELL_AT_END.search(name)) and match[1] != own:
        raise WrongCell(_short(name), match[1])


def require_asked_cell(asked: Sequence[str], own: str) -> None:
    """Raise WrongCell if the header of a call that names no resource asks for another cell.

    ``asked``: the values of the header. A server without a cell ignores them.
    """
    for cell in asked:
        if own and cell not in ("", own):
            raise WrongCell(None, _short(cell), own)


def language_tag_of(text: str) -> str:
    """Return a language tag, such as ``de-AT``. Raises InvalidField."""
    if len(text) > LONGEST_LANGUAGE_TAG or not _LANGUAGE_TAG.fullmatch(text):
        raise InvalidField("language", "Send a language tag, for example de or de-AT.")
    return text


def past_sequence_of(sequence: int) -> int:
    """Return the number of an entry of the log. Raises InvalidField."""
    if sequence <= 0:
        raise InvalidField("sequence", "Entries are numbered from 1. Leave the field out for the newest.")
    return sequence


def game_of(game_id: str, find: Callable[[str], AnyGame | None] | None = None) -> AnyGame:
    """Return the game with this id. Raises InvalidField for an empty id, GameNotFound.

    ``find``: returns a known game under its ruleset; by default under the newest one.
    """
    if not game_id:
        raise InvalidField("game", "Name a game.")
    game = (find or all_games().get)(game_id)
    if game is None:
        raise GameNotFound(_short(game_id))
    return game


def game_with_options(game_id: str, options: Iterable[GameOptions], games: NewGames) -> AnyGame:
    """Return the game with this id, with the components of the edition that the options name.

    Raises InvalidField, GameNotFound, BadOptions.
    """
    game = game_of(game_id, games.game)
    editions = {getattr(one, game_id).edition for one in options if one.WhichOneof("game") == game_id}
    if len(editions) > 1:
        raise InvalidField("options", "All options of a ticket must name the same edition.")
    return games.edition(game, next(iter(editions), ""))


def request_id_of(text: str) -> bytes | None:
    """Return the 16 bytes of the request id, or ``None`` for an empty text. Raises InvalidField."""
    if not text:
        return None
    if not _UUID4.fullmatch(text):
        raise InvalidField("request_id", "Send a random (version 4) UUID, as 8-4-4-4-12 hexadecimal digits.")
    return bytes.fromhex(text.replace("-", ""))


def ticket_of(text: str) -> bytes:
    """Return the 16 bytes of a matchmaking ticket, whose cell has been checked. Raises InvalidField."""
    if not _TICKET.fullmatch(text):
        raise InvalidField("ticket", "Send the ticket that came with the proposal.")
    return bytes.fromhex(text.partition(".")[0].replace("-", ""))


def display_name_of(text: str, field: str = "display_name") -> str:
    """Return the name of a player. Raises InvalidField with that field."""
    if not 1 <= len(text) <= MAX_NAME_LENGTH or not is_printable(text) or text != text.strip():
        raise InvalidField(field, phrase("field-name", most=MAX_NAME_LENGTH))
    if starts_with_combining_mark(text):
        raise InvalidField(field, "A name must not begin with a combining mark.")
    if "{" in text or "}" in text:
        raise InvalidField(field, "A name must not contain braces, which are placeholders in templates.")
    if is_reserved_name(text):
        raise InvalidField(field, "A player's name must not read like a seat, a bot, chance or a spectator.")
    return text


def player_id_of(text: str, field: str = "player_id") -> str:
    """Return the id of a player, or an empty text for none. Raises InvalidField with that field, and Banned."""
    if text.startswith(VOUCHED_PREFIX):
        raise InvalidField(field, phrase("field-vouched-id", prefix=verbatim(VOUCHED_PREFIX)))
    require_welcome(player_id := stored_player_id_of(text, field))
    return player_id


def stored_player_id_of(text: str, field: str) -> str:
    """Return the id of a player whom the store may have, vouched players too. Raises InvalidField with that field."""
    if len(text) > LONGEST_PLAYER_ID or " " in text or not is_printable(text):
        raise InvalidField(field, phrase("field-player-id", most=LONGEST_PLAYER_ID))
    return text


def labels_of(labels: Mapping[str, str]) -> Labels:
    """Return a session's labels. Raises InvalidField."""
    if len(labels) > _MOST_LABELS:
        raise InvalidField("labels", phrase("field-labels", most=_MOST_LABELS, number=grouped(len(labels))))
    for key, value in sorted(labels.items()):
        if not _LABEL_KEY.fullmatch(key):
            raise InvalidField("labels", phrase("field-label-key", key=quoted(_short(key))))
        if not 1 <= len(value) <= LONGEST_LABEL or not is_printable(value):
            raise InvalidField("labels", phrase("field-label-value", key=verbatim(key), most=LONGEST_LABEL))
    return tuple(sorted(labels.items()))


def label_of(text: str, field: str = "label") -> tuple[str, str | None] | None:
    """Return the key and the value (or ``None``) of ``key`` or ``key=value``; ``None`` for an empty text.

    Raises InvalidField.
    """
    if not text:
        return None
    key, equals, value = text.partition("=")
    if not _LABEL_KEY.fullmatch(key) or bool(equals) != bool(value):
        raise InvalidField(field, "Send a key, or a key and a value as key=value.")
    return key, value or None


def level_of(level: str, levels: Sequence[str], path: str, default: str = RANDOM) -> str:
    """Return the level of a bot; the default for an empty text. Raises InvalidField."""
    if not level:
        return default
    if level not in levels:
        raise InvalidField(
            path, phrase("field-level", level=quoted(_short(level)), levels=listed(map(verbatim, levels), "or"))
        )
    return level


def hints_of(request: pb.CreateSessionRequest, levels: Sequence[str]) -> bool:
    """Return whether the session has hints. Raises InvalidField on a server without the level that gives them."""
    if request.hints and HINT_LEVEL not in levels:
        raise InvalidField("hints", "This server has no thinking bots, so it gives no hints. Leave `hints` out.")
    return request.hints


def abandonment_of(message: session_pb2.AbandonmentPolicy, levels: Sequence[str]) -> AbandonmentPolicy:
    """Return the abandonment policy of a session, without a level if none is asked for. Raises InvalidField."""
    return AbandonmentPolicy(
        on_resignation=choice_of(message, "on_resignation", _ABANDONMENT_ACTIONS, "abandonment.on_resignation"),
        level=level_of(message.level, levels, "abandonment.level", default=""),
        absence_ms=_within(message, "absence_ms", "abandonment"),
        on_absence=choice_of(message, "on_absence", _ABANDONMENT_ACTIONS, "abandonment.on_absence"),
        open_after_ms=_within(message, "open_after_ms", "abandonment") or USUAL_OPEN_AFTER_MS,
    )


def clock_of(message: session_pb2.Clock) -> Clock | None:
    """Return the clock of a session; ``None`` for an empty message. Raises InvalidField."""
    action, kind = choice_of(message, "on_expiry", tuple(TimeoutAction), "clock.on_expiry"), message.WhichOneof("kind")
    if kind == "per_move":
        time = _within(message.per_move, "time_ms", "clock.per_move")
        return Clock(ClockKind.PER_MOVE, grace_ms=time, on_expiry=action)
    if kind == "bank":
        time = _within(message.bank, "time_ms", "clock.bank")
        increment = _within(message.bank, "increment_ms", "clock.bank")
        return Clock(ClockKind.BANK, bank_ms=time, increment_ms=increment, on_expiry=action)
    if kind == "bank_with_grace":
        time = _within(message.bank_with_grace, "time_ms", "clock.bank_with_grace")
        grace = _within(message.bank_with_grace, "grace_ms", "clock.bank_with_grace")
        return Clock(ClockKind.BANK_WITH_GRACE, bank_ms=time, grace_ms=grace, on_expiry=action)
    if kind == "correspondence":
        days = _within(message.correspondence, "days", "clock.correspondence")
        return Clock(ClockKind.CORRESPONDENCE, grace_ms=days * _DAY_MS, on_expiry=action)
    if message.on_expiry:
        raise InvalidField("clock", "The clock has no kind. Set one of its kinds, or leave the clock out.")
    return None


def delay_of(message: session_pb2.SpectatorDelay, spectating: Spectating) -> Delay:
    """Return the delay for spectators. Raises InvalidField."""
    kind = message.WhichOneof("kind")
    if kind is None:  # not the same as no delay: the client wants one
        raise InvalidField("delay", "The delay is empty. Set its entries or its seconds.")
    if spectating is Spectating.NOBODY:
        raise InvalidField("delay", "This session has no spectators. Allow them, or leave the delay out.")
    if kind == "entries":
        return Delay(entries=_within(message, "entries", "delay"))
    return Delay(ms=_SECOND_MS * _within(message, "seconds", "delay"))


def _within(message: Message, field: str, path: str) -> int:
    value: int = getattr(message, field)
    rule = whole(f"{message.DESCRIPTOR.name}.{field}")
    if not rule.allows(value):
        assert rule.most is not None
        bounds = {"value": grouped(value), "least": grouped(rule.least), "most": grouped(rule.most)}
        if rule.or_zero:
            raise InvalidField(f"{path}.{field}", phrase("field-range-or-0", **bounds))
        raise InvalidField(f"{path}.{field}", phrase("field-range", **bounds))
    return value


def webhook_events_of(events: Sequence[int], possible: Sequence[WebhookEvent]) -> tuple[WebhookEvent, ...]:
    """Return the events of a webhook; all ``possible`` ones for an empty list. Raises InvalidField."""
    known = [int(event) for event in possible]
    for event in events:
        if event not in known:
            names = verbatim(", ".join(f"WEBHOOK_EVENT_{one.name}" for one in possible))
            raise InvalidField("events", phrase("field-event", event=event, allowed=names))
    return tuple(event for event in possible if not events or event in events)


def entropy_of(entropy: bytes) -> bytes:
    """Return the entropy that a player adds to the seed, or empty bytes. Raises InvalidField."""
    if entropy and len(entropy) != SEED_BYTES:
        raise InvalidField("entropy", phrase("field-entropy", bytes=SEED_BYTES, number=grouped(len(entropy))))
    return entropy


def seed_of(seed: bytes) -> bytes | None:
    """Return the seed, or ``None`` if none was sent. Raises InvalidField."""
    if seed and len(seed) != SEED_BYTES:
        raise InvalidField("seed", phrase("field-seed", bytes=SEED_BYTES, number=grouped(len(seed))))
    return seed or None


def stream_start_of(request: pb.ObserveRequest | pb.PlayAttach) -> tuple[str, int | None]:
    """Return the session to stream, and the last sequence that the client has (``None``: only new entries)."""
    after = request.after_sequence if request.HasField("after_sequence") else None
    if after is not None and after < 0:
        raise InvalidField("after_sequence", "A sequence must not be negative. Send 0 for the whole log.")
    return session_of(request.name), after


def choice_of(message: Message, field: str, allowed: Sequence[Choice], path: str = "") -> Choice:
    """Return the value of an enum field. 0 means the first allowed value. Raises InvalidField for any other.

    ``path``: the path of the field in the request, if it differs from its name.
    """
    value: int = getattr(message, field)
    if not value:
        return allowed[0]
    if value in allowed:
        return allowed[allowed.index(value)]
    enum = message.DESCRIPTOR.fields_by_name[field].enum_type
    assert enum is not None
    names = {number: known.name for number, known in enum.values_by_number.items()}
    usable = listed([verbatim(names[choice]) for choice in allowed], "or")
    if value in names:
        raise InvalidField(path or field, phrase("field-not-allowed", value=verbatim(names[value]), allowed=usable))
    article = "an" if enum.name[0] in "AEIOU" else "a"
    wrong = phrase("field-not-of-enum", value=value, article=article, enum=verbatim(enum.name), allowed=usable)
    raise InvalidField(path or field, wrong)


def require_known_fields(message: Message) -> None:
    """Raise UnknownField if the message, or one inside it, has a field that this server does not know."""
    known = type(message)()
    known.CopyFrom(message)
    known.DiscardUnknownFields()
    if known.ByteSize() != message.ByteSize():  # three times as fast as walking through every request
        _find_unknown_field(message)


def _find_unknown_field(message: Message) -> None:
    if len(UnknownFieldSet(message)):
        raise UnknownField(message.DESCRIPTOR.name)
    for field, value in message.ListFields():
        if field.type == FieldDescriptor.TYPE_MESSAGE and not isinstance(value, Mapping):
            for inner in (value,) if isinstance(value, Message) else value:
                _find_unknown_field(inner)


def _short(text: str) -> str:
    return text if len(text) <= _MAX_SHOWN else f"{text[:_MAX_SHOWN]}..."
