"""What became of one check."""

from __future__ import annotations

from msgspec import Struct


class CheckResult(Struct, frozen=True):
    """A check, and how a player failed it, if it did."""

    check: str
    """What was tried, in a few words."""
    failure: str | None = None
    """``None``: it passed. Else a sentence."""
    note: str = ""
    """What there is to say of a player that passed."""
