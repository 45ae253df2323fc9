"""The options of ``skerry tournament``. The work is in ``tournament_actions``, which takes long to import."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Final, Literal

import typer

from skerry_arena.cli.errors import MISUSED, CommandError
from skerry_arena.cli.options.edition_option import Editions
from skerry_arena.cli.options.run_options import (
    BankSeconds,
    Certified,
    Config,
    FailurePolicy,
    Form,
    Game,
    Games,
    Hosted,
    MemoryMib,
    MoveSeconds,
    Network,
    Option,
    Out,
    Player,
    Playoffs,
    Processors,
    Retries,
    Rounds,
    SandboxUse,
    Seats,
    Server,
    Stop,
    TieBreaks,
    TournamentSeed,
    Unlisted,
)
from skerry_arena.cli.options.tls_options import Ca, ClientCertificate, ClientKey, Tls, set_tls_environment
from skerry_arena.cli.server_tournaments import server_tournament_commands
from skerry_games.editions.edition_files import load_named_editions

app = typer.Typer(
    help="Play tournaments here, or hold them on a server (docs/how-to/tournaments.md).",
    rich_markup_mode=None,
    no_args_is_help=True,
)

_HOSTED_RUN: Final = "skerry_arena.cli.server_tournaments.hosted_run"

Folder = Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a tournament.")]
Workers = Annotated[
    int | None,
    typer.Option(min=0, max=1024, help="The number of processes; 0: no others. Default: the number of processors."),
]

Engine = Annotated[Literal["pool", "ray"], typer.Option(help="Play in local processes or on a Ray cluster.")]
Pages = Annotated[
    int,
    typer.Option(min=0, help="Write pages for so many games, the first ones, which replay them with pictures."),
]
Live = Annotated[
    str | None,
    typer.Option(metavar="[HOST]:PORT", help="Show the tournament as a page while it runs. Default host: 127.0.0.1."),
]
Lines = Annotated[
    float, typer.Option(min=0, metavar="SECONDS", help="On a pipe, print a line of progress at most so often.")
]
Parquet = Annotated[bool, typer.Option("--parquet", help="Also write the tables and the games as Parquet.")]


@app.command("run")
def run_command(  # noqa: PLR0913, PLR0917 - a command has an argument for each option
    out: Out,
    config: Config = None,
    game: Game = None,
    player: Player = None,
    seats: Seats = None,
    games: Games = None,
    rounds: Rounds = None,
    tie_break: TieBreaks = None,
    playoffs: Playoffs = None,
    form: Form = None,
    seed: TournamentSeed = None,
    option: Option = None,
    on_failure: FailurePolicy = None,
    stop: Stop = None,
    move_seconds: MoveSeconds = None,
    bank_seconds: BankSeconds = None,
    retries: Retries = None,
    unlisted: Unlisted = None,
    memory_mib: MemoryMib = None,
    processors: Processors = None,
    sandbox: SandboxUse = None,
    network: Network = None,
    editions: Editions = "",
    server: Server = None,
    hosted: Hosted = False,
    tls: Tls = False,
    ca: Ca = None,
    client_certificate: ClientCertificate = None,
    client_key: ClientKey = None,
    certified: Certified = False,
    live: Live = None,
    lines: Lines = 30.0,
    pages: Pages = 0,
    parquet: Parquet = False,
    engine: Engine = "pool",
    workers: Workers = None,
) -> None:
    """Play a new tournament and write its report."""
    from skerry_arena.cli import tournament_actions  # noqa: PLC0415 (a slow import, which other commands do not need)

    load_named_editions(editions)
    given: dict[str, Any] = {"game": game, "seats": seats, "games": games, "format": form, "rounds": rounds}
    given |= {"tie_breaks": tie_break or None, "playoffs": playoffs}
    given |= {"seed": seed, "on_failure": on_failure, "stop": tournament_actions.stop_of(stop) if stop else None}
    secure = set_tls_environment(tls, ca, client_certificate, client_key)
    if hosted and server is None:
        raise CommandError("--hosted needs the address of a service: --server HOST:PORT.", MISUSED)
    given["service"] = {"server": server, "tls": secure, "hosted": hosted} if server else None
    limits: dict[str, Any] = {"move_seconds": move_seconds, "bank_seconds": bank_seconds, "memory_mib": memory_mib}
    limits |= {
        "retries": retries,
        "unlisted": unlisted,
        "processors": processors,
        "sandbox": sandbox,
        "network": network,
    }
    settings = tournament_actions.settings_of(config, _given(given), _given(limits), player or [], option or [])
    if certified:
        from skerry_arena.cli import certify_actions  # noqa: PLC0415 (see above)

        certify_actions.require_certified(settings, max(1, tournament_actions.many(workers)))
    hosted = tournament_actions.is_hosted(settings, live, engine)
    how = tournament_actions.shown(live, workers, lines)
    tournament_actions.begin(out, settings, parquet=parquet)
    if hosted:
        tournament_actions.remote(_HOSTED_RUN).resume(out, workers, parquet=parquet, pages=pages)
        return
    opened = tournament_actions.engine_of(out, workers, engine)
    tournament_actions.resume(out, opened, how, parquet=parquet, pages=pages)


@app.command("resume")
def resume_command(  # noqa: PLR0913, PLR0917 - a command has an argument for each option
    folder: Folder,
    server: Annotated[
        str | None, typer.Option(metavar="HOST:PORT", help="The new address of the service, if it has moved.")
    ] = None,
    ca: Ca = None,
    client_certificate: ClientCertificate = None,
    client_key: ClientKey = None,
    accept_changed: Annotated[
        bool, typer.Option("--accept-changed", help="Resume even if the code of a player has changed.")
    ] = False,
    live: Live = None,
    lines: Lines = 30.0,
    pages: Pages = 0,
    parquet: Parquet = False,
    engine: Engine = "pool",
    workers: Workers = None,
) -> None:
    """Play the missing games of an interrupted tournament and write its report."""
    from skerry_arena.cli import tournament_actions  # noqa: PLC0415 (see above)

    set_tls_environment(False, ca, client_certificate, client_key)
    if tournament_actions.is_hosted(tournament_actions.settings_in(folder), live, engine):
        rest: dict[str, Any] = {"parquet": parquet, "pages": pages, "accept_changed": accept_changed}
        tournament_actions.remote(_HOSTED_RUN).resume(folder, workers, server, **rest)
        return
    opened = tournament_actions.engine_of(folder, workers, engine, server)
    how = tournament_actions.shown(live, workers, lines)
    tournament_actions.resume(folder, opened, how, parquet=parquet, pages=pages, accept_changed=accept_changed)


@app.command("report")
def report_command(folder: Folder, pages: Pages = 0, parquet: Parquet = False) -> None:
    """Write the report again, for the games played so far."""
    from skerry_arena.cli import tournament_actions  # noqa: PLC0415 (see above)

    tournament_actions.report(folder, parquet=parquet, pages=pages)


@app.command("verify")
def verify_command(folder: Folder) -> None:
    """Replay all games of the log. Exits with 1 if a game does not end as the log says."""
    from skerry_arena.cli import tournament_actions  # noqa: PLC0415 (see above)

    tournament_actions.verify(folder)


@app.command("replays")
def replays_command(
    folder: Folder,
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="A new folder for the replays.")],
    game: Annotated[
        list[int] | None, typer.Option(min=0, help="The number of a game; repeatable. Default: all games.")
    ] = None,
) -> None:
    """Write games as replays for `skerry verify` and for the table in the browser."""
    from skerry_arena.cli import tournament_actions  # noqa: PLC0415 (see above)

    tournament_actions.replays(folder, out, game or [])


@app.command("decisions")
def decisions_command(
    folder: Folder,
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="A new Parquet file.")],
) -> None:
    """Write a row for each decision: observation, legal moves, chosen move and returns."""
    from skerry_arena.cli import tournament_actions  # noqa: PLC0415 (see above)

    tournament_actions.decisions(folder, out)


server_tournament_commands.add_to(app)


def _given(values: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}
