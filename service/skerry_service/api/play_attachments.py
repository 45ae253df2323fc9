"""The state of a Play stream: its attachments, and the pending acts of each session."""

from __future__ import annotations

import asyncio
from collections import deque

from skerry.v1 import service_pb2 as pb
from skerry_service.api.rendering import View
from skerry_service.watching.streams import StreamReader, Update


class Attachment:
    """An attached handle. It accepts acts until it is detached, even after its last update."""

    __slots__ = (
        "_all_answered",
        "_handed_over",
        "acts",
        "attach",
        "is_open",
        "prefix",
        "reader",
        "responses",
        "sent_sequence",
        "session",
        "task",
        "view",
    )

    def __init__(self, attach: pb.PlayAttach) -> None:
        self.attach = attach
        self.session = attach.name
        self.prefix = pb.PlayUpdate(handle=attach.handle).SerializeToString()
        self.view: View = attach.view
        self.reader: StreamReader | None = None
        """Its stream reader, once the session is open."""
        self._handed_over: asyncio.Future[Update | None] | None = None
        self.sent_sequence = 0
        """The sequence that its sent updates have reached."""
        self.is_open = True
        """Whether there can be further updates."""
        self.responses: list[tuple[int, bytes]] = []
        """Responses to its acts, in order. Each waits for the update that reaches its sequence."""
        self.acts = 0
        """The number of its pending acts."""
        self._all_answered: asyncio.Future[None] | None = None
        self.task: asyncio.Task[None] | None = None

    async def wait_for_acts(self) -> None:
        """Wait until none of its acts is pending."""
        if self.acts:
            self._all_answered = asyncio.get_running_loop().create_future()
            await self._all_answered

    def add_response(self, sequence: int, update: bytes) -> None:
        """Keep the response to an act until its update is sent."""
        self.responses.append((sequence, update))
        self.acts -= 1
        if self._all_answered is not None and not self.acts and not self._all_answered.done():
            self._all_answered.set_result(None)

    @property
    def is_busy(self) -> bool:
        """Whether its task is rendering an update: the stream then leaves it alone."""
        return self._handed_over is None or self._handed_over.done()

    async def wait_for_update(self) -> Update | None:
        """Wait for a long update, which the task of the attachment renders. ``None``: there are no further updates."""
        self._handed_over = asyncio.get_running_loop().create_future()
        return await self._handed_over

    def hand_over(self, update: Update | None) -> None:
        """Leave an update to the task of the attachment."""
        if self._handed_over is not None and not self._handed_over.done():
            self._handed_over.set_result(update)

    def fail(self, error: Exception) -> None:
        """Let the task of the attachment end with an error."""
        if self._handed_over is not None and not self._handed_over.done():
            self._handed_over.set_exception(error)


class ActQueue:
    """The pending acts of one session, in order."""

    __slots__ = ("acts", "notified")

    def __init__(self) -> None:
        self.acts: deque[tuple[Attachment, pb.PlayAct, int]] = deque()
        """Each with the time of its arrival, in ns of ``perf_counter_ns``."""
        self.notified: dict[Attachment, None] = {}
        """Attachments with news since the current act began. Their updates go out with its response."""
