"""``skerry webhooks``: the webhook endpoints of an application, which is the API key in SKERRY_API_KEY."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Annotated

import typer
from google.protobuf.json_format import MessageToJson

from skerry.v1 import session_pb2
from skerry.v1 import webhook_pb2 as pb
from skerry_client import Client, arguments
from skerry_client.aio import DEFAULT_SERVER, SERVER_VARIABLE
from skerry_service.cli.refusal import FAILED, MISUSED, Refusal
from skerry_service.cli.tls_options import (
    Ca,
    ClientCertificate,
    ClientKey,
    Tls,
    connect_with,
    require_usable_address,
    require_usable_key,
)

app = typer.Typer(
    help="Manage the webhook endpoints of an API key. See docs/how-to/webhooks.md.",
    rich_markup_mode=None,
    no_args_is_help=True,
)
_MOST_HOURS = 168
_SUCCESS = 2
"""The first digit of the HTTP status of a success."""

Endpoint = Annotated[str, typer.Argument(metavar="ENDPOINT", help="The endpoint's id, for example main.")]


@app.callback()
def begin(
    context: typer.Context,
    server: Annotated[str, typer.Option(envvar=SERVER_VARIABLE, help="HOST:PORT of the server.")] = DEFAULT_SERVER,
    tls: Tls = False,
    ca: Ca = None,
    client_certificate: ClientCertificate = None,
    client_key: ClientKey = None,
) -> None:
    """Manage the webhook endpoints of the API key in SKERRY_API_KEY. The key needs the scope webhooks."""
    connect_with(tls, ca, client_certificate, client_key)
    require_usable_address(server)
    require_usable_key()
    context.obj = server


@app.command("list")
def list_command(
    context: typer.Context, as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False
) -> None:
    """List the endpoints with their states, without secrets."""
    with Client(context.obj) as client:
        for one in client.webhook_endpoints():
            print(MessageToJson(one, indent=None) if as_json else _as_line(one))


@app.command("set")
def set_command(
    context: typer.Context,
    endpoint: Endpoint,
    url: Annotated[str, typer.Argument(help="The URL that receives the events.")],
    event: Annotated[
        list[str] | None,
        typer.Option(help=f"Send this event: {', '.join(arguments.ENDPOINT_EVENTS)}. Repeatable. Default: all."),
    ] = None,
    language: Annotated[
        str | None, typer.Option(metavar="TAG", help="The language of its sentences, such as de. Default: English.")
    ] = None,
) -> None:
    """Create an endpoint and print its secret, or change its URL, events and language. Also switches it on."""
    _require_events(event or ())
    with Client(context.obj) as client:
        _, secret = client.set_webhook_endpoint(endpoint, url, events=event or (), language=language)
    print(secret or "The endpoint is changed. Its secret stays.")


@app.command("rotate")
def rotate_command(context: typer.Context, endpoint: Endpoint) -> None:
    """Make a new secret and print it. The previous one signs requests too for 24 hours."""
    with Client(context.obj) as client:
        known = client.webhook_endpoint(endpoint)
        events = [session_pb2.WebhookEvent.Name(one).removeprefix("WEBHOOK_EVENT_").lower() for one in known.events]
        language = known.language or None
        setting = client.set_webhook_endpoint(endpoint, known.url, events=events, rotate_secret=True, language=language)
    print(setting[1])


@app.command("ping")
def ping_command(context: typer.Context, endpoint: Endpoint) -> None:
    """Send webhook.ping once. The exit code is 1 unless the status of the response is 200 to 299."""
    with Client(context.obj) as client:
        found = client.ping_webhook_endpoint(endpoint)
    print(f"The status is {found.status}." if found.HasField("status") else f"No response: {found.failure}.")
    if found.status // 100 != _SUCCESS:
        raise typer.Exit(FAILED)


@app.command("resend")
def resend_command(
    context: typer.Context,
    endpoint: Endpoint,
    hours: Annotated[float, typer.Option(min=0.01, max=_MOST_HOURS, help="Since how many hours ago.")],
) -> None:
    """Send the events of the last hours again."""
    with Client(context.obj) as client:
        count = client.resend_webhooks(endpoint, datetime.now(UTC) - timedelta(hours=hours))
    print(f"Events of {count:,} sessions are sent again.")


@app.command("remove")
def remove_command(context: typer.Context, endpoint: Endpoint) -> None:
    """Delete an endpoint."""
    with Client(context.obj) as client:
        client.delete_webhook_endpoint(endpoint)
    print(f"The endpoint {endpoint} is deleted.")


def _require_events(given: list[str] | tuple[()]) -> None:
    unknown = [one for one in given if one not in arguments.ENDPOINT_EVENTS]
    if unknown:
        raise Refusal(f"--event: Unknown event {unknown[0]!r}. Use {', '.join(arguments.ENDPOINT_EVENTS)}.", MISUSED)


def _as_line(one: pb.WebhookEndpoint) -> str:
    state = pb.WebhookEndpointState.Name(one.state).removeprefix("WEBHOOK_ENDPOINT_STATE_").lower()
    failing = f", failing for {one.failing_ms // 1000:,} s" if one.HasField("failing_ms") else ""
    return f"{one.name}  {one.url}  {state}{failing}"
