"""The result of one check."""

from __future__ import annotations

from msgspec import Struct


class CheckResult(Struct, frozen=True):
    """A check, and whether the player passed it."""

    check: str
    """The name of the check, in a few words."""
    failure: str | None = None
    """A sentence on the failure; ``None`` if the player passed."""
    note: str = ""
    """A remark on a player that passed."""
