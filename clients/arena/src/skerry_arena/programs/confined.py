"""Becomes a program with limits: ``python -P -m skerry_arena.programs.confined PARENT MIB FILE_MIB FILES PROGRAM ...``

Limits are set in a process of its own, which the program then replaces: between fork and exec in a program with
threads nothing safe can be done. Where there is Linux the kernel ends it with whoever started it.
"""

import ctypes
import os
import resource
import signal
import sys

PR_SET_PDEATHSIG = 1
MIB = 1 << 20


def lower(which: int, most: int) -> None:
    """Lower a limit, as far as it is not lower already."""
    _, hard = resource.getrlimit(which)
    allowed = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(which, (allowed, allowed))


def die_with(parent: int) -> None:
    """Ask the kernel to end this process with its parent. Exits if that has ended already."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        sys.exit("the parent is gone already")


def main() -> None:
    """Set the limits and become the program."""
    parent, memory_mib, file_mib, files = map(int, sys.argv[1:5])
    die_with(parent)
    lower(resource.RLIMIT_CORE, 0)
    lower(resource.RLIMIT_FSIZE, file_mib * MIB)
    lower(resource.RLIMIT_NOFILE, files)
    lower(resource.RLIMIT_AS, memory_mib * MIB)
    os.execvp(sys.argv[5], sys.argv[5:])


if __name__ == "__main__":
    main()
