"""The location of an archive, a directory or a URL for fsspec, and the layout of its objects.

==========================================  =================================================================
``skerry-archive``                          the id of the archive; without it, the archive counts as unavailable
``sessions/<xx>/<id>.skerry.gz``            a session; ``<xx>`` are the first two letters of its id
``days/<YYYY-MM-DD>/<game>/<id>``           empty; the session ended on that day (UTC)
``*.part``                                  left by a process that crashed during a write
==========================================  =================================================================
"""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from secrets import token_hex
from typing import Protocol

from skerry_service.archive.archived_session import ArchivedSession, day_of
from skerry_service.sessions.resource_ids import SERVICE_ID

MARKER = "skerry-archive"
SESSIONS, DAYS = "sessions", "days"
_SUFFIX = ".skerry.gz"
_PART = ".part"
_SESSION = re.compile(SERVICE_ID)
_FILE = "file://"


class Place(Protocol):
    """Storage of objects by path, with slashes. Every method can block for long, and raise OSError."""

    def read(self, path: str) -> bytes | None:
        """Return a whole object, or ``None`` if it does not exist."""

    def create(self, path: str, data: bytes) -> None:
        """Write an object, whole or not at all, unless it exists already."""

    def replace(self, path: str, data: bytes) -> None:
        """Write an object, whole or not at all, and overwrite an existing one."""

    def delete(self, path: str) -> None:
        """Delete an object, if it exists."""

    def names(self, folder: str) -> list[str]:
        """Return the sorted names of objects and folders in a folder; empty if it does not exist or is an object."""


class Directory:
    """A directory of this machine. Objects are on disk when ``create`` and ``replace`` return."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._made: list[Path] = []
        """Folders that this instance has created."""

    def __str__(self) -> str:
        return str(self._root)

    def read(self, path: str) -> bytes | None:
        try:
            return (self._root / path).read_bytes()
        except FileNotFoundError:
            return None

    def create(self, path: str, data: bytes) -> None:
        target = self._root / path
        if not target.exists():
            self._put(target, data, anew=True)

    def replace(self, path: str, data: bytes) -> None:
        self._put(self._root / path, data, anew=False)

    def delete(self, path: str) -> None:
        """Delete an object, and the empty folders that this instance has created, so that a probe leaves nothing."""
        (self._root / path).unlink(missing_ok=True)
        while self._made:
            with suppress(OSError):
                self._made.pop().rmdir()

    def names(self, folder: str) -> list[str]:
        with suppress(FileNotFoundError, NotADirectoryError):  # other programs may put files beside the folders
            return sorted(name for name in os.listdir(self._root / folder) if not name.endswith(_PART))
        return []

    def _put(self, target: Path, data: bytes, *, anew: bool) -> None:
        """Write and sync the file under a temporary name, then rename it."""
        self._make(target.parent)
        part = target.with_name(f"{target.name}.{token_hex(8)}{_PART}")
        try:
            with open(part, "xb", opener=_private) as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            _name_anew(part, target) if anew else part.replace(target)
        finally:
            part.unlink(missing_ok=True)
        _sync(target.parent)

    def _make(self, folder: Path) -> None:
        """Create a folder and its parents, each synced before its contents."""
        if folder.is_dir():
            return
        if folder != self._root:
            self._make(folder.parent)
        self._made += [one for one in reversed((folder, *folder.parents)) if not one.exists()]
        folder.mkdir(0o700, parents=folder == self._root, exist_ok=True)
        _sync(folder.parent)


def place_at(where: str) -> Place:
    """Return the archive of that path or URL; nothing is looked at yet. Raises ValueError for a URL of no known kind.

    A directory never uses fsspec, which does not wait until a file is on disk. Everything else does.
    """
    if "://" not in where or where.startswith(_FILE):
        return Directory(Path(where.removeprefix(_FILE)))
    try:
        from skerry_service.archive.object_store import Objects  # noqa: PLC0415 - an extra
    except ImportError:
        raise ValueError("a URL needs fsspec: pip install 'skerry-service[archive]'") from None
    return Objects(where)


def path_of(session: str) -> str | None:
    """Return where a session lies; ``None`` for what is no session's id."""
    return f"{SESSIONS}/{session[:2]}/{session}{_SUFFIX}" if _SESSION.fullmatch(session) else None


def entry_of(kept: ArchivedSession) -> str:
    """Return where it stands on which day a session ended."""
    return f"{DAYS}/{day_of(kept)}/{kept.game}/{kept.session}"


def sessions_at(place: Place) -> Iterator[str]:
    """Yield the ids of all sessions of an archive."""
    for folder in place.names(SESSIONS):
        yield from sessions_in(place, folder)


def sessions_in(place: Place, folder: str) -> list[str]:
    """Return the ids of the sessions in one of the folders of ``SESSIONS``."""
    names = place.names(f"{SESSIONS}/{folder}")
    return [name.removesuffix(_SUFFIX) for name in names if name.endswith(_SUFFIX)]


def sessions_between(place: Place, first: str, last: str, game: str | None) -> Iterator[str]:
    """Yield the ids of sessions that ended from one day to another, YYYY-MM-DD; ``game``: of that one only."""
    for day in place.names(DAYS):
        if first <= day <= last:
            for folder in place.names(f"{DAYS}/{day}"):
                if game in (None, folder):
                    yield from place.names(f"{DAYS}/{day}/{folder}")


def _name_anew(part: Path, target: Path) -> None:
    """Rename a file, unless another process has created one of that name first."""
    try:
        os.link(part, target)
    except FileExistsError:
        return
    except OSError as error:
        if error.errno not in (errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS):
            raise
        part.replace(target)  # there are no links here: of two who come at once, the later one counts


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
