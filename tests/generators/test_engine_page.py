"""The program of the engine page plays a whole game without knowing the rules."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.generators.workshop import ROOT
from tests.rest.processes import running

pytestmark = [pytest.mark.node, pytest.mark.timeout(300)]


def test_the_program_of_the_page_plays_a_game_to_its_end(tmp_path: Path) -> None:
    """The game is one in which seats also decide simultaneously."""
    (program,) = re.findall(
        r"```js\n(.*?)```", (ROOT / "docs" / "reference" / "engine.md").read_text(encoding="utf-8"), re.DOTALL
    )
    path = tmp_path / "bot.mjs"
    path.write_text(program, encoding="utf-8")
    with running("--engine", "1") as (url, _):
        command = ["node", str(path), url, "small_islands"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stderr
    *received, scores = done.stdout.splitlines()
    assert any("The game is over" in line for line in received)
    assert re.fullmatch(r"\d+ : \d+", scores)
