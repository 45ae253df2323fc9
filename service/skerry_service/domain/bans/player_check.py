"""The check of the player in a call: bans look at every player whose id a call states or whose seat it opens."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar

PlayerCheck = Callable[[str], None]
"""Called with the id of a player. Raises Banned."""
_current: ContextVar[PlayerCheck | None] = ContextVar("check of the call's players", default=None)


def enter_player_check(check: PlayerCheck) -> None:
    """Let the call that the current task answers check its players."""
    _current.set(check)


def require_welcome(player_id: str) -> None:
    """Check a player of the current call; empty: no player. Raises Banned. Outside of a call, nobody is banned."""
    check = _current.get()
    if check is not None and player_id:
        check(player_id)
