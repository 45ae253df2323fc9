"""The paths of Connect and gRPC-Web: one for each RPC. The content type selects protocol and codec."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from http import HTTPStatus

from skerry_service.api.endpoint import Endpoint
from skerry_service.edge.connect.codecs import JSON, PROTO
from skerry_service.edge.connect.enveloped_calls import EnvelopedCalls
from skerry_service.edge.connect.get_queries import read_query
from skerry_service.edge.connect.rpcs import Rpc, rpc_of
from skerry_service.edge.connect.stream_formats import ConnectStreams, GrpcWeb, GrpcWebText
from skerry_service.edge.connect.unary_calls import UnaryCalls
from skerry_service.edge.framing.transport_refusals import TransportRefusal
from skerry_service.edge.http.asgi import HttpExchange
from skerry_service.edge.http.http_answers import HttpAnswer, code_and_reason
from skerry_service.edge.http.http_callers import peer_of_request
from skerry_service.edge.http.http_refusals import MediaTypeUnsupported, MethodNotAllowed
from skerry_service.edge.http.request_bodies import ClientGone

Answer = Callable[[HttpExchange], Awaitable[HttpAnswer | None]]
_CODECS = (PROTO, JSON)


def procedures_of(endpoints: Iterable[Endpoint]) -> Mapping[bytes, Procedure]:
    """Return the procedures of some services by path."""
    return {
        f"/{endpoint.service.full_name}/{method.name}".encode(): Procedure(rpc_of(method, endpoint))
        for endpoint in endpoints
        for method in endpoint.service.methods
    }


class Procedure:
    """One RPC over HTTP. An adapter of ``HttpApp``."""

    def __init__(self, rpc: Rpc) -> None:
        self._rpc = rpc
        is_unary = not (rpc.client_streaming or rpc.server_streaming)
        self._unary = {codec.name: UnaryCalls(rpc, codec) for codec in _CODECS} if is_unary else {}
        self._answers: dict[bytes, Answer] = {
            f"application/{name}".encode(): self._answered(calls, calls.answer) for name, calls in self._unary.items()
        }
        self._answers |= {form.media: EnvelopedCalls(rpc, form).answer for form in _forms(connect=not is_unary)}
        self._allowed = ["GET", "OPTIONS", "POST"] if is_unary and rpc.polled else ["OPTIONS", "POST"]

    async def __call__(self, call: HttpExchange) -> HttpAnswer | None:
        """Return the response; ``None`` if it was sent. Raises the errors of ``Adapter``."""
        verb = call.scope["method"]
        if verb == "POST":
            media = call.headers.get(b"content-type", b"")
            return await (self._answers.get(media) or self._answer_for(media))(call)
        if verb == "OPTIONS":
            return HttpAnswer(status=HTTPStatus.NO_CONTENT, allowed=self._allowed)
        if verb not in self._allowed:
            raise MethodNotAllowed(verb, self._allowed)
        return await self._answer_query(call)

    def _answer_for(self, media: bytes) -> Answer:
        """Return the function for a content type that is not written in the usual way. Raises MediaTypeUnsupported."""
        name, _, parameters = media.lower().partition(b";")
        found = self._answers.get(name.strip())
        if found is None or parameters.strip().replace(b'"', b"") not in (b"", b"charset=utf-8"):
            supported = ", ".join(media.decode() for media in self._answers)
            raise MediaTypeUnsupported(media.decode("latin-1"), f"{self._rpc.name} takes {supported}.")
        return found

    async def _answer_query(self, call: HttpExchange) -> HttpAnswer | None:
        try:
            query = read_query(call.scope["query_string"])
        except TransportRefusal as refusal:
            self._report(call, refusal)
            return self._unary[JSON.name].error(refusal)
        calls = self._unary.get(query.encoding)
        if calls is None:
            raise MediaTypeUnsupported(query.encoding, f"The parameter encoding is {PROTO.name} or {JSON.name}.")
        return await self._answered(calls, lambda call: calls.answer_query(call, query))(call)

    def _answered(self, calls: UnaryCalls, answer: Answer) -> Answer:
        """Return a function that answers errors in the form of Connect."""

        async def answered(call: HttpExchange) -> HttpAnswer | None:
            try:
                return await answer(call)
            except ClientGone:
                raise
            except Exception as error:
                if isinstance(error, TransportRefusal):
                    self._report(call, error)
                return calls.error(error)

        return answered

    def _report(self, call: HttpExchange, refusal: TransportRefusal) -> None:
        self._rpc.endpoint.refused(peer_of_request(call), *code_and_reason(refusal))


def _forms(*, connect: bool) -> Iterable[ConnectStreams | GrpcWeb]:
    """Return the formats of enveloped calls. ``connect``: including Connect's streams."""
    for codec in _CODECS:
        if connect:
            yield ConnectStreams(codec, f"application/connect+{codec.name}")
        yield GrpcWeb(codec, f"application/grpc-web+{codec.name}")
    yield GrpcWeb(PROTO, "application/grpc-web")
    yield GrpcWebText(PROTO, f"application/grpc-web-text+{PROTO.name}")
    yield GrpcWebText(PROTO, "application/grpc-web-text")
