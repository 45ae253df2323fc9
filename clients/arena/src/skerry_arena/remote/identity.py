"""The identity of a named bot: a name, a secret token that proves it, and a public handle."""

from __future__ import annotations

import re
from base64 import b32encode
from hashlib import sha256
from secrets import token_bytes

from msgspec import Struct

_NAME = re.compile(r"[a-z][a-z0-9_.-]{0,31}")
_TOKEN = re.compile(r"skerry_bot_[a-z2-7]{26}")


class Identity(Struct, frozen=True):
    """A named bot."""

    name: str
    token: str

    def __post_init__(self) -> None:
        """Raise ValueError for a malformed name or token."""
        if not _NAME.fullmatch(self.name):
            raise ValueError(
                f"A bot's name is a lower-case letter and up to 31 of a-z, 0-9, _, . and -, not {self.name!r}."
            )
        if not _TOKEN.fullmatch(self.token):
            raise ValueError("A bot's token is skerry_bot_ and 26 characters of a-z and 2-7: --new-token prints one.")

    @property
    def handle(self) -> str:
        """The handle, under which hosts reserve seats."""
        return f"{self.name}~{sha256(self.token.encode('ascii')).hexdigest()[:32]}"


def new_token() -> str:
    """Return a new token of 128 random bits."""
    return f"skerry_bot_{b32encode(token_bytes(16)).decode().rstrip('=').lower()}"
