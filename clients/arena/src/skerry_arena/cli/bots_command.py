"""``skerry bots``: serves seats of a service with players of the arena."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from skerry_arena.cli.errors import MISUSED, CommandError
from skerry_arena.cli.tls_options import Ca, ClientCertificate, ClientKey, Tls, set_tls_environment

app = typer.Typer(rich_markup_mode=None)


@app.callback(invoke_without_command=True)
def bots_command(  # noqa: PLR0913, PLR0917 - a command has an argument for each option
    server: Annotated[
        str, typer.Option(envvar="SKERRY_SERVER", metavar="HOST:PORT", help="The service.")
    ] = "127.0.0.1:50051",
    player: Annotated[
        str,
        typer.Option(metavar="[NAME=]PLAYER", help="random, greedy, mcts:200, module:Class or program:COMMAND."),
    ] = "greedy",
    session: Annotated[
        list[str] | None, typer.Option(help="Sit down here; repeatable. Else wherever bots are asked for.")
    ] = None,
    label: Annotated[
        str, typer.Option(metavar="KEY[=VALUE]", help="BotRunner are asked for at public tables with this label.")
    ] = "bots",
    name: Annotated[
        str | None, typer.Option(help="Serve the seats that are reserved for the bot of this name, and no others.")
    ] = None,
    token: Annotated[
        str | None, typer.Option(envvar="SKERRY_BOT_TOKEN", help="What proves the name. Keep it secret.")
    ] = None,
    new_token: Annotated[bool, typer.Option("--new-token", help="Print a token for a new bot, and end.")] = False,
    join_code: Annotated[str | None, typer.Option(help="What the sessions ask for.")] = None,
    game: Annotated[str | None, typer.Option(help="Only this game.")] = None,
    most: Annotated[int | None, typer.Option(min=1, max=1000, help="Seats at a time; as many as processors.")] = None,
    each: Annotated[int, typer.Option(min=1, max=16, help="Seats at each table that it finds.")] = 1,
    games: Annotated[int | None, typer.Option(min=1, help="End after so many games.")] = None,
    keep: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Keep seats here, and come back to them after a crash.")
    ] = None,
    seed: Annotated[str | None, typer.Option(help="64 hexadecimal digits from which players draw.")] = None,
    move_seconds: Annotated[float, typer.Option(min=0.01, max=86_400, help="Seconds for each decision.")] = 10.0,
    tls: Tls = False,
    ca: Ca = None,
    client_certificate: ClientCertificate = None,
    client_key: ClientKey = None,
) -> None:
    """Serve seats of a service with a player, each in a process of its own: docs/how-to/tournaments.md."""
    try:
        from skerry_arena.cli import bots_actions  # noqa: PLC0415 (a long import, and of a client that may not be there)
    except ImportError as error:
        raise CommandError(f"This needs the client: pip install 'skerry-arena[remote]' ({error}).", MISUSED) from None

    if new_token:
        bots_actions.print_token()
        return
    wanted = bots_actions.wanted(
        player,
        seed,
        move_seconds,
        name,
        token,
        sessions=tuple(session or ()),
        label=label,
        join_code=join_code,
        game=game,
        most=most or os.cpu_count() or 1,
        each=each,
        games=games,
    )
    secure = set_tls_environment(tls, ca, client_certificate, client_key)
    bots_actions.serve(server, wanted, keep, tls=secure)
