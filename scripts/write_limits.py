"""Write the tables of limits into docs/reference/limits.md from ``skerry_service.access.quotas``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from skerry_service.access.quotas import QUOTA_OF_RPC, LimitSettings, Quota, setting_of

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "limits.md"
_TABLE = re.compile(r"(<!-- (\w+): written by scripts/write_limits.py -->\n).*?(?=<!-- end -->)", re.DOTALL)
_SETTINGS = LimitSettings()
_COUNTED_WITHOUT_RPC = {"connect": "a new connection", "identity": "any call with a new identity token"}


def written(page: str) -> str:
    """Return the page with current tables."""
    tables = {"limits": _limits, "concurrency": _concurrency}
    return _TABLE.sub(lambda found: found[1] + "".join(f"{line}\n" for line in tables[found[2]]()), page)


def _limits() -> Iterator[str]:
    yield "| limit | counts | calls | one address | all callers | counted in |"
    yield "|---|---|---|---|---|---|"
    for quota in _SETTINGS.quotas.values():
        address, server = (" and ".join(rate.words for rate in limit.rates) for limit in quota.limits)
        counted = "the store, for all replicas" if quota.shared else "each process"
        names = ", ".join(f"`{limit.name}`" for limit in quota.limits)
        yield f"| {names} | {quota.limits[0].counts} | {_calls(quota)} | {address} | {server} | {counted} |"


def _calls(quota: Quota) -> str:
    named = ", ".join(f"`{rpc}`" for rpc, kind in QUOTA_OF_RPC.items() if kind == quota.kind)
    return named or _COUNTED_WITHOUT_RPC[quota.kind]


def _concurrency() -> Iterator[str]:
    yield "| limit | counts | maximum | setting |"
    yield "|---|---|---|---|"
    for limit in _SETTINGS.concurrency.values():
        yield f"| `{limit.name}` | {limit.counts} | {limit.maximum:,} | `{setting_of(limit.name)}` |"


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
