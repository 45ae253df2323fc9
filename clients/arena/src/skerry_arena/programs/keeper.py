"""Keeps a program: starts it with limits, and ends it with all processes that it has started.

``python -P -m skerry_arena.programs.keeper PARENT STATUS MIB FILE_MIB FILES PROCESSORS PROGRAM ...``

A program ends with this process, and this process ends with the program, with its parent, or after SIGTERM. Then no
process of the program is left, even if it has left the process group or the session: a control group (cgroup v2) ends
all of them at once, where this process may make one. Otherwise the kernel makes this process the parent of orphans
(PR_SET_CHILD_SUBREAPER), and it ends its descendants one by one. Only a SIGKILL to this process itself leaves orphans.

The kernel bounds the memory of each process. If no control group bounds that of all processes together, this process
looks every half a second.

This process writes one line of JSON to the descriptor STATUS: ``pid``, the process group of the program, and
``cgroup``, the folder of its control group or ``null``.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import signal
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from resource import RLIMIT_AS, RLIMIT_FSIZE, RLIMIT_NOFILE

from skerry_arena.programs import control_group
from skerry_arena.programs.process_tree import MIB, descendants, memory_used_mib

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
NOT_STARTED = 127
FAILED = 1 << 8
"""The wait status of exit code 1."""
_LOOK = 0.5
"""The seconds between two looks at the memory of a program."""
_PATIENCE = 10.0
"""The most seconds for the end of all processes. One that runs as another user cannot be killed."""
_PAUSE = 0.002
_WATCHED = {signal.SIGTERM, signal.SIGCHLD}


class TooMuch(Exception):
    """A program with too many processes or too much memory. The message is a sentence."""


def lower(which: int, most: int) -> None:
    """Lower a limit, unless it is lower already."""
    _, hard = resource.getrlimit(which)
    allowed = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(which, (allowed, allowed))


def end_with_parent(parent: int, number: int = signal.SIGKILL) -> None:
    """Ask the kernel to send this process a signal when its parent ends. Exits if the parent has already ended."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, number)
    if os.getppid() != parent:
        sys.exit("the parent process has ended")


def main() -> None:
    """Start the program, wait for an end, and exit as the program did."""
    parent, status, memory_mib, file_mib, files, processors = map(int, sys.argv[1:7])
    signal.pthread_sigmask(signal.SIG_BLOCK, _WATCHED)
    end_with_parent(parent, signal.SIGTERM)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)
    lower(resource.RLIMIT_CORE, 0)
    group = control_group.make(memory_mib, processors)
    keeper, program = os.getpid(), os.fork()
    if program == 0:
        os.close(status)
        _become(
            sys.argv[7:],
            keeper,
            group,
            {RLIMIT_AS: memory_mib * MIB, RLIMIT_FSIZE: file_mib * MIB, RLIMIT_NOFILE: files},
            processors,
        )
    with os.fdopen(status, "w") as report:
        json.dump({"pid": program, "cgroup": group and str(group)}, report)
    complaints = os.dup(2)
    for stream in (0, 1, 2):  # the program alone has its streams, so that their ends are noticed
        os.dup2(os.open(os.devnull, os.O_RDWR), stream)
    bounded = group is not None and control_group.bounds_memory(group)
    try:
        code = _waited(program, None if bounded else memory_mib)
    except TooMuch as error:
        code = FAILED
        os.write(complaints, f"{error}\n".encode())
    end_all(program, group)
    _exit_like(code)


def _become(command: list[str], keeper: int, group: Path | None, most: Mapping[int, int], processors: int) -> None:
    """Replace this process by the program."""
    try:
        os.setsid()
        if group is not None:
            control_group.join(group)
        if processors:
            allowed = sorted(os.sched_getaffinity(0))
            first = keeper % len(allowed)  # programs spread over the processors
            os.sched_setaffinity(0, (allowed[first:] + allowed[:first])[:processors])
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _WATCHED)
        end_with_parent(keeper)
        for which, value in most.items():
            lower(which, value)
        os.execvp(command[0], command)
    except OSError as error:
        print(error, file=sys.stderr, flush=True)
    finally:
        os._exit(NOT_STARTED)


def _waited(program: int, most_mib: int | None) -> int | None:
    """Wait until the program ends, and return its wait status; ``None`` after SIGTERM. Reaps orphans meanwhile.

    ``most_mib``: the memory of all its processes together, if nothing else bounds it. Raises TooMuch.
    """
    look = time.monotonic()
    while True:
        if most_mib is not None and time.monotonic() >= look:
            _require_bounds(most_mib)
            look = time.monotonic() + _LOOK
        # A signal that came before this call is pending.
        came = signal.sigtimedwait(_WATCHED, _LOOK)
        if came is not None and came.si_signo == signal.SIGTERM:
            return None
        while True:
            ended, code = os.waitpid(-1, os.WNOHANG)
            if ended == program:
                return code
            if ended == 0:
                break


def _require_bounds(most_mib: int) -> None:
    """Raise TooMuch if the descendants of this process are too many or use too much memory."""
    found = descendants(os.getpid())
    if len(found) > control_group.MOST_PROCESSES:
        raise TooMuch(f"It had {len(found)} processes, more than {control_group.MOST_PROCESSES}.")
    if (used := memory_used_mib(found, most_mib)) > most_mib:
        raise TooMuch(f"Its processes together used {used} MiB of memory, more than {most_mib} MiB.")


def end_all(program: int, group: Path | None) -> None:
    """Kill the program's process group, its control group and all descendants of this process."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(program, signal.SIGKILL)
    if group is not None:
        control_group.kill(group)
    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end:
        for one in descendants(os.getpid()):
            with suppress(ProcessLookupError, PermissionError):
                os.kill(one, signal.SIGKILL)
        try:
            while os.waitpid(-1, os.WNOHANG) != (0, 0):
                pass
        except ChildProcessError:
            break
        time.sleep(_PAUSE)
    if group is not None:
        control_group.remove(group)


def _exit_like(code: int | None) -> None:
    """Exit as a process with this wait status did."""
    if code is not None and os.WIFSIGNALED(code):
        number = os.WTERMSIG(code)
        with suppress(OSError, ValueError):
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {number})
        os.kill(os.getpid(), number)
    os._exit(0 if code is None else os.WEXITSTATUS(code))


if __name__ == "__main__":
    main()
