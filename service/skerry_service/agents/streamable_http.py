"""The tools over HTTP: the application of ``/mcp``."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from contextlib import asynccontextmanager
from typing import Any

from mcp.server.mcpserver import MCPServer
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings

Message = MutableMapping[str, Any]
Asgi = Callable[[Message, Callable[[], Awaitable[Message]], Callable[[Message], Awaitable[None]]], Awaitable[None]]


@asynccontextmanager
async def http_app(server: MCPServer[Any]) -> AsyncIterator[Asgi]:
    """Yield the application, which serves until the context exits. The caller checks hosts, origins and sizes."""
    unchecked = TransportSecuritySettings(enable_dns_rebinding_protection=False)
    server.streamable_http_app(json_response=True, stateless_http=True, transport_security=unchecked)
    manager = server.session_manager
    running, stop = asyncio.Event(), asyncio.Event()
    # The manager must be left in the task that entered it, so it has its own.
    task = asyncio.create_task(_run(manager, running, stop))
    await running.wait()
    try:
        yield manager.handle_request
    finally:
        stop.set()
        await task


async def _run(manager: StreamableHTTPSessionManager, running: asyncio.Event, stop: asyncio.Event) -> None:
    async with manager.run():
        running.set()
        await stop.wait()
