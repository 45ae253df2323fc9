"""The file with the organizer token of a tournament on a server. Only its owner can read it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from msgspec import MsgspecError, Struct, json

from skerry_arena.cli.errors import MISUSED, CommandError, os_error_text


class OrganizedTournament(Struct, frozen=True):
    """A tournament and the right to start and to cancel it."""

    server: str
    """``host:port``."""
    tls: bool
    tournament: str
    """``tournaments/{id}``."""
    organizer_token: str


def store(path: Path, create: Callable[[], OrganizedTournament]) -> OrganizedTournament:
    """Create a tournament and store it in a new file. The file is opened first, so that no token is lost.

    Raises CommandError if the file exists or cannot be written, and the errors of ``create``, after which no file is
    left.
    """
    try:
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise CommandError(f"{path}: The file exists already. Choose a new one.", MISUSED) from None
    except OSError as error:
        raise CommandError(os_error_text(error), MISUSED) from None
    with open(file, "wb") as opened:
        try:
            made = create()
            opened.write(json.encode(made) + b"\n")
            opened.flush()
            os.fsync(file)
        except BaseException:
            path.unlink(missing_ok=True)
            raise
    return made


def read(path: Path) -> OrganizedTournament:
    """Read a file of ``store``. Raises CommandError."""
    try:
        return json.decode(path.read_bytes(), type=OrganizedTournament)
    except OSError as error:
        raise CommandError(os_error_text(error), MISUSED) from None
    except (MsgspecError, UnicodeDecodeError) as error:
        raise CommandError(f"{path}: This is not a file of skerry tournament create: {error}.", MISUSED) from None
