"""A process that is asked questions, once nobody hears its answers any more."""

from __future__ import annotations

import subprocess
import sys

from skerry_service.processes.framing import frame

_ECHO = """
import sys
from skerry_service.processes.framing import serve
begun = []
serve(sys.stdin.buffer, sys.stdout.buffer, begun.append, lambda question: begun[0] + question)
"""


def test_a_process_that_is_greeted_by_nobody_ends_without_a_word() -> None:
    ended = subprocess.run([sys.executable, "-c", _ECHO], input=b"", capture_output=True, timeout=60, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, b"", b"")


def test_a_process_whose_asker_is_gone_ends_without_a_word() -> None:
    command = [sys.executable, "-c", _ECHO]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        assert process.stdin and process.stdout and process.stderr
        process.stdin.write(frame(b"at ") + frame(b"one"))
        process.stdin.flush()
        assert process.stdout.read(len(frame(b"at one"))) == frame(b"at one")
        process.stdout.close()
        process.stdin.write(frame(b"two"))
        process.stdin.flush()
        assert (process.stderr.read(), process.wait(60)) == (b"", 0)
