"""The seats that a program of bots holds, in a file: whoever has its tokens can come back to them after a crash."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from typing import Self

from msgspec import MsgspecError, Struct, json


class StoredSeat(Struct, frozen=True):
    """A seat."""

    session: str
    token: str


class SeatStore:
    """Seats in a file that nobody else reads, or nowhere. The file is its own as long as a ``with`` statement lasts."""

    def __init__(self, path: Path | None) -> None:
        """Raises ValueError for a file that holds something else, or is in use, OSError for one that cannot be written.

        It is written at once: whoever learns later that it cannot be has a seat by then that nobody comes back to.
        """
        self._path = path
        self._held: list[StoredSeat] = []
        if path is None:
            return
        self._file = _taken(path)
        try:
            if data := path.read_bytes():
                self._held = json.decode(data, type=list[StoredSeat])
            self._write()
        except BaseException as error:
            os.close(self._file)
            if isinstance(error, MsgspecError | UnicodeDecodeError):
                raise ValueError(f"{path}: It holds no seats: {error}.") from None
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._path is not None:
            os.close(self._file)

    @property
    def lasts(self) -> bool:
        """Whether seats outlive this process."""
        return self._path is not None

    def all(self) -> list[StoredSeat]:
        """Return the seats, the oldest first."""
        return list(self._held)

    def add(self, one: StoredSeat) -> None:
        """Keep a seat. Raises OSError."""
        self._held.append(one)
        self._write()

    def drop(self, one: StoredSeat) -> None:
        """Forget a seat. Raises OSError."""
        self._held.remove(one)
        self._write()

    def _write(self) -> None:
        if self._path is None:
            return
        new = self._path.with_name(f".{self._path.name}.new")
        file = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        try:
            fcntl.flock(file, fcntl.LOCK_EX)  # before it has the name: so whoever opens that finds a lock always
            with open(file, "wb", closefd=False) as written:
                written.write(json.encode(self._held))
            os.fsync(file)
            new.replace(self._path)
        except BaseException:
            os.close(file)
            raise
        os.close(self._file)
        self._file = file


def _taken(path: Path) -> int:
    """Open the file, or begin it, for this process alone. Raises ValueError, OSError."""
    while True:
        file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(file)
            raise ValueError(f"{path}: Another program keeps its seats here, and has not ended.") from None
        if os.path.samestat(os.fstat(file), os.stat(path)):
            return file
        os.close(file)  # that program has just written it anew, and holds the new one
