"""The options of ``skerry train``. The work is in ``train_actions``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(rich_markup_mode=None)


@app.callback(invoke_without_command=True)
def train_command(
    folder: Annotated[Path, typer.Option(help="The folder of the run. A run that exists there is resumed.")],
    game: Annotated[str, typer.Option(help="The game to learn.")],
    seats: Annotated[int | None, typer.Option(help="The number of seats. Default: the smallest possible.")] = None,
    opponent: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PLAYER", help="Repeatable. A player, or self: the network plays all seats. Default: self."
        ),
    ] = None,
    rounds: Annotated[int, typer.Option(min=1, help="Train until so many rounds are complete.")] = 100,
    seed: Annotated[int, typer.Option(min=0, help="Equal seeds give equal runs.")] = 1,
    setting: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=NUMBER", help="Repeatable. Another setting, such as hidden=64."),
    ] = None,
) -> None:
    """Train a network to play a game (PPO with action masks), and measure it after each round."""
    from skerry_arena.cli import train_actions  # noqa: PLC0415 (a slow import, which other commands do not need)

    given = {"game": game, "seats": seats, "opponents": opponent or ["self"], "seed": seed}
    train_actions.train(folder, given, setting or (), rounds)
