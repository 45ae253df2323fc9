"""Endpoints: every call of every transport runs through the interceptors of its service to its method.

A transport (``edge.grpc``, ``edge.rest``, ``local``) passes the name of the RPC, a function that reads the request and
one that says where the call comes from. Limits, API keys and observation are interceptors (``interceptors.py``).
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager
from typing import Any, NamedTuple, TypeVar

from google.protobuf.descriptor import ServiceDescriptor
from google.protobuf.message import Message as ProtoMessage

from skerry_service.access.bans.bans import Bans
from skerry_service.access.client_addresses import IN_PROCESS, LOCAL, Peer, StreamOrigin
from skerry_service.access.identity.identity_tokens import IdentityVerifier
from skerry_service.access.keyring import Keyring
from skerry_service.access.rate_limiter import RateLimiter
from skerry_service.api.bans.enforce_bans import EnforceBans
from skerry_service.api.contract import SERVICE
from skerry_service.api.error_table import code_and_reason
from skerry_service.api.interceptors import (
    AnswerInLanguage,
    EnforceLimits,
    Interceptor,
    NameCallsInLog,
    NoteShare,
    RefuseWhenClosing,
    ReportCalls,
    RequireApiKey,
    RequireOwnCell,
    VerifyIdentity,
)
from skerry_service.api.lists.directory_methods import Ask
from skerry_service.api.requests.request_checks import require_known_fields
from skerry_service.api.session_methods import Methods
from skerry_service.sessions.service import Sessions
from skerry_service.telemetry.call_observers import Call, CallObservers
from skerry_service.wire.serialized import Serialized, serialize

Read = Callable[[], tuple[ProtoMessage, str | None]]
"""Returns the request and the caller's bearer token, ``None`` without one. May raise refusals."""
FindPeer = Callable[[], Peer]
"""Returns the origin of the call. Called only if an interceptor needs it, which is rare for moves."""
Message = TypeVar("Message")

_NO_OBSERVERS = CallObservers()


class CallPlan(NamedTuple):
    """The method of one RPC, and the hooks of the interceptors that cover it."""

    method: Callable[..., Any]
    begin: Sequence[Callable[[Call], None]]
    admit: Sequence[Callable[[Call], Awaitable[None]]]
    recheck: Sequence[Callable[[Call], None]]
    end: Sequence[Callable[[Call, BaseException | None], None]]

    def end_all(self, call: Call, error: BaseException | None) -> None:
        """Run the hooks at the end of a call.

        Its caller must not keep the error in a variable: the traceback refers to the frame, so nothing would free them.
        """
        for end in self.end:
            end(call, error)


class Endpoint:
    """One service. ``methods`` has a method for each RPC: ``get_session`` for ``GetSession``."""

    def __init__(
        self,
        service: ServiceDescriptor,
        methods: object,
        interceptors: Sequence[Interceptor] = (),
        refused: Callable[[Peer, str, str], None] = lambda peer, code, reason: None,
    ) -> None:
        """``refused``: called when a transport itself refuses a request, before it is a call."""
        self.service = service
        self.refused = refused
        self._name = service.full_name
        self._plans = {
            rpc.name: _plan(getattr(methods, _method_name(rpc.name)), rpc.name, interceptors) for rpc in service.methods
        }

    async def answer(self, rpc: str, read: Read, find_peer: FindPeer = lambda: IN_PROCESS) -> Serialized[Any]:
        """Make a unary call; return its answer. Raises the refusals of ``error_table.TABLE``."""
        plan = self._plans[rpc]
        call = Call(self._name, rpc, find_peer, streaming=False)
        try:
            for begin in plan.begin:
                begin(call)
            call.request, token = read()
            require_known_fields(call.request)
            for admit in plan.admit:
                await admit(call)
            answer = await plan.method(call.request, token or call.credential)
            answered = answer if isinstance(answer, Serialized) else serialize(answer)
            call.answered = answered
        except BaseException as error:
            plan.end_all(call, error)
            raise
        plan.end_all(call, None)
        return answered

    async def messages(
        self, rpc: str, read: Read, find_peer: FindPeer = lambda: IN_PROCESS
    ) -> AsyncGenerator[Serialized[Any], None]:
        """Make a streaming call. Raises likewise, before the first message and after any."""
        async with self.stream(rpc, read, find_peer) as messages:
            async for message in messages:
                yield message

    @asynccontextmanager
    async def stream(
        self, rpc: str, read: Read, find_peer: FindPeer = lambda: IN_PROCESS
    ) -> AsyncIterator[AsyncGenerator[Serialized[Any], None]]:
        """Make a streaming call and yield its messages directly, with one generator less than ``messages``.

        An error that leaves this block ends the call, so do not catch refusals inside it.
        """
        call = Call(self._name, rpc, find_peer, streaming=True)

        def read_known() -> tuple[ProtoMessage, str | None]:
            call.request, token = read()
            require_known_fields(call.request)
            return call.request, token

        async with self._stream(call, read_known) as messages:
            yield messages

    @asynccontextmanager
    async def exchange(
        self,
        rpc: str,
        receive: Callable[[], Awaitable[ProtoMessage | None]],
        token: Callable[[], str | None],
        find_peer: FindPeer = lambda: IN_PROCESS,
    ) -> AsyncIterator[AsyncGenerator[bytes, None]]:
        """Make a call that streams in both directions; yield its answers in wire format, as ``stream`` does.

        ``receive`` returns the next request, ``None`` after the last.
        """
        call = Call(self._name, rpc, find_peer, streaming=True)
        recheck = self._plans[rpc].recheck

        async def receive_known() -> ProtoMessage | None:
            request = await receive()
            if request is not None:
                for check in recheck:
                    check(call)
                require_known_fields(request)
            return request

        async with self._stream(call, lambda: (receive_known, token())) as answers:
            yield answers

    @asynccontextmanager
    async def _stream(self, call: Call, read: Callable[[], tuple[Any, str | None]]) -> AsyncIterator[Any]:
        plan = self._plans[call.rpc]
        try:
            for begin in plan.begin:
                begin(call)
            argument, token = read()
            for admit in plan.admit:
                await admit(call)
            messages = plan.method(argument, token or call.credential, StreamOrigin(call.reader, call.key))
            checked = plan.recheck or call.followed is not None
            async with aclosing(_checked(messages, call, plan.recheck) if checked else messages) as stream:
                yield stream
        except BaseException as error:
            plan.end_all(call, error)
            raise
        plan.end_all(call, None)


