"""The option ``--editions`` of commands that play."""

from __future__ import annotations

from typing import Annotated

import typer

from skerry_games.editions.edition_files import EDITIONS_VARIABLE, load_editions

Editions = Annotated[
    str,
    typer.Option(
        metavar="DIR[,DIR]",
        envvar=EDITIONS_VARIABLE,
        help="Folders of editions: components of games that you supply. Name one with --option edition=NAME.",
    ),
]


def add_editions(folders: str) -> None:
    """Add the editions of these folders, separated by commas. Raises EditionsUnusable."""
    load_editions(filter(None, folders.split(",")))
