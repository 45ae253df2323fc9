"""The web page with its assets: the lobby, ladders, tournaments, and sessions, each with a link card."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Callable, Sequence
from functools import partial
from http import HTTPStatus
from urllib.parse import unquote

from skerry.v1 import service_pb2 as pb
from skerry_service.access.client_addresses import Peer
from skerry_service.api.endpoint import Endpoint
from skerry_service.api.error_table import is_refusal
from skerry_service.domain.errors import SessionNotFound
from skerry_service.edge.http.asgi import HttpExchange
from skerry_service.edge.http.http_answers import HttpAnswer
from skerry_service.edge.http.http_callers import origin_of_request, peer_of_request
from skerry_service.edge.rest import web_page_files
from skerry_service.edge.rest.link_cards import enter_language_of_address, link_card
from skerry_service.edge.rest.rest_app import Page

_SESSION = re.compile(r"/sessions/([^/]+)/?")
_SCREEN = re.compile(r"/|/(ladders|tournaments)(/[^/]+)?/?")
"""The screens without a link card: the lobby, ladders and tournaments."""
_LONGEST_SECONDS = 2.0
"""How long the page waits for its card. A store that is away must not delay the page, which says so itself."""
_log = logging.getLogger(__name__)


class WebPage:
    """The pages for browsers."""

    def __init__(self, sessions: Endpoint, is_proxy: Callable[[Peer], bool], embed_origins: Sequence[str] = ()) -> None:
        """``sessions``: answers GetSession; ``is_proxy``: whether a peer may report the host that its client named;
        ``embed_origins``: origins whose pages may show this one in a frame."""
        self._sessions = sessions
        self._is_proxy = is_proxy
        self._headers = web_page_files.headers_of_page(embed_origins)

    def find(self, path: str) -> Page | None:
        """Return the page at a path, as sent; ``None`` if there is none."""
        if _SCREEN.fullmatch(path):
            return self._screen
        if session := _SESSION.fullmatch(path):
            return partial(self._table, unquote(session[1], errors="replace"))
        asset = web_page_files.find_asset(path)
        return None if asset is None else partial(_file, asset)

    async def _screen(self, call: HttpExchange) -> HttpAnswer:
        return web_page_files.page(self._headers)

    async def _table(self, session: str, call: HttpExchange) -> HttpAnswer:
        """Return the page of a session: with its card, or with status 404 if it does not exist.

        Without a card if it cannot be read, because the page is needed to say why.
        """
        try:
            async with asyncio.timeout(_LONGEST_SECONDS):
                card = await self._card(session, call)
        except SessionNotFound:
            return web_page_files.page(self._headers, status=HTTPStatus.NOT_FOUND)
        except Exception as error:
            if not is_refusal(error) and not isinstance(error, TimeoutError):
                _log.error("cannot write the link card", exc_info=error)
            return web_page_files.page(self._headers)
        return web_page_files.page(self._headers, card)

    async def _card(self, session: str, call: HttpExchange) -> bytes:
        """Read the session as the caller's own GetSession would, without a token: it counts against the same limits."""
        names_language = enter_language_of_address(call.scope["query_string"])
        request = pb.GetSessionRequest(name=f"sessions/{session}")
        answer = await self._sessions.answer("GetSession", lambda: (request, None), lambda: peer_of_request(call))
        return link_card(answer.message, origin_of_request(call, self._is_proxy), names_language=names_language)


async def _file(asset: HttpAnswer, call: HttpExchange) -> HttpAnswer:
    return asset
