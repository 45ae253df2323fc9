"""Bearer tokens of a session, and what each of them permits.

A token is derived, not stored: ``blake2b(request id, key=the session's salt)``. So a repeated request returns the same
token. The store holds only the salt and a digest of the token, and neither yields the token.
"""

from __future__ import annotations

from enum import Enum
from functools import lru_cache
from hashlib import blake2b
from hmac import compare_digest

from msgspec import Struct

from skerry_games.api import Viewer
from skerry_service.domain.bans.player_check import require_welcome
from skerry_service.domain.errors import JoinCodeWrong, NotAllowed, SubstitutePlays, TokenInvalid, TokenMissing
from skerry_service.domain.record import MAX_SEATS, Phase, Record, Spectating

TOKEN_BYTES = 16
_BASE32 = "abcdefghijklmnopqrstuvwxyz234567"
_PAIRS = [first + second for first in _BASE32 for second in _BASE32]
"""Pairs of digits, for ten bits at a time. This takes a tenth of the time of ``base64.b32encode``; a new session
encodes a dozen values."""
_MAX_TOKEN_LENGTH = 64
_PREFIX = "skerry_{}_"
_CODE_ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""32 characters, so that a byte selects one without bias. No two look alike."""
_CODE_LENGTH = 6
"""A billion codes. At the total rate that the server allows all callers, trying them all takes five thousand hours."""


class Role(Enum):
    """The role of a caller in a session."""

    SEAT = "seat"
    HOST = "host"
    SPECTATOR = "view"
    PLAYER = "player"
    """A verified player without a seat in the session."""
    ANONYMOUS = ""


class PlayerCredential(str):
    """The id of a player whom the server has verified, in place of a token. It never comes from a request."""

    __slots__ = ()


class Caller(Struct, frozen=True):
    """A recognised caller."""

    role: Role
    seat: int | None = None

    @property
    def viewer(self) -> Viewer:
        """The seat whose view of the game the caller gets; ``None`` for the spectators' view."""
        return self.seat


ANONYMOUS = Caller(Role.ANONYMOUS)
HOST = Caller(Role.HOST)
ANY_SEAT = Caller(Role.SEAT)
"""A caller that holds the token of a seat, where the seat's number does not matter."""
_PLAYER = Caller(Role.PLAYER)
_SPECTATOR = Caller(Role.SPECTATOR)
_SPECTATOR_PREFIX = _PREFIX.format(Role.SPECTATOR.value)
_SEATS = tuple(Caller(Role.SEAT, seat) for seat in range(MAX_SEATS))


@lru_cache(maxsize=64)  # each token is computed twice: for the record and for the response
def new_token(role: Role, salt: bytes, request_id: bytes) -> str:
    """Return the token that a request to a session with this salt creates."""
    key = blake2b(request_id, digest_size=TOKEN_BYTES, key=salt, person=role.value.encode()).digest()
    return f"{_PREFIX.format(role.value)}{base32(key)}"


def is_spectator_token(token: str | None) -> bool:
    """Return whether a caller with this token, valid or not, can only be a spectator."""
    return token is None or token.startswith(_SPECTATOR_PREFIX)


@lru_cache(maxsize=4096)
def digest(token: str) -> bytes:
    """Return the digest under which a token is stored."""
    return blake2b(token.encode(), digest_size=TOKEN_BYTES).digest()


def digest_of_sent(token: str) -> bytes:
    """Return the digest of a token that a caller has sent. Raises TokenInvalid if it is longer than any token."""
    if len(token) > _MAX_TOKEN_LENGTH:  # digests are cached with their tokens
        raise TokenInvalid
    return digest(token)


def join_code_of(record: Record) -> str | None:
    """Return the join code of a session, derived as tokens are; ``None`` if joining needs no code."""
    return join_code(record.salt) if record.requires_join_code else None


def join_code(salt: bytes) -> str:
    """Return the join code of what has this salt."""
    drawn = blake2b(digest_size=_CODE_LENGTH, key=salt, person=b"join code").digest()
    return "".join(_CODE_ALPHABET[byte % len(_CODE_ALPHABET)] for byte in drawn)


