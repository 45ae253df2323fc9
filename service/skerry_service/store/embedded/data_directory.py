"""The contents of a data directory, and checks of it before a server starts on it.

=====================  ================================================================================================
``appendonlydir/``     the games: the server's append-only files, and the manifest that names the valid ones
``server``             kind and version of the server that wrote them; present once a server has run here
``tail``               name of the file that the server appends to, and its size when a write was last acknowledged
``cut``                a sentence about the data that was missing at the last start; absent if none was
=====================  ================================================================================================
"""

from __future__ import annotations

import contextlib
import os
import re
from pathlib import Path

from msgspec import Struct

from skerry_service.store.embedded.server_binary import EmbeddedServerError, ServerKind, parse_kind

_LAST_WRITTEN = re.compile(r"^file (\S+) seq \d+ type i\b", re.MULTILINE)
_OTHERS = 0o007
_LINE = 80
"""Characters of the tail record. It overwrites the previous one, so it needs no space on a full disk."""


class Tail(Struct, frozen=True):
    """The file that a server appends to, and its length in bytes."""

    name: str
    size: int


class DataDirectory:
    """A data directory, while a server runs on it or not."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._games = path / "appendonlydir"
        self._manifest = self._games / "appendonly.aof.manifest"
        self._kind = path / "server"
        self._tail = path / "tail"
        self._cut = path / "cut"
        self._written: tuple[str, int] | None = None
        """The file that the server appends to: its name and a file descriptor."""
        self._tail_record: int | None = None

    def warnings(self) -> tuple[str, ...]:
        """Return the problems of the directory that do not prevent a server from running, each as a sentence."""
        try:
            mode = self.path.stat().st_mode
        except OSError as error:
            return (f"The data directory {self.path} cannot be found: {error.strerror}.",)
        found = []
        if mode & _OTHERS:
            found.append(
                f"The data directory {self.path} is accessible to every user of the machine. Set its mode to 700."
            )
        with contextlib.suppress(OSError):
            found.append(self._cut.read_text())
        return tuple(found)

    def is_one(self) -> bool:
        """Whether a server has run here, or the files of one were copied here."""
        return self._games.is_dir() or self._kind.exists()

    def require_readable(self, kind: ServerKind) -> None:
        """Raise EmbeddedServerError if a server of that kind cannot read the games in the directory."""
        if self._kind.exists():
            writer = parse_kind(self._kind.read_text())
            if not kind.reads(writer):
                raise EmbeddedServerError(
                    f"{kind} cannot read the data in {self.path}, which {writer} wrote: "
                    f"install a server that can, or use another directory"
                )
        if not self._manifest.exists() and (self._kind.exists() or any(self._games.glob("*.aof"))):
            raise EmbeddedServerError(
                f"the server cannot find the games in {self.path}, because {self._manifest} is missing: "
                f"restore it from a backup, or use another directory"
            )

    def make_private(self) -> None:
        """Remove access by other users from the files of earlier runs."""
        with contextlib.suppress(OSError):  # it does not exist yet, or belongs to another user
            self._games.chmod(0o700)

    def record_kind(self, kind: ServerKind) -> None:
        """Record the kind of the server that writes the data from now on."""
        with contextlib.suppress(OSError):
            if not self._kind.exists() or self._kind.read_text() != f"{kind}\n":
                _replace(self._kind, f"{kind}\n")

    def record_cut(self, words: str) -> None:
        """Record, until the next start, which data is missing. Every process that uses the directory reads it."""
        with contextlib.suppress(OSError):
            _replace(self._cut, words)

    def clear_cut(self) -> None:
        """Remove the record of missing data."""
        self._cut.unlink(missing_ok=True)

    def tail(self) -> Tail | None:
        """Return the current end of the stored data; ``None`` if there is none."""
        try:
            *_, name = _LAST_WRITTEN.findall(self._manifest.read_text())
            return Tail(name, (self._games / name).stat().st_size)
        except (OSError, ValueError):
            return None

    def recorded_tail(self) -> Tail | None:
        """Return the end that was recorded last; ``None`` if there is none."""
        try:
            name, size = self._tail.read_text().split()
            return Tail(name, int(size))
        except (OSError, ValueError):
            return None

    def open_tail(self) -> None:
        """Open the file that the server appends to now. After a rewrite that is another file."""
        tail = self.tail()
        if tail is not None and (self._written is None or self._written[0] != tail.name):
            self.close_tail()
            with contextlib.suppress(OSError):
                self._tail_record = os.open(self._tail, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)
                self._written = tail.name, os.open(self._games / tail.name, os.O_RDONLY | os.O_CLOEXEC)

    def record_tail(self) -> None:
        """Record the size of the file. It holds all acknowledged writes, so a shorter file has lost some.

        The record is not synced. After a crash of the machine it can be an older one, with a smaller size.
        """
        if self._written is not None and self._tail_record is not None:
            name, descriptor = self._written
            with contextlib.suppress(OSError):
                line = f"{name} {os.fstat(descriptor).st_size}".ljust(_LINE)
                os.pwrite(self._tail_record, line.encode(), 0)

    def close_tail(self) -> None:
        """Close the file."""
        for descriptor in (self._tail_record, self._written and self._written[1]):
            if descriptor is not None:
                os.close(descriptor)
        self._tail_record = self._written = None


def missing(recorded: Tail | None, loaded: Tail | None) -> int:
    """Return how many of the recorded bytes the server did not load.

    The server also drops a write that a crash cut off. That write was not recorded, because it was not acknowledged.
    """
    if recorded is None or loaded is None or recorded.name != loaded.name:
        return 0
    return max(recorded.size - loaded.size, 0)


def _replace(path: Path, text: str) -> None:
    new = path.with_suffix(".new")
    new.write_text(text)
    os.replace(new, path)
