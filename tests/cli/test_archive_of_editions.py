"""Archived games of an edition are verified, exported and read with its components, and kept without them."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from skerry_games import catalogue
from skerry_service.archive.archive import Archive
from skerry_service.archive.locations import Directory, path_of
from skerry_service.archive.mover import Mover
from skerry_service.cli.app import run
from skerry_service.domain.errors import RulesetUnsupported
from skerry_service.sessions.memory_store import MemoryStore
from skerry_service.sessions.service import Sessions
from tests.games.other_editions import GAMES, added_editions_restored, other_edition, other_text
from tests.sessions.tables import Clock, Sitting, play_out, sit_down


@pytest.fixture(autouse=True)
def restored() -> Iterator[None]:
    with added_editions_restored():
        yield


async def archived(folder: Path, game: str) -> Sitting:
    """Play a game of the other edition to its end, and move it into an archive."""
    store = MemoryStore()
    sessions = Sessions(store, clock_ms=Clock())
    sitting = await sit_down(sessions, other_edition(game), 2)
    await play_out(sessions, sitting)
    assert await Mover(store, Archive(Directory(folder)), 0).move(sitting.id)
    await sessions.close()
    return sitting


async def read(folder: Path, session: str) -> tuple[str, bool]:
    """Return ruleset and end of a session, as a replica reads it that has never seen it."""
    replica = Sessions(MemoryStore(), clock_ms=Clock(), archive=Archive(Directory(folder)))
    try:
        table = (await replica.get(session, None))[0]
        return table.game.ruleset, table.record.over
    finally:
        await replica.close()


@pytest.mark.parametrize("game", GAMES)
def test_an_archived_game_of_an_edition_is_verified_exported_and_read(
    game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sitting = asyncio.run(archived(tmp_path, game))
    file, rows = tmp_path / str(path_of(sitting.id)), tmp_path / "games.jsonl"
    content, edition = file.read_bytes(), other_edition(game)
    assert run(["verify", str(file)]) == 0
    assert f"entries of {edition.ruleset} agree" in capsys.readouterr().out
    assert run(["export", str(tmp_path), "--out", str(rows)]) == 0
    assert [json.loads(line)["ruleset"] for line in rows.read_text().splitlines()] == [edition.ruleset]
    assert asyncio.run(read(tmp_path, sitting.id)) == (edition.ruleset, True)
    capsys.readouterr()

    del catalogue._editions[edition.ruleset]
    assert run(["verify", str(file)]) == 2
    assert f"The session uses the ruleset {edition.ruleset}, which this server does not" in capsys.readouterr().err
    with pytest.raises(RulesetUnsupported):
        asyncio.run(read(tmp_path, sitting.id))
    assert file.read_bytes() == content


@pytest.mark.timeout(180)  # two processes start on a busy machine
def test_commands_read_the_editions_of_the_environment(tmp_path: Path) -> None:
    sitting = asyncio.run(archived(tmp_path / "archive", "kreta"))
    (tmp_path / "kreta.json").write_text(other_text("kreta"), encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "skerry_service.cli",
        "verify",
        str(tmp_path / "archive" / str(path_of(sitting.id))),
    ]
    for folders, code in ((str(tmp_path), 0), ("", 2)):
        environment = os.environ | {"SKERRY_EDITIONS": folders}
        assert subprocess.run(command, env=environment, capture_output=True, check=False).returncode == code
