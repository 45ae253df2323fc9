"""A journal of the last writes to indexes, which are repeated after a server of a cluster may have lost them.

On one server, an index is written before its session, and a failover loses the latest writes first. So no session is
left without its index entries. In a cluster, index and session are on different servers, and an index can lose an
entry while the session is kept. Each replica therefore remembers its last writes to indexes, and repeats them when the
epoch says that writes may be lost. A needless entry costs one check: the index is only a schedule, and the session is
the source of truth.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any

from skerry_service.domain.errors import SkerryError
from skerry_service.store.call_router import RunCommand, RunScript

_log = logging.getLogger(__name__)

REMEMBERED_SECONDS = 60.0
"""Far longer than the lag of a replica that can be promoted."""
_MOST = 20_000
_AGAIN_SECONDS = 0.5
_ATTEMPTS = 120


class IndexJournal:
    """Forwards calls, and remembers those that add entries to an index or remove them.

    Repeating them in order is safe.
    """

    def __init__(self, call: RunCommand, run: RunScript) -> None:
        self._call = call
        self._run = run
        self._written: deque[tuple[float, Callable[[], Awaitable[Any]]]] = deque(maxlen=_MOST)

    async def call(self, *arguments: bytes | str | int, session: str | None = None) -> Any:
        """Run a command."""
        reply = await self._call(*arguments, session=session)
        if arguments[0] == "ZADD":
            self._remember(partial(self._call, *arguments))
        return reply

    async def run(self, script: str, names: Sequence[bytes], *arguments: bytes | str | int) -> Any:
        """Run the script of that file name."""
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
        """Repeat all remembered writes in order. Retry while a server is unavailable."""
        written, attempts = deque(again for _, again in self._written), _ATTEMPTS
        while written and attempts:
            try:
                await written[0]()
                written.popleft()
            except SkerryError as refusal:
                _log.debug("writes to indexes are repeated later: %s", refusal)
                attempts -= 1
                await asyncio.sleep(_AGAIN_SECONDS)
