"""``skerry keys``: makes API keys for the file that ``SKERRY_KEYS`` names."""

from __future__ import annotations

import os
import shutil
import sys
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from skerry_service.access.api_key_file import format_line, new_key, read_keys
from skerry_service.access.scopes import SCOPES
from skerry_service.cli.refusal import MISUSED, Refusal

app = typer.Typer(help="Make API keys: docs/how-to/security.md.", rich_markup_mode=None, no_args_is_help=True)


@app.callback()
def _begin() -> None:
    """Make API keys for the file that SKERRY_KEYS names."""


@app.command("new")
def new_command(
    name: Annotated[str, typer.Argument(help="Whose key it is: small letters, digits and dashes. It stands in logs.")],
    scopes: Annotated[str, typer.Option(help=f"What for, separated by commas: {', '.join(SCOPES)}.")],
    expires: Annotated[
        str | None, typer.Option(metavar="YYYY-MM-DD", help="The day from which on it is refused; never if not given.")
    ] = None,
    limit: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=RATES", help="A limit of its own: create=50/10s,1000/1h or streams=50; repeatable."),
    ] = None,
    file: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Add the line to this file; printed if not given.")
    ] = None,
) -> None:
    """Make a key and print it, once: what is kept is a digest. Then comes its line for the file.

    A key takes the place of another of the same name by standing beside it until nobody uses the other.
    """
    try:
        key = new_key(name)
        line = format_line(key, scopes, (*([f"expires={expires}"] if expires else []), *(limit or [])))
    except ValueError as error:
        raise Refusal(str(error), MISUSED) from None
    if file is None:
        print(key)
        print(line)
        return
    _add(file, line)
    print(key)


def _add(file: Path, line: str) -> None:
    """Add the line, by a file that takes the place of the other: whoever looks meanwhile sees one of the two."""
    if file.exists() and not file.is_file():
        raise Refusal(f"{file}: It is no file.", MISUSED)
    whole = file.resolve()  # behind a link, which stays
    beside = whole.with_name(f".{whole.name}.new")
    try:
        written = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o640)
    except FileExistsError:
        raise Refusal(f"{file}: Another process adds a key. If none does, delete {beside}.") from None
    try:
        with open(written, "wb") as new:
            new.write(_with_line(whole, line).encode())
        if whole.exists():
            _liken(beside, whole)
        os.replace(beside, whole)
    except ValueError as error:
        raise Refusal(f"{file}: It is no file of keys: {error}.", MISUSED) from None
    finally:
        beside.unlink(missing_ok=True)
    print(f"Added to {file}.", file=sys.stderr)


def _with_line(file: Path, line: str) -> str:
    """Return what stands in the file, and the line behind it. Raises ValueError if those are no keys."""
    before = file.read_text(encoding="utf-8") if file.exists() else ""
    read_keys(before)
    ended = before if not before or before.endswith("\n") else f"{before}\n"
    return f"{ended}{line}\n"


def _liken(beside: Path, file: Path) -> None:
    """Give the new file the owner, the group and the mode of the old one: whoever read that has to read this."""
    old = file.stat()
    with suppress(PermissionError):  # to others only root can give files
        os.chown(beside, old.st_uid, old.st_gid)
    shutil.copymode(file, beside)
