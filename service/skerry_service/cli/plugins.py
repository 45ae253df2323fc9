"""Commands of other distributions: each is an entry point of the group ``skerry.commands``, a ``typer.Typer``."""

from __future__ import annotations

import sys
from importlib.metadata import entry_points

import typer

GROUP = "skerry.commands"


def add_to(app: typer.Typer) -> None:
    """Add every command that is installed. One that cannot be loaded is told, and is no reason to fail."""
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        try:
            app.add_typer(point.load(), name=point.name)
        except ImportError as error:
            print(f"skerry: The command {point.name} cannot be loaded: {error}.", file=sys.stderr)
