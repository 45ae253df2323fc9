"""Becomes the embedded server: run as a script, ``embedded_child.py <parent's pid> <server> <argument>...``

A program with threads can do almost nothing safely between fork and exec. So the parent-death signal is set here, in a
process of its own, which the server then replaces. The kernel sends the signal when the thread that started it ends.
Only Linux has it. Elsewhere the server can outlive its parent; the next owner then finds the directory locked.
"""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1


def main() -> None:
    """Set the signal, check that the parent still runs, and become the server. Its files are private to its user."""
    os.umask(0o077)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != int(sys.argv[1]):
        sys.exit("the parent process has ended already")
    os.execv(sys.argv[2], sys.argv[2:])


if __name__ == "__main__":
    main()
