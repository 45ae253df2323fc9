"""The command ``skerry-arena``, with the arena's commands of ``skerry`` for machines without the service."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import NoReturn

import typer

from skerry_arena.cli import bots_command, certify_command, new_bot_command, tournament_command, train_command
from skerry_arena.cli.errors import FAILED, MISUSED, os_error_text
from skerry_games.editions.edition_files import EditionsUnusable

app = typer.Typer(
    help="Tournaments between players of Skerry's board games.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    no_args_is_help=True,
)
app.add_typer(tournament_command.app, name="tournament")
app.add_typer(bots_command.app, name="bots")
app.add_typer(certify_command.app, name="certify")
app.command("new-bot")(new_bot_command.new_bot_command)
app.add_typer(train_command.app, name="train")


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code: 0 success, 1 failure, 2 invalid use, 130 interrupted."""
    try:
        code = app(args=arguments, prog_name="skerry-arena", standalone_mode=False)
    except typer.exceptions.TyperException as error:
        return _fail(error.format_message(), error.exit_code)
    except EditionsUnusable as error:  # each problem on a line of its own
        print(f"skerry-arena: {error}", file=sys.stderr)
        return FAILED
    except OSError as error:
        return _fail(os_error_text(error), FAILED)
    except UnicodeEncodeError as error:
        return _fail(f"{error.object!r} is not UTF-8.", MISUSED)
    return code if isinstance(code, int) else 0


def _fail(words: str, code: int) -> int:
    print(f"skerry-arena: {' '.join(words.split())}", file=sys.stderr)
    return code


def main() -> NoReturn:
    """Run the command line and exit at once, which also ends processes that still play."""
    _replace_closed_streams()
    code = run()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            code = code or FAILED
    os._exit(code)


def _replace_closed_streams() -> None:
    """Replace closed standard streams by /dev/null. Otherwise the next opened file would take their place."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode, encoding="utf-8"))
