"""The file of issuers: who may vouch for players, and with which keys. It is reloaded when it changes.

    {"issuers": [{"iss": "https://login.example", "audiences": ["skerry"], "algorithms": ["EdDSA"],
                  "jwks_url": "https://login.example/jwks.json"}]}

``keys``, a list of JSON Web Keys, replaces ``jwks_url``.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from skerry_service.access.identity.vouched_players import KEY_ISSUER
from skerry_service.access.identity.web_keys import (
    ALGORITHMS,
    MOST_KEYS,
    FetchedKeys,
    InlineKeys,
    KeySource,
    UnusableKey,
    read_web_key,
    require_key_url,
)
from skerry_service.access.reloaded_files import Contents, ReloadedFiles, UnusableFile

SETTING = "SKERRY_ISSUERS"
_LONGEST = 255


class Issuer(msgspec.Struct, frozen=True):
    """An issuer that vouches for players."""

    iss: str
    audiences: tuple[str, ...]
    """A token names one of them."""
    algorithms: frozenset[str]
    keys: KeySource


Issuers = Mapping[str, Issuer]
"""By ``iss``."""


class _IssuerEntry(msgspec.Struct, forbid_unknown_fields=True):
    iss: str
    audiences: list[str]
    algorithms: list[str]
    keys: list[Any] | None = None
    jwks_url: str | None = None


class _IssuerList(msgspec.Struct, forbid_unknown_fields=True):
    issuers: list[_IssuerEntry]


class IssuersFile(ReloadedFiles[Issuers]):
    """The issuers in force."""

    def __init__(self, path: Path) -> None:
        """Load the file. Raises UnusableFile."""
        kept: dict[str, FetchedKeys] = {}
        """Keys already fetched, by URL: a reload must not wait for them again."""

        def load(contents: Contents) -> Issuers:
            try:
                return read_issuers(contents[path], kept)
            except ValueError as error:
                raise UnusableFile(f"{SETTING} names {path}: {error}") from None

        super().__init__({SETTING: path}, load, "file of issuers")


def read_issuers(data: bytes, kept: dict[str, FetchedKeys]) -> Issuers:
    """Return the issuers in a file. ``kept``: the sources of earlier versions by URL. Raises ValueError."""
    try:
        file = msgspec.json.decode(data, type=_IssuerList)
    except (msgspec.DecodeError, RecursionError) as error:
        raise ValueError(str(error)) from None
    issuers: dict[str, Issuer] = {}
    for entry in file.issuers:
        if entry.iss in issuers:
            raise ValueError(f"{entry.iss!r} is registered twice; write one entry with all its keys")
        issuers[entry.iss] = _issuer_of(entry, kept)
    return issuers


def _issuer_of(entry: _IssuerEntry, kept: dict[str, FetchedKeys]) -> Issuer:
    if not 1 <= len(entry.iss) <= _LONGEST or entry.iss.split() != [entry.iss] or entry.iss.startswith(KEY_ISSUER):
        form = f"use 1 to {_LONGEST} characters without spaces, and not {KEY_ISSUER} at the beginning"
        raise ValueError(f"{entry.iss[:80]!r} is not an issuer; {form}")
    if not entry.audiences or not all(entry.audiences):
        raise ValueError(f"{entry.iss} needs audiences: the values of `aud` that name this server")
    unknown = [one for one in entry.algorithms if one not in ALGORITHMS]
    if unknown or not entry.algorithms:
        raise ValueError(f"{entry.iss} has the algorithms {unknown or '[]'}; use some of {', '.join(ALGORITHMS)}")
    if (entry.keys is None) == (entry.jwks_url is None):
        raise ValueError(f"{entry.iss} needs either keys or jwks_url")
    source = _inline(entry) if entry.jwks_url is None else _fetched(entry.jwks_url, kept)
    return Issuer(entry.iss, tuple(entry.audiences), frozenset(entry.algorithms), source)


def _inline(entry: _IssuerEntry) -> InlineKeys:
    documents = entry.keys or []
    if not 1 <= len(documents) <= MOST_KEYS:
        raise ValueError(f"{entry.iss} has {len(documents)} keys; register 1 to {MOST_KEYS}")
    keys = []
    for number, document in enumerate(documents, 1):
        try:
            key = read_web_key(document)
        except UnusableKey as error:
            raise ValueError(f"{entry.iss}, key {number}: {error}") from None
        if key.algorithm not in entry.algorithms:
            raise ValueError(f"{entry.iss}, key {number}: its algorithm {key.algorithm} is not in the list algorithms")
        keys.append(key)
    return InlineKeys(keys)


def _fetched(url: str, kept: dict[str, FetchedKeys]) -> FetchedKeys:
    require_key_url(url)
    return kept.setdefault(url, FetchedKeys(url))
