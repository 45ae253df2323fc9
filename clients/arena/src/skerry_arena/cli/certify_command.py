"""The options of ``skerry certify``. The work is in ``certify_actions``."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from skerry_arena.cli.options.edition_option import Editions
from skerry_arena.cli.options.tls_options import Ca, ClientCertificate, ClientKey, Tls, set_tls_environment
from skerry_arena.settings import Limits
from skerry_games.editions.edition_files import load_named_editions

app = typer.Typer(rich_markup_mode=None)


@app.callback(invoke_without_command=True)
def certify_command(  # noqa: PLR0913, PLR0917 - a command has an argument for each option
    player: Annotated[str, typer.Option(metavar="[NAME=]PLAYER", help="program:COMMAND, module:Class or api:COMMAND.")],
    game: Annotated[str, typer.Option(help="The game that it plays.")],
    seats: Annotated[int | None, typer.Option(help="The number of seats. Default: the smallest possible.")] = None,
    option: Annotated[
        list[str] | None, typer.Option(metavar="NAME=VALUE", help="An option of the game; repeatable.")
    ] = None,
    editions: Editions = "",
    server: Annotated[
        str | None, typer.Option(metavar="HOST:PORT", help="The service behind the proxy, for api:COMMAND.")
    ] = None,
    tls: Tls = False,
    ca: Ca = None,
    client_certificate: ClientCertificate = None,
    client_key: ClientKey = None,
    move_seconds: Annotated[float, typer.Option(min=0.1, max=3600, help="Seconds for each decision.")] = 10.0,
    memory_mib: Annotated[int, typer.Option(min=16, max=1 << 20, help="The memory of the program.")] = 2048,
    network: Annotated[bool, typer.Option("--network", help="Let the program use the network in a sandbox.")] = False,
    workers: Annotated[
        int | None, typer.Option(min=1, max=64, help="Checks at a time. Default: the number of processors.")
    ] = None,
) -> None:
    """Check how a player copes with faults. Exits with 1 if it fails a check."""
    from skerry_arena.cli import certify_actions  # noqa: PLC0415 (a slow import, which other commands do not need)

    load_named_editions(editions)
    secure = set_tls_environment(tls, ca, client_certificate, client_key)
    limits = Limits(move_seconds=move_seconds, memory_mib=memory_mib, network=network)
    settings = certify_actions.settings_of(player, game, seats, option or [], server, tls=secure, limits=limits)
    certify_actions.certify(settings, workers or os.cpu_count() or 1)
