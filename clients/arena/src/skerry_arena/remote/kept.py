"""The seats that a program of bots holds, in a file: whoever has its tokens can come back to them after a crash."""

from __future__ import annotations

import os
from pathlib import Path

from msgspec import MsgspecError, Struct, json


class Held(Struct, frozen=True):
    """A seat."""

    session: str
    token: str


class Kept:
    """Seats in a file that nobody else reads, or nowhere."""

    def __init__(self, path: Path | None) -> None:
        """Raises ValueError for a file that holds something else, OSError for one that cannot be written.

        It is written at once: whoever learns later that it cannot be has a seat by then that nobody comes back to.
        """
        self._path = path
        self._held: list[Held] = []
        if path is not None and path.exists():
            try:
                self._held = json.decode(path.read_bytes(), type=list[Held])
            except (MsgspecError, UnicodeDecodeError) as error:
                raise ValueError(f"{path}: It holds no seats: {error}.") from None
        self._write()

    @property
    def lasts(self) -> bool:
        """Whether seats outlive this process."""
        return self._path is not None

    def all(self) -> list[Held]:
        """Return the seats, the oldest first."""
        return list(self._held)

    def add(self, one: Held) -> None:
        """Keep a seat. Raises OSError."""
        self._held.append(one)
        self._write()

    def drop(self, one: Held) -> None:
        """Forget a seat. Raises OSError."""
        self._held.remove(one)
        self._write()

    def _write(self) -> None:
        if self._path is None:
            return
        new = self._path.with_name(f".{self._path.name}.new")
        with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(json.encode(self._held))
            file.flush()
            os.fsync(file.fileno())
        new.replace(self._path)
