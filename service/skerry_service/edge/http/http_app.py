"""The ASGI application of a port: checks hosts, finds the adapter of the path, writes its response or its error."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial

from skerry_service.access.client_addresses import Peer
from skerry_service.access.quota_reports import quota_report
from skerry_service.edge.http.allowed_hosts import AllowedHosts
from skerry_service.edge.http.asgi import Headers, HttpExchange, Receive, Scope, Send
from skerry_service.edge.http.cors import Cors
from skerry_service.edge.http.http_answers import HttpAnswer, code_and_reason, error_answer, send_answer
from skerry_service.edge.http.http_callers import peer_of_request
from skerry_service.edge.http.http_refusals import HttpRefusal
from skerry_service.edge.http.quota_headers import add_quota_headers
from skerry_service.edge.http.request_bodies import ClientGone
from skerry_service.wire.caller_language import (
    ACCEPT_LANGUAGE,
    CONTENT_LANGUAGE,
    SENTENCES,
    caller_language,
    enter_wording,
    language_report,
)

_ACCEPT_LANGUAGE, _CONTENT_LANGUAGE = ACCEPT_LANGUAGE.encode(), CONTENT_LANGUAGE.encode()
_SENTENCES = SENTENCES.encode()
Adapter = Callable[[HttpExchange], Awaitable[HttpAnswer | None]]
"""Returns the response to a request; ``None`` if it sent one itself. Raises HttpRefusal, ClientGone, refusals."""
Report = Callable[[Peer, str, str], None]
"""Called with a caller, a code and a reason when a request is rejected before its RPC is called."""


class HttpApp:
    """One application for all adapters. ``origins`` and ``hosts``: see ``Cors`` and ``AllowedHosts``."""

    def __init__(
        self,
        adapters: Mapping[bytes, Adapter],
        other: Adapter,
        report: Report,
        origins: Sequence[str] = (),
        hosts: Sequence[str] = (),
    ) -> None:
        """``adapters``: by path, as sent; ``other``: answers all other paths."""
        self._adapters = adapters
        self._other = other
        self._report = report
        self._cors = Cors(origins)
        self._hosts = AllowedHosts(hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        headers: Headers = dict(scope["headers"])
        call = HttpExchange(scope, headers, receive, send, self._cors.headers(headers))
        enter_wording(headers.get(_ACCEPT_LANGUAGE), headers.get(_SENTENCES))
        if _ACCEPT_LANGUAGE in headers:
            call.response_headers.append((b"vary", b"Accept-Language"))
            _name_language(call.response_headers, caller_language())
        language_report.set(partial(_name_language, call.response_headers))
        if _SENTENCES in headers:
            call.response_headers.append((b"vary", b"Skerry-Sentences"))
        path = scope["raw_path"]
        quota_report.set(partial(add_quota_headers, call.response_headers))
        try:
            self._hosts.require_allowed(scope["headers"], path)
            answer = await self._adapters.get(path, self._other)(call)
            if answer is not None and answer.allowed:
                answer.headers += self._cors.preflight(headers, answer.allowed)
        except ClientGone:
            return
        except HttpRefusal as refusal:
            self.refused(peer_of_request(call), refusal)
            answer = error_answer(refusal)
        except Exception as error:
            answer = error_answer(error)
        if answer is not None:
            await send_answer(call, answer)

    def refused(self, peer: Peer, error: Exception) -> None:
        """Report a request that was rejected before its RPC was called."""
        self._report(peer, *code_and_reason(error))


def _name_language(headers: list[tuple[bytes, bytes]], language: str) -> None:
    """Say which language the response has, in place of what the headers say so far."""
    headers[:] = [header for header in headers if header[0] != _CONTENT_LANGUAGE]
    headers.append((_CONTENT_LANGUAGE, language.encode()))
