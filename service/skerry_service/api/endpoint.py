"""The front door: every call of every transport comes in here, and nowhere else.

A transport (``grpc``, ``rest``, the local client) hands over the name of the RPC and a function that reads what was
sent and one that tells who is calling. What is true of all calls is done here, once: limits are kept here, and whoever
counts, times or logs calls is told of them here (``telemetry``).
"""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import AbstractContextManager, aclosing, asynccontextmanager, nullcontext
from types import TracebackType
from typing import Any, TypeVar

from google.protobuf.descriptor import ServiceDescriptor
from google.protobuf.message import Message as ProtoMessage

from skerry.v1 import service_pb2 as pb
from skerry_service.access.api_key_file import Key
from skerry_service.access.client_addresses import HERE, LOCAL, Peer
from skerry_service.access.keyring import Keyring
from skerry_service.access.rate_limiter import Gate
from skerry_service.api.contract import SERVICE
from skerry_service.api.error_table import code_and_reason
from skerry_service.api.request_checks import require_known_fields
from skerry_service.api.session_methods import Methods
from skerry_service.sessions.service import Sessions
from skerry_service.telemetry.call_observers import CANCELLED, OK, Call, Sender, Watchers
from skerry_service.wire.serialized import Written, written

Read = Callable[[], tuple[ProtoMessage, str | None]]
"""Returns the request and the caller's bearer token, ``None`` without one. May raise refusals."""
Who = Callable[[], Peer]
"""Returns who is calling. Asked only where calls are limited: a move is let in without."""

Message = TypeVar("Message")

_NO_PLACES: AbstractContextManager[None] = nullcontext()
_NOBODY = Watchers()


