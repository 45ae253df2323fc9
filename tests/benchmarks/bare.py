"""gRPC alone: the cost of a call and of an idle stream in a server that does nothing else.

It responds to the floor's moves and to Observe with messages that are built in advance.
"""

from __future__ import annotations

import asyncio

import grpc
import uvloop

from skerry.v1 import service_pb2 as pb

from .floor import METHOD, VIEW_BYTES, Handler, Reply, Request, until_ended
from .processes import end_with_parent
from .watchers import OBSERVE

_RESPONSE = pb.ObserveResponse(sequence=1)
_RESPONSE.position.sequence = 1


async def _act(data: bytes, context: object) -> bytes:
    version: int = Request.FromString(data).version
    reply: bytes = Reply(version=version + 1, status="ok", view=bytes(VIEW_BYTES)).SerializeToString()
    return reply


async def _observe(data: bytes, context: grpc.aio.ServicerContext[bytes, bytes]) -> None:
    await context.write(_RESPONSE.SerializeToString())
    await asyncio.get_running_loop().create_future()


def main() -> None:
    """Serve until the parent ends."""
    end_with_parent()
    handlers: dict[str, Handler] = {
        METHOD: grpc.unary_unary_rpc_method_handler(_act),
        OBSERVE: grpc.unary_stream_rpc_method_handler(_observe),
    }
    uvloop.run(until_ended(handlers))


if __name__ == "__main__":
    main()
