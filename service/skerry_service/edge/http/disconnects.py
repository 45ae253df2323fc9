"""Ends work for clients that have disconnected."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from skerry_service.edge.http.asgi import Receive
from skerry_service.edge.http.request_bodies import ClientGone


@asynccontextmanager
async def cancelled_when_gone(receive: Receive) -> AsyncIterator[None]:
    """Cancel the block when the client disconnects. Raises ClientGone then. The body must have been read."""
    task = asyncio.current_task()
    assert task is not None
    disconnected = asyncio.ensure_future(wait_for_disconnect(receive))
    disconnected.add_done_callback(lambda ended: ended.cancelled() or task.cancel())
    try:
        yield
    except asyncio.CancelledError:
        if not disconnected.done() or disconnected.cancelled():
            raise
        task.uncancel()
        raise ClientGone from None
    finally:
        disconnected.cancel()


async def wait_for_disconnect(receive: Receive) -> None:
    """Return when the client has closed the connection."""
    while (await receive())["type"] != "http.disconnect":
        pass