async def _checked(
    messages: AsyncGenerator[Message, None], call: Call, recheck: Sequence[Callable[[Call], None]]
) -> AsyncGenerator[Message, None]:
    """Yield the messages of a stream until a check refuses one, or something interrupts the call."""
    async with aclosing(messages):
        while (message := await _next(messages, call)) is not None:
            for check in recheck:
                check(call)
            yield message


async def _next(messages: AsyncGenerator[Message, None], call: Call) -> Message | None:
    """Return the next message, ``None`` after the last. Raises ``call.interruption``.

    An interruption cancels the task while it waits here, and nowhere else: a transport may be sending a message.
    """
    if (error := call.interruption) is not None:
        raise error
    if (task := asyncio.current_task()) is None:  # the local client's loop has no tasks, and nobody to interrupt it
        return await anext(messages, None)
    cancelling = task.cancelling()
    call.waiter = task
    try:
        return await anext(messages, None)
    except asyncio.CancelledError:
        if (error := call.interruption) is None or task.uncancel() > cancelling:  # somebody else cancels the task
            raise
        raise error from None
    finally:
        call.waiter = None
        del task  # the task keeps the error, and the error this frame: they would wait for the garbage collector


def _plan(method: Callable[..., Any], rpc: str, interceptors: Sequence[Interceptor]) -> CallPlan:
    covering = [one for one in interceptors if one.covers(rpc)]

    def hooks(name: str) -> tuple[Any, ...]:
        """Return the hooks of that name, without those that do nothing."""
        plain = getattr(Interceptor, name)
        found = [getattr(one, name) for one in covering]
        return tuple(hook for hook in found if getattr(hook, "__func__", hook) is not plain)

    return CallPlan(method, hooks("begin"), hooks("admit"), hooks("recheck"), tuple(reversed(hooks("end"))))


def endpoint_of(  # noqa: PLR0913, PLR0917 - most make an interceptor
    service: ServiceDescriptor,
    methods: object,
    require_open: Callable[[], None] | None = None,
    limiter: RateLimiter | None = None,
    observers: CallObservers = _NO_OBSERVERS,
    keyring: Keyring | None = None,
    verifier: IdentityVerifier | None = None,
    bans: Bans | None = None,
    more: Sequence[Interceptor] = (),
) -> Endpoint:
    """Return the endpoint of a service, with the interceptors that these need. ``None``: without it.

    ``more``: interceptors after all others.
    """

    def address_of(peer: Peer) -> str:
        return limiter.address_of(peer) if limiter else peer.host or LOCAL

    interceptors: list[Interceptor] = [NameCallsInLog(), AnswerInLanguage(service)]
    if observers:
        interceptors.append(ReportCalls(observers, lambda call: address_of(call.peer())))
    if require_open is not None:
        interceptors.append(RefuseWhenClosing(require_open))
    if keyring is not None:
        interceptors.append(RequireApiKey(keyring))
    if limiter is not None:
        interceptors += [EnforceLimits(limiter), NoteShare(lambda call: limiter.address_of(call.peer()))]
    interceptors.append(VerifyIdentity(verifier, limiter, keyring))
    if bans is not None:
        interceptors.append(EnforceBans(bans, address_of))
    return Endpoint(
        service,
        methods,
        (*interceptors, *more),
        lambda peer, code, reason: observers.refused(lambda: address_of(peer), code, reason),
    )


def sessions_endpoint(
    sessions: Sessions,
    limiter: RateLimiter | None = None,
    observers: CallObservers = _NO_OBSERVERS,
    keyring: Keyring | None = None,
    verifier: IdentityVerifier | None = None,
    bans: Bans | None = None,
    peers: Mapping[str, Ask] | None = None,
) -> Endpoint:
    """Return the endpoint of ``SkerryService`` over these sessions. ``peers``: ask the other cells of the service."""

    def refused(error: Exception) -> None:
        _, reason = code_and_reason(error)
        observers.refused_in_stream(reason)

    methods = Methods(sessions, refused, observers.acted_in_stream, peers)
    own_cell = RequireOwnCell(SERVICE, sessions.new_games.cell)
    return endpoint_of(
        SERVICE, methods, sessions.require_open, limiter, observers, keyring, verifier, bans, (own_cell,)
    )


def _method_name(rpc: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", rpc).lower()
