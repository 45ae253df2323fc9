"""The processes that answer for the engine. The event loop waits for them and does nothing else of it."""

from __future__ import annotations

import asyncio
import logging
import sys
from typing import TypeVar

from google.protobuf.message import Message
from msgspec import MsgspecError, msgpack

from skerry_service.domain.errors import LimitReached
from skerry_service.processes.child_process import ChildProcess
from skerry_service.processes.engine_process import EngineAnswer, EngineQuestion
from skerry_service.processes.framing import framed

SECONDS = 10.0
"""How long a call may take, once a process has begun with it."""
MOST_WAITING = 64
"""Calls that wait for a process, for each process."""
_LARGEST_ANSWER = 1 << 26
_COMMAND = (sys.executable, "-m", "skerry_service.processes.engine_process")
_log = logging.getLogger(__name__)

Response = TypeVar("Response", bound=Message)


class EngineFailed(Exception):
    """A process could not answer: a defect, of which the caller is told no more."""


class EnginePool:
    """So many processes, each started when it is first needed and again after it has died or been too slow."""

    def __init__(self, workers: int, seconds: float = SECONDS) -> None:
        """``seconds``: how long a call may take."""
        self._seconds = seconds
        self._all = [ChildProcess(_COMMAND, _LARGEST_ANSWER) for _ in range(workers)]
        self._free: asyncio.Queue[ChildProcess] = asyncio.Queue()
        self._waiting = 0
        for child in self._all:
            self._free.put_nowait(child)

    async def ask(self, rpc: str, request: Message, response: type[Response]) -> Response:
        """Return the answer to a call. Raises what it is refused with, LimitReached and EngineFailed among it."""
        child = await self._free_child()
        try:
            question = EngineQuestion(rpc, request.SerializeToString())
            async with asyncio.timeout(self._seconds):
                packed = await child.ask(framed(msgpack.encode(question)))
            answer = msgpack.decode(packed, type=EngineAnswer)
        except TimeoutError:
            child.kill()
            sentence = f"This takes more than {self._seconds:g} seconds of the engine. Ask for less at a time."
            raise LimitReached("engine_seconds", sentence, None) from None
        except (OSError, EOFError, ValueError, MsgspecError) as error:
            child.kill()
            raise EngineFailed(f"the engine failed at {rpc}: {type(error).__name__}") from error
        finally:
            self._free.put_nowait(child)
        if answer.refused is not None:
            raise answer.refused.error()
        return response.FromString(answer.response or b"")

    async def _free_child(self) -> ChildProcess:
        if self._free.empty() and self._waiting >= MOST_WAITING * len(self._all):
            raise LimitReached("engine_waiting", "Too many calls wait for the engine of this server already.", 1.0)
        self._waiting += 1
        try:
            return await self._free.get()
        finally:
            self._waiting -= 1

    async def close(self) -> None:
        """End every process."""
        await asyncio.gather(*(child.close() for child in self._all))
