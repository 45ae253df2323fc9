"""The other cells of a service, as the settings name them."""

from __future__ import annotations

from functools import partial

from skerry_service.access.client_addresses import CELL
from skerry_service.api.lists.directory_methods import Ask
from skerry_service.webhooks.bounded_post import BoundedPost
from skerry_service.wiring.config import Config

_LARGEST_LIST = 512 * 1024


def peers_of(config: Config) -> dict[str, Ask]:
    """Return a function for each other cell that sends a request there."""
    named = dict(peer.split("=", 1) for peer in config.peers)
    return {
        cell: partial(_ask, BoundedPost(origin, _LARGEST_LIST), cell)
        for cell, origin in named.items()
        if cell != config.cell
    }


async def _ask(server: BoundedPost, cell: str, path: str, request: bytes) -> bytes:
    headers = (("content-type", "application/proto"), (CELL, cell))
    return await server.post(path, headers, request)
