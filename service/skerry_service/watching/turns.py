"""Turns of a replayed log: the last move of a seat up to an entry, with what chance drew after it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from skerry_service.domain.cooperative import CooperativeTask
from skerry_service.domain.log import Moved, Started, Undone
from skerry_service.domain.table import Applied, Change, Table, apply_entry, require_table, table_at


class Turn(Struct, frozen=True):
    """The end of a turn."""

    table: Table
    events: tuple[Any, ...]
    """The events of the turn, unredacted. Empty before the first move."""


def turn_at(changes: Sequence[Change], sequence: int) -> CooperativeTask[Turn]:
    """Return the turn that reaches an entry, also in the middle of it. Yields after each entry."""
    table = next((change.table for change in changes if change.batch.last == sequence), None)
    if table is None:
        table = yield from table_at(changes, sequence)
    log = [applied for change in changes for applied in change.applied]
    return Turn(table, _events_of_turn(log[:sequence]))


def turns_of(changes: Sequence[Change], most: int) -> CooperativeTask[list[Turn]]:
    """Return ``most`` turns at most, evenly spaced: the start of the game first, and the last turn last.

    Yields after each entry.
    """
    log = [applied for change in changes for applied in change.applied]
    wanted, table, turns = _evenly(_ends_of_turns(log), most), None, []
    for applied in log:
        table, _ = apply_entry(table, applied.entry, applied.move)
        if applied.sequence in wanted:
            turns.append(Turn(require_table(table), _events_of_turn(log[: applied.sequence])))
        yield
    return turns


def _ends_of_turns(log: Sequence[Applied]) -> list[int]:
    """Return the sequences before each move of a seat, and the last one."""
    started = next((number for number, one in enumerate(log) if isinstance(one.entry, Started)), len(log))
    ends = [one.sequence - 1 for one in log[started:] if _is_move_of_seat(one)]
    return [*ends, len(log)]


def _evenly(numbers: Sequence[int], most: int) -> set[int]:
    if len(numbers) <= most:
        return set(numbers)
    return {numbers[index * (len(numbers) - 1) // (most - 1)] for index in range(most)}


def _events_of_turn(log: Sequence[Applied]) -> tuple[Any, ...]:
    events: tuple[Any, ...] = ()
    for applied in reversed(log):
        if isinstance(applied.entry, Undone):
            break  # the move before it does not stand
        events = applied.events + events
        if _is_move_of_seat(applied):
            return events
    return ()


def _is_move_of_seat(applied: Applied) -> bool:
    return isinstance(applied.entry, Moved) and applied.entry.by_seat
