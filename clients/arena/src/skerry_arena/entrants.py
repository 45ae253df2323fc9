"""Who takes part: a name, and what plays under it."""

from __future__ import annotations

import re
import shlex
import sys
from shutil import which
from typing import Final

from msgspec import Struct

from skerry_games.players import PlayerFactory, UnknownPlayer, shipped_player

PROGRAM: Final = "program"
API: Final = "api"
LONGEST_NAME: Final = 40
_SHIPPED: Final = re.compile(r"(random|greedy|mcts)(:.*)?")
_CLASS: Final = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")
_NAMED: Final = re.compile(r"([^=:]+)=(.+)", re.DOTALL)


class UnusablePlayer(ValueError):
    """Somebody who cannot take part. The message is a sentence."""


class Entrant(Struct, frozen=True, forbid_unknown_fields=True):
    """One who takes part."""

    name: str
    """1 to 40 printable characters, each tournament's own."""
    player: str
    """``random``, ``greedy``, ``mcts:200``, ``module:Class``, ``program:COMMAND``, or ``api:COMMAND``."""

    @property
    def uses_api(self) -> bool:
        """Whether a program plays that is told a seat of a service, and no position."""
        return self.player.startswith(f"{API}:")


def entrant(text: str) -> Entrant:
    """Return who is meant by ``PLAYER`` or ``NAME=PLAYER``."""
    if named := _NAMED.fullmatch(text):
        return Entrant(named[1], named[2])
    return Entrant(text.removeprefix(f"{PROGRAM}:").removeprefix(f"{API}:")[:LONGEST_NAME], text)


def checked(one: Entrant) -> Entrant:
    """Return the entrant. Raises UnusablePlayer where the name is none or nothing can play under it."""
    if not 1 <= len(one.name) <= LONGEST_NAME or not one.name.isprintable() or one.name != one.name.strip():
        raise UnusablePlayer(f"A name has 1 to {LONGEST_NAME} printable characters, none of them blank at an end.")
    if make_shipped(one) is None:
        command_of(one)
    return one


def make_shipped(one: Entrant) -> PlayerFactory | None:
    """Return what makes the player if it comes with the rules. Raises UnusablePlayer for a level that there is not."""
    if not _SHIPPED.fullmatch(one.player):
        return None
    try:
        return shipped_player(one.player)
    except UnknownPlayer as error:
        raise UnusablePlayer(str(error)) from None


def command_of(one: Entrant) -> tuple[str, ...]:
    """Return the command of the program that plays: the given one, or the one that lets a class play.

    Raises UnusablePlayer.
    """
    kind, _, rest = one.player.partition(":")
    if kind in (PROGRAM, API):
        try:
            command = tuple(shlex.split(rest))
        except ValueError as error:
            raise UnusablePlayer(f"The command {rest!r} cannot be read: {error}.") from None
        if not command or which(command[0]) is None:
            raise UnusablePlayer(f"There is no program {command[0] if command else rest!r} that can be run.")
        return command
    if _CLASS.fullmatch(one.player):
        return (sys.executable, "-m", "skerry_arena.programs.host", one.player)
    raise UnusablePlayer(
        f"There is no player {one.player!r}: it is random, greedy, mcts:200, module:Class, program:COMMAND "
        "or api:COMMAND."
    )
