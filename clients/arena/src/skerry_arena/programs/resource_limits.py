"""Sets resource limits and then runs a program in this process.

``python -P -m skerry_arena.programs.resource_limits PARENT MIB FILE_MIB FILES PROGRAM ...``

A process of its own sets the limits, because a program with threads can do nothing safely between fork and exec. On
Linux, the kernel ends the program together with its parent.
"""

import ctypes
import os
import resource
import signal
import sys

PR_SET_PDEATHSIG = 1
MIB = 1 << 20


def lower(which: int, most: int) -> None:
    """Lower a limit, unless it is lower already."""
    _, hard = resource.getrlimit(which)
    allowed = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(which, (allowed, allowed))


def end_with_parent(parent: int) -> None:
    """Ask the kernel to end this process with its parent. Exits if the parent has already ended."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        sys.exit("the parent process has ended")


def main() -> None:
    """Set the limits and replace this process by the program."""
    parent, memory_mib, file_mib, files = map(int, sys.argv[1:5])
    end_with_parent(parent)
    lower(resource.RLIMIT_CORE, 0)
    lower(resource.RLIMIT_FSIZE, file_mib * MIB)
    lower(resource.RLIMIT_NOFILE, files)
    lower(resource.RLIMIT_AS, memory_mib * MIB)
    os.execvp(sys.argv[5], sys.argv[5:])


if __name__ == "__main__":
    main()
