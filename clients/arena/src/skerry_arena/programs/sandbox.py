"""Runs programs in bubblewrap (``bwrap``), where it is installed and the kernel lets it make namespaces.

A program there sees no other processes, can only read files, apart from a private ``/tmp`` and ``/dev/shm`` of bounded
size, and has no network unless the settings allow it. It cannot reach the sockets in ``/run`` either.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from shutil import which
from typing import Final

from skerry_arena.settings import BadSettings, Limits, Sandbox

_COVERED: Final = (Path("/tmp"), Path("/run"))
"""The folders that a sandbox replaces by empty ones."""
_RESOLVERS: Final = ("/run/systemd/resolve", "/run/resolvconf", "/run/NetworkManager")
"""The folders in which ``/etc/resolv.conf`` can be a link."""
_PATIENCE: Final = 30.0


def sandboxed(command: Sequence[str], limits: Limits, *, network: bool) -> list[str]:
    """Return the command, within a sandbox if the limits want one and it works. Raises BadSettings."""
    require_sandbox(limits)
    if not is_used(limits):
        return list(command)
    # The covered folders take mounts first. Then they would hold files without a bound.
    last = ("--remount-ro", "/run", "--remount-ro", "/dev")
    return [*_options(limits.file_mib, network=network), *_shown(_needed(command)), *last, "--", *command]


def is_used(limits: Limits) -> bool:
    """Return whether programs run in a sandbox."""
    return limits.sandbox is not Sandbox.OFF and why_unusable() is None


def require_sandbox(limits: Limits) -> None:
    """Raise BadSettings if the limits require a sandbox that cannot be had."""
    if limits.sandbox is Sandbox.REQUIRED and (reason := why_unusable()):
        raise BadSettings(f"sandbox: {reason}.")


@cache
def why_unusable() -> str | None:
    """Return why there is no sandbox here; ``None`` if there is one."""
    if which("bwrap") is None:
        return "bubblewrap is not installed"
    command = [*_options(1, network=False), "--", "/bin/true"]
    try:
        tried = subprocess.run(command, capture_output=True, text=True, timeout=_PATIENCE, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"bubblewrap does not work here ({error})"
    said = (tried.stderr.strip().splitlines() or ["no reason given"])[0]
    return f"bubblewrap does not work here ({said})" if tried.returncode else None


def _options(file_mib: int, *, network: bool) -> list[str]:
    kept = [] if network else ["--unshare-net"]
    resolvers = [part for place in _RESOLVERS for part in ("--ro-bind-try", place, place)] if network else []
    size = str(max(1, file_mib) << 20)
    private = [part for place in ("/tmp", "/dev/shm") for part in ("--size", size, "--tmpfs", place)]
    return [
        "bwrap",
        *("--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try", *kept),
        *("--die-with-parent", "--cap-drop", "ALL"),
        *("--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/run", *private, *resolvers),
        *("--setenv", "TMPDIR", "/tmp"),
    ]


def _needed(command: Sequence[str]) -> Iterator[Path]:
    """Yield what a program needs: its folder, those of its arguments and of Python's modules, and the current one.

    Of a file that lies in a covered folder itself, that is the file alone.
    """
    program = which(command[0])
    for file in [Path(one) for one in ([program] if program else []) + list(command[1:])]:
        if file.exists():
            yield from [path if path.parent in _COVERED else path.parent for path in (file.resolve(), file.absolute())]
    yield Path.cwd()
    # A checkout whose packages are installed as editable is on the search path, and outside of Python's folders.
    given = (
        os.environ.get("PYTHONPATH", ""),
        os.environ.get("VIRTUAL_ENV", ""),
        sys.prefix,
        sys.base_prefix,
        *sys.path,
    )
    yield from [Path(one).absolute() for text in given for one in text.split(os.pathsep) if one]


def _shown(needed: Iterator[Path]) -> Iterator[str]:
    """Yield the options that show files and folders within the empty ones."""
    for path in sorted(set(needed)):
        if path not in _COVERED and any(path.is_relative_to(one) for one in _COVERED) and path.exists():
            yield from ("--ro-bind", str(path), str(path))
    yield from ("--chdir", os.getcwd())
