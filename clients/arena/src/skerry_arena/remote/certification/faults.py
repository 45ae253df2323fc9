"""Faults between a player and a service. All of them occur in real networks and services."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Final

from msgspec import Struct

from skerry.v1.service_pb2 import ObserveResponse

_STREAMS: Final = ("Observe", "Play")
_UNKNOWN: Final = b"\xfa\x7f\x07unknown"
"""Field 2047 of any message: a string, as a later version could have it."""


class CallLost(Exception):
    """The connection breaks before the player receives the response."""


class MethodUnsupported(Exception):
    """The service does not support the method."""


class ProxiedCall(Struct):
    """A call of the player through the proxy."""

    method: str
    number: int
    """The number of the call, from 1."""
    messages: int = 0
    """The number of messages received so far."""


class Fault:
    """The base class of faults. By itself it injects none."""

    name = "plays a game"
    supports_play = True
    """Whether the service supports Play. Otherwise clients use unary calls."""

    def __init__(self) -> None:
        self.count = 0
        """How often the fault occurred."""

    async def begin(self, call: ProxiedCall) -> None:
        """Run at the start of a call. Raises CallLost, MethodUnsupported."""
        if call.method == "Play" and not self.supports_play:
            raise MethodUnsupported

    async def before_request(self, call: ProxiedCall, request: bytes) -> None:
        """Run before the proxy forwards a request."""

    async def responses(self, call: ProxiedCall, message: bytes) -> AsyncIterator[bytes]:
        """Yield the messages that the player receives for one message of the service. Raises CallLost."""
        yield message


class LostResponses(Fault):
    """The service carries out every third call, but the response is lost."""

    name = "repeats calls after a lost response"
    supports_play = False

    async def responses(self, call: ProxiedCall, message: bytes) -> AsyncIterator[bytes]:
        if call.method not in _STREAMS and call.number % 3 == 0:
            self.count += 1
            raise CallLost
        yield message


class MissingResponse(Fault):
    """The service makes the first move, but the response never comes."""

    name = "limits the wait for a response"
    supports_play = False

    async def responses(self, call: ProxiedCall, message: bytes) -> AsyncIterator[bytes]:
        if call.method == "Act" and not self.count:
            self.count += 1
            await asyncio.Event().wait()
        yield message


class BrokenStreams(Fault):
    """Every stream breaks after its third message."""

    name = "resumes broken streams"

    async def responses(self, call: ProxiedCall, message: bytes) -> AsyncIterator[bytes]:
        call.messages += 1
        if call.method in _STREAMS and call.messages > 3:
            self.count += 1
            raise CallLost
        yield message


class DuplicateMessages(Fault):
    """Every message of a stream comes twice."""

    name = "ignores duplicate messages"
    supports_play = False

    async def responses(self, call: ProxiedCall, message: bytes) -> AsyncIterator[bytes]:
        yield message
        if call.method in _STREAMS:
            self.count += 1
            yield message


class UnknownFields(Fault):
    """Every message has an unknown field."""

    name = "ignores unknown fields"

    async def responses(self, call: ProxiedCall, message: bytes) -> AsyncIterator[bytes]:
        self.count += 1
        yield message + _UNKNOWN


class UnknownEntryKinds(Fault):
    """All entries except moves have an unknown kind."""

    name = "ignores unknown kinds of entries"
    supports_play = False

    def __init__(self, add_entry: Callable[[], Awaitable[None]]) -> None:
        """``add_entry``: causes an entry that is not a move."""
        super().__init__()
        self._add_entry = add_entry

    async def before_request(self, call: ProxiedCall, request: bytes) -> None:
        if call.method == "Act":
            await self._add_entry()

    async def responses(self, call: ProxiedCall, message: bytes) -> AsyncIterator[bytes]:
        if call.method != "Observe":
            yield message
            return
        response = ObserveResponse.FromString(message)
        for entry in response.entries:
            if (kind := entry.WhichOneof("kind")) not in (None, "moved"):
                self.count += 1
                entry.ClearField(kind)
                entry.MergeFromString(_UNKNOWN)
        yield response.SerializeToString()


class RejectedMoves(Fault):
    """The service rejects every fourth move, because a move was made for the seat meanwhile, as after a timeout."""

    name = "reads the position again after a rejected move"
    supports_play = False

    def __init__(self, move: Callable[[], Awaitable[None]]) -> None:
        """``move``: makes a move for the seat."""
        super().__init__()
        self._move = move
        self._acts = 0

    async def before_request(self, call: ProxiedCall, request: bytes) -> None:
        if call.method == "Act":
            self._acts += 1
            if self._acts % 4 == 0:
                self.count += 1
                await self._move()


class ServiceOutage(Fault):
    """After some calls the service is unavailable for a while: connections break and new ones fail."""

    name = "waits for an unavailable service"
    supports_play = False

    def __init__(self) -> None:
        super().__init__()
        self.started = asyncio.Event()
        """Set when the outage starts."""

    async def begin(self, call: ProxiedCall) -> None:
        await super().begin(call)
        if call.number == 8:
            self.count += 1
            self.started.set()
            raise CallLost
