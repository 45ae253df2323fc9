"""The headers ``RateLimit`` and ``RateLimit-Policy`` of responses (draft-ietf-httpapi-ratelimit-headers-10).

Both are lists of structured fields with one item for each rate, such as ``"read-10s";r=2999;t=1``.
"""

from __future__ import annotations

from collections.abc import Sequence

from skerry_service.access.quota_reports import QuotaUse
from skerry_service.edge.http.asgi import HeaderList

STATE, POLICY = b"ratelimit", b"ratelimit-policy"


def add_quota_headers(headers: HeaderList, uses: Sequence[QuotaUse]) -> None:
    """Add the headers that describe these quotas, in place of those of an earlier call in the same request."""
    if not uses:
        return
    headers[:] = [pair for pair in headers if pair[0] not in (STATE, POLICY)]
    states = [f'"{use.name}";r={use.left};t={use.seconds}' for use in uses]
    policies = [f'"{use.name}";q={use.rate.count};w={use.rate.seconds}' for use in uses]
    headers.append((STATE, ", ".join(states).encode()))
    headers.append((POLICY, ", ".join(policies).encode()))
