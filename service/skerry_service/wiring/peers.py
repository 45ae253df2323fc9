"""The other cells of a service, as the settings name them."""

from __future__ import annotations

from functools import partial
from urllib.parse import urlsplit

from skerry_service.access.client_addresses import API_KEY, CELL
from skerry_service.api.lists.directory_methods import Ask
from skerry_service.webhooks.bounded_post import BadStatus, BoundedPost
from skerry_service.webhooks.http_sender import Headers
from skerry_service.wiring.config import Config

_LARGEST_LIST = 512 * 1024
_UNAUTHENTICATED, _FORBIDDEN = 401, 403
_LOOPBACK = {"localhost", "127.0.0.1", "::1"}


def peers_of(config: Config) -> dict[str, Ask]:
    """Return a function for each other cell that sends a request there.

    Raises OSError if the API key would be sent without encryption.
    """
    named = dict(peer.split("=", 1) for peer in config.peers)
    others = {cell: origin for cell, origin in named.items() if cell != config.cell}
    if config.peers_api_key:
        for cell, origin in others.items():
            _require_encryption(cell, origin)
    key = ((API_KEY, config.peers_api_key),) if config.peers_api_key else ()
    return {
        cell: partial(_ask, BoundedPost(origin, _LARGEST_LIST), (*key, (CELL, cell))) for cell, origin in others.items()
    }


def _require_encryption(cell: str, origin: str) -> None:
    parts = urlsplit(origin)
    if parts.scheme != "https" and parts.hostname not in _LOOPBACK:
        raise OSError(
            f"SKERRY_PEERS_API_KEY is not sent without encryption, but SKERRY_PEERS has {cell}={origin}. Use https, or "
            "remove the key"
        )


async def _ask(server: BoundedPost, headers: Headers, path: str, request: bytes) -> bytes:
    try:
        return await server.post(path, (("content-type", "application/proto"), *headers), request)
    except BadStatus as error:
        if error.status in (_UNAUTHENTICATED, _FORBIDDEN):
            raise ValueError(
                f"it refused the call ({error.status}). If it requires API keys, set SKERRY_PEERS_API_KEY to one with "
                "the scope watch"
            ) from None
        raise
