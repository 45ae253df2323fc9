"""The option ``--editions`` of commands that play."""

from __future__ import annotations

from typing import Annotated

import typer

from skerry_games.editions.edition_files import EDITIONS_VARIABLE

Editions = Annotated[
    str,
    typer.Option(
        metavar="DIR[,DIR]",
        envvar=EDITIONS_VARIABLE,
        help="Folders of editions: components of games that you supply. Name one with --option edition=NAME.",
    ),
]
