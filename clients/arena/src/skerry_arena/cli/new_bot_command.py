"""``skerry new-bot``: write a bot to a new folder, for its author to change."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from skerry_arena.cli.errors import MISUSED, CommandError
from skerry_arena.new_bot.bot_files import BadBotName, check_name, write_bot


def new_bot_command(
    context: typer.Context,
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="The bot's module: lower-case letters and digits, underscores.")
    ],
) -> None:
    """Write a bot that plays every game to a new folder, with a test and a README, for you to change."""
    folder = Path(name)
    try:
        check_name(name)
        files = write_bot(folder, name, context.find_root().info_name or "skerry")
    except BadBotName as error:
        raise CommandError(str(error), MISUSED) from None
    except FileExistsError:
        raise CommandError(f"{name!r} exists in this folder. Choose another name.", MISUSED) from None
    print("\n".join(str(folder / file) for file in files))
    print(f"Now run `cd {name}` and follow README.md.")
