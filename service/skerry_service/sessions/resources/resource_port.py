"""The port of resources beside sessions, such as ladders and bots: hashes with compare-and-set of several fields.

A *resource* has *parts*, and a part maps fields to values. One change touches any number of fields of one resource, and
is made whole or not at all. That is all that exactly-once bookkeeping needs: a change names the values it was decided
on, so of two rival changes the second fails, and its caller reads again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Literal, Protocol

from msgspec import Struct

ANY: Final = "any"
"""Expects nothing of the present value."""


class FieldChange(Struct, frozen=True):
    """The change of one field."""

    part: str
    """A word without braces."""
    field: bytes
    value: bytes | None
    """``None`` removes the field."""
    expected: bytes | Literal["any"] | None = None
    """The present value; ``None``: the field is absent."""


class ResourceStore(Protocol):
    """Resources. ``resource``: a word without braces. Raises StoreUnavailable; ``change`` also StoreFull."""

    async def read_all(self, resource: str, part: str) -> Mapping[bytes, bytes]:
        """Return all fields of a part. The caller keeps parts small."""

    async def read(self, resource: str, part: str, fields: Sequence[bytes]) -> Sequence[bytes | None]:
        """Return the values of fields; ``None`` for an absent one."""

    async def change(self, resource: str, changes: Sequence[FieldChange]) -> bool:
        """Make all changes if all fields have the expected values. Return whether the new values are stored.

        A change counts as made if the new values are stored already, as after a lost reply. Of two callers with equal
        changes, both succeed. A caller that must be alone changes a field of its own as well.
        """
