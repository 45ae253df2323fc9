"""Retries of calls and resumption of streams."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing, nullcontext, suppress
from math import inf
from random import Random
from uuid import uuid4

from skerry.v1 import ladder_pb2
from skerry.v1 import service_pb2 as api
from skerry_client.errors import (
    ConnectionLost,
    DeadlineExceeded,
    EntriesLost,
    IdentityInvalid,
    ProposalExpired,
    SequenceAhead,
    Unavailable,
    UnexpectedResponse,
)
from skerry_client.play_stream import PlayStreams
from skerry_client.scene import SceneStream
from skerry_client.transport import A, Method, Q, SupportsFindMatch, SupportsLadders, SupportsPlay, Transport
from skerry_client.transport.call_headers import IdentitySource, IdentityUse
from skerry_client.transport.rpcs import ACT, CONFIRM_MATCH

_FIRST_DELAY = 0.05
_LONGEST_DELAY = 2.0


class Calls:
    """Calls over a transport, with retries. ``retry_for``, ``timeout`` and ``silence`` are seconds.

    ``identity``: the source of the identity token that the transport sends.
    """

    def __init__(
        self,
        transport: Transport,
        *,
        timeout: float,
        retry_for: float,
        silence: float,
        identity: IdentitySource | None = None,
    ) -> None:
        self._transport = transport
        self._identity = identity or IdentitySource()
        self._timeout = timeout
        self._retry_for = retry_for
        self._silence = silence
        self._jitter = Random()
        # A client without retries reports the result of each call, so it makes no use of the shared stream.
        self._play_streams = _play_streams_of(transport) if retry_for and isinstance(transport, SupportsPlay) else None

    @property
    def shares_stream(self) -> bool:
        """Whether seats share one stream. True until the server turns out not to support it."""
        return self._play_streams is not None and self._play_streams.supported

    @property
    def _play_works(self) -> bool:
        return self._play_streams is not None and self._play_streams.works

    def new_id(self) -> str:
        """Return a request id, under which the service carries out repeats once; empty without retries."""
        return str(uuid4()) if self._retry_for else ""

    async def call(self, method: Method[Q, A], request: Q, token: str | None = None, *, slow: float = 0) -> A:
        """Make a unary call and repeat it unchanged while it is Unavailable. A request id makes that safe.

        ``slow``: the seconds that each attempt has at least, for a call that takes the server long.
        """
        longest = max(self._timeout, slow)
        if not self._retry_for:
            return await self._attempt(method, request, token, longest)
        backoff = _Backoff(self._retry_for, self._jitter)
        timeout, reported = longest, None
        while True:
            try:
                return await self._attempt(method, request, token, timeout)
            except Unavailable as error:
                # A timeout that the end of the budget cut short says less than the error before it.
                if reported is None or timeout == longest or not isinstance(error, DeadlineExceeded):
                    reported = error
                timeout = max(slow, min(longest, await backoff.wait(reported)))

    async def _attempt(self, method: Method[Q, A], request: Q, token: str | None, timeout: float) -> A:
        """Make one attempt, and another one if the service has rejected the first for an outdated identity token."""
        identity = IdentityUse(self._identity)
        while True:
            await identity.begin()
            try:
                return await self._transport.call(method, request, token, timeout)
            except IdentityInvalid as error:
                await identity.renew(error)

    async def act(self, request: api.ActRequest, token: str) -> api.ActResponse:
        """Make a move over the stream that follows its seat; without such a stream, by a unary call."""
        if self._play_streams is not None and (response := await self._play_streams.act(request, token, self._timeout)):
            return response
        return await self.call(ACT, request, token)

    async def observe(
        self, request: api.ObserveRequest, token: str | None, epoch: str | None, *, play: bool = False
    ) -> AsyncGenerator[api.ObserveResponse, None]:
        """Follow a session to its end, over one or several streams. Does not yield heartbeats.

        ``request``: that of the first stream.

        ``play``: use the stream that all seats share, if the server supports it. A slow reader then gets only the
        newest message, so entries can be missing.
        Raises EntriesLost if the session has another epoch than ``epoch`` (unless that is ``None``), if its epoch
        changes, or if the log is shorter than what was received.
        """
        progress, scenes = _Progress(request, epoch), SceneStream()
        backoff = _Backoff(self._retry_for, self._jitter)
        identity = IdentityUse(self._identity)
        shared = play
        while True:
            await identity.begin()
            try:
                async with aclosing(self._stream(progress.request(), token, play=shared)) as stream:
                    async for message in stream:
                        backoff.reset()
                        identity.reset()
                        completed = scenes.complete(message)
                        if progress.update(message):
                            yield completed
                return
            except Unavailable as error:
                # A network can carry Observe but not Play, so they take turns until Play has worked once.
                shared = play and (not shared or self._play_works)
                await backoff.wait(error)
            except IdentityInvalid as error:
                await identity.renew(error)
            except SequenceAhead as error:
                raise progress.error_for(error) from None
            except UnexpectedResponse:
                if not play or self.shares_stream:
                    raise
                play = shared = False

    async def _stream(
        self, request: api.ObserveRequest, token: str | None, *, play: bool
    ) -> AsyncGenerator[api.ObserveResponse, None]:
        source = self._play_streams if play and self.shares_stream else None
        async with aclosing(self._watched((source or self._transport).observe(request, token))) as stream:
            async for message in stream:
                yield message

    async def _watched(self, messages: AsyncGenerator[A, None]) -> AsyncGenerator[A, None]:
        """Yield the messages. Silence for longer than several heartbeats means that the connection is dead."""
        async with aclosing(messages) as stream:
            while True:
                try:
                    async with nullcontext() if self._silence == inf else asyncio.timeout(self._silence):
                        message = await anext(stream)
                except StopAsyncIteration:
                    return
                except TimeoutError:
                    raise ConnectionLost(f"the client received no message for {self._silence:g} s") from None
                yield message

    async def find_match(self, request: api.FindMatchRequest) -> api.FindMatchResponse:
        """Wait for a match and confirm each proposal. Return the message with the seat.

        Cancelling the call withdraws the ticket. The client reopens broken streams under the same request id.
        """
        if not isinstance(self._transport, SupportsFindMatch):
            raise TypeError("server: This transport does not support matchmaking.")
        backoff, identity = _Backoff(self._retry_for, self._jitter), IdentityUse(self._identity)
        while True:
            await identity.begin()
            try:
                async with aclosing(self._watched(self._transport.find_match(request))) as stream:
                    async for message in stream:
                        backoff.reset()
                        identity.reset()
                        if message.HasField("seat_token"):
                            return message
                        if message.HasField("proposal") and not message.heartbeat:
                            await self._confirm(message)
                raise UnexpectedResponse("the stream ended without a seat")
            except Unavailable as error:
                await backoff.wait(error)
            except IdentityInvalid as error:
                await identity.renew(error)

    async def find_ladder_game(self, request: ladder_pb2.FindLadderGameRequest) -> ladder_pb2.FindLadderGameResponse:
        """Wait for a game of a ladder. Return the message with the seat. The client reopens broken streams."""
        if not isinstance(self._transport, SupportsLadders):
            raise TypeError("server: This transport does not support ladders.")
        backoff, identity = _Backoff(self._retry_for, self._jitter), IdentityUse(self._identity)
        while True:
            await identity.begin()
            try:
                async with aclosing(self._watched(self._transport.find_ladder_game(request))) as stream:
                    async for message in stream:
                        backoff.reset()
                        identity.reset()
                        if message.HasField("seat_token"):
                            return message
                raise UnexpectedResponse("the stream ended without a seat")
            except Unavailable as error:
                await backoff.wait(error)
            except IdentityInvalid as error:
                await identity.renew(error)

    async def _confirm(self, message: api.FindMatchResponse) -> None:
        request = api.ConfirmMatchRequest(ticket=message.ticket, proposal=message.proposal.id)
        with suppress(ProposalExpired):  # another player withdrew; the stream reports what follows
            await self.call(CONFIRM_MATCH, request)

    def hold(self, name: str) -> object:
        """Return an object that each handle of the session keeps for its own lifetime."""
        return self._transport.hold(name)

    async def close(self) -> None:
        """Close the transport."""
        if self._play_streams is not None:
            self._play_streams.close()
        await self._transport.close()


class _Backoff:
    """The delays between attempts: doubled each time, with jitter, never shorter than the server asks for."""

    def __init__(self, budget: float, jitter: Random) -> None:
        self._budget = budget
        self._jitter = jitter
        self.reset()

    def reset(self) -> None:
        """Start again with the full budget, after a response."""
        self._ends = asyncio.get_running_loop().time() + self._budget
        self._delay = _FIRST_DELAY

    async def wait(self, error: Unavailable) -> float:
        """Sleep until the next attempt and return the seconds left then. Raises the error if none would be left."""
        delay = (error.retry_after or 0.0) + self._jitter.uniform(self._delay / 2, self._delay)
        self._delay = min(2 * self._delay, _LONGEST_DELAY)
        left = self._ends - asyncio.get_running_loop().time() - delay
        if left <= 0:
            raise error
        await asyncio.sleep(delay)
        return left


class _Progress:
    """The progress of an observer in a session."""

    def __init__(self, request: api.ObserveRequest, epoch: str | None) -> None:
        self._request = request
        self._reached = request.after_sequence if request.HasField("after_sequence") else None
        self._epoch = epoch
        self._received = False
        self._resuming = False

    def request(self) -> api.ObserveRequest:
        """Return the request that opens the next stream."""
        self._resuming = self._received
        return api.ObserveRequest(name=self._request.name, after_sequence=self._reached, view=self._request.view)

    def update(self, message: api.ObserveResponse) -> bool:
        """Record the message; return whether it has news for the observer. Raises EntriesLost."""
        if self._epoch is not None and message.epoch != self._epoch:
            raise self._entries_lost()
        # The first message of a stream has the current position. A resuming observer knows it already.
        known = self._resuming and not message.entries
        self._received, self._resuming = True, False
        self._reached, self._epoch = message.sequence, message.epoch
        return not (message.heartbeat or known)

    def error_for(self, error: SequenceAhead) -> SequenceAhead | EntriesLost:
        """Return EntriesLost if this observer received entries that the log lacks; else the caller's error."""
        return self._entries_lost() if self._received else error

    def _entries_lost(self) -> EntriesLost:
        return EntriesLost(
            "the store was restarted and may have lost acknowledged entries; read the position again",
            metadata={"sequence": str(self._reached)},
        )


def _play_streams_of(transport: SupportsPlay) -> PlayStreams:
    """Return the streams of a transport. One that knows no cells can still serve sessions without a cell."""
    return PlayStreams(lambda cell: transport.play(cell) if cell else transport.play())
