"""Values as Redis returns them. Any of them can be damaged, which must not harm calls about other sessions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import MsgspecError, Struct, msgpack

from skerry_service.domain.packed import Head
from skerry_service.sessions.loader import report_damage, report_damaged_entry
from skerry_service.sessions.store_port import CommitResult, Conflict, Damaged, Gone, Stored
from skerry_service.store import request_window

_DIGITS = 15
"""Of the largest number that is taken for undamaged. Scripts count in floating-point numbers, exact up to here."""
_PLAIN: dict[int, CommitResult] = {1: Stored(), 0: Gone(), -1: Damaged()}
"""The replies of ``commit.lua`` that say no more than what happened."""


def sequence_of(session: str, stored: bytes) -> int:
    """Return a stored sequence. Raises SessionDamaged unless it is in the form in which the service stores it."""
    sequence = number_of(stored)
    if stored != b"%d" % sequence:
        raise report_damage(session, f"{stored[:20]!r} is no sequence")
    return sequence


def number_of(stored: bytes | None) -> int:
    """Return a stored number of milliseconds; 0 if there is none, or it is damaged."""
    return int(stored) if stored and stored.isdigit() and len(stored) <= _DIGITS else 0


class _BatchTime(Struct, frozen=True, array_like=True):
    """The first fields of a ``domain.log.Batch``."""

    first: int
    time_ms: int


_batch_time = msgpack.Decoder(_BatchTime).decode


def time_of_batch(stored: bytes) -> int:
    """Return when a batch was stored, in ms since 1970, without decoding its entries; 0 if it is damaged."""
    try:
        return _batch_time(stored).time_ms
    except (MsgspecError, ValueError):
        return 0


def session_of(index: str, entry: bytes) -> str | None:
    """Return the session of an entry of an index; ``None`` if it is damaged, which is logged."""
    try:
        return entry.decode()
    except UnicodeDecodeError:
        report_damaged_entry(f"the index {index}", entry)
        return None


def head_of(session: str, reply: Sequence[bytes | None]) -> Head:
    """Return a head from its sequence, record, snapshot and hash. Raises SessionDamaged if one is missing."""
    sequence, record, snapshot, chained = reply
    if sequence is None or record is None or snapshot is None:
        raise report_damage(session, "its head is incomplete")
    return Head(sequence=sequence_of(session, sequence), record=record, snapshot=snapshot, chained_hash=chained or b"")


def result_of(session: str, reply: Any) -> CommitResult:
    """Return what a reply of ``commit.lua`` means. Raises SessionDamaged."""
    if isinstance(reply, int):
        return _PLAIN[reply]
    if isinstance(reply, bytes):
        return Conflict(sequence_of(session, reply))
    return request_window.duplicate(reply[0])
