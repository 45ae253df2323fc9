"""Follows a stored session anew by the rules of this build, and finds the first entry at which it goes another way.

What ``verify`` asks of the replay of a finished game is asked here of what is stored, before a new build is let at it:
is each move still allowed, does the seed still yield what it yielded, does the log still lead to where its head stands?
Nothing is written, and no sentence names a move: it may be secret.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import MsgspecError, Struct
from msgspec.structs import replace

from skerry_games.api import CHANCE, GameError
from skerry_service.domain.change_set import move_from_seed
from skerry_service.domain.log import Entry, Moved, unpack_batch
from skerry_service.domain.packed import Head, unpack_head
from skerry_service.domain.record import unpack_record
from skerry_service.domain.table import Table, apply_entry, build_change, game_of, move_of, require_table


class RulesetDifference(Struct, frozen=True):
    """The first entry at which this build goes another way."""

    sequence: int
    sentence: str


def first_difference(head: Head, batches: Iterable[bytes]) -> RulesetDifference | None:
    """Follow a log, as far as its head, which was read before it. Raises GameNotFound, RulesetUnsupported.

    Returns where this build differs, or ``None``. What is stored of a damaged session differs as well.
    """
    table: Table | None = None
    try:
        game_of(unpack_record(head.record))
        for packed in batches:
            batch = unpack_batch(packed)
            if batch.first > head.sequence:
                break
            if batch.first != (expected := table.sequence + 1 if table else 1):
                return RulesetDifference(expected, "the log has a gap")
            for sequence, entry in enumerate(batch.entries, start=batch.first):
                try:
                    table = _followed(table, entry)
                except (GameError, MsgspecError, ValueError, _OtherWay) as error:
                    return RulesetDifference(sequence, _why(error))
            table = build_change(require_table(table), batch, (), packed).table
        return _difference_at_the_end(head, table)
    except (MsgspecError, ValueError) as error:
        return RulesetDifference(
            table.sequence + 1 if table else 1, f"what is stored cannot be read: {type(error).__name__}"
        )


class _OtherWay(Exception):
    """The seed yields something else."""


def _followed(table: Table | None, entry: Entry) -> Table:
    move: Any = None
    if isinstance(entry, Moved) and table is not None:
        move = move_of(table, entry)
        if _follows_from_seed(table, entry) and move != move_from_seed(table, entry.actor):
            raise _OtherWay
    return apply_entry(table, entry, move)[0]


def _follows_from_seed(table: Table, entry: Moved) -> bool:
    if table.sequence < table.record.opening:
        return False  # it followed from another one
    return entry.actor == CHANCE or (entry.automatic and not table.record.seats[entry.actor].thinks)


def _why(error: Exception) -> str:
    if isinstance(error, _OtherWay):
        return "the seed yields another move than the one that was made"
    rule = getattr(error, "rule", None)
    return f"the rules do not allow the move any more ({rule})" if rule else "the entry cannot be followed any more"


def _difference_at_the_end(head: Head, table: Table | None) -> RulesetDifference | None:
    if table is None or table.sequence != head.sequence:
        return RulesetDifference(head.sequence, "the log does not lead there")
    stored = unpack_head(head)
    if table != replace(stored, chained_hash=table.chained_hash, time_ms=table.time_ms):
        return RulesetDifference(head.sequence, "the log leads to another position than the one that is stored")
    return None
