"""The programs with which the README and the client's page open: they run, and the README shows the one that does."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.clients.servers import ServerProcess

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "examples" / "kreta_against_oneself.py"


def run_program(program: str, server: ServerProcess) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "SKERRY_SERVER": server.address}
    command = [sys.executable, "-c", program]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)


def test_the_readmes_program_plays_a_whole_game(server: ServerProcess) -> None:
    run = run_program(PROGRAM.read_text(encoding="utf-8"), server)
    *moves, end = run.stdout.splitlines()
    assert run.returncode == 0, run.stderr
    assert len(moves) > 20
    assert all(line.startswith("Seat ") for line in moves)
    assert end.startswith("KRETA-END-1: ")


def test_the_readmes_program_is_short_and_stands_there() -> None:
    program = PROGRAM.read_text(encoding="utf-8")
    code = [line for line in program.splitlines() if line.strip() and not line.lstrip().startswith(("#", '"""'))]
    assert len(code) <= 15
    assert program in (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_first_program_of_the_clients_page_plays_a_whole_game(server: ServerProcess) -> None:
    page = (ROOT / "docs" / "python-client.md").read_text(encoding="utf-8")
    block = re.search(r"```python\n(.*?)```", page, re.DOTALL)
    assert block
    run = run_program(block[1].replace("127.0.0.1:50051", server.address), server)
    assert run.returncode == 0, run.stderr
    assert "KRETA-END-1" in run.stdout
