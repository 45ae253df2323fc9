"""The floor: the cost of a move in a careful minimal server that knows no rules.

One move is one unary gRPC call and two round trips to Redis: read the session, then write it back with a log entry if
no other call has. The server decodes and checks nothing, records no request and notifies no client.
"""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Mapping
from typing import Any, TypeAlias

import grpc
import uvloop
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from redis.asyncio import Redis

from .processes import end_with_parent

METHOD = "/floor.Floor/Act"
Handler: TypeAlias = "grpc.RpcMethodHandler[Any, Any]"
STATE_BYTES = 2048
ACTION_BYTES = 200
VIEW_BYTES = 1000
VERSION_DIGITS = 12

_SWAP = """
if redis.call('GETRANGE', KEYS[1], 0, 11) ~= ARGV[1] then
  return 0
end
redis.call('SET', KEYS[1], ARGV[2])
redis.call('XADD', KEYS[2], 'MAXLEN', '~', '64', '*', 'move', ARGV[3])
return 1
"""
_KINDS = {
    "text": descriptor_pb2.FieldDescriptorProto.TYPE_STRING,
    "bytes": descriptor_pb2.FieldDescriptorProto.TYPE_BYTES,
    "number": descriptor_pb2.FieldDescriptorProto.TYPE_UINT64,
}


def _message_types() -> tuple[Any, Any]:
    """Build the two message classes, as generated code would."""
    file = descriptor_pb2.FileDescriptorProto(name="floor.proto", package="floor")
    request = dict(session="text", token="text", version="number", request_id="text", action="bytes")
    for name, fields in (("Request", request), ("Reply", dict(version="number", status="text", view="bytes"))):
        message = file.message_type.add(name=name)
        for number, (field, kind) in enumerate(fields.items(), 1):
            message.field.add(
                name=field, number=number, type=_KINDS[kind], label=descriptor_pb2.FieldDescriptorProto.LABEL_OPTIONAL
            )
    pool = descriptor_pool.DescriptorPool()
    added = pool.AddSerializedFile(file.SerializeToString())
    made = added.message_types_by_name
    return message_factory.GetMessageClass(made["Request"]), message_factory.GetMessageClass(made["Reply"])


Request, Reply = _message_types()


class Floor:
    """The server's only method."""

    def __init__(self, redis: Redis, sha: str) -> None:
        self._redis = redis
        self._sha = sha
        self._state = b"s" * STATE_BYTES
        self._view = b"v" * VIEW_BYTES

    async def act(self, request: Any, context: Any) -> Any:
        """Read, compare, write; respond with a view of a fixed size."""
        key = f"floor:{{{request.session}}}"
        stored = await self._redis.get(key)
        version = int(stored[:VERSION_DIGITS]) if stored else 0
        if stored is None:
            await self._redis.set(key, _digits(0) + self._state)
        swapped = await self._redis.evalsha(
            self._sha, 2, key, f"{key}:log", _digits(version), _digits(version + 1) + self._state, request.action
        )
        return Reply(version=version + 1, status="ok" if swapped else "conflict", view=self._view)


def _digits(version: int) -> bytes:
    return b"%0*d" % (VERSION_DIGITS, version)


async def _serve(redis_url: str) -> None:
    redis = Redis.from_url(redis_url, max_connections=256)
    floor = Floor(redis, await redis.script_load(_SWAP))
    handler = grpc.unary_unary_rpc_method_handler(floor.act, Request.FromString, Reply.SerializeToString)
    await until_ended({METHOD: handler})
    await redis.aclose()


async def until_ended(handlers: Mapping[str, Handler]) -> None:
    """Serve the methods, by their full names, until SIGTERM; print the address."""
    server = grpc.aio.server()
    for name, handler in handlers.items():
        service, _, method = name.removeprefix("/").partition("/")
        server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(service, {method: handler}),))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    print(f"127.0.0.1:{port}", flush=True)
    await stop.wait()
    await server.stop(1)


def main() -> None:
    """Serve until the parent ends; the argument is the URL of Redis."""
    end_with_parent()
    uvloop.run(_serve(sys.argv[1]))


if __name__ == "__main__":
    main()
