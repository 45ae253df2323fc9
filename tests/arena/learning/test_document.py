"""The guide to learning environments has working programs and correct sizes."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from skerry_games.api import AnyGame
from skerry_games.catalogue import all_games
from tests.arena.learning.sizes import PAGE, row

TEXT = PAGE.read_text(encoding="utf-8")
PROGRAMS = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)


def test_the_program_of_the_page_plays_against_players(capsys: pytest.CaptureFixture[str]) -> None:
    (program,) = [one for one in PROGRAMS if "gymnasium.make(" in one]
    exec(program, {})
    assert -1 <= float(capsys.readouterr().out) <= 1


def test_the_program_of_the_page_plays_many_games(tmp_path: Path) -> None:
    (program,) = [one for one in PROGRAMS if "make_vec" in one]
    (tmp_path / "many.py").write_text(program, encoding="utf-8")
    run = subprocess.run([sys.executable, "many.py"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (run.stdout, run.stderr) == ("(8, 246) (8, 68)\n", "")


def test_the_program_of_the_page_plays_a_game(capsys: pytest.CaptureFixture[str]) -> None:
    (program,) = [one for one in PROGRAMS if "agent_iter" in one]
    exec(program, {})
    assert re.match(r"\{'seat_0': -?\d", capsys.readouterr().out)


def test_the_program_of_the_page_lists_features(capsys: pytest.CaptureFixture[str]) -> None:
    (program,) = [one for one in PROGRAMS if "observations.features" in one]
    exec(program, {})
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "0 seat 0 2 ('0', '1', '2')"
    assert [line.split()[1] for line in lines[2:4]] == ["provinces[5].tile?", "provinces[5].tile"]
    assert len(lines) == 5


def test_the_program_of_the_page_searches_with_openspiel(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: the extra openspiel brings it")
    (program,) = [one for one in PROGRAMS if "pyspiel" in one]
    exec(program, {})
    assert re.fullmatch(r"\((-1\.0, 1\.0|1\.0, -1\.0|0\.0, 0\.0)\)\n", capsys.readouterr().out)


def test_the_text_program_of_the_page_plays_a_game(capsys: pytest.CaptureFixture[str]) -> None:
    (program,) = [one for one in PROGRAMS if "TextEnvironment" in one]
    exec(program, {})
    assert re.match(r"\{0: -?\d", capsys.readouterr().out)


def test_the_commands_of_the_page_exist_after_its_installation() -> None:
    commands = re.findall(r"```sh\n(.*?)```", TEXT, re.DOTALL)
    assert [line.split()[0] for block in commands for line in block.splitlines()] == ["skerry-arena"] * 2


@pytest.mark.parametrize("game", all_games().values(), ids=lambda game: game.id)
def test_the_sizes_in_the_table_are_those_of_the_arrays(game: AnyGame) -> None:
    assert row(game) in TEXT, f"python -m tests.arena.learning.sizes {game.id}"
