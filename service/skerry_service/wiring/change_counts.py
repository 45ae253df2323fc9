"""What a change comes to in numbers, for whoever counts: no id, no name and no move is told."""

from __future__ import annotations

from collections.abc import Iterator

from skerry_games.api import CHANCE
from skerry_service.domain.log import Moved
from skerry_service.domain.record import Phase
from skerry_service.domain.table import Change, Table

PLAYER, BOT, BY_CHANCE = "player", "bot", "chance"


def moves(change: Change) -> list[str]:
    """Return for each move by whom it was made."""
    entries = [one.entry for one in change.applied]
    return [
        BY_CHANCE if entry.actor == CHANCE else BOT if entry.automatic else PLAYER
        for entry in entries
        if isinstance(entry, Moved)
    ]


def phases(before: Table | None, after: Table) -> Iterator[str]:
    """Yield the phases that the session came into, in their order, also those that it went through at once."""
    phase = after.record.phase
    passed = 0 if before is None else before.record.phase
    if phase is Phase.CANCELLED:
        passed = max(passed, Phase.FINISHED)
    for one in Phase:
        if passed < one <= phase:
            yield one.name.lower()
