"""Pages that replay a game: complete, self-contained, bounded, and the same bytes in every report."""

from __future__ import annotations

import re
import shutil
from base64 import b64encode
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

import pytest
from msgspec import json, structs

from skerry_arena.entrants import Entrant
from skerry_arena.play.contestant import FailureKind
from skerry_arena.play.game_run import GameRun
from skerry_arena.play.record import Failure, Record
from skerry_arena.reports.game_page import game_page
from skerry_arena.reports.page import templates
from skerry_arena.reports.picture_frames import frames_of
from skerry_arena.running.worker import Worker
from skerry_arena.settings import Settings
from skerry_games import all_games
from skerry_games.pairing.plan import games
from tests.arena.conftest import Run
from tests.arena.samples import SEED, settings
from tests.arena.test_report import Reader

EVIL = '</script><b onload="x">{0}'
FLAGS = (
    "--game",
    "kreta",
    "--player",
    "random",
    "--player",
    "</script><i>{0}=greedy",
    "--seed",
    SEED,
    "--workers",
    "0",
)


class Played(NamedTuple):
    """A game and the content of its page."""

    tournament: Settings
    record: Record
    text: str
    content: Any

    @property
    def pictures(self) -> list[str]:
        frames = self.content["frames"]
        return ["".join(frames["parts"][part] for part in picture) for picture in frames["pictures"]]


def played(game: str, most_bytes: int = 2_000_000, **more: Any) -> Played:
    tournament = settings("random", "b=random", game=game, games=2)
    players = tuple([Entrant(name, "random") for name in ("Ada", EVIL)])
    tournament = structs.replace(tournament, players=players)
    record = structs.replace(Worker(tournament).play(next(games(tournament))), **more)
    text = game_page(templates(), tournament, record, most_bytes)
    return Played(tournament, record, text, json.decode(script_data(text)))


def script_data(text: str) -> str:
    """Return the pictures and entries as the page has them."""
    data = re.search(r'<script type="application/json" id="game">(.*?)</script>', text, re.DOTALL)
    assert data is not None
    return data[1]


@pytest.mark.parametrize("game", list(all_games()))
def test_a_page_has_every_position_as_a_spectator_sees_it(game: str) -> None:
    one = played(game)
    settled, record = one.tournament, one.record
    course = GameRun(settled.rules, settled.game_options, 2, bytes.fromhex(record.seed))
    for choice in record.choices:
        course.choose(choice)
    assert len(one.text) < 1_000_000
    assert len(one.pictures) == len(course.steps) + 1
    names = list(record.lineup)
    assert one.pictures[-1] == course.position.svg(
        None, names, theme="variables", touched=course.position.touched(None)
    )
    entries = one.content["entries"]
    assert [entry["picture"] for entry in entries] == [*range(len(one.pictures)), len(one.pictures) - 1]
    assert entries[-1]["words"] == record.reason.format(*names)
    for picture in one.pictures[:: len(one.pictures) // 5]:
        drawn = ElementTree.fromstring(picture)
        assert EVIL in "".join(drawn.itertext())
        assert set(re.findall(r"var\(--([\w-]+)\)", picture)) <= set(re.findall(r"--([\w-]+): #", one.text))


def test_a_page_is_self_contained_and_names_are_never_markup() -> None:
    text = played("kreta").text
    reader = Reader()
    reader.feed(re.sub(r"<input[^>]*>", "", text))
    assert reader.open == []
    assert re.findall(r'\b(?:src|href)="([^"]*)"', text) == ["../report.html"]
    assert "<b onload" not in text and "https:" not in text
    script = text.rpartition("<script>")[2].partition("</script>")[0]
    policy = re.search(r"script-src '(sha256-[^']+)'", text)
    assert policy and "default-src 'none'" in text
    assert policy[1].removeprefix("sha256-") == b64encode(sha256(script.encode()).digest()).decode()


def test_a_long_game_keeps_its_size_and_its_entries() -> None:
    whole = played("kreta")
    limit = len(json.encode(whole.content))  # without the escapes
    short = played("kreta", most_bytes=limit)
    assert len(script_data(short.text).encode()) <= limit
    assert 2 < len(short.pictures) < len(whole.pictures)
    assert short.pictures[-1] == whole.pictures[-1]
    assert short.content["entries"][-1]["picture"] == len(short.pictures) - 1
    assert [entry["words"] for entry in short.content["entries"]] == [
        entry["words"] for entry in whole.content["entries"]
    ]
    assert played("kreta", most_bytes=1).pictures == [whole.pictures[0], whole.pictures[-1]]


def test_failures_are_entries_without_their_details() -> None:
    failure = Failure(1, 2, FailureKind.CRASH, "differs from run to run")
    one = played("kreta", failures=(failure,), lineup=("Ada", "Ada"))
    words = [entry["words"] for entry in one.content["entries"]]
    assert words.count("Ada (seat 1) fails (crash).") == 1
    assert "differs" not in one.text


def test_parts_make_up_the_pictures() -> None:
    pictures = [f'<svg>{number}\n<g data-piece="a">x</g><g data-place="b">y</g></svg>' for number in range(3)]
    frames = frames_of(pictures)
    assert ["".join(frames.parts[part] for part in picture) for picture in frames.pictures] == pictures
    assert len(frames.parts) < 3 * len(frames.pictures[0])


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name not in ("games.jsonl", "times.csv")
    }


def test_the_report_links_pages_with_the_same_bytes_in_every_report(tmp_path: Path, arena: Run) -> None:
    ran = arena("tournament", "run", *FLAGS, "--games", "4", "--pages", "3", "--out", "cup")
    assert (ran.returncode, ran.stderr) == (0, "")
    cup, again = tmp_path / "cup", tmp_path / "again"
    report, first = (cup / "report.html").read_text(), bytes_of(cup)
    assert re.findall(r'href="([^"]*)"', report) == ["games/0.html", "games/1.html", "games/2.html"]
    assert sorted(json.decode(first["manifest.json"])["files"])[:3] == ["games/0.html", "games/1.html", "games/2.html"]
    again.mkdir()
    lines = (cup / "games.jsonl").read_bytes().splitlines(keepends=True)
    (again / "games.jsonl").write_bytes(b"".join(lines[:1]))
    shutil.copy(cup / "tournament.json", again)
    assert arena("tournament", "resume", again, "--workers", "0", "--pages", "3").returncode == 0
    assert bytes_of(again) == first
    assert arena("tournament", "report", again).returncode == 0  # existing pages stay current
    assert bytes_of(again) == first
    (again / "games.jsonl").write_bytes(lines[0].replace(b'"choices":[', b'"choices":[499,'))
    damaged = arena("tournament", "report", again)
    assert damaged.returncode == 1 and "Game 0 does not follow from its choices." in damaged.stderr
