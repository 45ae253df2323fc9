"""The options of ``skerry tournament``. The work is in ``tournament_actions``, which takes long to import."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Final, Literal

import typer

from skerry_arena.cli.edition_option import Editions
from skerry_arena.cli.errors import MISUSED, CommandError
from skerry_arena.cli.server_tournaments import server_tournament_commands
from skerry_arena.cli.tls_options import Ca, ClientCertificate, ClientKey, Tls, set_tls_environment
from skerry_arena.settings import OnFailure, Sandbox
from skerry_games.editions.edition_files import load_named_editions
from skerry_games.pairing.form import Format, TieBreak

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
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="A new folder for the games and the report.")],
    config: Annotated[
        Path | None, typer.Argument(metavar="[CONFIG]", help="Settings as TOML. Options override them.")
    ] = None,
    game: Annotated[str | None, typer.Option(help="The id of the game, for example kreta.")] = None,
    player: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[NAME=]PLAYER",
            help="random, greedy, mcts:200, module:Class, program:COMMAND, api:COMMAND; repeatable.",
        ),
    ] = None,
    seats: Annotated[int | None, typer.Option(help="The number of seats. Default: the smallest possible.")] = None,
    games: Annotated[int | None, typer.Option(help="The least number of games, rounded up to whole blocks.")] = None,
    rounds: Annotated[int | None, typer.Option(help="The number of rounds of a Swiss tournament.")] = None,
    tie_break: Annotated[
        list[TieBreak] | None,
        typer.Option(help="A rule for equal results in a Swiss tournament; repeatable, in the order of use."),
    ] = None,
    playoffs: Annotated[
        int | None, typer.Option(help="The most play-offs at a table of a knockout, before the lot decides.")
    ] = None,
    form: Annotated[Format | None, typer.Option("--format", help="How the players are paired.")] = None,
    seed: Annotated[
        str | None, typer.Option(help="64 hexadecimal digits that fix the tournament. Default: random.")
    ] = None,
    option: Annotated[
        list[str] | None, typer.Option(metavar="NAME=VALUE", help="An option of the game; repeatable.")
    ] = None,
    on_failure: Annotated[OnFailure | None, typer.Option(help="The consequence of a player's failure.")] = None,
    stop: Annotated[
        str | None,
        typer.Option(metavar="LOW:HIGH", help="Stop when one of two shares clearly fits the first player better."),
    ] = None,
    move_seconds: Annotated[float | None, typer.Option(help="Seconds for each decision.")] = None,
    bank_seconds: Annotated[float | None, typer.Option(help="Additional seconds for each seat and game.")] = None,
    retries: Annotated[
        int | None, typer.Option(help="Further answers of a program to a decision after an illegal or unreadable one.")
    ] = None,
    unlisted: Annotated[
        bool | None, typer.Option("--unlisted", help="Give programs no list of legal moves.", show_default=False)
    ] = None,
    memory_mib: Annotated[int | None, typer.Option(help="The memory of a program.")] = None,
    processors: Annotated[int | None, typer.Option(help="The processors of a program. Default: all.")] = None,
    sandbox: Annotated[
        Sandbox | None, typer.Option(help="Run programs in bubblewrap: where it works (auto), always, or never.")
    ] = None,
    network: Annotated[
        bool | None, typer.Option("--network", help="Let programs in a sandbox use the network.", show_default=False)
    ] = None,
    editions: Editions = "",
    server: Annotated[
        str | None,
        typer.Option(metavar="HOST:PORT", help="Play on this service, with as many tables at a time as --workers."),
    ] = None,
    hosted: Annotated[
        bool, typer.Option("--hosted", help="Let the service of --server hold the tournament. The players are bots.")
    ] = False,
    tls: Tls = False,
    ca: Ca = None,
    client_certificate: ClientCertificate = None,
    client_key: ClientKey = None,
    certified: Annotated[
        bool,
        typer.Option("--certify", help="First run skerry certify, and admit only players that pass."),
    ] = False,
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
