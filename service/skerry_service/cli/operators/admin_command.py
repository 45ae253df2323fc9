"""``skerry admin``: what whoever runs a server asks of it, at the port of ``SKERRY_ADMIN``."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Annotated, TypeVar
from uuid import uuid4

import grpc
import typer
from google.protobuf.json_format import MessageToJson

from skerry.admin.v1 import admin_pb2 as pb
from skerry.admin.v1 import admin_pb2_grpc
from skerry.v1 import session_pb2
from skerry_client import status
from skerry_client.aio import KEY_VARIABLE
from skerry_client.transport.tls import credentials_from_environment
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

if TYPE_CHECKING:
    from skerry.admin.v1.admin_pb2_grpc import AdminServiceAsyncStub as Stub

app = typer.Typer(
    help="Look after a server that runs: docs/how-to/security.md.", rich_markup_mode=None, no_args_is_help=True
)
_T = TypeVar("_T")
_Calls = Callable[["Stub", tuple[tuple[str, str], ...]], Awaitable[_T]]
_SECONDS = 30.0
_PAGE = 500

Name = Annotated[str, typer.Argument(metavar="SESSION", help="Its id, or sessions/ID.")]


@app.callback()
def _begin(
    context: typer.Context,
    server: Annotated[
        str, typer.Option(envvar="SKERRY_ADMIN", metavar="HOST:PORT", help="Where the server serves operators.")
    ] = "",
    tls: Tls = False,
    ca: Ca = None,
    client_certificate: ClientCertificate = None,
    client_key: ClientKey = None,
) -> None:
    """Look after a server that runs. An API key with the scope admin is taken from SKERRY_API_KEY."""
    connect_with(tls, ca, client_certificate, client_key)
    require_usable_key()
    context.obj = server


@app.command("list")
def list_command(
    context: typer.Context,
    game: Annotated[str, typer.Option(help="Only this game.")] = "",
    state: Annotated[str, typer.Option(help="Only lobby, playing, finished or cancelled.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print each as a JSON object on a line of its own.")] = False,
) -> None:
    """List all sessions, those in no list among them."""
    wanted = f"SESSION_STATE_{state.upper()}" if state else "SESSION_STATE_UNSPECIFIED"
    if wanted not in session_pb2.SessionState.DESCRIPTOR.values_by_name:
        raise Refusal(f"--state: There is no state {state!r}: lobby, playing, finished, cancelled.", MISUSED)
    request = pb.ListAllSessionsRequest(game=game, state=session_pb2.SessionState.Value(wanted), page_size=_PAGE)

    async def list_all(stub: Stub, metadata: tuple[tuple[str, str], ...]) -> None:
        seen = set[str]()
        while True:
            page = await stub.ListAllSessions(request, metadata=metadata, timeout=_SECONDS)
            for one in page.sessions:
                if one.name not in seen:
                    print(_as_line(one) if as_json else _as_text(one))
            seen.update(one.name for one in page.sessions)
            request.page_token = page.next_page_token
            if not request.page_token:
                return

    _run(context, list_all)


@app.command("inspect")
def inspect_command(context: typer.Context, session: Name) -> None:
    """Print what a spectator may know of a session, and how it is served, as JSON."""
    request = pb.InspectSessionRequest(name=_name(session))
    print(_as_json(_run(context, lambda stub, meta: stub.InspectSession(request, metadata=meta, timeout=_SECONDS))))


@app.command("end")
def end_command(context: typer.Context, session: Name) -> None:
    """Call a session off, whoever sits at it. Its players are told."""
    request = pb.EndSessionRequest(name=_name(session), request_id=str(uuid4()))
    _run(context, lambda stub, meta: stub.EndSession(request, metadata=meta, timeout=_SECONDS))
    print(f"{request.name} is called off.")


@app.command("drain")
def drain_command(context: typer.Context) -> None:
    """Let the process that answers end, as SIGTERM does. Whoever keeps it running may start another."""
    _run(context, lambda stub, meta: stub.DrainReplica(pb.DrainReplicaRequest(), metadata=meta, timeout=_SECONDS))
    print(f"{_server(context)} drains, and ends.")


def _run(context: typer.Context, calls: _Calls[_T]) -> _T:
    return asyncio.run(_call(_server(context), calls))


async def _call(server: str, calls: _Calls[_T]) -> _T:
    key = os.environ.get(KEY_VARIABLE)
    async with _connected(server) as channel:
        stub: Stub = admin_pb2_grpc.AdminServiceStub(channel)
        try:
            return await calls(stub, (("x-api-key", key),) if key else ())
        except grpc.aio.AioRpcError as error:
            if error.code() is grpc.StatusCode.UNIMPLEMENTED:
                raise Refusal(f"{server} serves no operators: name the address of SKERRY_ADMIN.") from None
            raise status.from_grpc(error) from None


@asynccontextmanager
async def _connected(server: str) -> AsyncIterator[grpc.aio.Channel]:
    credentials = credentials_from_environment()
    channel = grpc.aio.secure_channel(server, credentials) if credentials else grpc.aio.insecure_channel(server)
    async with channel:
        yield channel


def _server(context: typer.Context) -> str:
    """Return where to call: a server that listens everywhere is called here."""
    server = str(context.obj)
    if not server:
        raise Refusal("Name the server: skerry admin --server HOST:PORT, or SKERRY_ADMIN.", MISUSED)
    require_usable_address(server)
    host, _, port = server.rpartition(":")
    here = {"0.0.0.0": "127.0.0.1", "[::]": "[::1]"}
    return f"{here.get(host, host)}:{port}"


def _name(session: str) -> str:
    return session if session.startswith("sessions/") else f"sessions/{session}"


def _as_text(one: pb.SessionSummary) -> str:
    if one.damaged:
        return f"{one.name}  damaged"
    state = session_pb2.SessionState.Name(one.state).removeprefix("SESSION_STATE_").lower()
    visibility = session_pb2.Visibility.Name(one.visibility).removeprefix("VISIBILITY_").lower()
    seated = f"{one.players} of {one.seats} seats taken by players"
    made = one.create_time.ToJsonString()
    return f"{one.name}  {one.game}  {state}  {visibility}  {seated}  at entry {one.sequence}  since {made}"


def _as_line(one: pb.SessionSummary) -> str:
    return MessageToJson(one, indent=None)


def _as_json(message: pb.InspectSessionResponse) -> str:
    return MessageToJson(message)
