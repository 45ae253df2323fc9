"""A real server with its page in a separate process. It can be killed and restarted with its address and games."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Self

from skerry_client import Client

_ANY = "127.0.0.1:0"


class Server:
    """A context that runs ``skerry serve`` over a directory. ``settings`` are additional environment variables."""

    def __init__(self, folder: Path, **settings: str) -> None:
        self._folder = folder
        self._settings = settings
        self._process: subprocess.Popen[str] | None = None
        self._grpc = self._http = _ANY
        self.admin = ""
        """The address of the operator API. Empty: the server has none."""

    @property
    def url(self) -> str:
        """The URL of the page."""
        return f"http://{self._http}"

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def client(self, api_key: str | None = None) -> Client:
        """Return a client that plays or spectates beside the browsers."""
        return Client(self._grpc, api_key=api_key)

    def start(self) -> None:
        """Start the server. Return when it is ready."""
        host, _, port = self._grpc.rpartition(":")
        command = ["serve", "--host", host, "--port", port, "--http", self._http, "--data-dir", str(self._folder)]
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("REDIS_", "SKERRY_"))}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "skerry_service.cli", *command, "--bot-workers", "1"],
            stdout=subprocess.PIPE,
            text=True,
            env=environment | self._settings,
        )
        assert self._process.stdout
        for line in self._process.stdout:
            if listening := re.match(r"Listening on (\S+:\d+)", line):
                self._grpc = listening[1]
            if found := re.search(r"http://([\w.]+:\d+)", line):
                self._http = found[1]
            if operators := re.match(r"Operators: .* --server (\S+)", line):
                self.admin = operators[1]
            if line.startswith("Play a game"):
                return
        raise AssertionError("The server did not start.")

    def kill(self) -> None:
        """Kill the server, as a crash would."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """Stop the server, as an operator would."""
        self._end(signal.SIGTERM)

    def _end(self, number: signal.Signals) -> None:
        assert self._process
        assert self._process.stdout
        self._process.send_signal(number)
        self._process.wait(30)
        self._process.stdout.close()
