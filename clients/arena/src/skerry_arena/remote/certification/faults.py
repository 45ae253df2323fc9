"""What can come between a player and a service: each trouble is one that networks and services bring by themselves."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Final

from msgspec import Struct

from skerry.v1.service_pb2 import ObserveResponse

_STREAMS: Final = ("Observe", "Play")
_UNKNOWN: Final = b"\xfa\x7f\x07unknown"
"""Field 2047 of any message: a text, as a later version may have it."""


class CallLost(Exception):
    """The call ends without an answer that could be received."""


class MethodUnsupported(Exception):
    """The service does not have this call."""


class ProxiedCall(Struct):
    """A call of the player's."""

    method: str
    number: int
    """From 1, of all."""
    messages: int = 0
    """Received so far."""


class Fault:
    """No trouble at all; others change one thing each."""

    name = "plays a game"
    offers_play = True
    """Whether the service offers the stream for moves, or clients have to use calls."""

    def __init__(self) -> None:
        self.met = 0
        """How often it came."""

    async def begin(self, call: ProxiedCall) -> None:
        """A call begins. Raises CallLost, MethodUnsupported."""
        if call.method == "Play" and not self.offers_play:
            raise MethodUnsupported

    async def asked(self, call: ProxiedCall, request: bytes) -> None:
        """A request is about to be passed on."""

    async def answers(self, call: ProxiedCall, message: bytes) -> AsyncIterator[bytes]:
        """Yield what the player receives for a message of the service. Raises CallLost."""
        yield message


class LostResponses(Fault):
    """Every third call is carried out, and its answer lost."""

    name = "repeats calls whose answer was lost"
    offers_play = False

    async def answers(self, call: ProxiedCall, message: bytes) -> AsyncIterator[bytes]:
        if call.method not in _STREAMS and call.number % 3 == 0:
            self.met += 1
            raise CallLost
        yield message


class MissingResponse(Fault):
    """The first move is carried out, and never answered."""

    name = "does not wait for ever for an answer"
    offers_play = False

    async def answers(self, call: ProxiedCall, message: bytes) -> AsyncIterator[bytes]:
        if call.method == "Act" and not self.met:
            self.met += 1
            await asyncio.Event().wait()
        yield message


class BrokenStreams(Fault):
    """Every stream breaks after its third message."""

    name = "resumes streams that were lost"

    async def answers(self, call: ProxiedCall, message: bytes) -> AsyncIterator[bytes]:
        call.messages += 1
        if call.method in _STREAMS and call.messages > 3:
            self.met += 1
            raise CallLost
        yield message


class DuplicateMessages(Fault):
    """Every message of a stream is received twice."""

    name = "takes what comes twice once"
    offers_play = False

    async def answers(self, call: ProxiedCall, message: bytes) -> AsyncIterator[bytes]:
        yield message
        if call.method in _STREAMS:
            self.met += 1
            yield message


class UnknownFields(Fault):
    """Every message has a field that the contract does not name."""

    name = "passes over fields that it does not know"

    async def answers(self, call: ProxiedCall, message: bytes) -> AsyncIterator[bytes]:
        self.met += 1
        yield message + _UNKNOWN


class UnknownEntryKinds(Fault):
    """What happens beside moves is told as a kind of entry that the contract does not name."""

    name = "passes over kinds of entries that it does not know"
    offers_play = False

    def __init__(self, happen: Callable[[], Awaitable[None]]) -> None:
        """``happen``: has something happen at the table that is no move."""
        super().__init__()
        self._happen = happen

    async def asked(self, call: ProxiedCall, request: bytes) -> None:
        if call.method == "Act":
            await self._happen()

    async def answers(self, call: ProxiedCall, message: bytes) -> AsyncIterator[bytes]:
        if call.method != "Observe":
            yield message
            return
        told = ObserveResponse.FromString(message)
        for entry in told.entries:
            if (kind := entry.WhichOneof("kind")) not in (None, "moved"):
                self.met += 1
                entry.ClearField(kind)
                entry.MergeFromString(_UNKNOWN)
        yield told.SerializeToString()


class RejectedMoves(Fault):
    """Every fourth move is refused: somebody else has moved for the seat in the meantime, as its clock may."""

    name = "looks again when its move is refused"
    offers_play = False

    def __init__(self, move: Callable[[], Awaitable[None]]) -> None:
        """``move``: makes a move for the seat."""
        super().__init__()
        self._move = move
        self._acts = 0

    async def asked(self, call: ProxiedCall, request: bytes) -> None:
        if call.method == "Act":
            self._acts += 1
            if self._acts % 4 == 0:
                self.met += 1
                await self._move()


class ServiceOutage(Fault):
    """After some calls the service is gone for a while: connections break, and none can be made."""

    name = "waits for a service that is away"
    offers_play = False

    def __init__(self) -> None:
        super().__init__()
        self.gone = asyncio.Event()
        """Set when it is time to go."""

    async def begin(self, call: ProxiedCall) -> None:
        await super().begin(call)
        if call.number == 8:
            self.met += 1
            self.gone.set()
            raise CallLost
