"""Changes whose steps are told: what a call does, one after the other, for whoever watches how long each takes."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any, Protocol

from skerry_service.domain.clocks import Moment
from skerry_service.domain.packed import Request
from skerry_service.domain.table import Change, Table
from skerry_service.sessions.commits import Changes, Decide
from skerry_service.sessions.store_port import Commit


class Steps(Protocol):
    """Is told of steps. It must return at once, and raise nothing."""

    def step(self, name: str) -> None:
        """A step begins, which ends the one before: ``decide`` or ``commit``."""

    def change(self, session: str) -> AbstractContextManager[None]:
        """Return what is entered while a session is changed."""


class ToldChanges(Changes):
    """Tells of its steps. Where nobody wants to know there are plain ``Changes``, which cost nothing more."""

    def __init__(self, *arguments: Any, steps: Steps) -> None:
        """``arguments``: of ``Changes``."""
        super().__init__(*arguments)
        self._steps = steps

    async def change_from(self, table: Table, request: Request | None, decide: Decide, *, fresh: bool) -> Change:
        def told(table: Table, now: Moment) -> Change:
            self._steps.step("decide")
            return decide(table, now)

        with self._steps.change(table.record.id):
            return await super().change_from(table, request, told, fresh=fresh)

    def commit_of(self, before: Table | None, change: Change, request: Request | None) -> Commit:
        self._steps.step("commit")
        return super().commit_of(before, change, request)
