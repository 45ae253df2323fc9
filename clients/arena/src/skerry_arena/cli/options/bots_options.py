"""The options of ``skerry bots``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Server = Annotated[str, typer.Option(envvar="SKERRY_SERVER", metavar="HOST:PORT", help="The service.")]
Player = Annotated[
    str,
    typer.Option(metavar="[NAME=]PLAYER", help="random, greedy, mcts:200, module:Class or program:COMMAND."),
]
Session = Annotated[
    list[str] | None, typer.Option(help="Join this session; repeatable. Default: sessions that ask for bots.")
]
Label = Annotated[str, typer.Option(metavar="KEY[=VALUE]", help="The label of public tables that ask for bots.")]
Ladder = Annotated[str | None, typer.Option(help="Play games of this ladder, one after the other, as the bot --name.")]
Tournament = Annotated[
    str | None, typer.Option(help="Enter this tournament as the bot --name, and play all its games.")
]
Name = Annotated[
    str | None,
    typer.Option(help="Play only seats reserved for the bot with this name; or see --ladder and --tournament."),
]
Token = Annotated[
    str | None, typer.Option(envvar="SKERRY_BOT_TOKEN", help="The token that proves the name. Keep it secret.")
]
NewToken = Annotated[bool, typer.Option("--new-token", help="Print a token for a new bot and exit.")]
JoinCode = Annotated[str | None, typer.Option(help="The join code of the sessions, or of the tournament.")]
Game = Annotated[str | None, typer.Option(help="Play only this game.")]
Most = Annotated[
    int | None, typer.Option(min=1, max=1000, help="The most seats at a time. Default: the number of processors.")
]
Each = Annotated[int, typer.Option(min=1, max=16, help="The most seats in each session that it finds.")]
Games = Annotated[int | None, typer.Option(min=1, help="Exit after so many games.")]
Keep = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Store seats in this file to return to them after a crash.")
]
Seed = Annotated[str | None, typer.Option(help="The players' seed, 64 hexadecimal digits.")]
MoveSeconds = Annotated[float, typer.Option(min=0.01, max=86_400, help="Seconds for each decision.")]
Retries = Annotated[int, typer.Option(min=0, max=20, help="As in skerry tournament.")]
