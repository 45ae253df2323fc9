"""What is wrong with a components file is reported in full: each problem with its line, its place and its rule."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.resources import files

import pytest

from skerry_games.canarias.printed.components_file import read_components
from skerry_games.component_data import ComponentsError, LocatedProblem
from skerry_games.kreta.kreta_board import parse_board as parse_kreta
from skerry_games.small_islands.printed.components import parse_components
from skerry_games.tenerife.printed.tenerife_board import parse_board as parse_tenerife
from tests.games.canarias import component_faults as canarias
from tests.games.component_changes import Raw
from tests.games.kreta import component_faults as kreta
from tests.games.small_islands import component_faults as small_islands
from tests.games.tenerife import component_faults as tenerife

PARSE: dict[str, Callable[[str], object]] = {
    "canarias": read_components,
    "kreta": parse_kreta,
    "small_islands": parse_components,
    "tenerife": parse_tenerife,
}


def house(game: str) -> str:
    return files(f"skerry_games.{game}").joinpath("house.json").read_text(encoding="utf-8")


def problems_of(game: str, text: str) -> tuple[LocatedProblem, ...]:
    with pytest.raises(ComponentsError) as error:
        PARSE[game](text)
    assert str(error.value).startswith("house.json, line ")
    return error.value.problems


FAULTS = {
    "canarias": canarias.FAULTS,
    "kreta": kreta.FAULTS,
    "small_islands": small_islands.FAULTS,
    "tenerife": tenerife.FAULTS,
}
EACH = [(game, *fault) for game, faults in FAULTS.items() for fault in faults]


@pytest.mark.parametrize(("game", "fault", "place", "sentence", "rule"), EACH)
def test_a_fault_is_reported_with_its_place_and_rule(
    game: str, fault: Callable[[Raw], object], place: str, sentence: str, rule: str
) -> None:
    raw = json.loads(house(game))
    fault(raw)
    found = problems_of(game, json.dumps(raw))
    assert any((one.place, one.rule) == (place, rule) and sentence in one.sentence for one in found), found


@pytest.mark.parametrize("game", PARSE)
def test_all_faults_of_a_kind_are_reported_with_their_lines(game: str) -> None:
    text = house(game).replace('"edition"', '"edition": 1,\n"surprise"', 1)
    found = problems_of(game, text)
    assert [(one.line, one.place) for one in found] == [(2, "$.edition"), (3, "$.surprise")]


def test_the_line_is_that_of_the_value() -> None:
    text = house("kreta").replace('"terrain": "plain"', '"terrain": "swamp"')
    lines = [number for number, line in enumerate(text.splitlines(), 1) if "swamp" in line]
    assert [problem.line for problem in problems_of("kreta", text)][:2] == lines
    assert (
        "house.json, line 18: 'swamp' is no terrain; choose one of mountain, hill, plain (KRETA-SCORE-2), at $"
        in str(ComponentsError(problems_of("kreta", text), "house.json"))
    )


@pytest.mark.parametrize("game", PARSE)
def test_text_that_is_not_json_is_refused_with_its_line(game: str) -> None:
    text = house(game)
    (problem,) = problems_of(game, text.rstrip()[:-1])
    assert problem.line >= text.count("\n") - 1
    (problem,) = problems_of(game, "[" * 100_000)
    assert problem.place == "$"


@pytest.mark.parametrize("game", PARSE)
def test_a_name_that_occurs_twice_is_refused(game: str) -> None:
    (problem,) = problems_of(game, house(game).replace("{", '{"edition": "other",', 1))
    assert (problem.place, problem.sentence) == ("$.edition", "edition occurs twice")


@pytest.mark.parametrize("name", ["", "  ", "a\u2028b", "a\u202eb", "a\x85b", "x" * 61])
def test_a_name_that_cannot_be_read_on_a_line_is_refused(name: str) -> None:
    raw = json.loads(house("kreta"))
    raw["provinces"]["KIS"]["name"] = name
    (problem,) = problems_of("kreta", json.dumps(raw))
    assert problem.place == "$.provinces.KIS.name"
    assert problem.sentence.startswith("must be a text of 1 to 60 printable characters")


@pytest.mark.parametrize(
    ("game", "part", "values"),
    [
        ("tenerife", "roads", [["GAR", "ICO"]] * 50_000),
        ("canarias", "settlers", {f"s{number}": {} for number in range(50_000)}),
        ("small_islands", "discovery_tokens", [1] * 300_000),
        ("kreta", "forts", {str(number): 1 for number in range(80_000)}),
    ],
)
def test_a_megabyte_of_values_is_one_problem(game: str, part: str, values: object) -> None:
    raw = json.loads(house(game)) | {part: values}
    (problem,) = problems_of(game, json.dumps(raw))
    assert (problem.place, problem.sentence[-33:]) == (f"$.{part}", "values, and must have at most 200")


def test_an_error_message_stays_readable_whatever_the_file_has() -> None:
    long = json.loads(house("kreta")) | {"x\n" * 40_000: 1}
    with pytest.raises(ComponentsError) as error:
        parse_kreta(json.dumps(long))
    assert len(str(error.value)) < 400
    assert len(str(error.value).splitlines()) == 1
    twice = house("kreta").replace("{", "{" + f'"{"y" * 40_000}": 1,' * 2, 1)
    assert len(str(ComponentsError(problems_of("kreta", twice), "house.json"))) < 400
    many = json.loads(house("tenerife"))
    many["roads"] = [["GAR", "nowhere"]] * 150
    found = problems_of("tenerife", json.dumps(many))
    assert len(found) > 200
    lines = str(ComponentsError(found, "mine.json")).splitlines()
    assert len(lines) == 101
    assert lines[-1] == f"mine.json: {len(found) - 100} more problems"
