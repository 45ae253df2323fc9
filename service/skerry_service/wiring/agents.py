"""The tools for agents at ``/mcp``, over the endpoint of the sessions."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from math import inf
from typing import Any

from skerry_client.calls import Calls
from skerry_service.access.client_addresses import Peer
from skerry_service.access.keyring import Keyring
from skerry_service.access.rate_limiter import RateLimiter
from skerry_service.api.endpoint import Endpoint
from skerry_service.edge.agents_adapter import PEER, AgentsAdapter
from skerry_service.in_process import InProcessTransport
from skerry_service.wiring.config import Config

_COUNTED_AS = "ListGames"
"""The RPC as which a request to ``/mcp`` is limited. The calls that its tool makes count besides."""


@asynccontextmanager
async def agents_adapter(
    config: Config, endpoint: Endpoint, limiter: RateLimiter, keyring: Keyring | None
) -> AsyncIterator[AgentsAdapter]:
    """Yield the adapter of ``/mcp``. ``keyring``: that of the endpoint. Raises OSError if the extra is missing."""
    try:
        from skerry_service.agents.agent_server import agent_server  # noqa: PLC0415 - needs an extra
        from skerry_service.agents.sealed_handles import SealedHandles  # noqa: PLC0415
        from skerry_service.agents.streamable_http import http_app  # noqa: PLC0415
    except ImportError as error:
        raise OSError(f"cannot use SKERRY_MCP: {error}. Install skerry-service[mcp]") from error

    def calls_of(request: Any) -> Calls:
        """Return calls that count for the sender of an HTTP request. They fail at once, and the agent repeats them."""
        transport = InProcessTransport(endpoint, lambda: request.scope[PEER])
        return Calls(transport, timeout=inf, retry_for=0, silence=inf)

    async def admit(peer: Peer) -> None:
        key = keyring.authenticate(peer.keys) if keyring else None
        if _COUNTED_AS in limiter.limited:
            await limiter.admit(_COUNTED_AS, peer, key.limits if key else None)

    async with http_app(agent_server(calls_of, SealedHandles(config.mcp_key))) as app:
        yield AgentsAdapter(app, admit, config.cors_origins)
