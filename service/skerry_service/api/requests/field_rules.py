"""The bounds of request fields, which do not depend on a session. Checks of requests and the API description read them.

A field of a game's move or options is not listed here: its bounds are those of the game's structs, which its codec
checks (``wire.codecs.game_codec``).
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from skerry.v1 import service_pb2
from skerry_games.rng import SEED_BYTES
from skerry_service.domain.record import MAX_SEATS
from skerry_service.domain.seating.display_names import MAX_NAME_LENGTH
from skerry_service.domain.seating.reservations import BOT_TOKEN, HANDLE
from skerry_service.domain.webhook_events import MAX_URL_LENGTH
from skerry_service.sessions.resource_ids import CELL_SUFFIX

_SECOND_MS, _HOUR_MS, _DAY_MS = 1_000, 3_600_000, 86_400_000
UUID4 = r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-4[0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}"
"""A random UUID, as a regular expression."""
TICKET = UUID4 + CELL_SUFFIX
RESOURCE_ID = r"[a-z][a-z0-9-]{0,31}"
"""The id of a ladder, bot or tournament that its creator chooses."""
LABEL_KEY = r"[a-z][a-z0-9_.-]{0,31}"
HASH = r"[0-9a-f]{64}"
LANGUAGE_TAG = r"[A-Za-z][A-Za-z0-9-]*"
LONGEST_LANGUAGE_TAG = 35
LONGEST_PLAYER_ID = 64
LONGEST_LABEL = 64
LONGEST_COMMIT, LONGEST_CONTACT, LONGEST_TITLE = 64, 200, 80
LONGEST_ID = 64
LONGEST_CURSOR = 200


class Whole(Struct, frozen=True):
    """A whole number from ``least`` to ``most``; ``None``: without an upper bound. 0 may mean that it is not set."""

    least: int
    most: int | None = None
    or_zero: bool = False

    def allows(self, value: int) -> bool:
        """Return whether the field can have this value."""
        within = self.least <= value and (self.most is None or value <= self.most)
        return within or (self.or_zero and value == 0)


class Text(Struct, frozen=True):
    """A text with so many characters, of which the pattern describes all. Other rules may hold too."""

    most: int | None = None
    least: int = 0
    pattern: str | None = None
    uuid: bool = False


class Bytes(Struct, frozen=True):
    """Exactly so many bytes, or none."""

    length: int


class Items(Struct, frozen=True):
    """At most so many items, or entries of a map. ``item``: the rule of each; of a map, of each value."""

    most: int
    item: Whole | Text | None = None
    key: str | None = None
    """The pattern of the keys of a map."""


Rule = Whole | Text | Bytes | Items
_REQUEST_ID = Text(pattern=UUID4, uuid=True)
_NAME, _PLAYER_ID, _HASH = Text(MAX_NAME_LENGTH, least=1), Text(LONGEST_PLAYER_ID), Text(pattern=HASH)
_OWN_NAME = Text(MAX_NAME_LENGTH)
"""A caller with an identity token can leave its name out."""
_LABELS = Items(8, Text(LONGEST_LABEL, least=1), key=LABEL_KEY)
_SEAT, _SEATS, _COUNT, _ENTRY = Whole(0, MAX_SEATS - 1), Whole(1, MAX_SEATS), Whole(0), Whole(1)
_LONG_TIME = Whole(_SECOND_MS, _DAY_MS)
_PAGE_TOKEN = Text(LONGEST_CURSOR)
_LANGUAGE = Text(LONGEST_LANGUAGE_TAG, pattern=LANGUAGE_TAG)

_RULES: Mapping[str, Rule] = {
    "AbandonmentPolicy.absence_ms": Whole(30_000, 604_800_000, or_zero=True),
    "AbandonmentPolicy.open_after_ms": Whole(30_000, 604_800_000, or_zero=True),
    "PerMove.time_ms": _LONG_TIME,
    "Bank.time_ms": _LONG_TIME,
    "Bank.increment_ms": Whole(0, _HOUR_MS),
    "BankWithGrace.time_ms": _LONG_TIME,
    "BankWithGrace.grace_ms": Whole(1, _HOUR_MS),
    "Correspondence.days": Whole(1, 30),
    "SpectatorDelay.entries": Whole(1, 1_000),
    "SpectatorDelay.seconds": Whole(1, 86_400),
    "SkillRange.range": _COUNT,
    "CreateSessionRequest.seats": Items(MAX_SEATS),
    "CreateSessionRequest.labels": _LABELS,
    "CreateSessionRequest.seed": Bytes(SEED_BYTES),
    "ForkSessionRequest.seats": Items(MAX_SEATS),
    "ForkSessionRequest.labels": _LABELS,
    "ForkSessionRequest.sequence": _ENTRY,
    "LabelSessionRequest.labels": _LABELS,
    "SeatSetup.reserved_for": Text(pattern=HANDLE),
    "JoinSessionRequest.display_name": _OWN_NAME,
    "JoinSessionRequest.player_id": _PLAYER_ID,
    "JoinSessionRequest.seat": _SEAT,
    "JoinSessionRequest.entropy": Bytes(SEED_BYTES),
    "JoinSessionRequest.bot_token": Text(pattern=BOT_TOKEN),
    "RematchSessionRequest.entropy": Bytes(SEED_BYTES),
    "NudgeSeatRequest.seat": _SEAT,
    "OpenSeatRequest.seat": _SEAT,
    "RemovePlayerRequest.seat": _SEAT,
    "SetWebhookRequest.url": Text(MAX_URL_LENGTH),
    "SetWebhookEndpointRequest.language": _LANGUAGE,
    "ExplainTargetRequest.target": Text(LONGEST_ID, least=1),
    "ExplainTargetRequest.chosen": Items(16, Text(LONGEST_ID)),
    "FindMatchRequest.display_name": _OWN_NAME,
    "FindMatchRequest.player_id": _PLAYER_ID,
    "FindMatchRequest.seats": _SEATS,
    "FindMatchRequest.options": Items(16),
    "FindMatchRequest.clocks": Items(8),
    "FindMatchRequest.party": Items(MAX_SEATS - 1),
    "PartyMember.display_name": _NAME,
    "PartyMember.player_id": _PLAYER_ID,
    "ConfirmMatchRequest.ticket": Text(pattern=TICKET),
    "ListOpenTablesRequest.per_cell": _COUNT,
    "ListSessionsRequest.labels": Items(8),
    "ListSessionsRequest.page_size": _COUNT,
    "ListSessionsRequest.page_token": _PAGE_TOKEN,
    "ListSessionsRequest.reserved_for": Text(pattern=HANDLE),
    "ResendWebhooksRequest.page_token": _PAGE_TOKEN,
    "ListEntriesRequest.after_sequence": _COUNT,
    "ListEntriesRequest.page_size": _COUNT,
    "ObserveRequest.after_sequence": _COUNT,
    "GetSessionRequest.sequence": _ENTRY,
    "GetPositionTextRequest.sequence": _ENTRY,
    "GetPictureRequest.sequence": _ENTRY,
    "GetPictureRequest.width": Whole(100, 2_000, or_zero=True),
    "GetPictureRequest.language": _LANGUAGE,
    "GetReplayPictureRequest.width": Whole(100, 800, or_zero=True),
    "GetReplayPictureRequest.language": _LANGUAGE,
    "SampleStatesRequest.count": Whole(0, 64),
    "RegisterBotRequest.name": Text(pattern=f"bots/{RESOURCE_ID}"),
    "RegisterBotRequest.hash": _HASH,
    "RegisterBotRequest.engine_commit": Text(LONGEST_COMMIT),
    "RegisterBotRequest.contact": Text(LONGEST_CONTACT),
    "FindLadderGameRequest.hash": _HASH,
    "GetLadderRequest.season": _COUNT,
    "GetLadderRequest.page_size": _COUNT,
    "ListLadderGamesRequest.season": _COUNT,
    "ListLadderGamesRequest.page_size": _COUNT,
    "GetHeadToHeadRequest.season": _COUNT,
    "CreateTournamentRequest.seats": _SEATS,
    "CreateTournamentRequest.title": Text(LONGEST_TITLE, least=1),
    "CreateTournamentRequest.rounds": Whole(1, 32, or_zero=True),
    "CreateTournamentRequest.meetings": Whole(1, 50, or_zero=True),
    "CreateTournamentRequest.most_entrants": Whole(2, 64, or_zero=True),
    "CreateTournamentRequest.games_at_once": Whole(1, 32, or_zero=True),
    "EnterTournamentRequest.display_name": _OWN_NAME,
    "EnterTournamentRequest.player_id": _PLAYER_ID,
    "LeaveTournamentRequest.entrant": _COUNT,
    "ListTournamentsRequest.page_size": _COUNT,
    "ListTournamentGamesRequest.entrant": _COUNT,
    "ListTournamentGamesRequest.page_size": _COUNT,
}
"""By message and field."""
_PACKAGE = service_pb2.DESCRIPTOR.package


def rule_of(field: str) -> Rule | None:
    """Return the rule of a field with this full name; ``None`` if any value of its type can be valid."""
    package, message, name = field.rsplit(".", 2)
    if package != _PACKAGE:
        return None
    return _REQUEST_ID if name == "request_id" else _RULES.get(f"{message}.{name}")


def whole(field: str) -> Whole:
    """Return the bounds of a number, by message and field: ``PerMove.time_ms``."""
    rule = _RULES[field]
    assert isinstance(rule, Whole)
    return rule


def most_items(field: str) -> int:
    """Return how many items or entries a field can have, by message and field."""
    rule = _RULES[field]
    assert isinstance(rule, Items)
    return rule.most
