"""A Play stream as a task beside the test."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any
from uuid import uuid4

import grpc
from google.rpc.error_details_pb2 import ErrorInfo
from google.rpc.status_pb2 import Status

from skerry.v1 import payload_pb2, session_pb2
from skerry.v1 import service_pb2 as pb
from tests.api.wire import Api, Metadata, Sitting
from tests.store.servers import PATIENCE


def attach(
    handle: int, sitting: Sitting, token: str | None = None, after: int | None = 0, **fields: Any
) -> pb.PlayAttach:
    """Return the attachment of a session."""
    return pb.PlayAttach(handle=handle, name=sitting.name, token=token or "", after_sequence=after, **fields)


def new_id() -> str:
    """Return a request id."""
    return str(uuid4())


def move(handle: int, move: payload_pb2.Move, sequence: int, **fields: Any) -> pb.PlayAct:
    """Return an act."""
    return pb.PlayAct(handle=handle, move=move, expected_sequence=sequence, **fields)


class Player:
    """One stream. Keeps every update, in order."""

    def __init__(self, api: Api, *attachments: pb.PlayAttach, metadata: Metadata = ()) -> None:
        self.updates: list[pb.PlayUpdate] = []
        self._begun, self._writing = asyncio.Event(), asyncio.Lock()
        self._first = pb.PlayRequest(attach=attachments)
        self._arrived = asyncio.Condition()
        self._call: grpc.aio.StreamStreamCall[pb.PlayRequest, pb.PlayResponse] = api.stub.Play(metadata=metadata)
        self._task = asyncio.create_task(self._read())

    async def _read(self) -> None:
        if self._first.attach:
            await self._call.write(self._first)
        self._begun.set()
        async for message in self._call:
            assert message.updates
            async with self._arrived:
                self.updates += message.updates
                self._arrived.notify_all()

    def of(self, handle: int) -> list[pb.PlayUpdate]:
        """Return the updates of that handle."""
        return [update for update in self.updates if update.handle == handle]

    def observed(self, handle: int) -> list[pb.ObserveResponse]:
        """Return the observations of that handle."""
        return [update.observed for update in self.of(handle) if update.HasField("observed")]

    def entries(self, handle: int) -> list[session_pb2.Entry]:
        """Return the entries that the handle received."""
        return [entry for message in self.observed(handle) for entry in message.entries]

    async def send(self, *acts: pb.PlayAct, attach: Sequence[pb.PlayAttach] = (), detach: Sequence[int] = ()) -> None:
        """Send one request, after the first attachments."""
        await self._begun.wait()
        async with self._writing:  # gRPC takes one message at a time
            await self._call.write(pb.PlayRequest(attach=attach, acts=acts, detach=detach))

    async def receives(self, wanted: Callable[[pb.PlayUpdate], bool], times: int = 1) -> pb.PlayUpdate:
        """Wait for that many such updates; return the last of them."""

        def found() -> list[pb.PlayUpdate]:
            return [update for update in self.updates if wanted(update)]

        async with asyncio.timeout(PATIENCE), self._arrived:
            await self._arrived.wait_for(lambda: len(found()) >= times)
        return found()[times - 1]

    async def reaches(self, handle: int, sequence: int) -> pb.ObserveResponse:
        """Wait until that handle has reached the sequence; return the update."""
        update = await self.receives(lambda one: one.handle == handle and one.observed.sequence >= sequence)
        return update.observed

    async def answers(self, *acts: pb.PlayAct) -> list[pb.PlayUpdate]:
        """Send acts that have request ids; return their responses."""
        await self.send(*acts)
        return [await self.receives(partial(answers, act)) for act in acts]

    async def done(self) -> None:
        """Close the sending side, and wait for the end."""
        await self._begun.wait()
        await self._call.done_writing()
        await self.ends()

    async def ends(self) -> None:
        """Wait for the end; raise what it ended with, unless that is OK."""
        async with asyncio.timeout(PATIENCE):
            await self._task

    async def hang_up(self) -> None:
        """Cancel the stream."""
        self._call.cancel()
        self._task.cancel()  # a write to a call that was cancelled before it started never returns
        await asyncio.wait([self._task])


def answers(act: pb.PlayAct, update: pb.PlayUpdate) -> bool:
    """Return whether the update is the response to the act."""
    kind = update.WhichOneof("kind")
    if update.handle != act.handle or kind not in ("acted", "refused"):
        return False
    return act.request_id in (update.acted.request_id, update.refused.request_id) and (
        kind == "acted" or update.refused.act
    )


def reason_of(status: Status) -> str:
    """Return the reason of a refusal."""
    info = ErrorInfo()
    assert status.details[0].Unpack(info)
    assert info.domain == "skerry"
    return info.reason
