"""The file with the organizer token of a tournament on a server. Only its owner can read it.

The file exists before the tournament does, with the id of the request. So a creation that was interrupted can be
repeated, and its answer is the same tournament and token.
"""

from __future__ import annotations

import os
from pathlib import Path
from uuid import uuid4

import msgspec
from msgspec import MsgspecError, Struct, json

from skerry_arena.cli.errors import MISUSED, CommandError, os_error_text


class OrganizedTournament(Struct, frozen=True):
    """A tournament and the right to start and to cancel it."""

    server: str
    """``host:port``."""
    tls: bool
    request_id: str
    """The id of the request that creates the tournament. It is as secret as the token."""
    at_once: int
    """The most games that an entrant has in play. The request has it, so a repeat needs the same number."""
    tournament: str = ""
    """``tournaments/{id}``. Empty: the creation was interrupted."""
    organizer_token: str = ""


def begin(path: Path, server: str, *, tls: bool, at_once: int) -> tuple[OrganizedTournament, bool]:
    """Write a new file before the tournament is created. Return the content of the file, and whether it is new.

    Raises CommandError.
    """
    begun = OrganizedTournament(server, tls, str(uuid4()), at_once)
    try:
        _write(path, begun, os.O_EXCL)
    except FileExistsError:
        found = read(path)
        return found if found.tournament else msgspec.structs.replace(found, server=server, tls=tls), False
    except OSError as error:
        raise CommandError(os_error_text(error), MISUSED) from None
    return begun, True


def complete(path: Path, begun: OrganizedTournament, tournament: str, token: str) -> OrganizedTournament:
    """Write the created tournament. Raises CommandError, after which the creation can be repeated."""
    made = msgspec.structs.replace(begun, tournament=tournament, organizer_token=token)
    new = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        _write(new, made, os.O_TRUNC)
        new.replace(path)
    except OSError as error:
        raise CommandError(f"{os_error_text(error)} {tournament} is created. Repeat the command.") from None
    finally:
        new.unlink(missing_ok=True)
    return made


def read(path: Path) -> OrganizedTournament:
    """Read a file. Raises CommandError."""
    try:
        return json.decode(path.read_bytes(), type=OrganizedTournament)
    except OSError as error:
        raise CommandError(os_error_text(error), MISUSED) from None
    except (MsgspecError, UnicodeDecodeError) as error:
        raise CommandError(f"{path}: This is not a file of skerry tournament create: {error}.", MISUSED) from None


def _write(path: Path, content: OrganizedTournament, flag: int) -> None:
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | flag, 0o600), "wb") as file:
        file.write(json.encode(content) + b"\n")
        file.flush()
        os.fsync(file.fileno())
