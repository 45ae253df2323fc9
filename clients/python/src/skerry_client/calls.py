"""Calls that are repeated until they are answered, and streams that resume: the client's patience."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing, nullcontext, suppress
from math import inf
from random import Random
from uuid import uuid4

from skerry.v1 import service_pb2 as api
from skerry_client.errors import (
    ConnectionLost,
    DeadlineExceeded,
    EntriesLost,
    ProposalExpired,
    SequenceAhead,
    Unavailable,
    UnexpectedAnswer,
)
from skerry_client.playing import Playing
from skerry_client.transport import ACT, CONFIRM_TABLE, A, Method, OffersFindMatch, OffersPlay, Q, Transport

_FIRST_DELAY = 0.05
_LONGEST_DELAY = 2.0


class Calls:
    """Makes calls over a transport. ``retry_for``, ``timeout`` and ``silence`` are seconds."""

    def __init__(self, transport: Transport, *, timeout: float, retry_for: float, silence: float) -> None:
        self._transport = transport
        self._timeout = timeout
        self._retry_for = retry_for
        self._silence = silence
        self._jitter = Random()
        # Where nothing is repeated, each call stands for itself: it is known of each whether it failed.
        self._playing = Playing(transport.play) if retry_for and isinstance(transport, OffersPlay) else None

    @property
    def plays(self) -> bool:
        """Whether seats share one stream, as far as is known: so it is until a server turns out not to offer it."""
        return self._playing is not None and self._playing.offered

    def new_id(self) -> str:
        """Return a request id: whatever is repeated under it is done once. Nothing if nothing is repeated here."""
        return str(uuid4()) if self._retry_for else ""

    async def call(self, method: Method[Q, A], request: Q, token: str | None = None) -> A:
        """Make a unary call and repeat it unchanged while it is Unavailable. A request id makes that safe."""
        if not self._retry_for:
            return await self._transport.call(method, request, token, self._timeout)
        patience = _Patience(self._retry_for, self._jitter)
        timeout, said = self._timeout, None
        while True:
            try:
                return await self._transport.call(method, request, token, timeout)
            except Unavailable as error:
                # No answer within what was left of the budget, maybe milliseconds, says less than what came before.
                if said is None or timeout == self._timeout or not isinstance(error, DeadlineExceeded):
                    said = error
                timeout = min(self._timeout, await patience.wait(said))

    async def act(self, request: api.ActRequest, token: str) -> api.ActResponse:
        """Make a move: over the stream that its seat is followed on, if there is one, else by a call of its own."""
        if self._playing is not None and (answer := await self._playing.act(request, token, self._timeout)):
            return answer
        return await self.call(ACT, request, token)

    async def observe(
        self, name: str, token: str | None, after_sequence: int | None, epoch: str | None, *, play: bool = False
    ) -> AsyncGenerator[api.ObserveResponse, None]:
        """Follow a session to its end over however many streams it takes. Heartbeats are not passed on.

        ``play``: over the stream that all seats share, if the server offers it. Whoever is late with taking messages
        gets the newest alone then, so entries can be missing.
        Raises EntriesLost when the epoch is not ``epoch`` (if that is known) or changes on the way, or when the log
        turns out to be shorter than what was received.
        """
        follower = _Follower(name, after_sequence, epoch)
        patience = _Patience(self._retry_for, self._jitter)
        while True:
            try:
                async with aclosing(self._stream(follower.request(), token, play=play)) as stream:
                    async for message in stream:
                        patience.renew()
                        if follower.takes(message):
                            yield message
                return
            except Unavailable as error:
                await patience.wait(error)
            except SequenceAhead as error:
                raise follower.judge(error) from None
            except UnexpectedAnswer:
                if not play or self.plays:
                    raise
                play = False

    async def _stream(
        self, request: api.ObserveRequest, token: str | None, *, play: bool
    ) -> AsyncGenerator[api.ObserveResponse, None]:
        """One stream. Silence longer than several heartbeats take means that the connection is dead."""
        playing = self._playing if play and self.plays else None
        async with aclosing(self._heard((playing or self._transport).observe(request, token))) as stream:
            async for message in stream:
                yield message

    async def _heard(self, messages: AsyncGenerator[A, None]) -> AsyncGenerator[A, None]:
        async with aclosing(messages) as stream:
            while True:
                try:
                    async with nullcontext() if self._silence == inf else asyncio.timeout(self._silence):
                        message = await anext(stream)
                except StopAsyncIteration:
                    return
                except TimeoutError:
                    raise ConnectionLost(f"nothing was heard for {self._silence:g} s") from None
                yield message

    async def find_match(self, request: api.FindMatchRequest) -> api.FindMatchResponse:
        """Wait for a table, and confirm each that is offered. Return the message with the seat.

        Leaving the wait withdraws. Streams that break are opened again under the same request id.
        """
        if not isinstance(self._transport, OffersFindMatch):
            raise TypeError("server: This transport does not find tables.")
        patience = _Patience(self._retry_for, self._jitter)
        while True:
            try:
                async with aclosing(self._heard(self._transport.find_match(request))) as stream:
                    async for message in stream:
                        patience.renew()
                        if message.HasField("seat_token"):
                            return message
                        if message.HasField("proposal") and not message.heartbeat:
                            await self._confirm(message)
                raise UnexpectedAnswer("the stream ended without a seat")
            except Unavailable as error:
                await patience.wait(error)

    async def _confirm(self, message: api.FindMatchResponse) -> None:
        request = api.ConfirmMatchRequest(ticket=message.ticket, proposal=message.proposal.id)
        with suppress(ProposalExpired):  # somebody else withdrew: what comes of it, the stream tells
            await self.call(CONFIRM_TABLE, request)

    def hold(self, name: str) -> object:
        """Return what each handle of that session keeps for as long as it lives itself."""
        return self._transport.hold(name)

    async def close(self) -> None:
        """Close the transport."""
        if self._playing is not None:
            self._playing.close()
        await self._transport.close()


class _Patience:
    """The delays between attempts: doubled each time, with jitter, never shorter than the server asks for."""

    def __init__(self, budget: float, jitter: Random) -> None:
        self._budget = budget
        self._jitter = jitter
        self.renew()

    def renew(self) -> None:
        """Start anew: there was an answer."""
        self._ends = asyncio.get_running_loop().time() + self._budget
        self._delay = _FIRST_DELAY

    async def wait(self, error: Unavailable) -> float:
        """Sleep until the next attempt and return the seconds that are left then, or raise the error if none are."""
        delay = (error.retry_after or 0.0) + self._jitter.uniform(self._delay / 2, self._delay)
        self._delay = min(2 * self._delay, _LONGEST_DELAY)
        left = self._ends - asyncio.get_running_loop().time() - delay
        if left <= 0:
            raise error
        await asyncio.sleep(delay)
        return left


class _Follower:
    """How far an observer has come in a session."""

    def __init__(self, name: str, after_sequence: int | None, epoch: str | None) -> None:
        self._name = name
        self._reached = after_sequence
        self._epoch = epoch
        self._heard = False
        self._resuming = False

    def request(self) -> api.ObserveRequest:
        """Return what the next stream is opened with."""
        self._resuming = self._heard
        return api.ObserveRequest(name=self._name, after_sequence=self._reached)

    def takes(self, message: api.ObserveResponse) -> bool:
        """Note the message; return whether it tells the observer anything. Raises EntriesLost."""
        if self._epoch is not None and message.epoch != self._epoch:
            raise self._entries_lost()
        # The first message of a stream tells where the session stands. After an interruption that is known already.
        known = self._resuming and not message.entries
        self._heard, self._resuming = True, False
        self._reached, self._epoch = message.sequence, message.epoch
        return not (message.heartbeat or known)

    def judge(self, error: SequenceAhead) -> SequenceAhead | EntriesLost:
        """Return what it means that the log ends before what was received, or before what the caller named."""
        return self._entries_lost() if self._heard else error

    def _entries_lost(self) -> EntriesLost:
        return EntriesLost(
            "the store was restarted and may lack entries that were acknowledged; read the position again",
            metadata={"sequence": str(self._reached)},
        )
