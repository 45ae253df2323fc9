"""The folder of a tournament: its settings, its log, and what is reported of both."""

from __future__ import annotations

import os
import platform
from importlib.metadata import version
from pathlib import Path
from secrets import token_hex
from typing import Final

import msgspec
from msgspec import Struct, json

from skerry_arena.settings import BadSettings, Settings
from skerry_arena.version import __version__
from skerry_games.version import __version__ as games_version

SETTINGS: Final = "tournament.json"
LOG: Final = "games.jsonl"
SEATS: Final = "seats.json"
"""The seats that are held at a service: nobody else may read it."""


class FolderNotEmpty(Exception):
    """A folder that has something else in it already. The message is a sentence."""


class Versions(Struct, frozen=True):
    """What the games are played with."""

    ruleset: str
    skerry_games: str = games_version
    skerry_arena: str = __version__
    numpy: str = version("numpy")
    python: str = platform.python_version()


class TournamentFile(Struct, frozen=True):
    """What stands in a tournament's folder from its beginning."""

    settings: Settings
    versions: Versions


def begin(folder: Path, settings: Settings) -> None:
    """Make the folder of a new tournament. Raises FolderNotEmpty, OSError."""
    make_empty(folder)
    begun, path = TournamentFile(settings, Versions(settings.rules.ruleset)), folder / SETTINGS
    try:
        path.touch(exist_ok=False)  # of two who found it empty one alone has it
    except FileExistsError:
        raise FolderNotEmpty(f"{folder}: Another tournament has just begun there.") from None
    try:
        write_whole(path, json.format(json.encode(begun), indent=2) + b"\n")
    except OSError:
        path.unlink()
        raise


def replay_of(folder: Path, game: int) -> Path:
    """Return where the replay of a game is kept that was played on a service."""
    return folder / "replays" / f"{game}.json"


def make_empty(folder: Path) -> None:
    """Make a folder, if it is not there. Raises FolderNotEmpty if there is something else, OSError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            hint = f" To go on with a tournament: skerry tournament resume {folder}."
            raise FolderNotEmpty(f"{folder}: It is not empty.{hint if (folder / SETTINGS).exists() else ''}")
    except (FileExistsError, NotADirectoryError):
        raise FolderNotEmpty(f"{folder}: It is not a folder.") from None


def read_tournament(folder: Path) -> TournamentFile:
    """Return what was begun there. Raises BadSettings."""
    path = folder / SETTINGS
    try:
        begun = json.decode(path.read_bytes(), type=TournamentFile)
    except FileNotFoundError:
        raise BadSettings(f"{folder}: There is no tournament: it has no {SETTINGS}.") from None
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise BadSettings(f"{path}: It cannot be read: {error}.") from None
    return begun


def require_same_rules(begun: TournamentFile) -> None:
    """Raise BadSettings if the games would go on by other rules than they began with."""
    ruleset = begun.settings.rules.ruleset
    if begun.versions.ruleset != ruleset:
        raise BadSettings(f"It was begun by the rules {begun.versions.ruleset}; here they are {ruleset}.")


def write_whole(path: Path, data: bytes) -> None:
    """Write a file so that it is there as a whole or not at all, whoever else writes it at the same time."""
    new = path.with_name(f".{path.name}.{token_hex(8)}.new")
    try:
        with new.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
    finally:
        new.unlink(missing_ok=True)
