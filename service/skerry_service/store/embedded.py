"""A Redis server of our own, for when no ``REDIS_URL`` is given: on a unix socket, in a data directory.

It appends every write to a file, so the next owner of the directory finds the games again. The directory has one owner
at a time; the server ends with the process that started it, however that ends.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import logging
import os
import stat
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Literal
from urllib.parse import quote

from .directory_lock import lock_directory, sign
from .server_binary import EmbeddedServerError, find_binary, kind_of, parse_kind

__all__ = ["EmbeddedServer", "EmbeddedServerError"]

_log = logging.getLogger(__name__)

_SOCKET_PATH_LIMIT = 100
"""Bytes. The address of a unix socket holds 108 on Linux and 104 elsewhere, the closing zero included."""

_POLL = 0.05
_BACKOFF = (0.0, 0.2, 0.5, 1.0, 2.0, 4.0)
"""Seconds before each attempt to bring a server back; when the last one fails too, ``watch`` gives up."""


class EmbeddedServer:
    """A server over one directory. ``fsync``: ``always`` loses nothing in a crash, ``everysec`` up to a second.

    ``binary`` is the server to run, by default what ``find_binary`` finds; ``patience`` is how many seconds ``start``
    waits for the directory to become free, ``load_limit`` how many a start may take, which grows with the data.
    """

    def __init__(
        self,
        directory: Path,
        fsync: Literal["always", "everysec"] = "always",
        *,
        binary: Path | None = None,
        patience: float = 5.0,
        load_limit: float = 120.0,
    ) -> None:
        self.directory = directory.absolute()
        self._fsync = fsync
        self._binary = binary
        self._patience = patience
        self._load_limit = load_limit
        self._lock: int | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._stopping = False
        self.socket = _socket_path(self.directory)

    @property
    def url(self) -> str:
        """What to give to ``RedisStore``. The same as long as the directory is."""
        return f"unix://{quote(str(self.socket))}"

    @property
    def pid(self) -> int:
        """The server's process id."""
        if self._process is None:
            raise EmbeddedServerError("the server has not been started")
        return self._process.pid

    async def start(self) -> None:
        """Take the directory and start its server; return when it answers. ``EmbeddedServerError`` says why not.

        From the main thread only: the kernel ends the server with the thread that started it.
        """
        self.directory.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._lock = await lock_directory(self.directory, self._patience)
        self._stopping = False
        try:
            if self.socket.parent != self.directory:
                _make_private(self.socket.parent)
            await self._launch()
        except BaseException:
            await self.stop()
            raise

    async def watch(self) -> None:
        """Bring the server back whenever it dies. Returns after ``stop``; raises when it cannot be brought back."""
        while not self._stopping:
            if self._process is not None and self._process.poll() is not None:
                _log.error("the embedded server ended with status %s", self._process.returncode)
                await self._bring_back()
            await asyncio.sleep(_POLL)

    async def stop(self, limit: float = 10.0) -> None:
        """End the server, kindly at first, and leave the directory to the next owner. The data stays."""
        self._stopping = True
        process, self._process = self._process, None
        if process is not None:
            await _end(process, limit)
            self._leave_socket()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def _leave_socket(self) -> None:
        self.socket.unlink(missing_ok=True)
        if self.socket.parent != self.directory:
            with contextlib.suppress(OSError):
                self.socket.parent.rmdir()

    async def _bring_back(self) -> None:
        for pause in _BACKOFF:
            await asyncio.sleep(pause)
            if self._stopping:
                return
            try:
                await self._launch()
                return
            except EmbeddedServerError as error:
                _log.error("%s", error)
        raise EmbeddedServerError(f"the server on {self.directory} cannot be brought back; see {self._log_file}")

    async def _launch(self) -> None:
        assert self._lock is not None, "the directory is not ours"
        if threading.current_thread() is not threading.main_thread():
            raise EmbeddedServerError("the embedded server has to be started from the main thread")
        binary = self._binary or find_binary()
        self._claim_data(binary)
        child = str(Path(__file__).with_name("embedded_child.py"))
        command = [sys.executable, "-ISE", child, str(os.getpid()), str(binary), *self._arguments()]
        # asyncio's own subprocesses belong to one event loop; the server outlives those of tests and commands.
        self._process = subprocess.Popen(  # noqa: ASYNC220
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=[self._lock],
            start_new_session=True,  # a Ctrl-C at the terminal is for us; the server is needed until we are done
        )
        sign(self._lock, f"{os.getpid()} (its server: {self._process.pid})")
        await self._answering(self._process)

    def _claim_data(self, binary: Path) -> None:
        """Refuse a directory that this server cannot read; note whose it is from now on."""
        note, found = self.directory / "server", kind_of(binary)
        if note.exists():
            writer = parse_kind(note.read_text())
            if not found.reads(writer):
                raise EmbeddedServerError(
                    f"the data in {self.directory} was written by {writer}, which {found} ({binary}) cannot read: "
                    f"install a server that can, or use another directory"
                )
        new_note = note.with_suffix(".new")
        new_note.write_text(f"{found}\n")
        new_note.replace(note)

    def _arguments(self) -> list[str]:
        settings = {
            "port": "0",
            "unixsocket": str(self.socket),
            "unixsocketperm": "700",
            "dir": str(self.directory),
            "logfile": str(self._log_file),
            "daemonize": "no",
            "databases": "1",
            "appendonly": "yes",
            "appendfsync": self._fsync,
            "aof-load-truncated": "yes",
            "save": "",
            "maxmemory-policy": "noeviction",
        }
        return [word for name, value in settings.items() for word in (f"--{name}", value)]

    @property
    def _log_file(self) -> Path:
        return self.directory / "server.log"

    async def _answering(self, process: subprocess.Popen[bytes]) -> None:
        give_up = asyncio.get_running_loop().time() + self._load_limit
        while asyncio.get_running_loop().time() < give_up:
            if process.poll() is not None:
                raise EmbeddedServerError(f"the server on {self.directory} ended at once: {self._last_words()}")
            if await _pong(self.socket):
                return
            await asyncio.sleep(0.02)
        process.kill()
        process.wait()
        raise EmbeddedServerError(f"the server on {self.directory} does not answer: {self._last_words()}")

    def _last_words(self) -> str:
        try:
            lines = self._log_file.read_text(errors="replace").splitlines()
        except OSError:
            return "it left no log"
        return " / ".join(lines[-3:])


