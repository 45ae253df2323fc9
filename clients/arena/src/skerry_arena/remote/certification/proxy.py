"""A proxy in front of a service. It forwards every call and injects a fault."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable, AsyncIterator
from typing import Any, Final, Self

import grpc

from skerry_arena.remote.certification.faults import CallLost, Fault, MethodUnsupported, ProxiedCall
from skerry_arena.settings import Service
from skerry_client.transport.tls import grpc_channel_to

_FORWARDED: Final = ("authorization", "x-api-key")
_OPTIONS: Final = [("grpc.max_receive_message_length", 16 << 20), ("grpc.max_send_message_length", 16 << 20)]


class Proxy(grpc.GenericRpcHandler):
    """A gRPC server on loopback. Use it in an ``async with`` statement."""

    def __init__(self, service: Service, fault: Fault) -> None:
        self._fault = fault
        self._channel = grpc_channel_to(service.server, _OPTIONS, tls=service.tls)
        self._calls = 0
        self.address = "127.0.0.1:0"

    async def __aenter__(self) -> Self:
        await self._start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._server.stop(None)
        await self._channel.close()

    async def _start(self) -> None:
        self._server = grpc.aio.server(options=_OPTIONS)
        self._server.add_generic_rpc_handlers((self,))
        self.address = f"127.0.0.1:{self._server.add_insecure_port(self.address)}"
        await self._server.start()

    async def interrupt(self, seconds: float) -> None:
        """Drop all connections and refuse new ones for so many seconds."""
        await self._server.stop(None)
        await asyncio.sleep(seconds)
        await self._start()

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> grpc.RpcMethodHandler[Any, Any]:
        """Return the handler of a call. It treats every call as a stream of messages in both directions."""
        path = handler_call_details.method

        async def forward(
            requests: AsyncIterable[bytes], context: grpc.aio.ServicerContext[Any, Any]
        ) -> AsyncIterator[bytes]:
            async for response in self._forward(path, requests, context):
                yield response

        return grpc.stream_stream_rpc_method_handler(forward)

    async def _forward(
        self, path: str, requests: AsyncIterable[bytes], context: grpc.aio.ServicerContext[Any, Any]
    ) -> AsyncIterator[bytes]:
        self._calls += 1
        call = ProxiedCall(path.rpartition("/")[2], self._calls)
        metadata = [(key, value) for key, value in context.invocation_metadata() or () if key in _FORWARDED]
        open_call: grpc.aio.StreamStreamMultiCallable[bytes, bytes] = self._channel.stream_stream(path)
        upstream = open_call(self._requests(call, requests), metadata=metadata, timeout=context.time_remaining())
        try:
            await self._fault.begin(call)
            async for message in upstream:
                async for response in self._fault.responses(call, message):
                    yield response
        except CallLost:
            await context.abort(grpc.StatusCode.UNAVAILABLE, "the connection was lost")
        except MethodUnsupported:
            await context.abort(grpc.StatusCode.UNIMPLEMENTED, "this method is not supported")
        except grpc.aio.AioRpcError as error:
            context.set_trailing_metadata(tuple(error.trailing_metadata() or ()))
            await context.abort(error.code(), error.details() or "")
        finally:
            upstream.cancel()

    async def _requests(self, call: ProxiedCall, requests: AsyncIterable[bytes]) -> AsyncIterator[bytes]:
        async for request in requests:
            await self._fault.before_request(call, request)
            yield request