def require_join_code(code: str | None, given: str) -> None:
    """Raise JoinCodeWrong if a code is needed and ``given`` is another one. Case and hyphens do not matter."""
    plain = given.upper().replace("-", "").replace(" ", "")
    if code is not None and not compare_digest(code.encode(), plain.encode()):
        raise JoinCodeWrong


def seat_of(record: Record, token: bytes) -> int | None:
    """Return the seat that the token with this digest plays; ``None`` if there is none."""
    for seat, one in enumerate(record.seats):
        if one.token == token:
            return seat
    return None


def seats_of_player(record: Record, player_id: str) -> tuple[int, ...]:
    """Return the seats that a player has taken. A seat that the host has opened is nobody's."""
    return tuple([seat for seat, one in enumerate(record.seats) if one.token and one.player_id == player_id])


def recognise(record: Record, token: str | None) -> Caller:
    """Return the caller that holds a token; ANONYMOUS without one. Raises TokenInvalid for an unknown token.

    For a PlayerCredential: the player's seat. Raises NotAllowed if the player has several, and Banned for the seat of a
    player who is banned.
    """
    if token is None:
        return ANONYMOUS
    if isinstance(token, PlayerCredential):
        seats = seats_of_player(record, token)
        if len(seats) > 1:
            raise NotAllowed("The player has several seats in this session. Send the token of one of them.")
        return _SEATS[seats[0]] if seats else _PLAYER
    known = digest_of_sent(token)
    if (seat := seat_of(record, known)) is not None:
        require_welcome(record.seats[seat].player_id)
        return _SEATS[seat]
    if record.host_token == known:
        return HOST
    if record.spectator_token == known:
        return _SPECTATOR
    raise TokenInvalid


def require_seat(caller: Caller) -> int:
    """Return the caller's seat. Raises TokenMissing or NotAllowed for a caller without a seat."""
    if caller.seat is None:
        if caller.role is Role.ANONYMOUS:
            raise TokenMissing
        raise NotAllowed("This call needs the token of a seat.")
    return caller.seat


def require_own_seat(record: Record, caller: Caller) -> int:
    """Return the seat that the caller plays. Raises also SubstitutePlays if a substitute plays it now."""
    seat = require_seat(caller)
    if record.seats[seat].cause is not None and record.phase is Phase.PLAYING:
        raise SubstitutePlays
    return seat


def require_host(caller: Caller) -> None:
    """Raise TokenMissing or NotAllowed unless the caller is the host."""
    if caller.role is not Role.HOST:
        if caller.role is Role.ANONYMOUS:
            raise TokenMissing
        raise NotAllowed("This call needs the host token.")


def may_view_game(record: Record, caller: Caller) -> bool:
    """Return whether the caller may view the game."""
    if caller.seat is not None or record.over or record.spectating is Spectating.ANYONE:
        return True
    return record.spectating is Spectating.INVITED and caller.role in (Role.HOST, Role.SPECTATOR)


def may_see_join_code(caller: Caller) -> bool:
    """Return whether the caller may see the join code."""
    return caller.role is Role.HOST


def may_see_player_ids(record: Record, caller: Caller) -> bool:
    """Return whether the caller may see the players' ids."""
    return record.public_player_ids or caller.role in (Role.SEAT, Role.HOST)


def require_view_access(record: Record, caller: Caller) -> None:
    """Raise TokenMissing or NotAllowed unless the caller may view the game."""
    if not may_view_game(record, caller):
        if caller.role is Role.ANONYMOUS and record.spectating is Spectating.INVITED:
            raise TokenMissing
        raise NotAllowed("Only the seats of this session may view its game. Send the token of a seat.")


def base32(data: bytes) -> str:
    """Return 10 or 16 bytes in base 32 (RFC 4648), in lower case and without padding."""
    bits = len(data) * 8
    whole = -(-bits // 10) * 10
    number = int.from_bytes(data) << whole - bits
    return "".join([_PAIRS[number >> at & 1023] for at in range(whole - 10, -1, -10)])
