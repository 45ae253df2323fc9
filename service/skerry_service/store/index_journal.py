"""The last writes to indexes, to be made once more where a server of a cluster may have lost them.

On one server an index is written before the session that it is for, and what a failover loses it loses from the end: no
session is left that is in no index. In a cluster they lie on different servers, so an index can lose what the session
kept. Each replica therefore remembers what it wrote last, and writes it again when the epoch says that something may be
lost. Serialized for nothing, an entry costs a look: an index says when to look, the session what is so.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any

from skerry_service.domain.errors import SkerryError
from skerry_service.store.delivery_index import RunCommand, RunScript

_log = logging.getLogger(__name__)

REMEMBERED_SECONDS = 60.0
"""Far longer than a replica that is promoted may lag behind."""
_MOST = 20_000
_AGAIN_SECONDS = 0.5
_ATTEMPTS = 120


class IndexJournal:
    """Passes calls on, and remembers those that enter something in an index, or take it out.

    Doing them again, in their order, changes nothing.
    """

    def __init__(self, call: RunCommand, run: RunScript) -> None:
        self._call = call
        self._run = run
        self._written: deque[tuple[float, Callable[[], Awaitable[Any]]]] = deque(maxlen=_MOST)

    async def call(self, *arguments: bytes | str | int, session: str | None = None) -> Any:
        """RunScript a command."""
        reply = await self._call(*arguments, session=session)
        if arguments[0] == "ZREM" or (arguments[0] == "ZADD" and "XX" not in arguments):
            self._remember(partial(self._call, *arguments))
        return reply

    async def run(self, script: str, names: Sequence[bytes], *arguments: bytes | str | int) -> Any:
        """RunScript the script of that name."""
        reply = await self._run(script, names, *arguments)
        if script in ("relist.lua", "unlist.lua"):
            self._remember(partial(self._run, script, names, *arguments))
        return reply

    def _remember(self, again: Callable[[], Awaitable[Any]]) -> None:
        now = asyncio.get_running_loop().time()
        while self._written and self._written[0][0] < now - REMEMBERED_SECONDS:
            self._written.popleft()
        self._written.append((now, again))

    async def write_again(self) -> None:
        """Make all that is remembered once more, in the same order; wait for servers that are away."""
        written, attempts = deque(again for _, again in self._written), _ATTEMPTS
        while written and attempts:
            try:
                await written[0]()
                written.popleft()
            except SkerryError as refusal:
                _log.debug("what was entered in indexes is written again later: %s", refusal)
                attempts -= 1
                await asyncio.sleep(_AGAIN_SECONDS)
