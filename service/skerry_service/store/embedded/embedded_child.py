"""Becomes the embedded server: run as a script, ``embedded_child.py <parent's pid> <server> <argument>...``

Between fork and exec in a program with threads nothing safe can be done, so the parent-death signal is set here, in a
process of its own, which the server then replaces. The kernel sends it when the thread that started us ends.
Only Linux has it; elsewhere a server may outlive its parent, and the lock on its directory says so to the next owner.
"""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1


def main() -> None:
    """Set the signal, make sure that it was not too late, become the server. Its files are its user's alone."""
    os.umask(0o077)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != int(sys.argv[1]):
        sys.exit("the parent is gone already")
    os.execv(sys.argv[2], sys.argv[2:])


if __name__ == "__main__":
    main()
