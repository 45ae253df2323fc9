"""Lets callers in by their API keys: a file that is read again when it changes, and the table of scopes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from skerry_service.access.api_key_file import Key, Keys, read_keys
from skerry_service.access.reloaded_files import Contents, Unusable, Watched
from skerry_service.access.scopes import CALLS, SCOPES
from skerry_service.domain.errors import ApiKeyInvalid, ApiKeyMissing, ApiKeyScope

SETTING = "SKERRY_KEYS"


class Keyring(Watched[Keys]):
    """The keys that are good now."""

    def __init__(self, path: Path) -> None:
        """Raises Unusable."""

        def make(contents: Contents) -> Keys:
            try:
                return read_keys(contents[path].decode())
            except UnicodeDecodeError:
                raise Unusable(f"{SETTING} names {path}, which is not text") from None
            except ValueError as error:
                raise Unusable(f"{SETTING} names {path}: {error}") from None

        super().__init__({SETTING: path}, make, "the file of API keys")

    def known(self, sent: Sequence[str]) -> Key | None:
        """Return the key with which a call is made; ``None``: without one. Raises ApiKeyInvalid.

        ``sent``: every key that came with it. Two are refused: which one counts would be anybody's guess.
        """
        if not sent:
            return None
        key = self.value.find(sent[0]) if len(sent) == 1 else None
        if key is None:
            raise ApiKeyInvalid
        return key

    def require(self, rpc: str, key: Key | None) -> None:
        """Let a call in. Raises ApiKeyMissing, ApiKeyInvalid, ApiKeyScope."""
        wanted = CALLS[rpc]
        if key is None:
            if wanted.isdisjoint(self.value.anybody):
                raise ApiKeyMissing
            return
        if key.has_expired():
            raise ApiKeyInvalid("Your API key has expired.")
        if wanted.isdisjoint(key.scopes | self.value.anybody):
            raise ApiKeyScope([scope for scope in SCOPES if scope in wanted])

    def require_still(self, rpc: str, key: Key | None) -> None:
        """Raise what the call would be refused with now: a stream outlives no key."""
        now = None if key is None else self.value.now(key)
        if key is not None and now is None:
            raise ApiKeyInvalid("Your API key was withdrawn.")
        self.require(rpc, now)
