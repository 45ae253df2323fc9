"""The log of a tournament: one line of JSON for each finished game, in the order in which they were finished.

A line counts when it is whole. What a killed writer left of its last line is cut off by the next one.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Self, TypeVar

import msgspec
from msgspec import json

from skerry_arena.play.record import Record, Result

Line = TypeVar("Line", bound=Result)


class DamagedLog(Exception):
    """A log that has been changed by somebody else. The message is a sentence."""


class TournamentInUse(Exception):
    """A tournament that is being played already. The message is a sentence."""


def read(path: Path, kind: type[Line]) -> Iterator[Line]:
    """Yield the games of a log, each once, whole or without the moves. Raises DamagedLog."""
    decoder, seen = json.Decoder(kind), set[int]()
    if not path.exists():
        return
    with path.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            if not line.endswith(b"\n"):
                return
            try:
                record = decoder.decode(line)
            except (msgspec.MsgspecError, UnicodeDecodeError) as error:
                raise DamagedLog(f"{path}, line {number}: It is no game: {error}.") from None
            if record.game in seen:
                raise DamagedLog(f"{path}, line {number}: It has game {record.game} a second time.")
            seen.add(record.game)
            yield record


class Log:
    """A log that is written to, by one process at a time. Use it in a ``with`` statement."""

    def __init__(self, path: Path) -> None:
        """Open the log, or begin it. Raises TournamentInUse, OSError."""
        self._path = path
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self._file)
            raise TournamentInUse(f"{path.parent}: It is being played by another process.") from None
        self._cut_torn_line()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._file)

    def write(self, records: Iterable[Record]) -> None:
        """Append games; they are on the disk when this returns. Raises OSError: then those before stand."""
        data = b"".join([json.encode(record) + b"\n" for record in records])
        while data:
            data = data[os.write(self._file, data) :]
        os.fsync(self._file)

    def _cut_torn_line(self) -> None:
        end = self._path.read_bytes().rfind(b"\n") + 1
        os.ftruncate(self._file, end)
