"""Control groups (cgroup v2) for programs: all processes of a program in one group, whatever they become.

A group can be had if the file system of control groups is mounted and this user may make a group below its own: as
root, or where the service manager has delegated one.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

MOST_PROCESSES: Final = 512
"""The most processes and threads of a program."""
_PERIOD: Final = 100_000
"""The period of processor time in microseconds."""
_TRIES: Final = 200
_PAUSE: Final = 0.005


def own() -> Path | None:
    """Return the folder of this process's group; ``None`` without cgroup v2."""
    try:
        mounts = [line.split() for line in Path("/proc/self/mountinfo").read_text().splitlines()]
        groups = Path("/proc/self/cgroup").read_text().splitlines()
    except OSError:
        return None
    # The type of the file system comes after a separator; the mount point is the fifth field.
    points = [fields[4] for fields in mounts if "-" in fields and fields[fields.index("-") + 1] == "cgroup2"]
    names = [line[3:] for line in groups if line.startswith("0::")]
    return Path(points[0] + names[0]) if points and names else None


def make(memory_mib: int, processors: int = 0) -> Path | None:
    """Make a group, with bounds where it has the controllers; ``None`` if impossible.

    ``memory_mib``: for all processes together. ``processors``: 0 for no bound.
    """
    parent = own()
    if parent is None:
        return None
    group = parent / f"skerry-program-{os.getpid()}"
    try:
        group.mkdir()
    except OSError:
        return None
    if not _usable(group):
        remove(group)
        return None
    bounds = {"memory.max": str(memory_mib << 20), "memory.swap.max": "0", "pids.max": str(MOST_PROCESSES)}
    if processors:
        bounds["cpu.max"] = f"{processors * _PERIOD} {_PERIOD}"
    for name, value in bounds.items():
        with suppress(OSError):
            _write(group / name, value)
    return group


def _usable(group: Path) -> bool:
    """Return whether a process of this one's group can move into a group, which the kernel can then end."""
    try:
        # Below a group of threads, a new group takes no processes.
        domain = (group / "cgroup.type").read_text().strip() == "domain"
    except OSError:
        return False
    return domain and (group / "cgroup.kill").exists() and os.access(group.parent / "cgroup.procs", os.W_OK)


def bounds_memory(group: Path) -> bool:
    """Return whether a group can bound the memory of all its processes together."""
    return (group / "memory.max").exists()


def bounds_processors(group: Path) -> bool:
    """Return whether a group can bound the processor time of all its processes together."""
    return (group / "cpu.max").exists()


def join(group: Path) -> None:
    """Move this process into a group. Raises OSError."""
    _write(group / "cgroup.procs", "0")


def freeze(group: Path, frozen: bool) -> None:
    """Stop all processes of a group, or let them continue."""
    with suppress(OSError):
        _write(group / "cgroup.freeze", str(int(frozen)))


def kill(group: Path) -> None:
    """Kill all processes of a group at once."""
    with suppress(OSError):
        _write(group / "cgroup.kill", "1")


def remove(group: Path) -> None:
    """Remove a group once its processes are gone, which can take a moment after a kill."""
    for _ in range(_TRIES):
        try:
            group.rmdir()
        except FileNotFoundError:
            return
        except OSError:
            time.sleep(_PAUSE)
        else:
            return


def _write(path: Path, text: str) -> None:
    # Without O_CREAT: a file that does not exist is a controller that is not there.
    file = os.open(path, os.O_WRONLY)
    try:
        os.write(file, text.encode())
    finally:
        os.close(file)
