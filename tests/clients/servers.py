"""Servers for tests of the client: the real one in a process of its own, and one with scripted responses."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections import defaultdict
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from google.rpc.error_details_pb2 import ErrorInfo, RetryInfo
from google.rpc.status_pb2 import Status

from skerry.v1 import service_pb2 as api

SERVICE = api.DESCRIPTOR.services_by_name["SkerryService"]


class ServerProcess:
    """The real server, as ``skerry serve`` runs it. After a kill it can restart with its address and its games."""

    def __init__(self, folder: Path, http: str | None = None) -> None:
        """``http``: also serve HTTP, at this address."""
        self._folder = folder
        self.http = http
        self._process: subprocess.Popen[str] | None = None
        self.address = "127.0.0.1:0"
        self.greeting: list[str] = []

    def start(self) -> None:
        """Start the server, and return when it is ready."""
        host, port = self.address.split(":")
        command = ["serve", "--host", host, "--port", port, "--data-dir", str(self._folder)]
        command += ["--http", self.http] if self.http else []
        environment = {name: value for name, value in os.environ.items() if name != "REDIS_URL"}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "skerry_service.cli", *command], stdout=subprocess.PIPE, text=True, env=environment
        )
        assert self._process.stdout
        self.greeting = [self._process.stdout.readline() for _ in range(3 if self.http else 2)]
        self.address = self.greeting[0].split()[2].rstrip(";")
        if self.http:
            self.http = self.greeting[1].split()[2].removeprefix("http://")

    def kill(self) -> None:
        """End the server as a crash would."""
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        """End the server as an operator would. Return its exit code."""
        return self._end(signal.SIGTERM)

    def _end(self, number: signal.Signals) -> int:
        assert self._process
        self._process.send_signal(number)
        code = self._process.wait(20)
        assert self._process.stdout
        self._process.stdout.close()
        return code


def refusal(code: int, reason: str, retry_after: float | None = None, **metadata: str) -> Status:
    """Return a status in the form of the service."""
    details: list[Message] = [ErrorInfo(reason=reason, domain="skerry", metadata=metadata)]
    if retry_after is not None:
        wait = RetryInfo()
        wait.retry_delay.FromMilliseconds(round(retry_after * 1000))
        details.append(wait)
    status = Status(code=code, message=f"refused: {reason}")
    for detail in details:
        packed = AnyMessage()
        packed.Pack(detail)
        status.details.append(packed)
    return status


class Hang:
    """A response that never comes."""

    def __init__(self) -> None:
        self.reached = asyncio.Event()


@dataclass(frozen=True)
class Pause:
    """A response that comes after some seconds."""

    seconds: float
    answer: Message


Answer = Message | grpc.StatusCode | Hang | Pause
"""A message, an error of the service (a Status), a code of gRPC itself, a delayed message, or no response."""


class Scripted:
    """The requests of a scripted server, and its next responses. The last response repeats."""

    def __init__(self, answers: Mapping[str, Sequence[Any]]) -> None:
        self._answers = {method: list(script) for method, script in answers.items()}
        self.requests: defaultdict[str, list[Any]] = defaultdict(list)
        self.metadata: dict[str, str | bytes] = {}
        self.address = ""

    def next(self, method: str, request: Message, context: grpc.aio.ServicerContext[Any, Any]) -> Any:
        self.requests[method].append(request)
        self.metadata = dict(context.invocation_metadata() or ())
        script = self._answers[method]
        return script.pop(0) if len(script) > 1 else script[0]


@asynccontextmanager
async def scripted(**answers: Sequence[Any]) -> AsyncIterator[Scripted]:
    """Serve these responses, by method, one for each call. A response of a streaming method is a list of messages."""
    script = Scripted(answers)
    server = grpc.aio.server()
    handlers = {name: _handler(script, name) for name in answers}
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE.full_name, handlers),))
    script.address = f"127.0.0.1:{server.add_insecure_port('127.0.0.1:0')}"
    await server.start()
    try:
        yield script
    finally:
        await server.stop(None)


def _handler(script: Scripted, method: str) -> grpc.RpcMethodHandler[Any, Any]:
    parse = GetMessageClass(SERVICE.methods_by_name[method].input_type).FromString

    async def unary(request: Message, context: grpc.aio.ServicerContext[Any, Any]) -> Message:
        return await _give(script.next(method, request, context), context)

    async def stream(request: Message, context: grpc.aio.ServicerContext[Any, Any]) -> AsyncIterator[Message]:
        for answer in script.next(method, request, context):
            yield await _give(answer, context)

    if SERVICE.methods_by_name[method].server_streaming:
        return grpc.unary_stream_rpc_method_handler(stream, parse, _serialize)
    return grpc.unary_unary_rpc_method_handler(unary, parse, _serialize)


def _serialize(message: Message) -> bytes:
    return message.SerializeToString()


async def _give(answer: Answer, context: grpc.aio.ServicerContext[Any, Any]) -> Message:
    if isinstance(answer, Hang):
        answer.reached.set()
        await asyncio.Event().wait()
    if isinstance(answer, Pause):
        await asyncio.sleep(answer.seconds)
        answer = answer.answer
    if isinstance(answer, grpc.StatusCode):
        await context.abort(answer, "from gRPC itself")
    if isinstance(answer, Status):
        codes = {code.value[0]: code for code in grpc.StatusCode}
        details = (("grpc-status-details-bin", answer.SerializeToString()),)
        await context.abort(codes[answer.code], answer.message, details)
    assert isinstance(answer, Message)
    return answer
