"""Authentication and authorization by API key. The file of keys is reloaded when it changes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from skerry_service.access.api_key_file import ApiKey, ApiKeys, read_keys
from skerry_service.access.reloaded_files import Contents, ReloadedFiles, UnusableFile
from skerry_service.access.scopes import SCOPES, SCOPES_OF_RPC
from skerry_service.domain.errors import ApiKeyInvalid, ApiKeyMissing, ApiKeyScope

SETTING = "SKERRY_KEYS"


class Keyring(ReloadedFiles[ApiKeys]):
    """The API keys in force."""

    def __init__(self, path: Path) -> None:
        """Load the keys. Raises UnusableFile."""

        def load(contents: Contents) -> ApiKeys:
            try:
                return read_keys(contents[path].decode())
            except UnicodeDecodeError:
                raise UnusableFile(f"{SETTING} names {path}, which is not text in UTF-8") from None
            except ValueError as error:
                raise UnusableFile(f"{SETTING} names {path}: {error}") from None

        super().__init__({SETTING: path}, load, "file of API keys")

    def authenticate(self, sent: Sequence[str]) -> ApiKey | None:
        """Return the key of a call; ``None`` for a call without one. Raises ApiKeyInvalid.

        ``sent``: every key that came with the call. Two keys are rejected, because they are ambiguous.
        """
        if not sent:
            return None
        key = self.value.find(sent[0]) if len(sent) == 1 else None
        if key is None:
            raise ApiKeyInvalid
        return key

    def authorize(self, rpc: str, key: ApiKey | None) -> None:
        """Check that a key may call an RPC. Raises ApiKeyMissing, ApiKeyInvalid, ApiKeyScope."""
        accepted = SCOPES_OF_RPC[rpc]
        if key is None:
            if accepted.isdisjoint(self.value.anonymous_scopes):
                raise ApiKeyMissing
            return
        if key.has_expired():
            raise ApiKeyInvalid("The API key has expired.")
        if accepted.isdisjoint(key.scopes | self.value.anonymous_scopes):
            raise ApiKeyScope([scope for scope in SCOPES if scope in accepted])

    def reauthorize(self, rpc: str, key: ApiKey | None) -> None:
        """Check a stream's key against the current file. Raises the errors of ``authorize``.

        A stream ends when its key expires, is removed or loses its scope.
        """
        current = None if key is None else self.value.current(key)
        if key is not None and current is None:
            raise ApiKeyInvalid("The API key was withdrawn.")
        self.authorize(rpc, current)
