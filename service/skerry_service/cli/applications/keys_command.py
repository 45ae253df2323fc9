"""``skerry keys``: create API keys for the file that ``SKERRY_KEYS`` names."""

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

app = typer.Typer(help="Create API keys. See docs/how-to/security.md.", rich_markup_mode=None, no_args_is_help=True)


@app.callback()
def _begin() -> None:
    """Create API keys for the file that SKERRY_KEYS names."""


@app.command("new")
def new_command(
    name: Annotated[
        str, typer.Argument(help="Name of the key's owner, in lower-case letters, digits and dashes. Logs contain it.")
    ],
    scopes: Annotated[str, typer.Option(help=f"Comma-separated scopes: {', '.join(SCOPES)}.")],
    expires: Annotated[
        str | None,
        typer.Option(metavar="YYYY-MM-DD", help="First day on which the key is invalid. By default it never expires."),
    ] = None,
    limit: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=RATES",
            help="A limit of this key, for example create=50/10s,1000/1h or streams=50. Repeatable.",
        ),
    ] = None,
    file: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Add the line to this file. By default it is printed.")
    ] = None,
) -> None:
    """Create a key, and print it and its line for the key file. The line contains only a digest of the key.

    To replace a key, add a second one with the same name, and delete the first when no client uses it.
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
    """Add the line by replacing the file, so that readers always see a complete file."""
    if file.exists() and not file.is_file():
        raise Refusal(f"{file}: This is not a file.", MISUSED)
    target = file.resolve()  # replaces the target of a link, not the link
    temporary = target.with_name(f".{target.name}.new")
    try:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o640)
    except FileExistsError:
        raise Refusal(f"{file}: Another process is adding a key. If none is, delete {temporary}.") from None
    try:
        with open(descriptor, "wb") as new:
            new.write(_with_line(target, line).encode())
        if target.exists():
            _copy_access(target, temporary)
        os.replace(temporary, target)
    except ValueError as error:
        raise Refusal(f"{file}: This is not a file of keys: {error}.", MISUSED) from None
    finally:
        temporary.unlink(missing_ok=True)
    print(f"Added to {file}.", file=sys.stderr)


def _with_line(file: Path, line: str) -> str:
    """Return the content of the file with the line added. Raises ValueError if it is not a file of keys."""
    content = file.read_text(encoding="utf-8") if file.exists() else ""
    read_keys(content)
    separator = "" if not content or content.endswith("\n") else "\n"
    return f"{content}{separator}{line}\n"


def _copy_access(old: Path, new: Path) -> None:
    """Give the new file the owner, group and mode of the old one, so that the same users can read it."""
    status = old.stat()
    with suppress(PermissionError):  # only root can give files to other users
        os.chown(new, status.st_uid, status.st_gid)
    shutil.copymode(old, new)
