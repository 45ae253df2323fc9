"""Commands of other distributions: entry points of the group ``skerry.commands``, ``typer.Typer`` or functions."""

from __future__ import annotations

import sys
from importlib.metadata import entry_points

import typer

GROUP = "skerry.commands"


def add_to(app: typer.Typer) -> None:
    """Add every installed command. A command that cannot be loaded is reported on stderr and left out."""
    for entry_point in sorted(entry_points(group=GROUP), key=lambda entry_point: entry_point.name):
        try:
            command = entry_point.load()
        except ImportError as error:
            print(f"skerry: The command {entry_point.name} cannot be loaded: {error}.", file=sys.stderr)
            continue
        if isinstance(command, typer.Typer):
            app.add_typer(command, name=entry_point.name)
        else:
            app.command(entry_point.name)(command)
