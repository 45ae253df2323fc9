"""``skerry edition``: begins an edition, says what is wrong with it, draws it and plays with it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.games.other_editions import GAMES, added_editions_restored, other_text


@pytest.fixture(autouse=True)
def restored() -> Iterator[None]:
    with added_editions_restored():
        yield


@pytest.mark.parametrize("game", GAMES)
def test_a_new_edition_is_the_house_edition_under_the_name_of_its_folder(here: Run, tmp_path: Path, game: str) -> None:
    folder = tmp_path / "My Own"
    path = folder / f"{game}.json"
    run = here("edition", "new", game, str(folder))
    assert (run.returncode, run.stderr) == (0, "")
    assert f"skerry edition check {path}" in run.stdout
    house = json.loads(files(f"skerry_games.{game}").joinpath("house.json").read_text(encoding="utf-8"))
    assert json.loads(path.read_text(encoding="utf-8")) == house | {"edition": "my-own"}
    again = here("edition", "new", game, str(folder))
    assert (again.returncode, again.stdout) == (1, "")
    assert "exists. Choose another folder, or change this file." in again.stderr
    checked = here("edition", "check", str(path), "--games", "3", "--picture", str(tmp_path / "set-up.svg"))
    assert checked.returncode == 0
    assert (tmp_path / "set-up.svg").read_text(encoding="utf-8").startswith("<svg")


def test_a_checked_edition_is_drawn_and_played(here: Run, tmp_path: Path) -> None:
    path = tmp_path / "kreta.json"
    path.write_text(other_text("kreta"), encoding="utf-8")
    run = here("edition", "check", str(path), "--games", "6")
    assert (run.returncode, run.stderr) == (0, "")
    assert f"{path}: The edition 'other' can play Kreta." in run.stdout
    assert "Sélino" in path.with_suffix(".svg").read_text(encoding="utf-8")
    for seats in (2, 3, 4):
        assert f"{seats} seats: all 2 games end, after " in run.stdout


def test_every_problem_is_printed_with_its_line_place_and_rule(here: Run, tmp_path: Path) -> None:
    path = tmp_path / "tenerife.json"
    raw = json.loads(other_text("tenerife"))
    raw["roads"].append(["GAR", "ATH"])
    raw["storage"][0]["good"] = "rum"
    path.write_text(json.dumps(raw, indent=1), encoding="utf-8")
    run = here("edition", "check", str(path))
    assert run.returncode == 1
    assert run.stdout.startswith(f"{path}, line ")
    assert "'ATH' is no place" in run.stdout
    assert "(TENERIFE-MERCHANT-2), at $.roads[10]" in run.stdout
    assert run.stderr == f"skerry: {path} has 1 problem.\n"


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (("new", "chess", "mine"), "Unknown game 'chess'. The games are canarias, kreta"),
        (("new", "kreta", "House"), "'house' cannot be the name of an edition."),
        (("new", "kreta", "1st"), "'1st' cannot be the name of an edition."),
        (("check", "chess.json"), "chess.json is not named after a game."),
        (("check", "kreta.json"), "cannot read kreta.json: No such file or directory."),
    ],
)
def test_misuse_is_refused(here: Run, arguments: tuple[str, ...], error: str) -> None:
    run = here("edition", *arguments)
    assert (run.returncode, run.stdout) == (2, "")
    assert error.lower() in run.stderr.lower()
