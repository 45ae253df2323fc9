"""The embedded server: a Redis server that Skerry starts if ``REDIS_URL`` is not set.

It listens on a unix socket and appends every write to a file in its data directory, so the next owner of the directory
finds the games again. A directory has one owner at a time. The server ends with the process that started it, however
that process ends.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import logging
import os
import secrets
import stat
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Literal
from urllib.parse import quote

from skerry_service.store import redis_keys
from skerry_service.store.connections.connection import pack
from skerry_service.store.connections.free_space import DiskSpace, FreeSpace, on_disk
from skerry_service.store.embedded.data_directory import DataDirectory, missing
from skerry_service.store.embedded.directory_lock import lock_directory, sign
from skerry_service.store.embedded.server_binary import EmbeddedServerError, find_binary, kind_of

__all__ = ["EmbeddedServer", "EmbeddedServerError"]

_log = logging.getLogger(__name__)

_SOCKET_PATH_LIMIT = 100
"""Bytes. The address of a unix socket holds 108 on Linux and 104 elsewhere, including the final zero."""

_POLL = 0.05
_PING_SECONDS = 2.0
"""Interval of the PINGs that check whether the server hangs."""
_HOLD_SECONDS = 5.0
"""How long a server that ended by itself receives no writes: perhaps it could not complete one."""
_BACKOFF = (0.0, 0.2, 0.5, 1.0, 2.0, 4.0)
"""Seconds before each attempt to restart the server. After the last one ``watch`` gives up, or, while the disk is full,
tries again."""


_SET_LINEAGE = """#!lua flags=allow-oom
return redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
"""
"""Sets the lineage, and so a new epoch, also on a server that has no memory left."""


class EmbeddedServer:
    """A server over one data directory, which this process owns."""

    def __init__(
        self,
        directory: Path,
        fsync: Literal["always", "everysec"] = "always",
        *,
        memory: int = 512,
        binary: Path | None = None,
        patience: float = 5.0,
        load_limit: float = 120.0,
        hang_limit: float = 30.0,
    ) -> None:
        """``fsync``: ``always`` loses nothing in a crash; ``everysec`` loses up to a second.

        ``memory``: MiB for data. ``binary``: the server to run, by default that of ``find_binary``. ``patience``:
        seconds that ``start`` waits for the directory to become free. ``load_limit``: seconds that a start may take,
        which grows with the data. ``hang_limit``: seconds without a reply after which the server is killed.
        """
        self.directory = directory.absolute()
        self._data = DataDirectory(self.directory)
        self._fsync = fsync
        self._binary = binary
        self._patience = patience
        self._memory = memory
        self._load_limit = load_limit
        self._hang_limit = hang_limit
        self._room = DiskSpace(self.directory)
        self._pinged = self._replied = time.monotonic()
        self._held_until = 0.0
        """Monotonic time until which the server receives no writes."""
        self._lock: int | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._stopping = False
        self.socket = socket_path(self.directory)

    @property
    def url(self) -> str:
        """The address for ``RedisStore``. It depends on the directory alone."""
        return f"unix://{quote(str(self.socket))}"

    @property
    def pid(self) -> int:
        """The server's process id."""
        if self._process is None:
            raise EmbeddedServerError("the server has not been started")
        return self._process.pid

    async def start(self) -> None:
        """Lock the directory and start its server. Return once it responds. Raises EmbeddedServerError.

        Call it from the main thread: the kernel ends the server with the thread that started it.
        """
        self.directory.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._lock = await lock_directory(self.directory, self._patience)
        self._data.clear_cut()
        for warning in self._data.warnings():
            _log.warning("%s", warning)
        self._stopping = False
        try:
            if self.socket.parent != self.directory:
                _make_private(self.socket.parent)
            await self._launch()
        except BaseException:
            await self.stop()
            raise

    @property
    def warnings(self) -> tuple[str, ...]:
        """The problems of the directory, and of its data at the last start, each as a sentence."""
        return self._data.warnings()

    def record_stored(self) -> None:
        """Record the current end of the stored data, before a write is acknowledged. A shorter file has lost data."""
        self._data.record_tail()

    def room(self) -> FreeSpace:
        """Return the free space on disk for the server, as of a moment ago."""
        return FreeSpace.NONE if time.monotonic() < self._held_until else self._room()

    async def watch(self) -> None:
        """Restart the server whenever it ends or hangs. Return after ``stop``. Raises EmbeddedServerError."""
        while not self._stopping:
            if self._process is not None and self._process.poll() is not None:
                self._log_end(self._process.returncode)
                await self._restart()
            await self._check()
            await asyncio.sleep(_POLL)

    async def stop(self, limit: float = 10.0) -> None:
        """End the server, by force after ``limit`` seconds, and unlock the directory. The data stays."""
        self._stopping = True
        process, self._process = self._process, None
        if process is not None:
            await _end(process, limit)
            self._remove_socket()
            self._data.record_tail()
            self._data.close_tail()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def _remove_socket(self) -> None:
        self.socket.unlink(missing_ok=True)
        if self.socket.parent != self.directory:
            with contextlib.suppress(OSError):
                self.socket.parent.rmdir()

    def _log_end(self, status: int) -> None:
        """Log how the server ended. A positive status means that it ended by itself, perhaps because a write failed."""
        if status > 0:
            self._held_until = time.monotonic() + _HOLD_SECONDS
        _log.error("the embedded server ended with status %s: %s", status, self._log_tail())

    async def _check(self) -> None:
        """Open the file that the server writes to now, and kill the server if it has not replied for too long."""
        now = time.monotonic()
        if now - self._pinged < min(_PING_SECONDS, self._hang_limit / 4):
            return
        self._pinged = now
        self._data.open_tail()
        if await _reply(self.socket) is not None:
            self._replied = now
        elif self._process is not None and now - self._replied > self._hang_limit:
            _log.error("the embedded server has not replied for %.0f seconds; killing it", now - self._replied)
            self._process.kill()
            self._replied = now

    async def _restart(self) -> None:
        attempt = 0
        while attempt < len(_BACKOFF):
            await asyncio.sleep(_BACKOFF[attempt])
            if self._stopping:
                return
            try:
                await self._launch()
                return
            except EmbeddedServerError as error:
                _log.error("%s", error)
            if attempt + 1 < len(_BACKOFF) or on_disk(self.directory) is not FreeSpace.NONE:
                attempt += 1
        raise EmbeddedServerError(f"the server on {self.directory} cannot be restarted; see {self._log_file}")

    async def _launch(self) -> None:
        assert self._lock is not None, "the directory is not locked"
        if threading.current_thread() is not threading.main_thread():
            raise EmbeddedServerError("start the embedded server from the main thread")
        binary = self._binary or find_binary()
        kind, recorded = kind_of(binary), self._data.recorded_tail()
        self._data.close_tail()  # so that no record is written before the check for missing data
        self._data.require_readable(kind)
        self._data.make_private()
        child = str(Path(__file__).with_name("embedded_child.py"))
        command = [sys.executable, "-ISE", child, str(os.getpid()), str(binary), *self._arguments()]
        # asyncio's own subprocesses belong to one event loop; the server outlives those of tests and commands.
        self._process = subprocess.Popen(  # noqa: ASYNC220
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=[self._lock],
            start_new_session=True,  # Ctrl-C in the terminal is for this process, which needs the server to the end
        )
        sign(self._lock, f"{os.getpid()} (its server: {self._process.pid})")
        await self._await_reply(self._process)
        self._replied = time.monotonic()
        self._data.record_kind(kind)
        if lost := missing(recorded, self._data.tail()):
            await self._report_cut(self._process, lost)
        self._data.open_tail()
        if lost:
            self._data.record_tail()

    async def _report_cut(self, process: subprocess.Popen[bytes], lost: int) -> None:
        """Begin a new epoch, because the missing data may have been acknowledged."""
        warning = f"The append-only file in {self.directory} lacks its last {lost} bytes. The moves in them are lost."
        _log.error("%s", warning)
        self._data.record_cut(warning)
        set_lineage = ("EVAL", _SET_LINEAGE, 1, redis_keys.STORE, redis_keys.LINEAGE, secrets.token_hex(6))
        reply = await _ask(self.socket, *set_lineage, seconds=self._hang_limit) or b"no reply"
        if not reply.startswith(b":"):
            process.kill()
            process.wait()
            raise EmbeddedServerError(f"{warning} The server cannot record that: {reply.decode().strip()}")
        for kind in ("normal", "pubsub"):  # earlier connections have read the old epoch
            await _ask(self.socket, "CLIENT", "KILL", "TYPE", kind)

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
            "maxmemory": f"{self._memory}mb",
            "maxmemory-policy": "noeviction",
        }
        return [word for name, value in settings.items() for word in (f"--{name}", value)]

    @property
    def _log_file(self) -> Path:
        return self.directory / "server.log"

    async def _await_reply(self, process: subprocess.Popen[bytes]) -> None:
        give_up = asyncio.get_running_loop().time() + self._load_limit
        while asyncio.get_running_loop().time() < give_up:
            if process.poll() is not None:
                raise EmbeddedServerError(f"the server on {self.directory} ended at its start: {self._log_tail()}")
            if await _pong(self.socket):
                return
            await asyncio.sleep(0.02)
        process.kill()
        process.wait()
        raise EmbeddedServerError(f"the server on {self.directory} does not reply: {self._log_tail()}")

    def _log_tail(self) -> str:
        try:
            lines = self._log_file.read_text(errors="replace").splitlines()
        except OSError:
            return "it wrote no log"
        return " / ".join(lines[-3:])


