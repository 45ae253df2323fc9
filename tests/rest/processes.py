"""The service with HTTP in a process of its own, for tests that call it from outside any event loop."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import TemporaryDirectory


@contextmanager
def running(*arguments: str) -> Iterator[tuple[str, list[str]]]:
    """Run ``skerry serve``; yield the URL of its HTTP, and the lines that it greets with."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("REDIS_", "SKERRY_"))}
    with TemporaryDirectory(prefix="skerry-test-") as folder:
        command = ["serve", "--port", "0", "--http", "127.0.0.1:0", "--data-dir", folder, *arguments]
        process = subprocess.Popen(
            [sys.executable, "-m", "skerry_service.cli", *command], stdout=subprocess.PIPE, text=True, env=environment
        )
        assert process.stdout is not None
        try:
            greeting = [process.stdout.readline() for _ in range(3)]
            yield greeting[1].split()[2], greeting
        finally:
            process.terminate()
            process.wait(20)
            process.stdout.close()
