"""The settings of the limits on callers: one for each limit and bound of ``access.quotas``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from skerry_service.access.quotas import CONCURRENCY_LIMITS, QUOTAS, LimitSettings, setting_of
from skerry_service.domain.limits import SessionLimits
from skerry_service.wiring.settings import Setting, SettingKind

_RATES = SettingKind("rates or a number", str, "")
_UNLIMITED = sys.maxsize


def _limit(name: str) -> Setting:
    """Return the setting of a limit or bound on callers."""

    def get(config: Any) -> str:
        quotas: LimitSettings = config.quotas
        return quotas.text_of(name)

    def put(config: Any, text: str) -> Any:
        quotas = config.quotas.with_limit(name, text)
        return replace(config, quotas=quotas, limits=_within(quotas, config.limits))

    return Setting(setting_of(name), _RATES, get, put, "")


def _within(quotas: LimitSettings, limits: SessionLimits) -> SessionLimits:
    """Return the limits of sessions with the bounds that an operator can set."""
    concurrency = quotas.concurrency
    return replace(
        limits,
        streams_per_token=concurrency["streams_token"].maximum or _UNLIMITED,
        spectator_streams=concurrency["spectators_session"].maximum or _UNLIMITED,
        spectators_per_address=concurrency["spectators_address"].maximum or _UNLIMITED,
    )


LIMIT_SETTINGS: Sequence[Setting] = (
    *(_limit(limit.name) for quota in QUOTAS.values() for limit in quota.limits),
    *(_limit(name) for name in CONCURRENCY_LIMITS),
)
"""In the order of ``access.quotas``."""
