"""Values as Redis returns them. Any of them can be damaged, which must not harm calls about other sessions."""

from __future__ import annotations

from skerry_service.sessions.loader import report_damage, report_damaged_entry

_DIGITS = 15
"""Of the largest number that is taken for undamaged. Scripts count in floating-point numbers, exact up to here."""


def sequence_of(session: str, stored: bytes) -> int:
    """Return a stored sequence. Raises SessionDamaged unless it is in the form in which the service stores it."""
    sequence = number_of(stored)
    if stored != b"%d" % sequence:
        raise report_damage(session, f"{stored[:20]!r} is no sequence")
    return sequence


def number_of(stored: bytes | None) -> int:
    """Return a stored number of milliseconds; 0 if there is none, or it is damaged."""
    return int(stored) if stored and stored.isdigit() and len(stored) <= _DIGITS else 0


def session_of(index: str, entry: bytes) -> str | None:
    """Return the session of an entry of an index; ``None`` if it is damaged, which is logged."""
    try:
        return entry.decode()
    except UnicodeDecodeError:
        report_damaged_entry(f"the index {index}", entry)
        return None
