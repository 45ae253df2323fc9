"""A client that a generator makes from the API description plays a game."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.generators.workshop import ROOT
from tests.rest.processes import running

TOOLS = ROOT / "build" / "codegen" / "bin"
PLAYER = Path(__file__).with_name("python_player.py")
NOT_JSON = {"image/png": "application/octet-stream", "image/svg+xml": "application/octet-stream"}
"""The generator takes files only as bytes."""


@pytest.mark.deep
@pytest.mark.timeout(300)
def test_openapi_python_client_generates_a_client_that_plays(tmp_path: Path) -> None:
    with running() as (url, _):
        with urlopen(f"{url}/openapi.json") as answer:
            (tmp_path / "openapi.json").write_bytes(answer.read())
        (tmp_path / "config.json").write_text(json.dumps({"content_type_overrides": NOT_JSON, "post_hooks": []}))
        made = tmp_path / "generated_client"
        generate = ("generate", "--path", "openapi.json", "--output-path", made, "--config", "config.json")
        done = run(tmp_path, TOOLS / "openapi-python-client", *generate, "--meta", "none", "--fail-on-warning")
        assert "WARNING" not in done
        assert re.fullmatch(r"\d\d+ moves, ranks \[[12], [12]\]\n", run(tmp_path, TOOLS / "python", PLAYER, made, url))


def run(folder: Path, *command: str | Path) -> str:
    """Run a command; return what it prints. Fails with its output if the command fails."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    return done.stdout
