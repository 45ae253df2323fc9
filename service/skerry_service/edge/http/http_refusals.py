"""What HTTP itself can be refused for, before any RPC is called. The reasons are listed in ``docs/reference/rest.md``.

HttpRefusal
 +- MalformedHttp, SlowRequest, PathNotFound, MethodNotAllowed
 +- NotAcceptable, LengthRequired, BodyTooLarge, UriTooLong, MediaTypeUnsupported, HeadersTooLarge
 +- TooFarAhead, HostNotAllowed, TooManyConnections
"""

from __future__ import annotations

from collections.abc import Sequence
from http import HTTPStatus

from google.rpc import code_pb2

_SHOWN = 200


class HttpRefusal(Exception):
    """A request that is wrong as HTTP: one sentence for people, ``reason`` and ``metadata`` for programs."""

    http = HTTPStatus.BAD_REQUEST
    code: int = code_pb2.INVALID_ARGUMENT
    reason = "HTTP_MALFORMED"
    closes = False
    """Whether the connection cannot be used any further."""

    def __init__(self, sentence: str, **metadata: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.metadata = metadata
        self.headers: list[tuple[bytes, bytes]] = []


class MalformedHttp(HttpRefusal):
    """Not a request."""

    closes = True

    def __init__(self) -> None:
        super().__init__("This is no request in HTTP/1.1.")


class SlowRequest(HttpRefusal):
    """The request did not come in time."""

    http, code, reason, closes = HTTPStatus.REQUEST_TIMEOUT, code_pb2.DEADLINE_EXCEEDED, "HTTP_TOO_SLOW", True

    def __init__(self, seconds: float) -> None:
        super().__init__(f"Your request was not complete after {seconds:g} seconds.")


class PathNotFound(HttpRefusal):
    """No such path."""

    http, code, reason = HTTPStatus.NOT_FOUND, code_pb2.NOT_FOUND, "HTTP_PATH_NOT_FOUND"

    def __init__(self, path: str, there: str = "/openapi.json lists what there is") -> None:
        super().__init__(f"There is nothing at {path[:_SHOWN]}; {there}.")


class MethodNotAllowed(HttpRefusal):
    """The path has other methods."""

    http, code, reason = HTTPStatus.METHOD_NOT_ALLOWED, code_pb2.UNIMPLEMENTED, "HTTP_METHOD_NOT_ALLOWED"

    def __init__(self, verb: str, allowed: Sequence[str]) -> None:
        listed = ", ".join(allowed)
        super().__init__(f"{verb[:_SHOWN]} is no method of this path. It has {listed}.", allowed=listed)
        self.headers.append((b"allow", listed.encode()))


class NotAcceptable(HttpRefusal):
    """The answer exists in no form that the client accepts."""

    http, reason = HTTPStatus.NOT_ACCEPTABLE, "HTTP_NOT_ACCEPTABLE"

    def __init__(self, offered: str) -> None:
        super().__init__(f"This is answered as {offered}, which your header Accept does not allow.", offered=offered)


class LengthRequired(HttpRefusal):
    """The call has a body, and none was announced."""

    http, reason = HTTPStatus.LENGTH_REQUIRED, "HTTP_LENGTH_REQUIRED"

    def __init__(self) -> None:
        super().__init__("This call has a body: send a JSON object, {} at the least.")


class BodyTooLarge(HttpRefusal):
    """The body is larger than any request needs to be."""

    http, code = HTTPStatus.REQUEST_ENTITY_TOO_LARGE, code_pb2.RESOURCE_EXHAUSTED
    reason, closes = "HTTP_BODY_TOO_LARGE", True

    def __init__(self, limit: int) -> None:
        super().__init__(f"A body has at most {limit} bytes.", limit=str(limit))


class UriTooLong(HttpRefusal):
    """The path and the query are too long."""

    http, code = HTTPStatus.REQUEST_URI_TOO_LONG, code_pb2.RESOURCE_EXHAUSTED
    reason, closes = "HTTP_URI_TOO_LONG", True

    def __init__(self, limit: int) -> None:
        super().__init__(f"Path and query have at most {limit} bytes.", limit=str(limit))


class MediaTypeUnsupported(HttpRefusal):
    """The body is not announced as JSON."""

    http, reason = HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "HTTP_MEDIA_TYPE_UNSUPPORTED"

    def __init__(self, found: str) -> None:
        shown = found[:_SHOWN] or "nothing"
        super().__init__(f"Send a body uncompressed and with 'Content-Type: application/json'; yours says {shown}.")


class HeadersTooLarge(HttpRefusal):
    """The headers are larger than any request needs."""

    http, code = HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, code_pb2.RESOURCE_EXHAUSTED
    reason, closes = "HTTP_HEADERS_TOO_LARGE", True

    def __init__(self, limit: int) -> None:
        super().__init__(f"All headers together have at most {limit} bytes.", limit=str(limit))


class TooFarAhead(HttpRefusal):
    """More requests came ahead of their answers than a connection may have waiting."""

    http, code = HTTPStatus.TOO_MANY_REQUESTS, code_pb2.RESOURCE_EXHAUSTED
    reason, closes = "HTTP_TOO_FAR_AHEAD", True

    def __init__(self, limit: int) -> None:
        sentence = f"At most {limit} requests may wait on a connection, with 64 KiB in all. Read their answers first."
        super().__init__(sentence, limit=str(limit))


class HostNotAllowed(HttpRefusal):
    """The request is for a host that this server does not stand for."""

    http, reason = HTTPStatus.MISDIRECTED_REQUEST, "HTTP_HOST_NOT_ALLOWED"

    def __init__(self, named: str) -> None:
        shown = named[:_SHOWN] or "none"
        super().__init__(f"This server is not called by the host that your request names, which is {shown}.")


class TooManyConnections(HttpRefusal):
    """The server has as many connections as it takes."""

    http, code = HTTPStatus.SERVICE_UNAVAILABLE, code_pb2.RESOURCE_EXHAUSTED
    reason, closes = "HTTP_TOO_MANY_CONNECTIONS", True

    def __init__(self, limit: int) -> None:
        sentence = f"This server takes {limit} connections at once over HTTP, and has as many."
        super().__init__(sentence, limit=str(limit))
        self.headers.append((b"retry-after", b"5"))
