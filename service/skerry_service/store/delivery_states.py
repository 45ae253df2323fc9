"""The states of webhook deliveries in Redis: a field in each session's hash."""

from __future__ import annotations

from collections.abc import Sequence

from skerry_service.store import redis_keys
from skerry_service.store.call_router import RunCommand, RunScript


class RedisDeliveryStates:
    """A ``sessions.store_port.DeliveryStates``."""

    def __init__(self, call: RunCommand, run: RunScript) -> None:
        self._call = call
        self._run = run

    async def read(self, session: str, slots: Sequence[str]) -> Sequence[bytes]:
        if not slots:
            return ()
        fields = [redis_keys.delivery_state(slot) for slot in slots]
        reply = await self._call("HMGET", redis_keys.head(session), *fields, session=session)
        return [state or b"" for state in reply]

    async def change(self, session: str, slot: str, expected: bytes, value: bytes) -> bool:
        field = redis_keys.delivery_state(slot)
        reply = await self._run("set_state.lua", (redis_keys.head(session),), field, expected, value)
        return bool(reply == 1)
