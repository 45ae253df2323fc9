"""``skerry certify``: reads arguments, and leaves the rest to ``certify_actions``."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from skerry_arena.cli.tls_options import Ca, ClientCertificate, ClientKey, Tls, set_tls_environment

app = typer.Typer(rich_markup_mode=None)


@app.callback(invoke_without_command=True)
def certify_command(  # noqa: PLR0913, PLR0917 - a command has an argument for each option
    player: Annotated[str, typer.Option(metavar="[NAME=]PLAYER", help="program:COMMAND, module:Class or api:COMMAND.")],
    game: Annotated[str, typer.Option(help="The game that it plays.")],
    seats: Annotated[int | None, typer.Option(help="How many seats; as few as possible if not given.")] = None,
    server: Annotated[
        str | None, typer.Option(metavar="HOST:PORT", help="The service behind the trouble, for api:COMMAND.")
    ] = None,
    tls: Tls = False,
    ca: Ca = None,
    client_certificate: ClientCertificate = None,
    client_key: ClientKey = None,
    move_seconds: Annotated[float, typer.Option(min=0.1, max=3600, help="Seconds for each decision.")] = 10.0,
    memory_mib: Annotated[int, typer.Option(min=16, max=1 << 20, help="Its memory.")] = 2048,
    workers: Annotated[int | None, typer.Option(min=1, max=64, help="Checks at a time; as many as processors.")] = None,
) -> None:
    """Put a player through trouble that can come, and say what it failed. Exits with 1 if it failed anything."""
    from skerry_arena.cli import certify_actions  # noqa: PLC0415 (a long import, which other commands can do without)

    secure = set_tls_environment(tls, ca, client_certificate, client_key)
    settings = certify_actions.settings_of(player, game, seats, server, tls=secure, limits=(move_seconds, memory_mib))
    certify_actions.certify(settings, workers or os.cpu_count() or 1)
