"""The options of ``skerry tournament create``, ``list``, ``show``, ``start``, ``remove`` and ``cancel``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from skerry_arena.cli.options.tls_options import Ca, ClientCertificate, ClientKey, Tls, set_tls_environment
from skerry_games.pairing.form import Format

Server = Annotated[str, typer.Option(envvar="SKERRY_SERVER", metavar="HOST:PORT", help="The server.")]
DEFAULT = "127.0.0.1:50051"
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Organizer = Annotated[Path, typer.Argument(metavar="FILE", help="The file of skerry tournament create.")]


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("create")(create_command)
    app.command("list")(list_command)
    app.command("show")(show_command)
    app.command("start")(start_command)
    app.command("remove")(remove_command)
    app.command("cancel")(cancel_command)


def create_command(  # noqa: PLR0913, PLR0917 - a command has an argument for each option
    title: Annotated[str, typer.Argument(help="The title: 1 to 80 characters.")],
    game: Annotated[str, typer.Option(help="The id of the game, for example kreta.")],
    keep: Annotated[
        Path, typer.Option(metavar="FILE", help="A new file for the organizer token. Only its owner can read it.")
    ],
    seats: Annotated[
        int | None, typer.Option(min=1, max=16, help="The number of seats. Default: the smallest possible.")
    ] = None,
    form: Annotated[Format, typer.Option("--format", help="How the entrants are paired.")] = Format.ROUND_ROBIN,
    rounds: Annotated[int, typer.Option(min=0, max=32, help="The number of rounds of a Swiss tournament.")] = 0,
    meetings: Annotated[int, typer.Option(min=1, max=50, help="How many blocks the players of a table play.")] = 1,
    entrants: Annotated[int, typer.Option(min=2, max=64, help="The most entrants.")] = 16,
    join_code: Annotated[
        bool, typer.Option("--join-code", help="Require a join code of entrants, and print it.")
    ] = False,
    at_once: Annotated[int, typer.Option(min=1, max=32, help="The most games that an entrant has in play.")] = 1,
    minutes: Annotated[float, typer.Option(min=0.1, max=1440, help="Thinking time of a seat for the whole game.")] = 5,
    increment: Annotated[float, typer.Option(min=0, max=3600, help="Seconds added after each turn.")] = 5,
    days: Annotated[
        int | None,
        typer.Option(min=1, max=30, help="Days for each turn, for people. Replaces --minutes and --increment."),
    ] = None,
    start: Annotated[
        str | None,
        typer.Option(metavar="TIME", help="The server starts the tournament then: 2030-05-01T18:00:00Z."),
    ] = None,
    option: Annotated[
        list[str] | None, typer.Option(metavar="NAME=VALUE", help="An option of the game; repeatable.")
    ] = None,
    server: Server = DEFAULT,
    tls: Tls = False,
    ca: Ca = None,
    client_certificate: ClientCertificate = None,
    client_key: ClientKey = None,
) -> None:
    """Create a tournament on a server (docs/how-to/service-tournaments.md)."""
    from skerry_arena.cli.server_tournaments import server_tournament_actions as actions  # noqa: PLC0415 (slow)

    request = actions.request_of(title, game, seats, option or [])
    actions.set_form(request, form, rounds=rounds, meetings=meetings, at_once=at_once)
    actions.set_entry(request, entrants=entrants, join_code=join_code)
    actions.set_times(request, minutes=minutes, increment=increment, days=days, start=start)
    actions.create(server, keep, request, tls=set_tls_environment(tls, ca, client_certificate, client_key))


def list_command(
    server: Server = DEFAULT,
    tls: Tls = False,
    ca: Ca = None,
    client_certificate: ClientCertificate = None,
    client_key: ClientKey = None,
    as_json: AsJson = False,
) -> None:
    """List the tournaments of a server, those in progress first."""
    from skerry_arena.cli.server_tournaments import server_tournament_actions as actions  # noqa: PLC0415 (slow)

    actions.list_all(server, tls=set_tls_environment(tls, ca, client_certificate, client_key), as_json=as_json)


def show_command(  # noqa: PLR0913, PLR0917 - a command has an argument for each option
    tournament: Annotated[str, typer.Argument(help="The id of a tournament.")],
    organizer: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="The file of skerry tournament create, with the server. Prints the join code."
        ),
    ] = None,
    server: Server = DEFAULT,
    tls: Tls = False,
    ca: Ca = None,
    client_certificate: ClientCertificate = None,
    client_key: ClientKey = None,
    as_json: AsJson = False,
) -> None:
    """Print a tournament on a server: standings, rounds and games in play."""
    from skerry_arena.cli.server_tournaments import server_tournament_actions as actions  # noqa: PLC0415 (slow)

    secure = set_tls_environment(tls, ca, client_certificate, client_key)
    actions.show(server, tournament, organizer, tls=secure, as_json=as_json)


def start_command(
    file: Organizer, ca: Ca = None, client_certificate: ClientCertificate = None, client_key: ClientKey = None
) -> None:
    """Start a tournament on a server."""
    from skerry_arena.cli.server_tournaments import server_tournament_actions as actions  # noqa: PLC0415 (slow)

    set_tls_environment(False, ca, client_certificate, client_key)
    actions.start(file)


def remove_command(
    file: Organizer,
    name: Annotated[str, typer.Argument(help="The display name of the entrant; of a bot, its id.")],
    ca: Ca = None,
    client_certificate: ClientCertificate = None,
    client_key: ClientKey = None,
) -> None:
    """Remove an entrant from a tournament on a server that has not started."""
    from skerry_arena.cli.server_tournaments import server_tournament_actions as actions  # noqa: PLC0415 (slow)

    set_tls_environment(False, ca, client_certificate, client_key)
    actions.remove(file, name)


def cancel_command(
    file: Organizer, ca: Ca = None, client_certificate: ClientCertificate = None, client_key: ClientKey = None
) -> None:
    """Cancel a tournament on a server. Games in play go on, and no further ones begin."""
    from skerry_arena.cli.server_tournaments import server_tournament_actions as actions  # noqa: PLC0415 (slow)

    set_tls_environment(False, ca, client_certificate, client_key)
    actions.cancel(file)
