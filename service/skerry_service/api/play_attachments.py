"""What a stream of Play has attached: each handle and what is under way for it, and the acts of each session."""

from __future__ import annotations

import asyncio
from collections import deque

from skerry.v1 import service_pb2 as pb
from skerry_service.api.rendering import View
from skerry_service.watching.streams import StreamReader, Update


class Attachment:
    """A handle. It can act until it is detached, even when there is nothing more to tell it."""

    __slots__ = (
        "_answered",
        "_handed",
        "acts",
        "answers",
        "attach",
        "follows",
        "prefix",
        "reading",
        "session",
        "task",
        "told",
        "view",
    )

    def __init__(self, attach: pb.PlayAttach) -> None:
        self.attach = attach
        self.session = attach.name
        self.prefix = pb.PlayUpdate(handle=attach.handle).SerializeToString()
        self.view: View = attach.view
        self.reading: StreamReader | None = None
        """Its place in the session, once that is open."""
        self._handed: asyncio.Future[Update | None] | None = None
        self.told = 0
        """The sequence that its updates have come to."""
        self.follows = True
        """Whether there may be another update."""
        self.answers: list[tuple[int, bytes]] = []
        """Answers to its acts, in order, each waiting for the update that comes to its sequence: few at a time."""
        self.acts = 0
        """How many of its acts are under way."""
        self._answered: asyncio.Future[None] | None = None
        self.task: asyncio.Task[None] | None = None

    async def answered(self) -> None:
        """Return once none of its acts is under way."""
        if self.acts:
            self._answered = asyncio.get_running_loop().create_future()
            await self._answered

    def answer(self, sequence: int, update: bytes) -> None:
        """Keep the answer to an act until its update is told."""
        self.answers.append((sequence, update))
        self.acts -= 1
        if self._answered is not None and not self.acts and not self._answered.done():
            self._answered.set_result(None)

    @property
    def is_busy(self) -> bool:
        """Whether its task has something to tell: others leave it alone."""
        return self._handed is None or self._handed.done()

    async def handed(self) -> Update | None:
        """Sleep until there is an update that takes long to write; ``None``: there is none any more."""
        self._handed = asyncio.get_running_loop().create_future()
        return await self._handed

    def hand(self, update: Update | None) -> None:
        """Leave that to its task."""
        if self._handed is not None and not self._handed.done():
            self._handed.set_result(update)

    def fail(self, error: Exception) -> None:
        """Leave it to its task that it cannot go on."""
        if self._handed is not None and not self._handed.done():
            self._handed.set_exception(error)


class ActQueue:
    """Acts of one session that are to be made, in order."""

    __slots__ = ("acts", "rung")

    def __init__(self) -> None:
        self.acts: deque[tuple[Attachment, pb.PlayAct]] = deque()
        self.rung: dict[Attachment, None] = {}
        """Attachments to be told of what has happened while the act under way is made: together with its answer."""
