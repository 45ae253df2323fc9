"""The folder of a tournament: settings, log and report."""

from __future__ import annotations

import os
import platform
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from secrets import token_hex
from typing import Any, Final

import msgspec
from msgspec import Struct, json

from skerry_arena.player_code import CodeChange, code_hashes
from skerry_arena.programs.containment import sentences
from skerry_arena.settings import BadSettings, Settings
from skerry_arena.version import __version__
from skerry_games.api import BadOptions
from skerry_games.component_data import ComponentsError
from skerry_games.editions import EditionExists, add_edition, edition_text
from skerry_games.editions.edition_files import EDITIONS_VARIABLE
from skerry_games.version import __version__ as games_version

SETTINGS: Final = "tournament.json"
LOG: Final = "games.jsonl"
SEATS: Final = "seats.json"
"""The tokens of seats at a service. Only the owner may read the file."""


class FolderNotEmpty(Exception):
    """The folder for a new tournament is not empty. The message is a sentence."""


class Versions(Struct, frozen=True):
    """The versions of the rules and the software of a tournament."""

    ruleset: str
    skerry_games: str = games_version
    skerry_arena: str = __version__
    numpy: str = version("numpy")
    python: str = platform.python_version()


class TournamentFile(Struct, frozen=True):
    """The content of ``tournament.json``, written when the tournament begins."""

    settings: Settings
    versions: Versions
    code: dict[str, str] = {}
    """The hash of each player's code at the start, by its name. Empty in a folder of an earlier version."""
    changes: tuple[CodeChange, ...] = ()
    """The changes of code that were accepted since."""
    containment: tuple[str, ...] = ()
    """Sentences about what bounds the programs where the tournament began, and then where it resumed with other
    bounds."""
    edition: dict[str, Any] | None = None
    """The components of the edition, so that games replay without its file. ``None``: those of the house."""

    @property
    def current_code(self) -> dict[str, str]:
        """The hashes after all accepted changes."""
        return {
            name: digest for one in (self.code, *[each.code for each in self.changes]) for name, digest in one.items()
        }


def begin(folder: Path, settings: Settings) -> None:
    """Create the folder of a new tournament. Raises FolderNotEmpty, OSError."""
    make_empty(folder)
    rules = settings.rules
    edition = edition_text(rules)
    begun = TournamentFile(
        settings,
        Versions(rules.ruleset),
        code_hashes(settings),
        containment=sentences(settings),
        edition=None if edition is None else json.decode(edition),
    )
    path = folder / SETTINGS
    try:
        path.touch(exist_ok=False)  # if two processes found the folder empty, only one gets it
    except FileExistsError:
        raise FolderNotEmpty(f"{folder}: Another tournament has just begun there.") from None
    try:
        write_tournament(folder, begun)
    except OSError:
        path.unlink()
        raise


def write_tournament(folder: Path, begun: TournamentFile) -> None:
    """Write ``tournament.json``. Raises OSError."""
    write_whole(folder / SETTINGS, json.format(json.encode(begun), indent=2) + b"\n")


def replay_of(folder: Path, game: int) -> Path:
    """Return the path of the replay of a game on a service."""
    return folder / "replays" / f"{game}.json"


def make_empty(folder: Path) -> None:
    """Create a folder unless it exists. Raises FolderNotEmpty if it has content or is a file, OSError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            hint = f" To continue its tournament, run: skerry tournament resume {folder}"
            raise FolderNotEmpty(f"{folder}: The folder is not empty.{hint if (folder / SETTINGS).exists() else ''}")
    except (FileExistsError, NotADirectoryError):
        raise FolderNotEmpty(f"{folder}: This is not a folder.") from None


def read_tournament(folder: Path) -> TournamentFile:
    """Read ``tournament.json`` of a folder, and add its edition to the games of this process. Raises BadSettings."""
    path = folder / SETTINGS
    try:
        begun = json.decode(path.read_bytes(), type=TournamentFile)
    except FileNotFoundError:
        raise BadSettings(f"{folder}: The folder has no tournament: {SETTINGS} is missing.") from None
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise BadSettings(f"{path}: The file is malformed: {error}.") from None
    if begun.edition is not None:
        _add_edition(path, begun.settings.game, begun.edition)
    try:
        _ = begun.settings.rules
    except (KeyError, BadOptions) as error:
        raise BadSettings(f"{path}: {error.args[0]}") from None
    return begun


def _add_edition(path: Path, game: str, edition: dict[str, Any]) -> None:
    try:
        with suppress(KeyError):  # the game is unknown, and settings.rules says so
            add_edition(game, json.encode(edition).decode())
    except EditionExists:
        raise BadSettings(
            f"{path}: The tournament began with other components of the edition {edition.get('edition')!r} than those "
            f"that are loaded. Omit --editions, and unset {EDITIONS_VARIABLE}."
        ) from None
    except ComponentsError as error:
        raise BadSettings(f"{path}: This version cannot use the edition of the tournament: {error}.") from None


def require_same_rules(begun: TournamentFile) -> None:
    """Raise BadSettings if the tournament began with another ruleset."""
    ruleset = begun.settings.rules.ruleset
    if begun.versions.ruleset != ruleset:
        raise BadSettings(f"The tournament began with ruleset {begun.versions.ruleset}, this version has {ruleset}.")


def accept_code(folder: Path, finished: int, *, accept_changed: bool) -> None:
    """Compare the code of the players with that of the finished games, and keep an accepted change in the folder.

    The caller holds the lock of the log. Raises BadSettings for a change that is not accepted, OSError.
    """
    begun = read_tournament(folder)
    before, now = begun.current_code, code_hashes(begun.settings)
    changed = {name: digest for name, digest in now.items() if name in before and before[name] != digest}
    if not changed:
        return
    if not accept_changed:
        raise BadSettings(
            f"The code of {', '.join(changed)} differs from that of the finished games ({finished}). Restore it, or "
            "start a new tournament. To mix games of both, add --accept-changed; the report then says so."
        )
    change = CodeChange(finished, changed)
    write_tournament(folder, msgspec.structs.replace(begun, changes=(*begun.changes, change)))


def note_containment(folder: Path, finished: int) -> None:
    """Keep in the folder what bounds the programs on this machine, if that differs from what the folder says.

    ``finished``: the number of finished games. The caller holds the lock of the log. Raises BadSettings, OSError.
    """
    begun = read_tournament(folder)
    now = sentences(begun.settings)
    if begun.containment[-len(now) :] != now:
        said = (*begun.containment, f"Other limits held after {finished} finished games.", *now)
        write_tournament(folder, msgspec.structs.replace(begun, containment=said))


def write_whole(path: Path, data: bytes) -> None:
    """Write a file atomically, also if other processes write it at the same time."""
    new = path.with_name(f".{path.name}.{token_hex(8)}.new")
    try:
        with new.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
    finally:
        new.unlink(missing_ok=True)
