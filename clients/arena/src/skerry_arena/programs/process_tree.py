"""The descendants of a process and their memory, from ``/proc``."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

KIB = 1 << 10
MIB = 1 << 20


def descendants(ancestor: int) -> list[int]:
    """Return all descendants of a process."""
    found, left = list[int](), [ancestor]
    try:
        while left:
            new = _children(left.pop())
            found += new
            left += new
    except FileNotFoundError:  # a kernel without lists of children
        return _descendants_by_parents(ancestor)
    return found


def memory_used_mib(processes: Iterable[int], enough: int) -> int:
    """Return the memory of processes in MiB. Up to ``enough``, the value can be too high by shared memory."""
    pids = list(processes)
    resident = sum(map(_resident, pids))
    return resident // MIB if resident <= enough * MIB else sum(map(_proportional, pids)) // MIB


def _children(pid: int) -> list[int]:
    """Return the children of a process; none if it has ended. Raises FileNotFoundError without lists of children."""
    found: list[int] = []
    with suppress(ProcessLookupError):
        for thread in _threads(pid):
            try:
                found += map(int, (thread / "children").read_text().split())
            except FileNotFoundError:
                if (thread / "stat").exists():
                    raise
    return found


def _threads(pid: int) -> list[Path]:
    try:
        return list(Path(f"/proc/{pid}/task").iterdir())
    except FileNotFoundError:
        return []


def _descendants_by_parents(ancestor: int) -> list[int]:
    children: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            # After the name, which can contain anything, come the state and the parent.
            parent = int(stat.read_text(errors="replace").rpartition(")")[2].split()[1])
            children.setdefault(parent, []).append(int(stat.parent.name))
    found, left = list[int](), [ancestor]
    while left:
        new = children.get(left.pop(), [])
        found += new
        left += new
    return found


def _resident(pid: int) -> int:
    """Return the memory of a process in bytes, with all memory that it shares."""
    with suppress(OSError, IndexError):
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return 0


def _proportional(pid: int) -> int:
    """Return the memory of a process in bytes, with its part of what it shares."""
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * KIB
    return _resident(pid)
