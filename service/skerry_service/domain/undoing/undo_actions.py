"""The transition that takes back a move, and the moves of a log that were not taken back."""

from __future__ import annotations

from collections.abc import Iterable

from skerry_service.domain.change_set import ChangeSet
from skerry_service.domain.clocks import Moment
from skerry_service.domain.errors import (
    GameOver,
    LimitReached,
    NothingToUndo,
    NotStarted,
    SequenceAhead,
    StaleSequence,
    TimeUp,
)
from skerry_service.domain.languages.phrases import phrase
from skerry_service.domain.limits import MAX_ENTRIES_FOR_UNDO
from skerry_service.domain.log import Moved, Undone
from skerry_service.domain.record import UndoPolicy
from skerry_service.domain.table import Applied, Change, Table, undoable
from skerry_service.domain.undoing.undo_runs import MAX_UNDOS, Run


def undo(table: Table, seat: int, expected_sequence: int, now: Moment) -> Change:
    """Take back the latest move of a player.

    Raises NotStarted, GameOver, SequenceAhead, StaleSequence, NothingToUndo, TimeUp, LimitReached.
    """
    record, run = table.record, table.run
    if not record.playing:
        raise GameOver if record.over else NotStarted
    if expected_sequence > table.sequence:
        raise SequenceAhead(expected_sequence, table.sequence)
    if record.undo is not UndoPolicy.OWN_MOVES:
        raise NothingToUndo("The players of this session cannot take back moves.")
    mine = run is not None and run.seat == seat
    if expected_sequence < (run.latest if run is not None and mine else table.sequence):
        raise StaleSequence(expected_sequence, table.sequence)
    if run is None or not mine:
        raise NothingToUndo("You have not moved since chance or another player moved.")
    if run.undos >= MAX_UNDOS:
        raise LimitReached("undos", phrase("limit-undos", most=MAX_UNDOS), retry_after=None)
    if not undoable(table, seat):
        raise NothingToUndo("Your latest move has revealed something, or you have no move left to take back.")
    if table.sequence - record.opening >= MAX_ENTRIES_FOR_UNDO:
        raise LimitReached("entries", "The log is too long for moves to be taken back.", retry_after=None)
    changes = ChangeSet(table, now)
    changes.add(Undone(seat, run.moves[-1][0], _charged_ms(run, now)))
    return changes.build()


def _charged_ms(run: Run[object], now: Moment) -> int:
    """Return the time since the run's first decision was owed, as if none of its moves had been made. Raises TimeUp."""
    if not run.clocks:
        return 0
    clock = run.clocks[run.seat]
    passed = max(0, now.uptime_ms - clock.since_ms)
    if passed > clock.grace_ms + clock.left_ms:
        raise TimeUp("Your time since the start of this turn is up, so you cannot take back a move.")
    return passed


def moves_that_stand(log: Iterable[Applied]) -> list[Applied]:
    """Return the moves of a log without those that were taken back."""
    moves: list[Applied] = []
    for one in log:
        if isinstance(one.entry, Moved):
            moves.append(one)
        elif isinstance(one.entry, Undone):
            moves.pop()
    return moves
