"""The errors of HTTP itself, raised before an RPC is called. ``docs/reference/rest.md`` lists their reasons.

HttpRefusal (a TransportRefusal)
 +- MalformedHttp, SlowRequest, PathNotFound, MethodNotAllowed
 +- NotAcceptable, LengthRequired, BodyTooLarge, UriTooLong, MediaTypeUnsupported, HeadersTooLarge
 +- TooFarAhead, HostNotAllowed, OriginNotAllowed, TooManyConnections
"""

from __future__ import annotations

from collections.abc import Sequence
from http import HTTPStatus

from google.rpc import code_pb2

from skerry_service.edge.framing.transport_refusals import TransportRefusal
from skerry_service.edge.http.request_limits import MAX_HEADERS

_SHOWN = 200


class HttpRefusal(TransportRefusal):
    """A request that is invalid as HTTP."""

    http = HTTPStatus.BAD_REQUEST
    reason = "HTTP_MALFORMED"
    closes = False
    """Whether the server closes the connection."""

    def __init__(self, sentence: str, **metadata: str) -> None:
        super().__init__(sentence, **metadata)
        self.headers: list[tuple[bytes, bytes]] = []


class MalformedHttp(HttpRefusal):
    """The request is malformed."""

    closes = True

    def __init__(self) -> None:
        super().__init__("The request is malformed. Send HTTP/1.1.")


class SlowRequest(HttpRefusal):
    """The request did not arrive in time."""

    http, code, reason, closes = HTTPStatus.REQUEST_TIMEOUT, code_pb2.DEADLINE_EXCEEDED, "HTTP_TOO_SLOW", True

    def __init__(self, seconds: float) -> None:
        super().__init__(f"The request was not complete after {seconds:g} seconds. Send it faster.")


class PathNotFound(HttpRefusal):
    """The path does not exist."""

    http, code, reason = HTTPStatus.NOT_FOUND, code_pb2.NOT_FOUND, "HTTP_PATH_NOT_FOUND"

    def __init__(self, path: str, hint: str = "See /openapi.json for all paths.") -> None:
        super().__init__(f"Path {path[:_SHOWN]} does not exist. {hint}")


class MethodNotAllowed(HttpRefusal):
    """The path does not support the method."""

    http, code, reason = HTTPStatus.METHOD_NOT_ALLOWED, code_pb2.UNIMPLEMENTED, "HTTP_METHOD_NOT_ALLOWED"

    def __init__(self, verb: str, allowed: Sequence[str]) -> None:
        listed = ", ".join(allowed)
        super().__init__(f"This path does not support {verb[:_SHOWN]}. Use {listed}.", allowed=listed)
        self.headers.append((b"allow", listed.encode()))


class NotAcceptable(HttpRefusal):
    """The response has a media type that the client does not accept."""

    http, reason = HTTPStatus.NOT_ACCEPTABLE, "HTTP_NOT_ACCEPTABLE"

    def __init__(self, offered: str) -> None:
        super().__init__(f"The response is {offered}, which the Accept header excludes.", offered=offered)


class LengthRequired(HttpRefusal):
    """The call needs a body."""

    http, reason = HTTPStatus.LENGTH_REQUIRED, "HTTP_LENGTH_REQUIRED"

    def __init__(self) -> None:
        super().__init__("The call needs a body. Send a JSON object, at least {}.")


class BodyTooLarge(HttpRefusal):
    """The body is too large."""

    http, code = HTTPStatus.REQUEST_ENTITY_TOO_LARGE, code_pb2.RESOURCE_EXHAUSTED
    reason, closes = "HTTP_BODY_TOO_LARGE", True

    def __init__(self, limit: int) -> None:
        super().__init__(f"The body is too large. The limit is {limit} bytes.", limit=str(limit))


class UriTooLong(HttpRefusal):
    """The path and the query are too long."""

    http, code = HTTPStatus.REQUEST_URI_TOO_LONG, code_pb2.RESOURCE_EXHAUSTED
    reason, closes = "HTTP_URI_TOO_LONG", True

    def __init__(self, limit: int) -> None:
        super().__init__(f"Path and query are too long. The limit is {limit} bytes.", limit=str(limit))


class MediaTypeUnsupported(HttpRefusal):
    """The body is not declared as a media type that the path takes."""

    http, reason = HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "HTTP_MEDIA_TYPE_UNSUPPORTED"

    def __init__(self, found: str, advice: str = "Send it uncompressed, as 'Content-Type: application/json'.") -> None:
        shown = found[:_SHOWN] or "nothing"
        super().__init__(f"The body is declared as {shown}. {advice}")


class HeadersTooLarge(HttpRefusal):
    """The headers are too large, or too many."""

    http, code = HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, code_pb2.RESOURCE_EXHAUSTED
    reason, closes = "HTTP_HEADERS_TOO_LARGE", True

    def __init__(self, limit: int) -> None:
        sentence = f"The headers are too large. The limit is {limit} bytes in total, and {MAX_HEADERS} headers."
        super().__init__(sentence, limit=str(limit))


class TooFarAhead(HttpRefusal):
    """Too many pipelined requests wait for their responses."""

    http, code = HTTPStatus.TOO_MANY_REQUESTS, code_pb2.RESOURCE_EXHAUSTED
    reason, closes = "HTTP_TOO_FAR_AHEAD", True

    def __init__(self, limit: int) -> None:
        sentence = f"At most {limit} requests may wait on a connection, with 64 KiB in total. Read the responses first."
        super().__init__(sentence, limit=str(limit))


class HostNotAllowed(HttpRefusal):
    """The request names a host that the server does not serve."""

    http, reason = HTTPStatus.MISDIRECTED_REQUEST, "HTTP_HOST_NOT_ALLOWED"

    def __init__(self, named: str) -> None:
        shown = named[:_SHOWN] or "none"
        super().__init__(f"The request names the host {shown}, which this server does not serve. Use its own name.")


class OriginNotAllowed(HttpRefusal):
    """A page of an origin that the path does not serve sent the request."""

    http, code, reason = HTTPStatus.FORBIDDEN, code_pb2.PERMISSION_DENIED, "HTTP_ORIGIN_NOT_ALLOWED"

    def __init__(self, origin: str) -> None:
        super().__init__(f"Pages of the origin {origin[:_SHOWN]} may not use this path. The operator can allow them.")


class TooManyConnections(HttpRefusal):
    """The server has too many connections."""

    http, code = HTTPStatus.SERVICE_UNAVAILABLE, code_pb2.RESOURCE_EXHAUSTED
    reason, closes = "HTTP_TOO_MANY_CONNECTIONS", True

    def __init__(self, limit: int) -> None:
        sentence = f"The server has {limit} connections, which is its limit. Try again later."
        super().__init__(sentence, limit=str(limit))
        self.headers.append((b"retry-after", b"5"))
