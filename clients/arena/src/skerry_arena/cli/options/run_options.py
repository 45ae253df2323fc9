"""The options of ``skerry tournament run``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from skerry_arena.settings import OnFailure, Sandbox
from skerry_games.pairing.form import Format, TieBreak

Out = Annotated[Path, typer.Option("--out", metavar="DIR", help="A new folder for the games and the report.")]
Config = Annotated[Path | None, typer.Argument(metavar="[CONFIG]", help="Settings as TOML. Options override them.")]
Game = Annotated[str | None, typer.Option(help="The id of the game, for example kreta.")]
Player = Annotated[
    list[str] | None,
    typer.Option(
        metavar="[NAME=]PLAYER",
        help="random, greedy, mcts:200, module:Class, program:COMMAND, api:COMMAND; repeatable.",
    ),
]
Seats = Annotated[int | None, typer.Option(help="The number of seats. Default: the smallest possible.")]
Games = Annotated[int | None, typer.Option(help="The least number of games, rounded up to whole blocks.")]
Rounds = Annotated[int | None, typer.Option(help="The number of rounds of a Swiss tournament.")]
TieBreaks = Annotated[
    list[TieBreak] | None,
    typer.Option(help="A rule for equal results in a Swiss tournament; repeatable, in the order of use."),
]
Playoffs = Annotated[
    int | None, typer.Option(help="The most play-offs at a table of a knockout, before the lot decides.")
]
Form = Annotated[Format | None, typer.Option("--format", help="How the players are paired.")]
TournamentSeed = Annotated[
    str | None, typer.Option(help="64 hexadecimal digits that fix the tournament. Default: random.")
]
Option = Annotated[list[str] | None, typer.Option(metavar="NAME=VALUE", help="An option of the game; repeatable.")]
FailurePolicy = Annotated[OnFailure | None, typer.Option(help="The consequence of a player's failure.")]
Stop = Annotated[
    str | None,
    typer.Option(metavar="LOW:HIGH", help="Stop when one of two shares clearly fits the first player better."),
]
MoveSeconds = Annotated[float | None, typer.Option(help="Seconds for each decision.")]
BankSeconds = Annotated[float | None, typer.Option(help="Additional seconds for each seat and game.")]
Retries = Annotated[
    int | None, typer.Option(help="Further answers of a program to a decision after an illegal or unreadable one.")
]
Unlisted = Annotated[
    bool | None, typer.Option("--unlisted", help="Give programs no list of legal moves.", show_default=False)
]
MemoryMib = Annotated[int | None, typer.Option(help="The memory of a program.")]
Processors = Annotated[int | None, typer.Option(help="The processors of a program. Default: all.")]
SandboxUse = Annotated[
    Sandbox | None, typer.Option(help="Run programs in bubblewrap: where it works (auto), always, or never.")
]
Network = Annotated[
    bool | None, typer.Option("--network", help="Let programs in a sandbox use the network.", show_default=False)
]
Server = Annotated[
    str | None,
    typer.Option(metavar="HOST:PORT", help="Play on this service, with as many tables at a time as --workers."),
]
Hosted = Annotated[
    bool, typer.Option("--hosted", help="Let the service of --server hold the tournament. The players are bots.")
]
Certified = Annotated[
    bool,
    typer.Option("--certify", help="First run skerry certify, and admit only players that pass."),
]
