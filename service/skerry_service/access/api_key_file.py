"""The file of API keys: a line for each, with a digest of the key and never the key itself.

    # name   digest      scopes      from here on in any order
    mobile   sha256:…    play,watch  create=50/10s,1000/1h  streams=500
    mobile   sha256:…    play,watch  expires=2027-01-31
    *        -           watch

Several lines of one name are keys that work beside each other, so that one can take the place of another. The line of
``*`` is for callers without a key.
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

from skerry_service.access.allowance import Allowance, read_allowance
from skerry_service.access.scopes import ADMIN, SCOPES

PREFIX = "skerry_key_"
ANYBODY = "*"
_SECRET_BYTES = 32
_NAME = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?")
_KEY = re.compile(rf"{PREFIX}({_NAME.pattern})_[A-Za-z0-9_-]{{43}}")
_DIGEST = re.compile(r"sha256:([0-9a-f]{64})")
_EXPIRES = "expires"
_FEWEST_WORDS = 3


class Key(Struct, frozen=True):
    """What is known of a key."""

    name: str
    """Whose it is: for logs."""
    digest: bytes
    scopes: frozenset[str]
    expires: float | None
    """Seconds since 1970 from which on it is good for nothing; ``None``: never."""
    allowance: Allowance | None
    """Limits of its own; ``None``: those of addresses."""

    def has_expired(self) -> bool:
        """Whether it is good for nothing any more."""
        return self.expires is not None and time.time() >= self.expires


class Keys(Struct, frozen=True):
    """What the file says."""

    by_name: Mapping[str, tuple[Key, ...]]
    anybody: frozenset[str]
    """The scopes of callers without a key."""

    def find(self, text: str) -> Key | None:
        """Return the key that somebody sent; ``None`` if there is none."""
        found = _KEY.fullmatch(text)
        if found is None:
            return None
        return self._of(found[1], digest_of(text))

    def now(self, key: Key) -> Key | None:
        """Return what the file says now of a key that was found in an earlier one; ``None`` if it is gone."""
        return self._of(key.name, key.digest)

    def _of(self, name: str, digest: bytes) -> Key | None:
        return next((key for key in self.by_name.get(name, ()) if compare_digest(key.digest, digest)), None)


def digest_of(text: str) -> bytes:
    """Return what is kept of a key. It has 256 random bits: nothing slower is needed to keep it from being guessed."""
    return sha256(text.encode()).digest()


def new_key(name: str) -> str:
    """Return a new key. Raises ValueError for what cannot be a name."""
    if not _NAME.fullmatch(name):
        raise ValueError(f"a name has up to 32 small letters, digits and inner dashes, unlike {name!r}")
    return f"{PREFIX}{name}_{token_urlsafe(_SECRET_BYTES)}"


def line_of(key: str, scopes: str, more: tuple[str, ...] = ()) -> str:
    """Return the line of a key. Raises ValueError for scopes and limits that there are not."""
    name = key.removeprefix(PREFIX).partition("_")[0]
    line = "  ".join((name, f"sha256:{digest_of(key).hex()}", scopes, *more))
    _read_line(line.split())
    return line


def read_keys(text: str) -> Keys:
    """Return what the file says. Raises ValueError, which names the line and nothing that stands in it but its name."""
    by_name: dict[str, tuple[Key, ...]] = {}
    anybody: frozenset[str] | None = None
    for number, line in enumerate(text.splitlines(), 1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        try:
            if words[0] == ANYBODY:
                if anybody is not None:
                    raise ValueError(f"there is a line of {ANYBODY} before it")
                anybody = _read_anybody(words)
                continue
            key = _read_line(words)
        except ValueError as error:
            raise ValueError(f"line {number}: {error}") from None
        by_name[key.name] = (*by_name.get(key.name, ()), key)
    return Keys(by_name, anybody or frozenset())


def _read_anybody(words: list[str]) -> frozenset[str]:
    if len(words) != _FEWEST_WORDS or words[1] != "-":
        raise ValueError(f"for callers without a key it is `{ANYBODY} - SCOPES`, and nothing else")
    scopes = _read_scopes(words[2])
    if ADMIN in scopes:
        raise ValueError(f"{ADMIN} is for nobody without a key")
    return scopes


def _read_line(words: list[str]) -> Key:
    if len(words) < _FEWEST_WORDS:
        raise ValueError("it is NAME sha256:DIGEST SCOPES")
    name, digest, scopes, *more = words
    if not _NAME.fullmatch(name):
        raise ValueError("a name has up to 32 small letters, digits and inner dashes")
    found = _DIGEST.fullmatch(digest)
    if found is None:
        raise ValueError("a digest is sha256: and 64 hexadecimal digits in lower case; `skerry keys new` makes it")
    given = [_pair(word) for word in more]
    named = [one for one, _ in given]
    if len(named) != len(set(named)):
        raise ValueError("something is said twice")
    ends = [_read_date(text) for one, text in given if one == _EXPIRES]
    allowance = read_allowance(name, [(one, text) for one, text in given if one != _EXPIRES])
    return Key(name, bytes.fromhex(found[1]), _read_scopes(scopes), ends[0] if ends else None, allowance)


def _pair(word: str) -> tuple[str, str]:
    name, between, text = word.partition("=")
    if not between or not text:
        raise ValueError("behind the scopes stand expires=YYYY-MM-DD and limits such as create=100/10s,2000/1h")
    return name, text


def _read_scopes(text: str) -> frozenset[str]:
    scopes = frozenset(text.split(","))
    if not scopes <= set(SCOPES):
        raise ValueError(f"scopes are {', '.join(SCOPES)}, separated by commas")
    return scopes


def _read_date(text: str) -> float:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise ValueError("expires is a day such as 2027-01-31, from whose beginning (UTC) on it is refused") from None
    return datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp()
