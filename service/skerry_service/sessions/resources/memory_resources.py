"""Resources in memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from skerry_service.sessions.resources.resource_port import ANY, FieldChange


class MemoryResources:
    """A ``resource_port.ResourceStore`` over dictionaries."""

    def __init__(self) -> None:
        self._parts: dict[tuple[str, str], dict[bytes, bytes]] = {}

    async def read_all(self, resource: str, part: str) -> Mapping[bytes, bytes]:
        return dict(self._parts.get((resource, part), {}))

    async def read(self, resource: str, part: str, fields: Sequence[bytes]) -> Sequence[bytes | None]:
        stored = self._parts.get((resource, part), {})
        return [stored.get(field) for field in fields]

    async def change(self, resource: str, changes: Sequence[FieldChange]) -> bool:
        present = [self._parts.get((resource, one.part), {}).get(one.field) for one in changes]
        if any(one.expected not in (ANY, held) for one, held in zip(changes, present, strict=True)):
            return all(one.value == held for one, held in zip(changes, present, strict=True))
        for one in changes:
            stored = self._parts.setdefault((resource, one.part), {})
            if one.value is None:
                stored.pop(one.field, None)
            else:
                stored[one.field] = one.value
        return True
