"""Sessions in Redis: the port of ``sessions.port`` over redis-py.

Each commit is one script call and one round trip (``commit.lua``). Whatever goes wrong between here and Redis becomes
``StoreUnavailable``; a call never waits longer than the store's deadline.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from importlib import resources
from typing import Any

from redis.exceptions import NoScriptError, RedisError, ResponseError

from skerry_service.sessions.errors import StoreUnavailable
from skerry_service.sessions.port import (
    Commit,
    CommitResult,
    Conflict,
    Duplicate,
    Gone,
    Head,
    Listener,
    Request,
    Stored,
    Tip,
)

from . import keys, window
from .connection import Connector, pack
from .multiplexer import ConnectionEnded, Multiplexer
from .subscriptions import Subscriptions

_log = logging.getLogger(__name__)


class _Script:
    """A Lua script of this package. Both take the session's hash and log as keys."""

    def __init__(self, name: str) -> None:
        self.source = resources.files(__package__).joinpath(name).read_bytes()
        self.sha = hashlib.sha1(self.source, usedforsecurity=False).hexdigest()


_COMMIT, _CREATE = _Script("commit.lua"), _Script("create.lua")
_STORED, _GONE = Stored(), Gone()


class RedisStore:
    """A ``sessions.port.Store``. ``url``: ``redis://``, ``rediss://`` or ``unix://``; ``deadline`` in seconds.

    It belongs to the event loop in which it is used first. The user needs INFO, and CONFIG GET for the durable epoch.
    """

    def __init__(self, url: str, *, deadline: float = 5.0) -> None:
        self._deadline = deadline
        self._epoch = ""
        self._closed = False
        connector = Connector(url, self._identified)
        self._multiplexer = Multiplexer(connector, deadline)
        self._subscriptions = Subscriptions(connector, deadline)

    @property
    def epoch(self) -> str:
        """``"durable"``, or an id of the server's present run; empty before the first call.

        Every connection asks before it carries anything, so this is never older than an answer of the store.
        """
        return self._epoch

    def _identified(self, epoch: str) -> None:
        if epoch != self._epoch:
            _log.info("the store's epoch is %s (was %s)", epoch, self._epoch or "unknown")
            self._epoch = epoch

    async def open(self) -> None:
        """Check that the store can be reached, and learn its epoch. Not required."""
        await self._call("PING")

    async def close(self) -> None:
        """Close both connections. Calls under way and later ones raise ``StoreUnavailable``."""
        self._closed = True
        await self._subscriptions.close()
        await self._multiplexer.close()

    async def create(self, session: str, commit: Commit, public_since_ms: int | None) -> Head | None:
        await self._trim_index()
        if public_since_ms is not None:
            await self._call("ZADD", keys.INDEX, "NX", public_since_ms, session)
        head = commit.head
        arguments = (
            head.sequence,
            commit.batch,
            head.snapshot,
            head.record,
            _entry(commit),
            _lifetime(commit),
            head.mark,
        )
        reply, _ = await self._eval(_CREATE, session, *arguments)
        return None if reply == 1 else _head(reply)

    async def load(self, session: str) -> Head | None:
        reply = await self._call("HMGET", keys.head(session), keys.SEQUENCE, keys.RECORD, keys.SNAPSHOT, keys.MARK)
        return None if reply[0] is None else _head(reply)

    async def tip(self, session: str) -> Tip | None:
        sequence, mark = await self._call("HMGET", keys.head(session), keys.SEQUENCE, keys.MARK)
        return None if sequence is None else Tip(int(sequence), mark or b"")

    async def commit(self, session: str, commit: Commit) -> CommitResult:
        head = commit.head
        if head.sequence <= commit.base:
            raise ValueError("a commit adds at least one entry to the log")
        record = (head.record,) if commit.record_changed else ()
        arguments = (commit.base, head.sequence, commit.batch, head.snapshot, _entry(commit), _lifetime(commit))
        reply, unsure = await self._eval(_COMMIT, session, *arguments, commit.base_mark, head.mark, *record)
        if unsure and commit.request is None and isinstance(reply, bytes):
            # What stands in the way may be this very commit, and without a request there is nothing to tell by.
            raise StoreUnavailable
        return _result(reply)

    async def find_request(self, session: str, request: Request) -> Duplicate | None:
        reply = await self._call("HGET", keys.head(session), keys.WINDOW)
        return window.find(reply, request.id) if reply else None

    async def batches(self, session: str, after: int) -> Sequence[bytes]:
        reply = await self._call("XRANGE", keys.log(session), f"({after}-0", "+")
        return [fields[1] for _, fields in reply]

    async def public(self, before: tuple[int, str] | None, count: int) -> Sequence[tuple[int, str]]:
        top: int | str = "+inf" if before is None else before[0]
        found: list[tuple[int, str]] = []
        offset = 0
        while len(found) < count:
            limits = ("LIMIT", offset, count, "WITHSCORES")
            page = _pairs(await self._call("ZRANGE", keys.INDEX, top, "-inf", "BYSCORE", "REV", *limits))
            # Redis orders equal times by id, backwards here, as pairs compare.
            found += [pair for pair in page if before is None or pair < before]
            offset += count
            if len(page) < count:
                break
        return found[:count]

    async def unlist(self, sessions: Sequence[str]) -> None:
        if sessions:
            await self._call("ZREM", keys.INDEX, *sessions)

    async def listen(self, session: str, listener: Listener) -> None:
        async with self._guard(asyncio.get_running_loop().time() + self._deadline):
            await self._subscriptions.add(keys.channel(session), listener)

    async def unlisten(self, session: str, listener: Listener) -> None:
        await self._subscriptions.remove(keys.channel(session), listener)

    async def _trim_index(self) -> None:
        """Unlist those of a few random entries whose session is gone, so that the index cannot outgrow the sessions."""
        sample = _pairs(await self._call("ZRANDMEMBER", keys.INDEX, keys.TRIM_SAMPLE, "WITHSCORES"))
        old = time.time() * 1000 - keys.TRIM_AFTER_MS
        for session in [session for since, session in sample if since < old]:
            if not await self._call("EXISTS", keys.head(session)):
                await self._call("ZREM", keys.INDEX, session)

    async def _call(self, *arguments: bytes | str | int) -> Any:
        """Run a command that may be carried out twice."""
        command = pack(*arguments)
        return (await self._send(command, lambda: command))[0]

    async def _eval(self, script: _Script, session: str, *arguments: bytes | int) -> tuple[Any, bool]:
        rest = (2, keys.head(session), keys.log(session), *arguments)
        return await self._send(pack("EVALSHA", script.sha, *rest), lambda: pack("EVAL", script.source, *rest))

    async def _send(self, command: bytes, again: Callable[[], bytes]) -> tuple[Any, bool]:
        """Return the reply, and whether the command may have been carried out once before the one that brought it.

        Whatever is not answered well is sent once more, as ``again``: on a new connection when the old one has ended.
        """
        if self._closed:
            raise StoreUnavailable
        until = asyncio.get_running_loop().time() + self._deadline
        try:
            return await self._multiplexer.call(command), False
        except NoScriptError:
            unsure = False
        except (ResponseError, ConnectionEnded):
            unsure = True
        async with self._guard(until):
            return await self._multiplexer.call(again()), unsure

    @asynccontextmanager
    async def _guard(self, until: float) -> AsyncIterator[None]:
        """End what is waited for at that time; turn every trouble with Redis into ``StoreUnavailable``."""
        if self._closed:
            raise StoreUnavailable
        try:
            async with asyncio.timeout_at(until):
                yield
        except (ConnectionEnded, RedisError, OSError) as error:
            if isinstance(error, ResponseError):
                _log.error("the store refuses: %s", error)
            raise StoreUnavailable from error


def _lifetime(commit: Commit) -> int | bytes:
    return b"" if commit.lifetime_ms is None else commit.lifetime_ms


def _entry(commit: Commit) -> bytes:
    return b"" if commit.request is None else window.entry(commit.request, commit.head.sequence)


def _head(reply: Sequence[bytes]) -> Head:
    return Head(sequence=int(reply[0]), record=reply[1], snapshot=reply[2], mark=reply[3] or b"")


def _result(reply: Any) -> CommitResult:
    if reply == 1:
        return _STORED
    if isinstance(reply, bytes):
        return Conflict(sequence=int(reply))
    return window.duplicate(reply[0]) if reply else _GONE


def _pairs(reply: Sequence[bytes]) -> list[tuple[int, str]]:
    """Return the entries of the index as (listed since ms, session)."""
    return [(int(float(since)), session.decode()) for session, since in zip(reply[::2], reply[1::2], strict=True)]
