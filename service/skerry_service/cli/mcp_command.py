"""``skerry mcp``: tools for an agent on a language model, over the standard streams."""

from __future__ import annotations

import asyncio
import os
import signal
from contextlib import AsyncExitStack
from typing import Annotated

import typer

from skerry_client.aio import KEY_VARIABLE, SERVER_VARIABLE
from skerry_client.calls import Calls
from skerry_client.transport.call_headers import CallHeaders
from skerry_client.transport.choice import transport_to
from skerry_service.cli import interrupts
from skerry_service.cli.play.random_game import own_server
from skerry_service.cli.refusal import MISUSED, Refusal
from skerry_service.cli.tls_options import (
    Ca,
    ClientCertificate,
    ClientKey,
    Tls,
    connect_with,
    require_usable_address,
    require_usable_key,
)
from skerry_service.wiring.config import effective_settings

_TIMEOUT, _RETRY_FOR, _SILENCE = 10.0, 30.0, 60.0
"""Seconds, those of ``skerry_client``. Calls wait for a server that restarts."""
_TERMINATED = 128 + signal.SIGTERM
"""The exit code after SIGTERM."""


def mcp_command(
    server: Annotated[
        str | None,
        typer.Option(
            envvar=SERVER_VARIABLE, help="HOST:PORT of a running server; by default a server of this command alone."
        ),
    ] = None,
    tls: Tls = False,
    ca: Ca = None,
    client_certificate: ClientCertificate = None,
    client_key: ClientKey = None,
) -> None:
    """Serve tools for agents on language models (Model Context Protocol) over stdin and stdout."""
    connect_with(tls, ca, client_certificate, client_key)
    require_usable_key()
    if server is not None:
        require_usable_address(server)
    try:
        secret = effective_settings().config.mcp_key
    except ValueError as error:
        raise Refusal(str(error), MISUSED) from None
    interrupts.run(_serve(server, secret))


async def _serve(server: str | None, secret: str | None) -> None:
    try:
        from skerry_service.agents.agent_server import agent_server  # noqa: PLC0415 - needs an extra
        from skerry_service.agents.sealed_handles import SealedHandles  # noqa: PLC0415
    except ImportError as error:
        sentence = f"The extra mcp is not installed ({error}). Run `pip install 'skerry-service[mcp]'`."
        raise Refusal(sentence, MISUSED) from None
    loop = asyncio.get_running_loop()
    terminated: asyncio.Future[None] = loop.create_future()
    loop.add_signal_handler(signal.SIGTERM, terminated.cancel)  # how clients end a command that goes on without stdin
    try:
        async with AsyncExitStack() as stack:
            address = server or await own_server(stack)
            transport = transport_to(address, "auto", None, CallHeaders(os.environ.get(KEY_VARIABLE) or None))
            calls = Calls(transport, timeout=_TIMEOUT, retry_for=_RETRY_FOR, silence=_SILENCE)
            stack.push_async_callback(calls.close)
            serving = asyncio.ensure_future(
                agent_server(lambda request: calls, SealedHandles(secret)).run_stdio_async()
            )
            done, _ = await asyncio.wait((serving, terminated), return_when=asyncio.FIRST_COMPLETED)
            for future in done:
                future.result()
    except asyncio.CancelledError:
        # The thread that reads stdin would wait for its end.
        interrupts.exit_now(_TERMINATED if terminated.cancelled() else interrupts.INTERRUPTED)
