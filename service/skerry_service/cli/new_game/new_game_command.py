"""``skerry new-game``: add a small game to a checkout, for a developer to change."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import skerry_service
from skerry_service.cli.new_game.game_files import files_of, is_checkout, write_files
from skerry_service.cli.new_game.game_names import BadName, checked_names
from skerry_service.cli.refusal import MISUSED, Refusal


def new_game_command(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="The game's id: lower-case letters, underscores between words.")
    ],
    title: Annotated[str | None, typer.Option(help="The game's title; by default it follows from the id.")] = None,
    author: Annotated[str, typer.Option(help="The game's author.")] = "the Skerry project",
) -> None:
    """Add a small game to this checkout of Skerry, complete with tests and documents, for you to change."""
    root = Path(skerry_service.__file__).parents[2]
    if not is_checkout(root):
        raise Refusal("`skerry new-game` changes a checkout of Skerry, but this is an installed package.", MISUSED)
    try:
        names = checked_names(root, name, title, author)
    except BadName as error:
        raise Refusal(str(error), MISUSED) from None
    texts = files_of(root, names)
    write_files(root, texts)
    print("\n".join(str(path) for path in texts))
    print(f"Wrote {len(texts)} files. Now run `make protos` and `make records ARGS={names.name}`.")
