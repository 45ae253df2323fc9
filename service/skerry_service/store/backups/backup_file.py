"""The file format of a backup: gzip, with a frame for each session and a checksum at the end.

The file begins with ``skerry-backup-1`` and a line end. Each frame is a length (4 bytes, big-endian) and as many bytes
of MessagePack: a ``Heading``, then a ``BackedUpSession`` for each session, an empty frame, and a ``Closing``. If the
heading says so, frames with ``BackedUpFields`` of resources, and an empty frame, follow it.

A file that is cut off or changed by a single byte is rejected as a whole.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import secrets
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct

from skerry_service.store.backups.resource_backup import BackedUpFields

_MAGIC = b"skerry-backup-1\n"
_LENGTH = 4
_LONGEST = 1 << 28
"""Limit of the bytes of a frame. No session is as large."""
_PART = ".part"
_QUICK = 1
T = TypeVar("T")


class BackupUnusable(Exception):
    """The file is not a backup, or is incomplete. The message is one sentence."""


class Heading(Struct, frozen=True):
    """The first frame: the state of the store."""

    taken_ms: int
    """Start of the backup, by the wall clock, in ms since 1970."""
    uptime_ms: int
    """The store's uptime then."""
    epoch: str
    archive: bytes | None = None
    """Id of the archive to which finished games move."""
    format: int = 0
    """The store's format."""
    has_resources: bool = False
    """Whether ladders, bots, and whatever else is stored beside sessions, precede the sessions."""


class BackedUpSession(Struct, frozen=True, array_like=True):
    """A session: the fields of its hash, the records of its log, and since when it is listed."""

    session: str
    head: tuple[tuple[bytes, bytes], ...]
    log: tuple[tuple[bytes, bytes], ...]
    """Ids and batches."""
    listed_since_ms: int | None


class Closing(Struct, frozen=True):
    """The last frame."""

    sessions: int
    sha256: bytes
    """Checksum of everything before this frame."""


class Writer:
    """Writes a backup. The file is complete once the block of ``writing`` has ended."""

    def __init__(self, file: gzip.GzipFile) -> None:
        self._file = file
        self._digest = hashlib.sha256()
        self.sessions = 0
        self._put(_MAGIC)

    def begin(self, heading: Heading) -> None:
        self._frame(msgspec.msgpack.encode(heading))

    def add_fields(self, kept: BackedUpFields) -> None:
        self._frame(msgspec.msgpack.encode(kept))

    def end_resources(self) -> None:
        self._frame(b"")

    def add(self, kept: BackedUpSession) -> None:
        self._frame(msgspec.msgpack.encode(kept))
        self.sessions += 1

    def close(self) -> None:
        self._frame(b"")
        self._frame(msgspec.msgpack.encode(Closing(self.sessions, self._digest.digest())))

    def _frame(self, data: bytes) -> None:
        self._put(len(data).to_bytes(_LENGTH, "big") + data)

    def _put(self, data: bytes) -> None:
        self._digest.update(data)
        self._file.write(data)


@contextmanager
def writing(path: Path) -> Iterator[Writer]:
    """Write a backup to a private file beside ``path``, and rename it to ``path`` once it is complete and on disk."""
    part = path.with_name(f"{path.name}.{secrets.token_hex(8)}{_PART}")
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as raw:
            with gzip.GzipFile(fileobj=raw, mode="wb", compresslevel=_QUICK) as packed:
                writer = Writer(packed)
                yield writer
                writer.close()
            raw.flush()
            os.fsync(raw.fileno())
        part.rename(path)
    finally:
        part.unlink(missing_ok=True)
    with suppress(OSError):  # sync the name too, where folders can be read and synced
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


class Reader:
    """Reads a backup from its beginning. Raises BackupUnusable where it is malformed or incomplete."""

    def __init__(self, file: gzip.GzipFile, path: Path) -> None:
        self._file = file
        self._path = path
        self._digest = hashlib.sha256()
        if self._take(len(_MAGIC)) != _MAGIC:
            raise BackupUnusable(f"{path} is not a backup of this version of Skerry.")
        self.heading = self._decoded(self._frame(), Heading)

        self._has_resources = self.heading.has_resources

    def resources(self) -> Iterator[BackedUpFields]:
        """Yield the resources, which can be read once, before the sessions."""
        while self._has_resources and (frame := self._frame()):
            yield self._decoded(frame, BackedUpFields)
        self._has_resources = False

    def sessions(self) -> Iterator[BackedUpSession]:
        """Yield each session. Raise BackupUnusable at the end if the file is incomplete or was changed."""
        for _ in self.resources():
            pass
        count = 0
        while frame := self._frame():
            yield self._decoded(frame, BackedUpSession)
            count += 1
        found = Closing(count, self._digest.digest())
        if self._decoded(self._frame(), Closing) != found or self._file.read(1):
            raise self._damaged()

    def _frame(self) -> bytes:
        length = int.from_bytes(self._take(_LENGTH), "big")
        if length > _LONGEST:
            raise self._damaged()
        return self._take(length)

    def _take(self, count: int) -> bytes:
        data = self._file.read(count)
        if len(data) != count:
            raise self._damaged()
        self._digest.update(data)
        return data

    def _decoded(self, data: bytes, kind: type[T]) -> T:
        try:
            return msgspec.msgpack.decode(data, type=kind)
        except (msgspec.MsgspecError, RecursionError):
            raise self._damaged() from None

    def _damaged(self) -> BackupUnusable:
        return BackupUnusable(f"{self._path} is damaged: it was cut off or changed after the backup.")


@contextmanager
def reading(path: Path) -> Iterator[Reader]:
    """Open a backup. Raises BackupUnusable, and OSError if the file cannot be read."""
    try:
        with gzip.open(path, "rb") as file:
            yield Reader(file, path)
    except (gzip.BadGzipFile, EOFError, zlib.error):
        raise BackupUnusable(f"{path} is damaged: it was cut off or changed after the backup.") from None
