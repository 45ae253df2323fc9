"""Verification of identity tokens: JWTs by which an issuer vouches for a player."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from hashlib import sha256
from typing import Any

import jwt
import msgspec
from jwt.exceptions import (
    ExpiredSignatureError,
    ImmatureSignatureError,
    InvalidAudienceError,
    InvalidSignatureError,
    MissingRequiredClaimError,
    PyJWTError,
)
from jwt.utils import base64url_decode

from skerry_service.access.identity.identity_errors import IdentityInvalid
from skerry_service.access.identity.issuers_file import Issuer, Issuers, IssuersFile
from skerry_service.access.identity.vouched_players import VouchedPlayer, vouched_id
from skerry_service.access.identity.web_keys import ALGORITHMS
from skerry_service.domain.languages.phrases import grouped, phrase, verbatim

LONGEST_TOKEN = 4096
"""Characters."""
LEEWAY_SECONDS = 30
"""How far the clocks of issuer and server may differ."""
LONGEST_SUBJECT = 255
_PARTS = 3
_MOST_VERIFIED = 4096
_REQUIRED = ("iss", "sub", "aud", "exp")


class _Header(msgspec.Struct):
    """The header of a token. ``crit`` names extensions, which the server does not know."""

    alg: str
    kid: str | None = None
    crit: Any = None


class _Verified(msgspec.Struct, frozen=True):
    """A token that was valid: its player, until when it is, and under which issuers and keys."""

    player: VouchedPlayer
    expires: float
    issuers: Issuers
    issuer: Issuer
    version: int


class IdentityVerifier:
    """Verifies identity tokens. Remembers those that were valid, so that a client's next call costs little."""

    def __init__(self, issuers: IssuersFile, wall_clock: Callable[[], float] = time.time) -> None:
        self._issuers = issuers
        self._wall_clock = wall_clock
        self._verified: OrderedDict[bytes, _Verified] = OrderedDict()

    async def verify(self, sent: Sequence[str], count: Callable[[], Awaitable[None]]) -> VouchedPlayer:
        """Return the player of a call's token. Raises IdentityInvalid, IdentityUnavailable.

        ``sent``: every identity token of the call; ``count``: counts a verification, before its expensive part.
        """
        token = _only(sent)
        issuers, hashed = self._issuers.value, sha256(token.encode()).digest()
        known = self._verified.get(hashed)
        if known is not None and known.issuers is issuers and known.version == known.issuer.keys.version:
            known.issuer.keys.keep_fresh()
            if self._wall_clock() < known.expires + LEEWAY_SECONDS:
                return known.player
            raise _expired()
        header, claimed = _read(token)
        issuer = issuers.get(claimed)
        if issuer is None:
            raise IdentityInvalid("issuer", "The issuer (iss) of the identity token is not registered at this server.")
        if header.alg not in issuer.algorithms:
            raise IdentityInvalid("algorithm", _ALGORITHM)
        await count()
        key = await issuer.keys.find(header.kid, header.alg)
        issuer.keys.keep_fresh()
        if key is None:
            raise IdentityInvalid("key", "The identity token is signed with a key (kid) that its issuer has not got.")
        claims = _verified_claims(token, header.alg, key.key, issuer)
        player = VouchedPlayer(vouched_id(issuer.iss, claims["sub"]), _name_in(claims))
        self._remember(hashed, _Verified(player, claims["exp"], issuers, issuer, issuer.keys.version))
        return player

    def _remember(self, hashed: bytes, verified: _Verified) -> None:
        self._verified[hashed] = verified
        self._verified.move_to_end(hashed)
        if len(self._verified) > _MOST_VERIFIED:
            self._verified.popitem(last=False)


_ALGORITHM = phrase("identity-algorithm", allowed=verbatim(", ".join(ALGORITHMS)))
_MALFORMED = "The identity token is not a JWT: three parts in base64url, with dots between them."


def _expired() -> IdentityInvalid:
    return IdentityInvalid("expired", "The identity token has expired. Get a new one from its issuer.")


def _only(sent: Sequence[str]) -> str:
    """Return the token of a call. Raises IdentityInvalid."""
    if len(sent) != 1:
        raise IdentityInvalid("malformed", "The call has several identity tokens. Send one.")
    if len(sent[0]) > LONGEST_TOKEN:
        raise IdentityInvalid("malformed", phrase("identity-longer", most=grouped(LONGEST_TOKEN)))
    if sent[0].count(".") != _PARTS - 1 or not sent[0].isascii():
        raise IdentityInvalid("malformed", _MALFORMED)
    return sent[0]


def _read(token: str) -> tuple[_Header, str]:
    """Return the header and the claimed issuer of a token, both unverified. Raises IdentityInvalid."""
    head, body, _ = token.split(".")
    try:
        header = msgspec.json.decode(base64url_decode(head), type=_Header)
        claims = msgspec.json.decode(base64url_decode(body), type=dict[str, Any])
    except (ValueError, RecursionError):  # those of msgspec and of binascii derive from ValueError
        raise IdentityInvalid("malformed", _MALFORMED) from None
    if header.alg not in ALGORITHMS or header.crit is not None:
        raise IdentityInvalid("algorithm", _ALGORITHM)
    claimed = claims.get("iss")
    if not isinstance(claimed, str):
        raise IdentityInvalid("claims", "The identity token has no issuer (iss).")
    return header, claimed


def _verified_claims(token: str, algorithm: str, key: jwt.PyJWK, issuer: Issuer) -> dict[str, Any]:
    """Return the claims of a token whose signature, audience and times are valid. Raises IdentityInvalid."""
    try:
        claims: dict[str, Any] = jwt.decode(
            token,
            key,
            algorithms=[algorithm],
            audience=issuer.audiences,
            issuer=issuer.iss,
            leeway=LEEWAY_SECONDS,
            options={"require": list(_REQUIRED)},
        )
    except ExpiredSignatureError:
        raise _expired() from None
    except ImmatureSignatureError:
        raise IdentityInvalid("not_yet", "The identity token is not valid yet (nbf, iat).") from None
    except InvalidAudienceError:
        raise IdentityInvalid("audience", "The identity token is for another audience (aud).") from None
    except InvalidSignatureError:
        raise IdentityInvalid("signature", "The signature of the identity token is wrong.") from None
    except MissingRequiredClaimError as error:
        raise IdentityInvalid("claims", phrase("identity-claim", claim=verbatim(error.claim))) from None
    except (PyJWTError, ValueError, TypeError, OverflowError):
        raise IdentityInvalid("claims", "The identity token has claims that are not valid.") from None
    if not 1 <= len(claims["sub"]) <= LONGEST_SUBJECT:
        raise IdentityInvalid("claims", phrase("identity-subject", most=LONGEST_SUBJECT))
    if not isinstance(claims["exp"], int | float):
        raise IdentityInvalid("claims", "The end of the identity token (exp) is a number of seconds.")
    return claims


def _name_in(claims: dict[str, Any]) -> str:
    name = claims.get("name", "")
    return name.strip() if isinstance(name, str) else ""
