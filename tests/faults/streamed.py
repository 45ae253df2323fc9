"""A client that plays all seats of a table over one Play stream, and opens another whenever it breaks."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import grpc

from skerry.v1 import service_pb2 as api
from skerry.v1 import session_pb2

from .driver import Api, Table, pause, refusal_in, refusal_of

Call = grpc.aio.StreamStreamCall[api.PlayRequest, api.PlayResponse]


class Streamed(Table):
    """Every act is sent again under its request id until it is answered; every seat resumes where it was."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._entries: list[list[session_pb2.Entry]] = [[] for _ in self.tokens]
        """What each seat received."""
        self._call: Call | None = None

    async def act(self, seat: int, client: Api | None = None) -> Sequence[int]:
        """Make a random move. Return who is to act then."""
        request = await self.decide(seat)
        while (sequence := await self._try(seat, request)) is None:  # noqa: ASYNC110 - it depends on other processes
            await asyncio.sleep(pause(self.client.refusals[-1]))
        received = self._entries[seat][request.expected_sequence : sequence]
        own = next(entry for entry in received if entry.HasField("seat") and entry.seat == seat)
        self.note(seat, request, api.ActResponse(entries=[own]))
        return await self.to_act()

    async def _try(self, seat: int, request: api.ActRequest) -> int | None:
        """Send the act; return the sequence that it came to, or ``None`` if it must be sent again."""
        try:
            call = await self._opened()
            await call.write(api.PlayRequest(acts=[_act(seat, request)]))
        except (grpc.aio.AioRpcError, asyncio.InvalidStateError):
            pass  # reading says why
        try:
            return await self._answer(request.request_id)
        except grpc.aio.AioRpcError as error:
            self.client.refusals.append(refusal_of(error))
            self._call = None
            if error.code() is not grpc.StatusCode.UNAVAILABLE:
                raise
            return None

    async def _opened(self) -> Call:
        if self._call is None:
            self._call = self.client.stub.Play()
            attach = [
                api.PlayAttach(handle=seat + 1, name=self.name, token=token, after_sequence=len(self._entries[seat]))
                for seat, token in enumerate(self.tokens)
            ]
            await self._call.write(api.PlayRequest(attach=attach))
        return self._call

    async def _answer(self, request_id: str) -> int | None:
        assert self._call is not None
        while isinstance(response := await self._call.read(), api.PlayResponse):
            answers = [update for update in response.updates if self._take(update, request_id)]
            if answers:
                return answers[0].acted.sequence or None
        raise AssertionError("the stream ended before the game")

    def _take(self, update: api.PlayUpdate, request_id: str) -> bool:
        """Note what it tells; return whether it answers that request."""
        if update.HasField("observed"):
            entries = self._entries[update.handle - 1]
            for entry in update.observed.entries:
                assert entry.sequence == len(entries) + 1, "a gap or a repeat"
                entries.append(entry)
        elif update.HasField("refused"):
            self.client.refusals.append(refusal_in(update.refused.status))
            if not update.refused.act:
                self._call = None  # attaches all of them again
            return True
        return update.acted.request_id == request_id


def _act(seat: int, request: api.ActRequest) -> api.PlayAct:
    return api.PlayAct(
        handle=seat + 1,
        move=request.move,
        expected_sequence=request.expected_sequence,
        request_id=request.request_id,
    )
