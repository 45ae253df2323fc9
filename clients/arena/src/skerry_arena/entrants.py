"""The entrants of a tournament: names and players."""

from __future__ import annotations

import re
import shlex
import sys
from importlib import invalidate_caches
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from shutil import which
from typing import Final

from msgspec import Struct

from skerry_games.players import LEVELS, PlayerFactory, UnknownPlayer, shipped_player

PROGRAM: Final = "program"
API: Final = "api"
LONGEST_NAME: Final = 40
_SHIPPED: Final = re.compile(rf"(greedy|mcts|planner)(:.*)?|{'|'.join(LEVELS)}")
_CLASS: Final = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")
_NAMED: Final = re.compile(r"([^=:]+)=(.+)", re.DOTALL)


class UnusablePlayer(ValueError):
    """An entrant that cannot play. The message is a sentence."""


class Entrant(Struct, frozen=True, forbid_unknown_fields=True):
    """A participant of a tournament."""

    name: str
    """1 to 40 printable characters, unique in the tournament."""
    player: str
    """``random``, ``greedy``, ``mcts:200``, ``planner:24``, ``module:Class``, ``program:COMMAND``, ``api:COMMAND``."""

    @property
    def uses_api(self) -> bool:
        """Whether the player is a program that plays a seat of a service through the API."""
        return self.player.startswith(f"{API}:")


def parse_entrant(text: str) -> Entrant:
    """Return the entrant of ``PLAYER`` or ``NAME=PLAYER``."""
    if named := _NAMED.fullmatch(text):
        return Entrant(named[1], named[2])
    return Entrant(text.removeprefix(f"{PROGRAM}:").removeprefix(f"{API}:")[:LONGEST_NAME], text)


def checked(one: Entrant) -> Entrant:
    """Return the entrant. Raises UnusablePlayer if the name is invalid, or the player or its module does not exist."""
    if not 1 <= len(one.name) <= LONGEST_NAME or not one.name.isprintable() or one.name != one.name.strip():
        raise UnusablePlayer(
            f"The name {one.name!r} is invalid. Use 1 to {LONGEST_NAME} printable characters, without outer spaces."
        )
    if builtin_factory(one) is None:
        command_of(one)
        if names_class(one.player):
            _require_module(one.player.partition(":")[0])
    return one


def names_class(player: str) -> bool:
    """Return whether a player has the form ``module:Class``, and none that means another kind of player."""
    kind, _, _ = player.partition(":")
    return kind not in (PROGRAM, API) and not _SHIPPED.fullmatch(player) and bool(_CLASS.fullmatch(player))


def builtin_factory(one: Entrant) -> PlayerFactory | None:
    """Return the factory of a built-in player, else ``None``. Raises UnusablePlayer for an unknown level."""
    if not _SHIPPED.fullmatch(one.player):
        return None
    try:
        return shipped_player(one.player)
    except UnknownPlayer as error:
        raise UnusablePlayer(str(error)) from None


def command_of(one: Entrant) -> tuple[str, ...]:
    """Return the command of the player's program. A class has a host program. Raises UnusablePlayer."""
    kind, _, rest = one.player.partition(":")
    if kind in (PROGRAM, API):
        try:
            command = tuple(shlex.split(rest))
        except ValueError as error:
            raise UnusablePlayer(f"The command {rest!r} is malformed: {error}.") from None
        if not command or which(command[0]) is None:
            raise UnusablePlayer(
                f"The program {command[0] if command else rest!r} does not exist or is not executable."
            )
        return command
    if _CLASS.fullmatch(one.player):
        return (sys.executable, "-m", "skerry_arena.programs.host", one.player)
    raise UnusablePlayer(
        f"Unknown player {one.player!r}. Use {', '.join(LEVELS)}, greedy, mcts:200, planner:24, module:Class, "
        "program:COMMAND or api:COMMAND."
    )


def _require_module(name: str) -> None:
    """Check that a module is in the current folder or installed. Raises UnusablePlayer."""
    if found_module(name) is None:
        raise UnusablePlayer(
            f"There is no module {name!r} in this folder, and none is installed. Run the command in the folder of "
            f"{name.partition('.')[0]}.py."
        )


def found_module(name: str) -> ModuleSpec | None:
    """Return the top-level package or module of a module, in the current folder or installed. Imports nothing.

    A folder without ``__init__.py`` is no module of a player, although Python imports it.
    """
    top, _, inner = name.partition(".")
    invalidate_caches()
    found = [PathFinder.find_spec(top, [str(Path.cwd())]), *[finder.find_spec(top, None) for finder in sys.meta_path]]
    return next((spec for spec in found if spec and (spec.origin or inner)), None)
