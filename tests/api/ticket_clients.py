"""A FindMatch stream over gRPC, as a task beside the test."""

from __future__ import annotations

import asyncio
from typing import Any
from uuid import uuid4

from skerry.v1 import service_pb2 as pb
from tests.api.wire import Api, Metadata
from tests.store.servers import PATIENCE


class TicketClient:
    """Keeps every message, and confirms proposals unless ``confirms`` is false."""

    def __init__(
        self,
        api: Api,
        name: str,
        *,
        confirms: bool = True,
        metadata: Metadata = (),
        request_id: str = "",
        game: str = "kreta",
        seats: tuple[int, ...] = (2,),
        **fields: Any,
    ) -> None:
        self.request = pb.FindMatchRequest(
            game=game, display_name=name, request_id=request_id or str(uuid4()), seats=seats, **fields
        )
        self.messages: list[pb.FindMatchResponse] = []
        self._api, self._confirms = api, confirms
        self._news = asyncio.Condition()
        self.call = api.stub.FindMatch(self.request, metadata=metadata)
        self.task = asyncio.create_task(self._look())

    async def _look(self) -> pb.FindMatchResponse:
        async for message in self.call:
            async with self._news:
                self.messages.append(message)
                self._news.notify_all()
            if self._confirms and message.HasField("proposal") and not message.heartbeat:
                await self.confirm(message)
        return self.messages[-1]

    async def confirm(self, message: pb.FindMatchResponse) -> None:
        await self._api.stub.ConfirmMatch(pb.ConfirmMatchRequest(ticket=message.ticket, proposal=message.proposal.id))

    async def waits(self) -> TicketClient:
        """Wait for the first message or error."""
        async with asyncio.timeout(PATIENCE), self._news:
            waiting = asyncio.ensure_future(self._news.wait_for(lambda: bool(self.messages)))
            await asyncio.wait((waiting, self.task), return_when=asyncio.FIRST_COMPLETED)
            waiting.cancel()
            await asyncio.wait((waiting,))
        return self

    async def offered(self) -> pb.FindMatchResponse:
        """Wait for the first message with a proposal."""
        async with asyncio.timeout(PATIENCE), self._news:
            await self._news.wait_for(lambda: any(one.HasField("proposal") for one in self.messages))
        return next(one for one in self.messages if one.HasField("proposal"))

    async def learns(self, others: int | None = None) -> pb.MatchWaiting:
        """Wait until the server says how the ticket waits, with that many other players."""

        def reports() -> list[pb.MatchWaiting]:
            waiting = [one.waiting for one in self.messages if one.HasField("waiting")]
            return [one for one in waiting if others in (None, one.other_players)]

        async with asyncio.timeout(PATIENCE), self._news:
            await self._news.wait_for(lambda: bool(reports()))
        return reports()[-1]

    async def receives(self, count: int) -> None:
        """Wait for that many messages."""
        async with asyncio.timeout(PATIENCE), self._news:
            await self._news.wait_for(lambda: len(self.messages) >= count)

    async def finds(self) -> pb.FindMatchResponse:
        """Wait for the end of the stream; return the last message or raise the error."""
        async with asyncio.timeout(PATIENCE):
            return await asyncio.shield(self.task)

    async def hangs_up(self) -> None:
        self.call.cancel()
        await asyncio.wait([self.task])
