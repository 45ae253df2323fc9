"""A folder outside the repository with tools that generate clients, and the addresses of a running service."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 240
"""Seconds for one script: compilers on a busy machine."""
GRPC, HTTP = "127.0.0.1:50051", "http://127.0.0.1:8080"
"""The addresses of the service in the documents."""


@dataclass
class Workshop:
    """``address`` is that of gRPC, ``url`` that of HTTP."""

    folder: Path
    address: str
    url: str

    def install_tools(self) -> None:
        """Link the packages of Node, and add the protoc that generates the stubs of the repository."""
        bin_folder = self.folder / "bin"
        bin_folder.mkdir()
        protoc = bin_folder / "protoc"
        protoc.write_text(f'#!/bin/sh\nexec "{ROOT}/build/codegen/bin/python" -m grpc_tools.protoc "$@"\n')
        protoc.chmod(0o755)
        (self.folder / "node_modules").symlink_to(ROOT / "node_modules")
        (self.folder / "package.json").write_text('{"type": "module"}')

    def put(self, name: str, text: str) -> None:
        """Write a file of the documents with the addresses of the running service."""
        (self.folder / name).write_text(self._with_addresses(text), encoding="utf-8")

    def run(self, script: str) -> list[str]:
        """Run a script in bash; return the lines that it prints. Fails with its output if the script fails."""
        tools = [self.folder / "bin", ROOT / "node_modules" / ".bin", Path(sys.executable).parent]
        environment = {name: value for name, value in os.environ.items() if "proxy" not in name.lower()}
        environment["PATH"] = os.pathsep.join([*map(str, tools), environment["PATH"]])
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", self._with_addresses(script)],
            cwd=self.folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout.splitlines()

    def _with_addresses(self, text: str) -> str:
        return text.replace(HTTP, self.url).replace(GRPC, self.address)


def blocks(page: str, language: str) -> list[str]:
    """Return the code blocks of a page of ``docs`` in a language, in order."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)
