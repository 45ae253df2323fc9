"""A proxy before a service: it passes every call on, and has its answers troubled on the way back."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable, AsyncIterator
from typing import Any, Final, Self

import grpc

from skerry_arena.remote.certification.faults import CallLost, Fault, MethodUnsupported, ProxiedCall
from skerry_arena.settings import Service
from skerry_client.transport.tls import credentials_from_environment

_PASSED_ON: Final = ("authorization", "x-api-key")
_LONGEST: Final = [("grpc.max_receive_message_length", 16 << 20), ("grpc.max_send_message_length", 16 << 20)]


class Proxy(grpc.GenericRpcHandler):
    """Serves on loopback. Use it in an ``async with`` statement."""

    def __init__(self, service: Service, trouble: Fault) -> None:
        self._trouble = trouble
        if (credentials := credentials_from_environment(wanted=service.tls)) is not None:
            self._channel = grpc.aio.secure_channel(service.server, credentials, _LONGEST)
        else:
            self._channel = grpc.aio.insecure_channel(service.server, _LONGEST)
        self._calls = 0
        self.address = "127.0.0.1:0"

    async def __aenter__(self) -> Self:
        await self._start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._server.stop(None)
        await self._channel.close()

    async def _start(self) -> None:
        self._server = grpc.aio.server(options=_LONGEST)
        self._server.add_generic_rpc_handlers((self,))
        self.address = f"127.0.0.1:{self._server.add_insecure_port(self.address)}"
        await self._server.start()

    async def be_away(self, seconds: float) -> None:
        """Drop all connections, and refuse new ones for a while."""
        await self._server.stop(None)
        await asyncio.sleep(seconds)
        await self._start()

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> grpc.RpcMethodHandler[Any, Any]:
        """Return what passes a call on: every kind of call is a stream of messages each way."""
        path = handler_call_details.method

        async def passed_on(
            requests: AsyncIterable[bytes], context: grpc.aio.ServicerContext[Any, Any]
        ) -> AsyncIterator[bytes]:
            async for answer in self._pass_on(path, requests, context):
                yield answer

        return grpc.stream_stream_rpc_method_handler(passed_on)

    async def _pass_on(
        self, path: str, requests: AsyncIterable[bytes], context: grpc.aio.ServicerContext[Any, Any]
    ) -> AsyncIterator[bytes]:
        self._calls += 1
        call = ProxiedCall(path.rpartition("/")[2], self._calls)
        metadata = [(key, value) for key, value in context.invocation_metadata() or () if key in _PASSED_ON]
        call_up: grpc.aio.StreamStreamMultiCallable[bytes, bytes] = self._channel.stream_stream(path)
        upward = call_up(self._asked(call, requests), metadata=metadata, timeout=context.time_remaining())
        try:
            await self._trouble.begin(call)
            async for message in upward:
                async for answer in self._trouble.answers(call, message):
                    yield answer
        except CallLost:
            await context.abort(grpc.StatusCode.UNAVAILABLE, "the connection was lost")
        except MethodUnsupported:
            await context.abort(grpc.StatusCode.UNIMPLEMENTED, "this is not offered here")
        except grpc.aio.AioRpcError as error:
            context.set_trailing_metadata(tuple(error.trailing_metadata() or ()))
            await context.abort(error.code(), error.details() or "")
        finally:
            upward.cancel()

    async def _asked(self, call: ProxiedCall, requests: AsyncIterable[bytes]) -> AsyncIterator[bytes]:
        async for request in requests:
            await self._trouble.asked(call, request)
            yield request
