"""What a caller has used of its quotas, for transports that tell the caller."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextvars import ContextVar

from msgspec import Struct

from skerry_service.access.quotas import Rate


class QuotaUse(Struct, frozen=True):
    """The use of one rate of a limit, after a call was counted or rejected."""

    limit: str
    """The name of the limit: ``read``."""
    rate: Rate
    used_us: int
    """Microseconds until the whole allowance is free again."""

    @property
    def name(self) -> str:
        """The name of the rate, unique among those of a caller: ``read-10s``."""
        return f"{self.limit}-{self.rate.text.partition('/')[2]}"

    @property
    def left(self) -> int:
        """How many calls are possible at once now."""
        return max(0, self.rate.count - -(-self.used_us // self.rate.step_us))

    @property
    def seconds(self) -> int:
        """Seconds until one more call is possible than now, rounded up. 0 if the whole allowance is free."""
        next_us = self.used_us - (self.rate.count - self.left - 1) * self.rate.step_us
        return -(-next_us // 1_000_000) if self.used_us else 0


Report = Callable[[Sequence[QuotaUse]], None]
quota_report: ContextVar[Report | None] = ContextVar("quota report", default=None)
"""Receives the quotas of the current task's call, if its transport reports them. The caller's own ones only."""
