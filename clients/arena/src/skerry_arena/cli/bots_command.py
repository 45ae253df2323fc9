"""The options of ``skerry bots``, which plays seats of a service with players of the arena."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from skerry_arena.cli.edition_option import Editions
from skerry_arena.cli.tls_options import Ca, ClientCertificate, ClientKey, Tls, set_tls_environment
from skerry_arena.settings import Limits, Sandbox
from skerry_games.editions.edition_files import load_named_editions

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
        list[str] | None, typer.Option(help="Join this session; repeatable. Default: sessions that ask for bots.")
    ] = None,
    label: Annotated[
        str, typer.Option(metavar="KEY[=VALUE]", help="The label of public tables that ask for bots.")
    ] = "bots",
    ladder: Annotated[
        str | None, typer.Option(help="Play games of this ladder, one after the other, as the bot --name.")
    ] = None,
    tournament: Annotated[
        str | None, typer.Option(help="Enter this tournament as the bot --name, and play all its games.")
    ] = None,
    name: Annotated[
        str | None,
        typer.Option(help="Play only seats reserved for the bot with this name; or see --ladder and --tournament."),
    ] = None,
    token: Annotated[
        str | None, typer.Option(envvar="SKERRY_BOT_TOKEN", help="The token that proves the name. Keep it secret.")
    ] = None,
    new_token: Annotated[bool, typer.Option("--new-token", help="Print a token for a new bot and exit.")] = False,
    join_code: Annotated[str | None, typer.Option(help="The join code of the sessions, or of the tournament.")] = None,
    game: Annotated[str | None, typer.Option(help="Play only this game.")] = None,
    most: Annotated[
        int | None, typer.Option(min=1, max=1000, help="The most seats at a time. Default: the number of processors.")
    ] = None,
    each: Annotated[int, typer.Option(min=1, max=16, help="The most seats in each session that it finds.")] = 1,
    games: Annotated[int | None, typer.Option(min=1, help="Exit after so many games.")] = None,
    keep: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Store seats in this file to return to them after a crash.")
    ] = None,
    editions: Editions = "",
    seed: Annotated[str | None, typer.Option(help="The players' seed, 64 hexadecimal digits.")] = None,
    move_seconds: Annotated[float, typer.Option(min=0.01, max=86_400, help="Seconds for each decision.")] = 10.0,
    retries: Annotated[int, typer.Option(min=0, max=20, help="As in skerry tournament.")] = 0,
    tls: Tls = False,
    ca: Ca = None,
    client_certificate: ClientCertificate = None,
    client_key: ClientKey = None,
) -> None:
    """Play seats of a service, each with a player in a process of its own (docs/how-to/tournaments.md)."""
    from skerry_arena.cli import bots_actions  # noqa: PLC0415 (a slow import, which other commands do not need)

    if new_token:
        bots_actions.print_token()
        return
    bots_actions.require_extra()
    load_named_editions(editions)
    play = bots_actions.play_of(ladder, tournament, name)
    wanted = bots_actions.wanted(
        player,
        seed,
        # The players are those of the caller.
        Limits(move_seconds=move_seconds, retries=retries, sandbox=Sandbox.OFF),
        None if play else name,
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
    bots_actions.serve(server, wanted, keep, play, tls=secure)
