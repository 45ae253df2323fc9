"""The file of API keys. Each line holds the digest of a key, never the key itself.

    # name   digest      scopes      options in any order
    mobile   sha256:…    play,watch  create=50/10s,1000/1h  streams=500
    mobile   sha256:…    play,watch  expires=2027-01-31
    *        -           watch

A name can have several keys, so that a new key can replace an old one without a gap. The line with ``*`` gives scopes
to callers without a key.
"""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from datetime import UTC, date, datetime
from hashlib import sha256
from hmac import compare_digest
from secrets import token_urlsafe

from msgspec import Struct

from skerry_service.access.key_limits import KeyLimits, read_key_limits
from skerry_service.access.scopes import ACT_FOR, ADMIN, SCOPES

PREFIX = "skerry_key_"
ANONYMOUS = "*"
"""The name on the line for callers without a key."""
_SECRET_BYTES = 32
_NAME = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?")
_KEY = re.compile(rf"{PREFIX}({_NAME.pattern})_[A-Za-z0-9_-]{{43}}")
_DIGEST = re.compile(r"sha256:([0-9a-f]{64})")
_EXPIRES = "expires"
_REQUIRED_WORDS = 3


class ApiKey(Struct, frozen=True):
    """One key of the file."""

    name: str
    """The name of its owner, for logs."""
    digest: bytes
    scopes: frozenset[str]
    expires: float | None
    """Seconds since 1970 at which the key expires; ``None``: never."""
    limits: KeyLimits | None
    """The limits of the key; ``None``: the limits of the caller's address apply."""

    def has_expired(self) -> bool:
        """Return whether the key has expired."""
        return self.expires is not None and time.time() >= self.expires


class ApiKeys(Struct, frozen=True):
    """The contents of the file."""

    by_name: Mapping[str, tuple[ApiKey, ...]]
    anonymous_scopes: frozenset[str]
    """The scopes of callers without a key."""

    def find(self, text: str) -> ApiKey | None:
        """Return the key that a caller sent; ``None`` if the file does not have it."""
        found = _KEY.fullmatch(text)
        if found is None:
            return None
        return self._by_digest(found[1], digest_of(text))

    def current(self, key: ApiKey) -> ApiKey | None:
        """Return this file's version of a key from an earlier version of the file; ``None`` if it was removed."""
        return self._by_digest(key.name, key.digest)

    def _by_digest(self, name: str, digest: bytes) -> ApiKey | None:
        return next((key for key in self.by_name.get(name, ()) if compare_digest(key.digest, digest)), None)


def digest_of(text: str) -> bytes:
    """Return the digest of a key. A key has 256 random bits, so a fast hash is safe."""
    return sha256(text.encode()).digest()


def new_key(name: str) -> str:
    """Return a new key. Raises ValueError for an invalid name."""
    if not _NAME.fullmatch(name):
        raise ValueError(
            f"{name!r} is not a valid name; use up to 32 lower-case letters and digits, with dashes between them"
        )
    return f"{PREFIX}{name}_{token_urlsafe(_SECRET_BYTES)}"


def is_key_name(text: str) -> bool:
    """Return whether a key can have this name."""
    return _NAME.fullmatch(text) is not None


def format_line(key: str, scopes: str, options: tuple[str, ...] = ()) -> str:
    """Return the file's line for a key. Raises ValueError for unknown scopes and options."""
    name = key.removeprefix(PREFIX).partition("_")[0]
    line = "  ".join((name, f"sha256:{digest_of(key).hex()}", scopes, *options))
    _read_line(line.split())
    return line


def read_keys(text: str) -> ApiKeys:
    """Return the keys in a file. Raises ValueError, which names the line and shows nothing secret."""
    by_name: dict[str, tuple[ApiKey, ...]] = {}
    anonymous_scopes: frozenset[str] | None = None
    for number, line in enumerate(text.splitlines(), 1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        try:
            if words[0] == ANONYMOUS:
                if anonymous_scopes is not None:
                    raise ValueError(f"the file has another line for {ANONYMOUS}; keep one of them")
                anonymous_scopes = _read_anonymous(words)
                continue
            key = _read_line(words)
        except ValueError as error:
            raise ValueError(f"line {number}: {error}") from None
        by_name[key.name] = (*by_name.get(key.name, ()), key)
    return ApiKeys(by_name, anonymous_scopes or frozenset())


def _read_anonymous(words: list[str]) -> frozenset[str]:
    if len(words) != _REQUIRED_WORDS or words[1] != "-":
        raise ValueError(f"write the line for callers without a key as `{ANONYMOUS} - SCOPES`, without options")
    scopes = _read_scopes(words[2])
    for scope in (ADMIN, ACT_FOR):
        if scope in scopes:
            raise ValueError(f"callers without a key cannot have the scope {scope}")
    return scopes


def _read_line(words: list[str]) -> ApiKey:
    if len(words) < _REQUIRED_WORDS:
        raise ValueError("write a key as NAME sha256:DIGEST SCOPES")
    name, digest, scopes, *options = words
    if not _NAME.fullmatch(name):
        raise ValueError("the name is not valid; use up to 32 lower-case letters and digits, with dashes between them")
    found = _DIGEST.fullmatch(digest)
    if found is None:
        raise ValueError("the digest is not sha256: and 64 lower-case hexadecimal digits; `skerry keys new` prints one")
    pairs = [_split_option(option) for option in options]
    names = [option for option, _ in pairs]
    if len(names) != len(set(names)):
        raise ValueError("an option is given twice")
    expiry = [_read_date(text) for option, text in pairs if option == _EXPIRES]
    limits = read_key_limits(name, [(option, text) for option, text in pairs if option != _EXPIRES])
    return ApiKey(name, bytes.fromhex(found[1]), _read_scopes(scopes), expiry[0] if expiry else None, limits)


def _split_option(option: str) -> tuple[str, str]:
    name, equals, text = option.partition("=")
    if not equals or not text:
        raise ValueError(
            "an option after the scopes is not NAME=VALUE; use expires=YYYY-MM-DD or a limit such as "
            "create=100/10s,2000/1h"
        )
    return name, text


def _read_scopes(text: str) -> frozenset[str]:
    scopes = frozenset(text.split(","))
    if not scopes <= set(SCOPES):
        raise ValueError(f"a scope is unknown; use {', '.join(SCOPES)}, separated by commas")
    return scopes


def _read_date(text: str) -> float:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise ValueError(
            "expires is not a date such as 2027-01-31; the key expires when that day begins (UTC)"
        ) from None
    return datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp()
