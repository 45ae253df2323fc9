"""The command that runs a program below its keeper."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Final

from msgspec import MsgspecError, Struct, json

from skerry_arena.programs.sandbox import sandboxed
from skerry_arena.settings import Limits

PASSED_ON: Final = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "PYTHONPATH", "VIRTUAL_ENV")
"""The only variables of the environment that a program gets."""
LONGEST_END: Final = 15.0
"""Seconds in which a keeper has ended its program. One that takes longer was stopped by the program."""


class KeeperStatus(Struct, frozen=True):
    """What a keeper says about its program."""

    pid: int
    """The process group of the program."""
    cgroup: str | None

    @property
    def group(self) -> Path | None:
        """The control group of the program."""
        return None if self.cgroup is None else Path(self.cgroup)


def kept_command(command: Sequence[str], limits: Limits, status: int, *, network: bool = False) -> list[str]:
    """Return the command of the keeper. Raises BadSettings without a required sandbox.

    ``status``: the descriptor on which it reports. ``network``: whether the program has the network in any case.
    """
    numbers = (os.getpid(), status, limits.memory_mib, limits.file_mib, limits.open_files, limits.processors or 0)
    boxed = sandboxed(command, limits, network=network or limits.network)
    return [sys.executable, "-P", "-m", "skerry_arena.programs.keeper", *map(str, numbers), *boxed]


def passed_environment(variables: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of a program, with variables of its own."""
    return {**{name: os.environ[name] for name in PASSED_ON if name in os.environ}, **variables}


def read_status(pipe: IO[bytes]) -> KeeperStatus | None:
    """Return the report of a keeper; ``None`` if it ended without one."""
    try:
        return json.decode(pipe.read(), type=KeeperStatus)
    except MsgspecError:
        return None