async def _end(process: subprocess.Popen[bytes], limit: float) -> None:
    process.terminate()
    give_up = asyncio.get_running_loop().time() + limit
    while process.poll() is None:
        if asyncio.get_running_loop().time() > give_up:
            _log.error("the embedded server does not end in time; killing it")
            process.kill()
            process.wait()
        await asyncio.sleep(0.01)


async def _pong(socket: Path) -> bool:
    """Whether the server replies to a PING with success. While it loads its data, it replies with an error."""
    return await _reply(socket) == b"+PONG\r\n"


async def _reply(socket: Path) -> bytes | None:
    """Return the server's reply to a PING, or ``None`` if none comes within a second."""
    return await _ask(socket, "PING")


async def _ask(socket: Path, *command: bytes | str | int, seconds: float = 1.0) -> bytes | None:
    """Return the first line of the server's reply, or ``None`` if none comes in time."""
    with contextlib.suppress(OSError):
        async with asyncio.timeout(seconds):
            reader, writer = await asyncio.open_unix_connection(str(socket))
            try:
                writer.write(pack(*command))
                return await reader.readline() or None
            finally:
                writer.close()
    return None


def socket_path(directory: Path) -> Path:
    """Return the socket of a data directory: in it, or in a private temporary directory if that path is too long."""
    path = directory / "redis.sock"
    if len(os.fsencode(path)) <= _SOCKET_PATH_LIMIT:
        return path
    digest = hashlib.sha256(os.fsencode(directory)).hexdigest()[:16]
    path = Path(tempfile.gettempdir()) / f"skerry-{digest}" / "redis.sock"
    if len(os.fsencode(path)) > _SOCKET_PATH_LIMIT:
        raise EmbeddedServerError(f"the path of the temporary directory is too long for a socket: {path}")
    return path


def _make_private(directory: Path) -> None:
    """Make a private directory. Raises EmbeddedServerError if another user could have made it."""
    directory.mkdir(mode=0o700, exist_ok=True)
    status = directory.lstat()
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.getuid() or status.st_mode & 0o077:
        raise EmbeddedServerError(f"{directory} is not a private directory of this user. Remove it")
