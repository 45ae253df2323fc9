"""``skerry admin``: calls of the operator API, at the address of ``SKERRY_ADMIN``."""

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
from skerry.admin.v1 import admin_pb2_grpc, overview_pb2
from skerry.v1 import session_pb2, tournament_pb2
from skerry_client import status
from skerry_client.aio import KEY_VARIABLE
from skerry_client.transport.tls import grpc_channel_to
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
    help="Manage a running server. See docs/how-to/security.md.", rich_markup_mode=None, no_args_is_help=True
)
_T = TypeVar("_T")
Calls = Callable[["Stub", tuple[tuple[str, str], ...]], Awaitable[_T]]
_SECONDS = 30.0
_PAGE = 500
_TOURNAMENTS_OF_A_PAGE = 100
_SILENT_SECONDS = 7
"""A replica announces itself every four seconds."""

SessionName = Annotated[str, typer.Argument(metavar="SESSION", help="The session's id, or sessions/ID.")]


@app.callback()
def begin(
    context: typer.Context,
    server: Annotated[
        str, typer.Option(envvar="SKERRY_ADMIN", metavar="HOST:PORT", help="Address of the operator API.")
    ] = "",
    tls: Tls = False,
    ca: Ca = None,
    client_certificate: ClientCertificate = None,
    client_key: ClientKey = None,
) -> None:
    """Manage a running server. If calls need an API key, set SKERRY_API_KEY to one with the scope admin."""
    connect_with(tls, ca, client_certificate, client_key)
    require_usable_key()
    context.obj = server


@app.command("list")
def list_command(
    context: typer.Context,
    game: Annotated[str, typer.Option(help="List only sessions of this game.")] = "",
    state: Annotated[str, typer.Option(help="List only this state: lobby, playing, finished or cancelled.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object per line.")] = False,
) -> None:
    """List all sessions, including private ones."""
    name = f"SESSION_STATE_{state.upper()}" if state else "SESSION_STATE_UNSPECIFIED"
    if name not in session_pb2.SessionState.DESCRIPTOR.values_by_name:
        raise Refusal(
            f"--state: Unknown state {state!r}. The states are lobby, playing, finished and cancelled.", MISUSED
        )
    request = pb.ListAllSessionsRequest(game=game, state=session_pb2.SessionState.Value(name), page_size=_PAGE)

    async def list_all(stub: Stub, metadata: tuple[tuple[str, str], ...]) -> None:
        printed = set[str]()
        while True:
            page = await stub.ListAllSessions(request, metadata=metadata, timeout=_SECONDS)
            for summary in page.sessions:
                if summary.name not in printed:
                    print(MessageToJson(summary, indent=None) if as_json else _as_text(summary))
            printed.update(summary.name for summary in page.sessions)
            request.page_token = page.next_page_token
            if not request.page_token:
                return

    call_operators(context, list_all)


@app.command("inspect")
def inspect_command(context: typer.Context, session: SessionName) -> None:
    """Print the spectators' view of a session, and its state on the server, as JSON."""
    request = pb.InspectSessionRequest(name=_name(session))
    response = call_operators(context, lambda stub, meta: stub.InspectSession(request, metadata=meta, timeout=_SECONDS))
    print(MessageToJson(response))


@app.command("end")
def end_command(context: typer.Context, session: SessionName) -> None:
    """Cancel a session. Its players receive an entry in the log."""
    request = pb.EndSessionRequest(name=_name(session), request_id=str(uuid4()))
    call_operators(context, lambda stub, meta: stub.EndSession(request, metadata=meta, timeout=_SECONDS))
    print(f"{request.name} is cancelled.")


@app.command("drain")
def drain_command(
    context: typer.Context,
    replica: Annotated[
        str, typer.Argument(metavar="[REPLICA]", help="The replica's id, as `replicas` lists it.", show_default=False)
    ] = "",
) -> None:
    """Stop a replica, as SIGTERM does: the named one, or the one that answers. A supervisor may start a new process."""
    request = pb.DrainReplicaRequest(name=f"replicas/{replica.removeprefix('replicas/')}" if replica else "")
    call_operators(context, lambda stub, meta: stub.DrainReplica(request, metadata=meta, timeout=_SECONDS))
    print(f"{request.name or _server(context)} is draining and then stops.")


@app.command("replicas")
def replicas_command(
    context: typer.Context,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object per line.")] = False,
) -> None:
    """List the replicas with their load, the one that answers first."""
    request = overview_pb2.GetOverviewRequest()
    found = call_operators(context, lambda stub, meta: stub.GetOverview(request, metadata=meta, timeout=_SECONDS))
    for one in found.replicas:
        print(MessageToJson(one, indent=None) if as_json else _replica_as_text(one))


@app.command("tournaments")
def tournaments_command(
    context: typer.Context,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object per line.")] = False,
) -> None:
    """List all tournaments of the server, those in progress first."""
    request = pb.ListAllTournamentsRequest(page_size=_TOURNAMENTS_OF_A_PAGE)

    async def list_all(stub: Stub, metadata: tuple[tuple[str, str], ...]) -> None:
        while True:
            page = await stub.ListAllTournaments(request, metadata=metadata, timeout=_SECONDS)
            for one in page.tournaments:
                print(MessageToJson(one, indent=None) if as_json else _tournament_as_text(one))
            request.page_token = page.next_page_token
            if not request.page_token:
                return

    call_operators(context, list_all)


