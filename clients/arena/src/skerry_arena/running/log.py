"""The log of a tournament: one line of JSON for each game, in the order in which the games finished.

Only complete lines count. The next writer removes an incomplete last line, which a killed writer can leave.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, Self, TypeVar

import msgspec
from msgspec import json

from skerry_arena.play.record import Record, Result

Line = TypeVar("Line", bound=Result)
_CHUNK: Final = 1 << 16


class DamagedLog(Exception):
    """A log with lines that the arena has not written. The message is a sentence."""


class TournamentInUse(Exception):
    """Another process plays this tournament. The message is a sentence."""


def read(path: Path, kind: type[Line]) -> Iterator[Line]:
    """Yield the games of a log, with (Record) or without (Result) their moves. Raises DamagedLog."""
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
                raise DamagedLog(f"{path}, line {number}: This is not a game: {error}.") from None
            if record.game in seen:
                raise DamagedLog(f"{path}, line {number}: Game {record.game} appears a second time.")
            seen.add(record.game)
            yield record


class Log:
    """A log open for writing. Only one process can write to it. Use it in a ``with`` statement."""

    def __init__(self, path: Path) -> None:
        """Open or create the log. Raises TournamentInUse, OSError."""
        self._path = path
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self._file)
            raise TournamentInUse(f"{path.parent}: Another process is playing this tournament.") from None
        self._cut_torn_line()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._file)

    def write(self, records: Iterable[Record]) -> None:
        """Append games. They are on the disk when this returns. After an OSError, earlier games are intact."""
        data = b"".join([json.encode(record) + b"\n" for record in records])
        while data:
            data = data[os.write(self._file, data) :]
        os.fsync(self._file)

    def _cut_torn_line(self) -> None:
        """Remove what follows the last line end. Reads no more than that, from the end."""
        end = os.fstat(self._file).st_size
        while end:
            start = max(0, end - _CHUNK)
            found = os.pread(self._file, end - start, start).rfind(b"\n") + 1
            end = start + found
            if found:
                break
        os.ftruncate(self._file, end)
