"""``skerry verify``: check that a game follows from its seed and the rules."""

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
_MAX_BYTES = 64 * 2**20
"""Far above the longest replay. The limit protects against endless devices."""


def verify_command(
    file: Annotated[
        Path,
        typer.Argument(
            help="A replay in protobuf JSON, for example from `skerry play --replay`, or an archived game; - for stdin."
        ),
    ],
) -> None:
    """Replay a finished game, and check that it follows from its seed and the rules.

    For an archived game, the hash chain of its log is checked too. The exit code is 1 if the replay differs, and 2 if
    it cannot be read or the game is not finished.
    """
    replay = _read_replay(file)
    try:
        difference = first_difference(replay)
    except Unverifiable as error:
        raise Refusal(f"{file}: The game cannot be verified: {error}.", UNREADABLE) from None
    if difference is not None:
        print(f"{file}: The replay differs at entry {difference.sequence}: {difference.sentence}.")
        raise typer.Exit(DIFFERS)
    session = replay.session
    print(
        f"{file}: All {session.sequence} entries of {session.ruleset} agree:"
        " commitment, chance, random bots, rules, events and outcome."
    )


def _read_replay(file: Path) -> session_pb2.Replay:
    try:
        data = _read(file)
        if data.startswith(MAGIC):
            return _archived_replay(file, data)
        response = Parse(data.decode(), api.GetReplayResponse())
    except OSError as error:
        raise Refusal(f"{file}: The file cannot be read: {error.strerror}.", UNREADABLE) from None
    except (ParseError, UnicodeDecodeError) as error:
        raise Refusal(f"{file}: This is not a replay: {error}", UNREADABLE) from None
    if not response.HasField("replay"):
        raise Refusal(f"{file}: This is not a replay: the field 'replay' is missing.", UNREADABLE)
    return response.replay


def _read(file: Path) -> bytes:
    """Return the content of the file. Raises Refusal if it is too long for a replay."""
    with nullcontext(sys.stdin.buffer) if file == STDIN else file.open("rb") as opened:
        data = opened.read(_MAX_BYTES + 1)
    if len(data) > _MAX_BYTES:
        raise Refusal(f"{file}: This is not a replay: it is longer than {_MAX_BYTES >> 20} MiB.", UNREADABLE)
    return data


def _archived_replay(file: Path, data: bytes) -> session_pb2.Replay:
    """Return the replay of an archived game. Raises Refusal."""
    try:
        kept = unpack_session(data)
    except ValueError as error:
        raise Refusal(f"{file}: This is not an archived game: {error}.", UNREADABLE) from None
    try:
        return replay_of(kept)
    except ValueError as error:
        raise Refusal(f"{file}: The file differs from the archived game: {error}.", DIFFERS) from None
    except SkerryError as error:
        raise Refusal(f"{file}: The game cannot be verified: {error}", UNREADABLE) from None