@app.command("end-tournament")
def end_tournament_command(
    context: typer.Context,
    tournament: Annotated[str, typer.Argument(metavar="TOURNAMENT", help="The tournament's id, or tournaments/ID.")],
) -> None:
    """Cancel a tournament. Its games in play go on, and no others begin."""
    request = pb.EndTournamentRequest(name=f"tournaments/{tournament.removeprefix('tournaments/')}")
    call_operators(context, lambda stub, meta: stub.EndTournament(request, metadata=meta, timeout=_SECONDS))
    print(f"{request.name} is cancelled.")


@app.command("audit")
def audit_command(
    context: typer.Context,
    last: Annotated[int, typer.Option(min=1, max=5_000, help="How many actions to list.")] = 50,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object per line.")] = False,
) -> None:
    """List what operators did, the newest first."""
    left, token = last, ""
    while left:
        request = pb.ListAuditEntriesRequest(page_size=min(left, _PAGE), page_token=token)
        page = _page_of_audit(context, request)
        for entry in page.entries:
            print(MessageToJson(entry, indent=None) if as_json else _entry_as_text(entry))
        left, token = left - len(page.entries), page.next_page_token
        if not token:
            return


def _page_of_audit(context: typer.Context, request: pb.ListAuditEntriesRequest) -> pb.ListAuditEntriesResponse:
    return call_operators(context, lambda stub, meta: stub.ListAuditEntries(request, metadata=meta, timeout=_SECONDS))


def call_operators(context: typer.Context, calls: Calls[_T]) -> _T:
    """Make calls of the operator API. ``calls``: takes the stub and the metadata."""
    return asyncio.run(_call(_server(context), calls))


async def _call(server: str, calls: Calls[_T]) -> _T:
    key = os.environ.get(KEY_VARIABLE)
    async with _connected(server) as channel:
        stub: Stub = admin_pb2_grpc.AdminServiceStub(channel)
        try:
            return await calls(stub, (("x-api-key", key),) if key else ())
        except grpc.aio.AioRpcError as error:
            if error.code() is grpc.StatusCode.UNIMPLEMENTED:
                raise Refusal(f"{server} does not serve the operator API. Pass the address of SKERRY_ADMIN.") from None
            raise status.from_grpc(error) from None


@asynccontextmanager
async def _connected(server: str) -> AsyncIterator[grpc.aio.Channel]:
    async with grpc_channel_to(server) as channel:
        yield channel


def _server(context: typer.Context) -> str:
    """Return the address to call. For a server that listens on all addresses, that is loopback."""
    server = str(context.obj)
    if not server:
        raise Refusal("Pass the server before the command: --server HOST:PORT, or set SKERRY_ADMIN.", MISUSED)
    require_usable_address(server)
    host, _, port = server.rpartition(":")
    loopback = {"0.0.0.0": "127.0.0.1", "[::]": "[::1]"}
    return f"{loopback.get(host, host)}:{port}"


def _name(session: str) -> str:
    return session if session.startswith("sessions/") else f"sessions/{session}"


def _as_text(summary: pb.SessionSummary) -> str:
    if summary.damaged:
        return f"{summary.name}  damaged"
    state = session_pb2.SessionState.Name(summary.state).removeprefix("SESSION_STATE_").lower()
    visibility = session_pb2.Visibility.Name(summary.visibility).removeprefix("VISIBILITY_").lower()
    seats = f"{summary.players} of {summary.seats} seats taken by players"
    created = summary.create_time.ToJsonString()
    return (
        f"{summary.name}  {summary.game}  {state}  {visibility}  {seats}  at entry {summary.sequence}  since {created}"
    )


def _replica_as_text(replica: overview_pb2.Replica) -> str:
    silent = replica.silent_for.seconds
    state = "draining" if replica.draining else f"silent for {silent} s" if silent > _SILENT_SECONDS else "live"
    words = [replica.name, replica.build, state]
    if not replica.figures_missing:
        calls = f"{replica.calls_per_second:.1f}" if replica.HasField("calls_per_second") else "–"
        words += [
            f"{replica.host}:{replica.process_id}",
            f"{replica.cached_sessions} sessions  {replica.streams} streams  {calls} calls/s",
            f"{replica.memory_bytes // 2**20} MiB",
        ]
    return "  ".join([*words, *(["answers"] if replica.answers else [])])


def _entry_as_text(entry: pb.AuditEntry) -> str:
    words = (entry.time.ToJsonString(), entry.operator, entry.action, entry.resource, entry.outcome, entry.detail)
    return "  ".join(word for word in words if word)


def _tournament_as_text(tournament: tournament_pb2.Tournament) -> str:
    state = tournament_pb2.TournamentState.Name(tournament.state).removeprefix("TOURNAMENT_STATE_").lower()
    entrants = f"{len(tournament.entrants)} of {tournament.most_entrants} entrants"
    created = tournament.create_time.ToJsonString()
    return f"{tournament.name}  {tournament.game}  {state}  {entrants}  since {created}  {tournament.title}"
