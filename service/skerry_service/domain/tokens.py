"""Who is asking: bearer tokens, and what each of them opens at a session.

A token is derived, not stored: ``blake2b(request id, key=the session's salt)``. So repeating a request returns the
same token, while the store holds the salt and a digest of the token, neither of which yields it.
"""

from __future__ import annotations

from enum import Enum
from functools import lru_cache
from hashlib import blake2b
from hmac import compare_digest

from msgspec import Struct

from skerry_games.api import Viewer
from skerry_service.domain.errors import JoinCodeWrong, NotAllowed, SubstitutePlays, TokenInvalid, TokenMissing
from skerry_service.domain.record import MAX_SEATS, Phase, Record, Spectating

TOKEN_BYTES = 16
_BASE32 = "abcdefghijklmnopqrstuvwxyz234567"
_PAIRS = [first + second for first in _BASE32 for second in _BASE32]
"""Ten bits at a time: a tenth of what ``base64.b32encode`` takes, and a session that begins has a dozen of them."""
_LONGEST_TOKEN = 64
_PREFIX = "skerry_{}_"
_CODE_LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""Thirty-two, so that a byte chooses evenly; none looks like another."""
_CODE_LENGTH = 6
"""A billion codes: to try them all, at the rate that all callers together are allowed, takes five thousand hours."""


class Role(Enum):
    """What a caller is at a session."""

    SEAT = "seat"
    HOST = "host"
    SPECTATOR = "view"
    ANONYMOUS = ""


class Caller(Struct, frozen=True):
    """A caller, recognised."""

    role: Role
    seat: int | None = None

    @property
    def viewer(self) -> Viewer:
        """Through whose eyes the caller sees the game."""
        return self.seat


ANONYMOUS = Caller(Role.ANONYMOUS)
HOST = Caller(Role.HOST)
ANY_SEAT = Caller(Role.SEAT)
"""Whoever holds some seat's token."""
_SPECTATOR = Caller(Role.SPECTATOR)
_OF_SPECTATOR = _PREFIX.format(Role.SPECTATOR.value)
_SEATS = tuple(Caller(Role.SEAT, seat) for seat in range(MAX_SEATS))


@lru_cache(maxsize=64)  # each is made to be stored, and again to be told
def new_token(role: Role, salt: bytes, request_id: bytes) -> str:
    """Return the token that this request of this session is answered with."""
    key = blake2b(request_id, digest_size=TOKEN_BYTES, key=salt, person=role.value.encode()).digest()
    return f"{_PREFIX.format(role.value)}{base32(key)}"


def is_spectator_token(token: str | None) -> bool:
    """Whether a caller with that token, good or bad, can be a spectator only."""
    return token is None or token.startswith(_OF_SPECTATOR)


@lru_cache(maxsize=4096)
def digest(token: str) -> bytes:
    """Return what is stored of a token."""
    return blake2b(token.encode(), digest_size=TOKEN_BYTES).digest()


def join_code_of(record: Record) -> str | None:
    """Return what the host passes on to those who are to take a seat; ``None`` where anybody may.

    It is derived, as tokens are.
    """
    if not record.requires_join_code:
        return None
    drawn = blake2b(digest_size=_CODE_LENGTH, key=record.salt, person=b"join code").digest()
    return "".join(_CODE_LETTERS[byte % len(_CODE_LETTERS)] for byte in drawn)


def require_join_code(record: Record, given: str) -> None:
    """Raise JoinCodeWrong where a code is asked for and this is another one."""
    code = join_code_of(record)
    plain = given.upper().replace("-", "").replace(" ", "")
    if code is not None and not compare_digest(code.encode(), plain.encode()):
        raise JoinCodeWrong


def seat_of(record: Record, token: bytes) -> int | None:
    """Return the seat that a token of that digest plays, if there is one."""
    for seat, one in enumerate(record.seats):
        if one.token == token:
            return seat
    return None


def recognise(record: Record, token: str | None) -> Caller:
    """Return who holds the token. Raises TokenInvalid for one that opens nothing here; without one: ANYBODY."""
    if token is None:
        return ANONYMOUS
    if len(token) > _LONGEST_TOKEN:
        raise TokenInvalid
    known = digest(token)
    if (seat := seat_of(record, known)) is not None:
        return _SEATS[seat]
    if record.host_token == known:
        return HOST
    if record.spectator_token == known:
        return _SPECTATOR
    raise TokenInvalid


def require_seat(caller: Caller) -> int:
    """Return the caller's seat. Raises TokenMissing or NotAllowed for callers without one."""
    if caller.seat is None:
        if caller.role is Role.ANONYMOUS:
            raise TokenMissing
        raise NotAllowed("Only the token of a seat opens this.")
    return caller.seat


def require_own_seat(record: Record, caller: Caller) -> int:
    """Return the seat that the caller plays. Raises also SubstitutePlays where somebody else does for now."""
    seat = require_seat(caller)
    if record.seats[seat].cause is not None and record.phase is Phase.PLAYING:
        raise SubstitutePlays
    return seat


def require_host(caller: Caller) -> None:
    """Raise TokenMissing or NotAllowed unless the caller is the host."""
    if caller.role is not Role.HOST:
        if caller.role is Role.ANONYMOUS:
            raise TokenMissing
        raise NotAllowed("Only the host may do this.")


def may_view_game(record: Record, caller: Caller) -> bool:
    """Whether the caller may see the game."""
    if caller.seat is not None or record.over or record.spectating is Spectating.ANYONE:
        return True
    return record.spectating is Spectating.INVITED and caller.role in (Role.HOST, Role.SPECTATOR)


def may_see_join_code(caller: Caller) -> bool:
    """Whether the caller may know the join code."""
    return caller.role is Role.HOST


def may_see_player_ids(record: Record, caller: Caller) -> bool:
    """Whether the caller may know the players' ids."""
    return record.public_player_ids or caller.role in (Role.SEAT, Role.HOST)


def require_view_access(record: Record, caller: Caller) -> None:
    """Raise TokenMissing or NotAllowed unless the caller may see the game."""
    if not may_view_game(record, caller):
        if caller.role is Role.ANONYMOUS and record.spectating is Spectating.INVITED:
            raise TokenMissing
        raise NotAllowed("This session shows its game to its seats only.")


def base32(data: bytes) -> str:
    """Return RFC 4648's base 32 in small letters, without padding, of 10 or 16 bytes."""
    bits = len(data) * 8
    whole = -(-bits // 10) * 10
    number = int.from_bytes(data) << whole - bits
    return "".join([_PAIRS[number >> at & 1023] for at in range(whole - 10, -1, -10)])