async def _end(process: subprocess.Popen[bytes], limit: float) -> None:
    process.terminate()
    give_up = asyncio.get_running_loop().time() + limit
    while process.poll() is None:
        if asyncio.get_running_loop().time() > give_up:
            _log.error("the embedded server does not end; killing it")
            process.kill()
            process.wait()
        await asyncio.sleep(0.01)


async def _pong(socket: Path) -> bool:
    """Whether the server answers a PING; while it loads its data it answers with an error."""
    with contextlib.suppress(OSError):
        async with asyncio.timeout(1):
            reader, writer = await asyncio.open_unix_connection(str(socket))
            try:
                writer.write(b"PING\r\n")
                return await reader.readline() == b"+PONG\r\n"
            finally:
                writer.close()
    return False


def _socket_path(directory: Path) -> Path:
    """Return where the socket is: in the directory, or in a private one of ours when that path is too long."""
    path = directory / "redis.sock"
    if len(os.fsencode(path)) <= _SOCKET_PATH_LIMIT:
        return path
    digest = hashlib.sha256(os.fsencode(directory)).hexdigest()[:16]
    path = Path(tempfile.gettempdir()) / f"skerry-{digest}" / "redis.sock"
    if len(os.fsencode(path)) > _SOCKET_PATH_LIMIT:
        raise EmbeddedServerError(f"the path of the temporary directory is too long for a socket: {path}")
    return path


def _make_private(directory: Path) -> None:
    """Make a directory in a place where others could have put one of that name before."""
    directory.mkdir(mode=0o700, exist_ok=True)
    status = directory.lstat()
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.getuid() or status.st_mode & 0o077:
        raise EmbeddedServerError(f"{directory} is not a private directory of this user; remove it")
