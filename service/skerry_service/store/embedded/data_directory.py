"""What lies in a data directory, and what is wrong with it: noticed before a server makes something else of it.

=====================  ================================================================================================
``appendonlydir/``     the games: what the server has written, and its manifest, which names the files that count
``server``             the kind of server that wrote it; there is one once a server has run here
``tail``               the file that was being written to, and how long it was when something was acknowledged last
``cut``                what was found to be missing when the server was started, in a sentence; absent: nothing
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
"""Characters of a note: it is written over the one before, and needs no new room on a full disk."""


class Tail(Struct, frozen=True):
    """The file that a server appends to, and its length in bytes."""

    name: str
    size: int


class DataDirectory:
    """A data directory, as it is between two runs of a server and during one."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._games = path / "appendonlydir"
        self._manifest = self._games / "appendonly.aof.manifest"
        self._kind = path / "server"
        self._tail = path / "tail"
        self._cut = path / "cut"
        self._written: tuple[str, int] | None = None
        """The file that is written to: its name, and a descriptor of it."""
        self._note: int | None = None

    def warnings(self) -> tuple[str, ...]:
        """Return what is wrong with the directory without keeping a server from it, in sentences."""
        try:
            mode = self.path.stat().st_mode
        except OSError as error:
            return (f"The data directory {self.path} cannot be found any more: {error.strerror}.",)
        told = []
        if mode & _OTHERS:
            told.append(f"The data directory {self.path} is open to every user of the machine; set its mode to 700.")
        with contextlib.suppress(OSError):
            told.append(self._cut.read_text())
        return tuple(told)

    def is_one(self) -> bool:
        """Whether a server has run here, or what one has written was copied here."""
        return self._games.is_dir() or self._kind.exists()

    def require_readable(self, kind: ServerKind) -> None:
        """Raise EmbeddedServerError if a server of that kind would not find the games that were kept here."""
        if self._kind.exists():
            writer = parse_kind(self._kind.read_text())
            if not kind.reads(writer):
                raise EmbeddedServerError(
                    f"the data in {self.path} was written by {writer}, which {kind} cannot read: "
                    f"install a server that can, or use another directory"
                )
        if not self._manifest.exists() and (self._kind.exists() or any(self._games.glob("*.aof"))):
            raise EmbeddedServerError(
                f"there were games in {self.path}, but {self._manifest} is gone, without which they are not found: "
                f"put it back from a backup, or use another directory"
            )

    def make_private(self) -> None:
        """Close what earlier runs have written to other users."""
        with contextlib.suppress(OSError):  # there is none yet, or it is another user's: then that one decides
            self._games.chmod(0o700)

    def note_kind(self, kind: ServerKind) -> None:
        """Write down whose data it is from now on."""
        with contextlib.suppress(OSError):
            if not self._kind.exists() or self._kind.read_text() != f"{kind}\n":
                _replace(self._kind, f"{kind}\n")

    def note_cut(self, words: str) -> None:
        """Note what is missing of what was stored, for all who serve it, until it is started again."""
        with contextlib.suppress(OSError):
            _replace(self._cut, words)

    def forget_cut(self) -> None:
        """Begin without such a note."""
        self._cut.unlink(missing_ok=True)

    def tail(self) -> Tail | None:
        """Return the end of what is stored, ``None`` if nothing is."""
        try:
            *_, name = _LAST_WRITTEN.findall(self._manifest.read_text())
            return Tail(name, (self._games / name).stat().st_size)
        except (OSError, ValueError):
            return None

    def noted_tail(self) -> Tail | None:
        """Return the end as it was when it was noted last."""
        try:
            name, size = self._tail.read_text().split()
            return Tail(name, int(size))
        except (OSError, ValueError):
            return None

    def open_tail(self) -> None:
        """Have the file at hand that is written to now; a rewrite puts another one in its place."""
        tail = self.tail()
        if tail is not None and (self._written is None or self._written[0] != tail.name):
            self.close_tail()
            with contextlib.suppress(OSError):
                self._note = os.open(self._tail, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)
                self._written = tail.name, os.open(self._games / tail.name, os.O_RDONLY | os.O_CLOEXEC)

    def note_tail(self) -> None:
        """Note how long the file is. What was acknowledged is in it, so a shorter one has lost something.

        It is not synced: when the machine dies the note may be an older one, and so claims less.
        """
        if self._written is not None and self._note is not None:
            name, descriptor = self._written
            with contextlib.suppress(OSError):
                line = f"{name} {os.fstat(descriptor).st_size}".ljust(_LINE)
                os.pwrite(self._note, line.encode(), 0)

    def close_tail(self) -> None:
        """Let go of the file."""
        for descriptor in (self._note, self._written and self._written[1]):
            if descriptor is not None:
                os.close(descriptor)
        self._note = self._written = None


def missing(noted: Tail | None, loaded: Tail | None) -> int:
    """Return how many bytes of what was noted the server did not find.

    A write that a crash tore apart is dropped too, but nobody had noted it: it was not acknowledged.
    """
    if noted is None or loaded is None or noted.name != loaded.name:
        return 0
    return max(noted.size - loaded.size, 0)


def _replace(path: Path, text: str) -> None:
    new = path.with_suffix(".new")
    new.write_text(text)
    os.replace(new, path)
