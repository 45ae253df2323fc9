"""The processes of the engine."""

from __future__ import annotations

import asyncio
import logging
import sys
from typing import TypeVar

from google.protobuf.message import Message
from msgspec import MsgspecError, msgpack

from skerry_games.editions import packed_editions
from skerry_service.domain.errors import LimitReached
from skerry_service.domain.languages.phrases import phrase
from skerry_service.processes.child_process import ChildProcess
from skerry_service.processes.engine_process import EngineAnswer, EngineQuestion
from skerry_service.processes.framing import frame

CALL_SECONDS = 10.0
"""How long a process may take for a call."""
MAX_WAITING = 64
"""Maximum number of calls that wait for a process, for each process."""
_LARGEST_ANSWER = 1 << 26
_COMMAND = (sys.executable, "-m", "skerry_service.processes.engine_process")
_log = logging.getLogger(__name__)

Response = TypeVar("Response", bound=Message)


class EngineFailed(Exception):
    """A process could not answer. The caller receives an internal error without details."""


class EnginePool:
    """A fixed number of processes. Each starts when first needed, and again after it died or was too slow."""

    def __init__(self, workers: int, seconds: float = CALL_SECONDS) -> None:
        """``seconds``: how long a call may take."""
        self._seconds = seconds
        self._all = [ChildProcess(_COMMAND, _LARGEST_ANSWER, packed_editions()) for _ in range(workers)]
        self._free: asyncio.Queue[ChildProcess] = asyncio.Queue()
        self._waiting = 0
        for child in self._all:
            self._free.put_nowait(child)

    async def ask(self, rpc: str, request: Message, response: type[Response]) -> Response:
        """Return the answer to a call. Raises the engine's refusal, LimitReached or EngineFailed."""
        child = await self._free_child()
        try:
            question = EngineQuestion(rpc, request.SerializeToString())
            async with asyncio.timeout(self._seconds):
                packed = await child.ask(frame(msgpack.encode(question)))
            answer = msgpack.decode(packed, type=EngineAnswer)
        except TimeoutError:
            child.kill()
            sentence = phrase("limit-engine", seconds=f"{self._seconds:g}")
            raise LimitReached("engine_seconds", sentence, None) from None
        except (OSError, EOFError, ValueError, MsgspecError) as error:
            child.kill()
            raise EngineFailed(f"the engine failed at {rpc}: {type(error).__name__}") from error
        finally:
            self._free.put_nowait(child)
        if answer.refusal is not None:
            raise answer.refusal.error()
        return response.FromString(answer.response or b"")

    async def _free_child(self) -> ChildProcess:
        if self._free.empty() and self._waiting >= MAX_WAITING * len(self._all):
            raise LimitReached("engine_waiting", "Too many calls are waiting for the engine of this server.", 1.0)
        self._waiting += 1
        try:
            return await self._free.get()
        finally:
            self._waiting -= 1

    async def close(self) -> None:
        """Stop all processes."""
        await asyncio.gather(*(child.close() for child in self._all))
