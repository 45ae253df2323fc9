"""The audit log: what operators did, in the store. The newest entries replace the oldest."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from skerry_service.domain.errors import StoreUnavailable
from skerry_service.domain.log import pack
from skerry_service.sessions.resources.field_values import reader_of
from skerry_service.sessions.resources.resource_port import ANY, FieldChange, ResourceStore

KEPT = 5_000
"""Entries."""
_RESOURCE = "audit"
_HEAD, _COUNT = "head", b"count"
_ENTRIES = "entries"
_ATTEMPTS = 20


class OperatorAction(Struct, frozen=True):
    """What an operator did. It contains no secrets and no player's id."""

    operator: str
    """The name of the operator's API key, or the operator's address."""
    action: str
    """The RPC."""
    resource: str
    """Empty: none that may be stored."""
    outcome: str
    """``OK``, the reason of an error, or ``CANCELLED``."""
    time_ms: int
    """The wall clock at its end, in ms since 1970."""
    detail: str = ""


class _Numbered(Struct, frozen=True):
    """An action in its slot. Its number differs from that of the action that had the slot before."""

    number: int
    action: OperatorAction


_read = reader_of(_Numbered)


class AuditLog:
    """Appends and lists actions. Raises StoreUnavailable; ``append`` also StoreFull."""

    def __init__(self, resources: ResourceStore) -> None:
        self._resources = resources

    async def append(self, action: OperatorAction) -> None:
        """Store an action."""
        for _ in range(_ATTEMPTS):
            count, before = await self._count()
            field, packed = _slot(count), pack(_Numbered(count, action))
            changes = [
                FieldChange(_HEAD, _COUNT, b"%d" % (count + 1), before),
                FieldChange(_ENTRIES, field, packed, ANY),
            ]
            if await self._resources.change(_RESOURCE, changes):
                return
            if await self._resources.read(_RESOURCE, _ENTRIES, [field]) == [packed]:
                return  # a lost reply, and another action since
        raise StoreUnavailable  # others have appended all the time

    async def page(self, before: int | None, most: int) -> tuple[Sequence[OperatorAction], int | None]:
        """Return up to ``most`` actions, the newest first, and the number before which the next page begins.

        ``before``: the number before which the page begins; ``None``: the newest. The second value is ``None`` on the
        last page.
        """
        count, _ = await self._count()
        top = count if before is None else min(before, count)
        bottom = max(0, count - KEPT, top - most)
        numbers = range(top - 1, bottom - 1, -1)
        stored = await self._resources.read(_RESOURCE, _ENTRIES, [_slot(number) for number in numbers])
        found = [None if packed is None else _read(packed) for packed in stored]
        actions = [one.action for one, number in zip(found, numbers, strict=True) if one and one.number == number]
        return actions, bottom if bottom > max(0, count - KEPT) else None

    async def _count(self) -> tuple[int, bytes | None]:
        """Return how many actions were ever stored, and that number as it is stored. A damaged one counts as 0."""
        (stored,) = await self._resources.read(_RESOURCE, _HEAD, [_COUNT])
        return int(stored) if stored and stored.isdigit() and len(stored) <= 15 else 0, stored


def _slot(number: int) -> bytes:
    return b"%d" % (number % KEPT)
