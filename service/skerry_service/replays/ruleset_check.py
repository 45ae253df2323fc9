"""Replays a stored session with the rules of this build, and finds the first entry that differs.

It checks stored sessions before an upgrade, as ``verification`` checks replays of finished games: every move is still
legal, the seed still yields the same moves, and the log still leads to the stored head. It writes nothing. No sentence
names a move, because it may be secret.
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
    """The first entry at which the rules of this build differ from the stored session."""

    sequence: int
    sentence: str


def first_difference(head: Head, batches: Iterable[bytes]) -> RulesetDifference | None:
    """Replay a log up to its head, which was read before it. Return the first difference, or ``None``.

    A damaged session differs, too. Raises GameNotFound, RulesetUnsupported.
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
                    table = _apply(table, entry)
                except (GameError, MsgspecError, ValueError, _SeedDiffers) as error:
                    return RulesetDifference(sequence, _why(error))
            table = build_change(require_table(table), batch, (), packed).table
        return _difference_at_the_end(head, table)
    except (MsgspecError, ValueError) as error:
        return RulesetDifference(
            table.sequence + 1 if table else 1, f"the stored session is unreadable: {type(error).__name__}"
        )


class _SeedDiffers(Exception):
    """The seed yields another move."""


def _apply(table: Table | None, entry: Entry) -> Table:
    move: Any = None
    if isinstance(entry, Moved) and table is not None:
        move = move_of(table, entry)
        if _follows_from_seed(table, entry) and move != move_from_seed(table, entry.actor):
            raise _SeedDiffers
    return apply_entry(table, entry, move)[0]


def _follows_from_seed(table: Table, entry: Moved) -> bool:
    if table.sequence < table.record.opening:
        return False  # moves of an opening come from another seed
    return entry.actor == CHANCE or (entry.automatic and not table.record.seats[entry.actor].thinks)


def _why(error: Exception) -> str:
    if isinstance(error, _SeedDiffers):
        return "the seed yields another move than the one that was made"
    rule = getattr(error, "rule", None)
    return f"the rules no longer allow the move ({rule})" if rule else "the entry can no longer be applied"


def _difference_at_the_end(head: Head, table: Table | None) -> RulesetDifference | None:
    if table is None or table.sequence != head.sequence:
        return RulesetDifference(head.sequence, "the log does not reach the stored head")
    stored = unpack_head(head)
    if table != replace(stored, chained_hash=table.chained_hash, time_ms=table.time_ms):
        return RulesetDifference(head.sequence, "the log leads to a position that differs from the stored one")
    return None
