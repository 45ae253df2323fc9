"""A store whose commits are timed: of those a session consists."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Any

from skerry_service.sessions.errors import SkerryError
from skerry_service.sessions.port import Commit, CommitResult

from .redis_store import RedisStore


class TimedStore(RedisStore):
    """Tells of each commit what came of it, and how many seconds it took."""

    def __init__(self, url: str, on_commit: Callable[[str, float], None], **settings: Any) -> None:
        """``settings``: of a ``RedisStore``."""
        super().__init__(url, **settings)
        self._on_commit = on_commit

    async def commit(self, session: str, commit: Commit) -> CommitResult:
        began, came = perf_counter(), "cancelled"
        try:
            result = await super().commit(session, commit)
            came = type(result).__name__
            return result
        except SkerryError as refusal:
            came = type(refusal).__name__
            raise
        finally:
            self._on_commit(came.lower(), perf_counter() - began)
