"""Figures for the metrics from a change of a session. They contain no id, name or move."""

from __future__ import annotations

from collections.abc import Iterator

from skerry_games.api import CHANCE
from skerry_service.domain.log import Moved
from skerry_service.domain.record import Phase
from skerry_service.domain.table import Change, Table

PLAYER, BOT, BY_CHANCE = "player", "bot", "chance"


def moves(change: Change) -> list[str]:
    """Return the kind of actor of each move in the change: ``player``, ``bot`` or ``chance``."""
    entries = [applied.entry for applied in change.applied]
    return [
        BY_CHANCE if entry.actor == CHANCE else BOT if entry.automatic else PLAYER
        for entry in entries
        if isinstance(entry, Moved)
    ]


def phases(before: Table | None, after: Table) -> Iterator[str]:
    """Yield the phases that the session entered, in order, including those it passed through within the change."""
    phase = after.record.phase
    passed = 0 if before is None else before.record.phase
    if phase is Phase.CANCELLED:
        passed = max(passed, Phase.FINISHED)
    for entered in Phase:
        if passed < entered <= phase:
            yield entered.name.lower()
