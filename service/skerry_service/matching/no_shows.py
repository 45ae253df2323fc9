"""Callers that did not confirm a proposal. They wait before the next one: longer each time, until it is forgotten."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import blake2b

from skerry_service.domain.log import pack
from skerry_service.sessions.loader import report_damaged_entry

FORGOTTEN_MS = 3_600_000
"""Time after which the no-shows of a caller are forgotten."""
FIRST_WAIT_MS = 10_000
"""Wait after the first no-show. It doubles with each further one."""
_MOST = 9
"""Number of no-shows after which the wait no longer doubles: 43 minutes."""
_SLOTS = 64
_TOLERANCE_MS = 60_000
"""The uptimes of replicas differ by less."""


class NoShows:
    """The latest no-show and the number of no-shows of each caller. The stored form of both is ``last * 64 + count``.

    Stored numbers are ordered by time. They are exact as scores of a sorted set for 4,000 years of uptime.
    """

    def __init__(self, stored: Mapping[bytes, int] | None = None, now: int = 0) -> None:
        """``stored``: what ``add`` returned, to the present time ``now``. Damaged numbers are left out."""
        self._stored: dict[bytes, int] = {}
        for caller, number in (stored or {}).items():
            if is_sound(number, now):
                self._stored[caller] = number
            else:
                report_damaged_entry("matchmaking (no-shows)", caller)

    def count(self, callers: Iterable[bytes], now: int) -> int:
        """Return the greatest number of no-shows that one of the callers has."""
        return max((count for last, count in self._known(callers) if last + FORGOTTEN_MS > now), default=0)

    def waits_until(self, callers: Iterable[bytes], now: int) -> int:
        """Return the time before which the callers get no proposal; 0: none."""
        return max(
            (
                last + (FIRST_WAIT_MS << (count - 1))
                for last, count in self._known(callers)
                if last + FORGOTTEN_MS > now
            ),
            default=0,
        )

    def add(self, callers: Iterable[bytes], now: int) -> Mapping[bytes, int]:
        """Record a no-show of each caller, at most one at a time. Return what to store."""
        changed = {}
        for caller in set(callers):
            last, count = divmod(self._stored.get(caller, 0), _SLOTS)
            if count and last == now:
                continue
            known = count if last + FORGOTTEN_MS > now else 0
            changed[caller] = now * _SLOTS + min(known + 1, _MOST)
        self._stored.update(changed)
        return changed

    def forget(self, now: int) -> int:
        """Forget old no-shows. Return the number below which stored ones are old."""
        oldest = max(now - FORGOTTEN_MS, 0) * _SLOTS
        self._stored = {caller: stored for caller, stored in self._stored.items() if stored >= oldest}
        return oldest

    def _known(self, callers: Iterable[bytes]) -> Iterable[tuple[int, int]]:
        return [divmod(self._stored[caller], _SLOTS) for caller in callers if caller in self._stored]


def is_sound(stored: int, now: int) -> bool:
    """Whether a number can be one that ``NoShows.add`` returned."""
    last, count = divmod(stored, _SLOTS)
    return 0 < count <= _MOST and 0 <= last <= now + _TOLERANCE_MS


def caller_of_address(address: str) -> bytes:
    """Return the caller of a ticket that came without an API key."""
    return _caller("address", address)


def caller_of_player(key: str, player_id: str) -> bytes:
    """Return the caller of a ticket for a player. ``key``: the name of the API key; ``player_id``: empty if unknown."""
    return _caller("key", key, player_id)


def _caller(*identity: str) -> bytes:
    return blake2b(pack(identity), digest_size=8).digest()
