"""The command ``skerry-arena``: the same commands as those of ``skerry``, where there is no service."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import NoReturn

import typer

from skerry_arena.cli import bots, certify, tournament

app = typer.Typer(
    help="Tournaments between players of Skerry's board games.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    no_args_is_help=True,
)
app.add_typer(tournament.app, name="tournament")
app.add_typer(bots.app, name="bots")
app.add_typer(certify.app, name="certify")


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code: 0 done, 1 refused or failed, 2 misused, 130 interrupted."""
    try:
        code = app(args=arguments, prog_name="skerry-arena", standalone_mode=False)
    except typer.exceptions.TyperException as error:
        print(f"skerry-arena: {' '.join(error.format_message().split())}", file=sys.stderr)
        return error.exit_code
    return code if isinstance(code, int) else 0


def main() -> NoReturn:
    """Run the command line and exit at once: processes that still play end with this one."""
    code = run()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)