class Front:
    """The door of one service. ``methods`` has a method for each RPC: ``get_session`` for ``GetSession``."""

    def __init__(
        self,
        service: ServiceDescriptor,
        methods: object,
        require_open: Callable[[], None],
        gate: Gate | None = None,
        watchers: Watchers = _NOBODY,
        keyring: Keyring | None = None,
    ) -> None:
        """``require_open`` raises what calls are refused with when the server is about to stop.

        ``gate``: who keeps the limits; ``None``: there are none. ``watchers`` are told of every call. ``keyring``: who
        knows the API keys; ``None``: none are asked for.
        """
        self.service = service
        self._name = service.full_name
        self._calls = {rpc.name: getattr(methods, _method_name(rpc.name)) for rpc in service.methods}
        self._require_open = require_open
        self._gate = gate
        self._limited = gate.limited if gate else frozenset()
        self._watchers = watchers
        self._watching = bool(watchers)
        self._keyring = keyring

    def answer(self, rpc: str, read: Read, who: Who = lambda: HERE) -> Coroutine[Any, Any, Written[Any]]:
        """Make a unary call; return its answer. Raises the refusals of ``errors.TABLE``."""
        # A move can do without: to be watched takes a tenth of its time.
        return self._watched_answer(rpc, read, who) if self._watching else self._answer(rpc, read, who)

    async def _watched_answer(self, rpc: str, read: Read, who: Who) -> Written[Any]:
        with self._watched(rpc, who) as call:

            def noted() -> tuple[ProtoMessage, str | None]:
                call.request, token = read()
                return call.request, token

            answer = call.answered = await self._answer(rpc, noted, who, call)
            return answer

    async def _answer(self, rpc: str, read: Read, who: Who, call: Call | None = None) -> Written[Any]:
        self._require_open()
        key = self._admit_key(rpc, who, call) if self._keyring else None
        request, token = read()
        require_known_fields(request)
        if rpc in self._limited and self._gate:
            await self._gate.admit(_counted_as(rpc, request), who(), key.allowance if key else None)
        answer = await self._calls[rpc](request, token)
        return answer if isinstance(answer, Written) else written(answer)

    async def messages(self, rpc: str, read: Read, who: Who = lambda: HERE) -> AsyncGenerator[Written[Any], None]:
        """Make a streaming call. Raises likewise, before the first message and after any."""
        async with self.stream(rpc, read, who) as messages:
            async for message in messages:
                yield message

    @asynccontextmanager
    async def stream(
        self, rpc: str, read: Read, who: Who = lambda: HERE
    ) -> AsyncIterator[AsyncGenerator[Written[Any], None]]:
        """Make a streaming call likewise, and yield its messages: each comes through a generator less.

        The watchers are told that it ended with whatever leaves this, so its reader lets every refusal pass.
        """
        with self._watched(rpc, who, streaming=True) as call:
            self._require_open()
            key = self._admit_key(rpc, who, call) if self._keyring else None
            call.request, token = read()
            require_known_fields(call.request)
            reader, places = await self._admit(rpc, who, key)
            with places:
                async with self._closing(rpc, key, self._calls[rpc](call.request, token, reader)) as messages:
                    yield messages

    @asynccontextmanager
    async def exchange(
        self,
        rpc: str,
        receive: Callable[[], Awaitable[ProtoMessage | None]],
        token: Callable[[], str | None],
        who: Who = lambda: HERE,
    ) -> AsyncIterator[AsyncGenerator[bytes, None]]:
        """Make a call that streams in both directions; yield its answers in wire format, as ``stream`` does.

        ``receive`` returns the next request, ``None`` after the last.
        """

        key: Key | None = None

        async def known() -> ProtoMessage | None:
            request = await receive()
            if request is not None:
                if self._keyring:
                    self._keyring.require_still(rpc, key)
                require_known_fields(request)
            return request

        with self._watched(rpc, who, streaming=True) as call:
            self._require_open()
            key = self._admit_key(rpc, who, call) if self._keyring else None
            sent = token()
            reader, places = await self._admit(rpc, who, key)
            with places:
                async with self._closing(rpc, key, self._calls[rpc](known, sent, reader)) as answers:
                    yield answers

    def refused(self, peer: Peer, code: str, reason: str) -> None:
        """Hear of what a transport has refused by itself, for the watchers."""
        self._watchers.refused(lambda: self._caller(peer), code, reason)

    def _watched(self, rpc: str, who: Who, *, streaming: bool = False) -> _Watched:
        def sender() -> Sender:
            peer = who()
            return Sender(self._caller(peer), peer.traceparent)

        return _Watched(Call(self._name, rpc, sender, streaming=streaming), self._watchers)

    def _caller(self, peer: Peer) -> str:
        return self._gate.caller(peer) if self._gate else peer.host or LOCAL

    def _admit_key(self, rpc: str, who: Who, call: Call | None) -> Key | None:
        """Return the API key of a call, if it comes with one. The watchers know whose it is, if it is refused too."""
        assert self._keyring, "keys are asked for"
        key = self._keyring.known(who().keys)
        if call is not None and key is not None:
            call.key = key.name
        self._keyring.require(rpc, key)
        return key

    def _closing(
        self, rpc: str, key: Key | None, messages: AsyncGenerator[Message, None]
    ) -> aclosing[AsyncGenerator[Message, None]]:
        """Enter a stream's messages. Where keys are asked for, it raises as soon as the key may not make the call."""
        return aclosing(self._while_admitted(rpc, key, messages) if self._keyring else messages)

    async def _while_admitted(
        self, rpc: str, key: Key | None, messages: AsyncGenerator[Message, None]
    ) -> AsyncGenerator[Message, None]:
        assert self._keyring, "keys are asked for"
        async with aclosing(messages):
            async for message in messages:
                self._keyring.require_still(rpc, key)
                yield message

    async def _admit(self, rpc: str, who: Who, key: Key | None) -> tuple[str | None, AbstractContextManager[None]]:
        """Let a stream in; return who reads, as far as readers are told apart, and the stream's places."""
        if not self._gate or rpc not in self._limited:
            return None, _NO_PLACES
        allowance = key.allowance if key else None
        origin = await self._gate.admit(rpc, who(), allowance)
        return origin.reader, self._gate.stream(origin, rpc, allowance)


class _Watched:
    """While it is entered, a call is under way. A class of its own: ``contextmanager`` costs three times as much."""

    __slots__ = ("_call", "_watchers")

    def __init__(self, call: Call, watchers: Watchers) -> None:
        self._call = call
        self._watchers = watchers

    def __enter__(self) -> Call:
        self._watchers.begun(self._call)
        return self._call

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            self._watchers.ended(self._call, OK, "")
        elif isinstance(error, Exception):
            self._watchers.ended(self._call, *code_and_reason(error))
        else:  # the caller went away
            self._watchers.ended(self._call, CANCELLED, "")


def _counted_as(rpc: str, request: ProtoMessage) -> str:
    """Return the RPC as which a call is limited: the past of a session is folded from its log, as a replay is."""
    return "GetReplay" if isinstance(request, pb.GetSessionRequest) and request.HasField("sequence") else rpc


def front_of(
    sessions: Sessions, gate: Gate | None = None, watchers: Watchers = _NOBODY, keyring: Keyring | None = None
) -> Front:
    """Return the front door of these sessions."""

    def refused(error: Exception) -> None:
        _, reason = code_and_reason(error)
        watchers.refused_within(reason)

    return Front(SERVICE, Methods(sessions, refused), sessions.require_open, gate, watchers, keyring)


def _method_name(rpc: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", rpc).lower()
