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
"""Bytes. The address of a unix socket holds 108 on Linux and 104 elsewhere, the closing zero included."""

_POLL = 0.05
_ASK_SECONDS = 2.0
"""How often a server is asked for a sign of life."""
_HOLD_SECONDS = 5.0
"""For how long a server that gave up by itself is spared writes: it may be that it could not carry one out."""
_BACKOFF = (0.0, 0.2, 0.5, 1.0, 2.0, 4.0)
"""Seconds before each attempt to bring a server back; when the last one fails too, ``watch`` gives up, unless it is
the disk that is full: then it tries again for as long as that lasts."""


_BEGIN_EPOCH = """#!lua flags=allow-oom
return redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
"""
"""Begins another epoch, of a server without memory too."""


class EmbeddedServer:
    """A server over one directory. ``fsync``: ``always`` loses nothing in a crash, ``everysec`` up to a second.

    ``memory`` is how many MiB it may use for data. ``binary`` is the server to run, by default what ``find_binary``
    finds; ``patience`` is how many seconds ``start`` waits for the directory to become free, ``load_limit`` how many a
    start may take, which grows with the data, ``hang_limit`` after how many without a sign of life it is killed.
    """

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
        self.directory = directory.absolute()
        self._data = DataDirectory(self.directory)
        self._fsync = fsync
        self._binary = binary
        self._patience = patience
        self._memory = memory
        self._load_limit = load_limit
        self._hang_limit = hang_limit
        self._room = DiskSpace(self.directory)
        self._asked = self._heard = time.monotonic()
        self._held_until = 0.0
        """Monotonic time until which the server is given nothing to write."""
        self._lock: int | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._stopping = False
        self.socket = socket_path(self.directory)

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
        self._data.forget_cut()
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
        """What is wrong with the directory, or was found wrong in it, in sentences."""
        return self._data.warnings()

    def note_stored(self) -> None:
        """Note that something was stored, before it is acknowledged: a file that is shorter then was cut."""
        self._data.note_tail()

    def room(self) -> FreeSpace:
        """How much room there is on disk for the server to write, as of a moment ago."""
        return FreeSpace.NONE if time.monotonic() < self._held_until else self._room()

    async def watch(self) -> None:
        """Bring the server back whenever it dies, or hangs. Returns after ``stop``; raises when it cannot be done."""
        while not self._stopping:
            if self._process is not None and self._process.poll() is not None:
                self._mourn(self._process.returncode)
                await self._bring_back()
            await self._look_after()
            await asyncio.sleep(_POLL)

    async def stop(self, limit: float = 10.0) -> None:
        """End the server, kindly at first, and leave the directory to the next owner. The data stays."""
        self._stopping = True
        process, self._process = self._process, None
        if process is not None:
            await _end(process, limit)
            self._leave_socket()
            self._data.note_tail()
            self._data.close_tail()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def _leave_socket(self) -> None:
        self.socket.unlink(missing_ok=True)
        if self.socket.parent != self.directory:
            with contextlib.suppress(OSError):
                self.socket.parent.rmdir()

    def _mourn(self, status: int) -> None:
        """Say how the server ended. One that was not killed ended because it could not go on, or not write."""
        if status > 0:
            self._held_until = time.monotonic() + _HOLD_SECONDS
        _log.error("the embedded server ended with status %s: %s", status, self._last_words())

    async def _look_after(self) -> None:
        """Follow the server to the file that it writes to; kill it if it has not answered for too long."""
        now = time.monotonic()
        if now - self._asked < min(_ASK_SECONDS, self._hang_limit / 4):
            return
        self._asked = now
        self._data.open_tail()
        if await _reply(self.socket) is not None:
            self._heard = now
        elif self._process is not None and now - self._heard > self._hang_limit:
            _log.error("the embedded server has not answered for %.0f seconds; killing it", now - self._heard)
            self._process.kill()
            self._heard = now

    async def _bring_back(self) -> None:
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
        raise EmbeddedServerError(f"the server on {self.directory} cannot be brought back; see {self._log_file}")

    async def _launch(self) -> None:
        assert self._lock is not None, "the directory is not ours"
        if threading.current_thread() is not threading.main_thread():
            raise EmbeddedServerError("the embedded server has to be started from the main thread")
        binary = self._binary or find_binary()
        kind, noted = kind_of(binary), self._data.noted_tail()
        self._data.close_tail()  # until it is told what is missing, no note claims less
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
            start_new_session=True,  # a Ctrl-C at the terminal is for us; the server is needed until we are done
        )
        sign(self._lock, f"{os.getpid()} (its server: {self._process.pid})")
        await self._answering(self._process)
        self._heard = time.monotonic()
        self._data.note_kind(kind)
        if lost := missing(noted, self._data.tail()):
            await self._tell_of_cut(self._process, lost)
        self._data.open_tail()
        if lost:
            self._data.note_tail()

    async def _tell_of_cut(self, process: subprocess.Popen[bytes], lost: int) -> None:
        """Begin another epoch: what is missing may have been acknowledged."""
        words = f"The append-only file in {self.directory} lacks its last {lost} bytes; what they held is lost."
        _log.error("%s", words)
        self._data.note_cut(words)
        begin = ("EVAL", _BEGIN_EPOCH, 1, redis_keys.STORE, redis_keys.LINEAGE, secrets.token_hex(6))
        done = await _ask(self.socket, *begin, seconds=self._hang_limit) or b"there is no answer"
        if not done.startswith(b":"):
            process.kill()
            process.wait()
            raise EmbeddedServerError(f"{words} It cannot be noted in it that they are: {done.decode().strip()}")
        for kind in ("normal", "pubsub"):  # who is connected already was told the epoch before
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
    return await _reply(socket) == b"+PONG\r\n"


async def _reply(socket: Path) -> bytes | None:
    """Return what the server answers to a PING, ``None`` if nothing within a second."""
    return await _ask(socket, "PING")


async def _ask(socket: Path, *command: bytes | str | int, seconds: float = 1.0) -> bytes | None:
    """Return the first line of the server's answer, ``None`` if there is none in time."""
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
    """Return where the server of a data directory listens: there, or in a private one if that path is too long."""
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
