"""The RPCs of ``AdminService`` about bans, and about the audit log."""

from __future__ import annotations

import re

from google.protobuf.timestamp_pb2 import Timestamp

from skerry.admin.v1 import admin_pb2 as pb
from skerry_service.access.bans.ban_subjects import banned_address, banned_key
from skerry_service.api.requests.ladder_requests import number_of_token, own_id_of
from skerry_service.api.requests.request_checks import stored_player_id_of
from skerry_service.domain.bans.ban import LONGEST_BAN_SECONDS, LONGEST_REASON, Ban, BannedKind, BanSubject
from skerry_service.domain.bans.ban_errors import BanNotFound
from skerry_service.domain.errors import InvalidField
from skerry_service.domain.languages.phrases import grouped, phrase
from skerry_service.domain.seating.display_names import is_printable
from skerry_service.edge.admin.operator_audit import current_operator
from skerry_service.sessions.resources.audit_log import AuditLog, OperatorAction
from skerry_service.sessions.resources.ban_registry import BanRegistry

_LARGEST_PAGE, _USUAL_PAGE = 1000, 100
_ID = re.compile(r"[0-9a-f]{20}")


class BanMethods:
    """Bans and the audit log."""

    def __init__(self, bans: BanRegistry, audit: AuditLog) -> None:
        self._bans = bans
        self._audit = audit

    async def create_ban(self, request: pb.CreateBanRequest, _: str | None) -> pb.CreateBanResponse:
        """Ban an address, a key or a player."""
        subject, reason, seconds = _subject_of(request), _reason_of(request.reason), _seconds_of(request)
        ban = await self._bans.create(subject, reason, seconds, current_operator())
        return pb.CreateBanResponse(ban=_write(ban, 1000 * seconds))

    async def list_bans(self, request: pb.ListBansRequest, _: str | None) -> pb.ListBansResponse:
        """Return a page of the bans in force."""
        first, size = number_of_token(request.page_token) or 0, _size_of(request.page_size)
        bans, now = await self._bans.in_force()
        page = [_write(ban, ban.ends_ms - now) for ban in bans[first : first + size]]
        return pb.ListBansResponse(bans=page, next_page_token=str(first + size) if len(bans) > first + size else "")

    async def lift_ban(self, request: pb.LiftBanRequest, _: str | None) -> pb.LiftBanResponse:
        """End a ban."""
        ban, left_ms = await self._bans.lift(own_id_of(request.name, "name", "ban", _ID, BanNotFound))
        return pb.LiftBanResponse(ban=_write(ban, left_ms))

    async def list_audit_entries(
        self, request: pb.ListAuditEntriesRequest, _: str | None
    ) -> pb.ListAuditEntriesResponse:
        """Return a page of the audit log."""
        before, size = number_of_token(request.page_token), _size_of(request.page_size)
        actions, rest = await self._audit.page(before, size)
        return pb.ListAuditEntriesResponse(
            entries=[_write_action(action) for action in actions], next_page_token=str(rest or "")
        )


def _subject_of(request: pb.CreateBanRequest) -> BanSubject:
    field = request.WhichOneof("subject") or "subject"
    try:
        if field == "address":
            return banned_address(request.address)
        if field == "key":
            return banned_key(request.key)
    except ValueError as error:
        raise InvalidField(field, error.args[0]) from None
    if not request.player_id:
        raise InvalidField(field, "Send an address, the name of a key, or the id of a player.")
    return BanSubject(BannedKind.PLAYER, stored_player_id_of(request.player_id, field))


def _reason_of(text: str) -> str:
    if not 1 <= len(text) <= LONGEST_REASON or not is_printable(text) or text != text.strip():
        raise InvalidField("reason", phrase("field-reason", most=LONGEST_REASON))
    return text


def _seconds_of(request: pb.CreateBanRequest) -> int:
    duration = request.duration
    if not 1 <= duration.seconds <= LONGEST_BAN_SECONDS or duration.nanos:
        raise InvalidField("duration", phrase("field-ban-seconds", most=grouped(LONGEST_BAN_SECONDS)))
    return duration.seconds


def _size_of(size: int) -> int:
    if not 0 <= size <= _LARGEST_PAGE:
        raise InvalidField("page_size", phrase("field-page-size", most=_LARGEST_PAGE, default=_USUAL_PAGE))
    return size or _USUAL_PAGE


def _write(ban: Ban, left_ms: int) -> pb.Ban:
    message = pb.Ban(name=f"bans/{ban.subject.ban_id}", reason=ban.reason, operator=ban.operator)
    if ban.subject.kind is BannedKind.ADDRESS:
        message.address = ban.subject.text
    elif ban.subject.kind is BannedKind.KEY:
        message.key = ban.subject.text
    else:
        message.player_id = ban.subject.text
    message.duration.FromSeconds(ban.seconds)
    message.remaining.FromMilliseconds(left_ms)
    message.create_time.FromMilliseconds(ban.created_ms)
    return message


def _write_action(action: OperatorAction) -> pb.AuditEntry:
    time = Timestamp()
    time.FromMilliseconds(action.time_ms)
    return pb.AuditEntry(
        time=time,
        operator=action.operator,
        action=action.action,
        resource=action.resource,
        outcome=action.outcome,
        detail=action.detail,
    )
