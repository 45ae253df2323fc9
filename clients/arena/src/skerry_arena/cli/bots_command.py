"""The options of ``skerry bots``, which plays seats of a service with players of the arena."""

from __future__ import annotations

import os

import typer

from skerry_arena.cli.options.bots_options import (
    Each,
    Game,
    Games,
    JoinCode,
    Keep,
    Label,
    Ladder,
    Most,
    MoveSeconds,
    Name,
    NewToken,
    Player,
    Retries,
    Seed,
    Server,
    Session,
    Token,
    Tournament,
)
from skerry_arena.cli.options.edition_option import Editions
from skerry_arena.cli.options.tls_options import Ca, ClientCertificate, ClientKey, Tls, set_tls_environment
from skerry_arena.settings import Limits, Sandbox
from skerry_games.editions.edition_files import load_named_editions

app = typer.Typer(rich_markup_mode=None)


@app.callback(invoke_without_command=True)
def bots_command(  # noqa: PLR0913, PLR0917 - a command has an argument for each option
    server: Server = "127.0.0.1:50051",
    player: Player = "greedy",
    session: Session = None,
    label: Label = "bots",
    ladder: Ladder = None,
    tournament: Tournament = None,
    name: Name = None,
    token: Token = None,
    new_token: NewToken = False,
    join_code: JoinCode = None,
    game: Game = None,
    most: Most = None,
    each: Each = 1,
    games: Games = None,
    keep: Keep = None,
    editions: Editions = "",
    seed: Seed = None,
    move_seconds: MoveSeconds = 10.0,
    retries: Retries = 0,
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
