"""A file with the seats of a program of bots, so that the program can return to them after a crash."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from typing import Self

from msgspec import MsgspecError, Struct, json


class StoredSeat(Struct, frozen=True):
    """A seat of a session, with its token."""

    session: str
    token: str


class SeatStore:
    """Seats in a file that only its owner can read, or in memory. Use it in a ``with`` statement."""

    def __init__(self, path: Path | None) -> None:
        """Open the file; ``None`` stores the seats in memory only.

        Raises ValueError if the file is malformed or in use, OSError if it cannot be written. It is written at once,
        so that this error comes before the program takes a seat.
        """
        self._path = path
        self._held: list[StoredSeat] = []
        if path is None:
            return
        self._file = _locked(path)
        try:
            if data := path.read_bytes():
                self._held = json.decode(data, type=list[StoredSeat])
            self._write()
        except BaseException as error:
            os.close(self._file)
            if isinstance(error, MsgspecError | UnicodeDecodeError):
                raise ValueError(f"{path}: This is not a file of seats: {error}.") from None
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._path is not None:
            os.close(self._file)

    @property
    def persistent(self) -> bool:
        """Whether the seats are in a file."""
        return self._path is not None

    def all(self) -> list[StoredSeat]:
        """Return the seats, the oldest first."""
        return list(self._held)

    def add(self, seat: StoredSeat) -> None:
        """Store a seat. Raises OSError."""
        self._held.append(seat)
        self._write()

    def drop(self, seat: StoredSeat) -> None:
        """Remove a seat. Raises OSError."""
        self._held.remove(seat)
        self._write()

    def _write(self) -> None:
        if self._path is None:
            return
        new = self._path.with_name(f".{self._path.name}.new")
        file = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        try:
            fcntl.flock(file, fcntl.LOCK_EX)  # before the file gets its name, so that the named file is always locked
            with open(file, "wb", closefd=False) as written:
                written.write(json.encode(self._held))
            os.fsync(file)
            new.replace(self._path)
        except BaseException:
            os.close(file)
            raise
        os.close(self._file)
        self._file = file


def _locked(path: Path) -> int:
    """Open or create the file and lock it. Raises ValueError, OSError."""
    while True:
        file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(file)
            raise ValueError(f"{path}: Another running program stores its seats in this file.") from None
        if os.path.samestat(os.fstat(file), os.stat(path)):
            return file
        os.close(file)  # another program has just replaced the file and has locked the new one
