"""A process that is asked questions, once nobody hears its answers any more."""

from __future__ import annotations

import subprocess
import sys

from skerry_service.processes.framing import frame

_ECHO = """
import sys
from skerry_service.processes.framing import serve
serve(sys.stdin.buffer, sys.stdout.buffer, lambda question: question)
"""


def test_a_process_whose_asker_is_gone_ends_without_a_word() -> None:
    command = [sys.executable, "-c", _ECHO]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        assert process.stdin and process.stdout and process.stderr
        process.stdin.write(frame(b"one"))
        process.stdin.flush()
        assert process.stdout.read(len(frame(b"one"))) == frame(b"one")
        process.stdout.close()
        process.stdin.write(frame(b"two"))
        process.stdin.flush()
        assert (process.stderr.read(), process.wait(60)) == (b"", 0)
