"""``skerry verify``: does a game follow from its seed and the rules?"""

from __future__ import annotations

import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer
from google.protobuf.json_format import Parse, ParseError

from skerry.v1 import service_pb2 as api
from skerry.v1 import session_pb2
from skerry_service.archive.archived_session import MAGIC, unpack_session
from skerry_service.cli.refusal import Refusal
from skerry_service.domain.errors import SkerryError
from skerry_service.replays.archived_replay import replay_of
from skerry_service.replays.verification import Unverifiable, first_difference

DIFFERS = 1
UNREADABLE = 2
STDIN = Path("-")
_MOST_BYTES = 64 * 2**20
"""The longest replay has far less. A device has no end."""


def verify_command(
    file: Annotated[
        Path,
        typer.Argument(
            help="A replay in protobuf JSON, as `skerry play --replay` writes it, or a game of an archive; - for stdin."
        ),
    ],
) -> None:
    """Retell a finished game from its replay: does it follow from its seed and the rules?

    Of a game from an archive the chain of its log is checked as well. Exits with 1 if the replay differs, with 2 if it
    cannot be read or is not of a finished game.
    """
    replay = _read_replay(file)
    try:
        difference = first_difference(replay)
    except Unverifiable as error:
        raise Refusal(f"{file}: It cannot be verified: {error}.", UNREADABLE) from None
    if difference is not None:
        print(f"{file}: It differs at entry {difference.sequence}: {difference.sentence}.")
        raise typer.Exit(DIFFERS)
    session = replay.session
    print(
        f"{file}: All {session.sequence} entries of {session.ruleset} agree:"
        " commitment, chance, random bots, rules, events and outcome."
    )


def _read_replay(file: Path) -> session_pb2.Replay:
    try:
        read = _read(file)
        if read.startswith(MAGIC):
            return _replay_in(file, read)
        answer = Parse(read.decode(), api.GetReplayResponse())
    except OSError as error:
        raise Refusal(f"{file}: It cannot be read: {error.strerror}.", UNREADABLE) from None
    except (ParseError, UnicodeDecodeError) as error:
        raise Refusal(f"{file}: It is not a replay: {error}", UNREADABLE) from None
    if not answer.HasField("replay"):
        raise Refusal(f"{file}: It is not a replay: it has no field 'replay'.", UNREADABLE)
    return answer.replay


def _read(file: Path) -> bytes:
    """Return what stands there. Raises Refusal if that is too long for a replay."""
    with nullcontext(sys.stdin.buffer) if file == STDIN else file.open("rb") as opened:
        read = opened.read(_MOST_BYTES + 1)
    if len(read) > _MOST_BYTES:
        raise Refusal(f"{file}: It is not a replay: it is longer than {_MOST_BYTES >> 20} MiB.", UNREADABLE)
    return read


def _replay_in(file: Path, data: bytes) -> session_pb2.Replay:
    """Return the replay of a game as an archive keeps it."""
    try:
        kept = unpack_session(data)
    except ValueError as error:
        raise Refusal(f"{file}: It is not a game of an archive: {error}.", UNREADABLE) from None
    try:
        return replay_of(kept)
    except ValueError as error:
        raise Refusal(f"{file}: It differs from what was archived: {error}.", DIFFERS) from None
    except SkerryError as error:
        raise Refusal(f"{file}: It cannot be verified: {error}", UNREADABLE) from None
