"""What is wrong with a components file is reported in full: each problem with its line, its place and its rule."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.resources import files
from typing import Any

import pytest

from skerry_games.canarias.printed.components_file import read_components
from skerry_games.component_data import ComponentsError, LocatedProblem
from skerry_games.kreta.kreta_board import parse_board as parse_kreta
from skerry_games.small_islands.printed.components import parse_components
from skerry_games.tenerife.printed.tenerife_board import parse_board as parse_tenerife

Raw = Any
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


def renumber(raw: Raw) -> None:
    raw["forts"]["27"] = raw["forts"].pop("26")


def renamed(old: str, new: str) -> Callable[[Raw], None]:
    def rename(raw: Raw) -> None:
        raw["towns"] = {key.replace(old, new): town for key, town in raw["towns"].items()}

    return rename


def island(change: Callable[[Raw], object]) -> Callable[[Raw], object]:
    return lambda raw: change(raw["islands"]["1"])


def settler(**changed: object) -> Callable[[Raw], object]:
    return lambda raw: raw["settlers"]["monje-a"].update(changed)


def keep(part: str, count: int) -> Callable[[Raw], object]:
    def shorten(raw: Raw) -> None:
        raw[part] = dict(list(raw[part].items())[:count])

    return shorten


FAULTS: list[tuple[str, Callable[[Raw], object], str, str, str]] = [
    ("kreta", lambda raw: raw["provinces"]["KIS"].pop("name"), "$.provinces.KIS", "the field name is missing", ""),
    ("kreta", lambda raw: raw["provinces"]["KIS"].update(harbor=True), "$.provinces.KIS.harbor", "unknown field", ""),
    ("kreta", lambda raw: raw["forts"]["7"].update(x="270"), "$.forts.7.x", "whole number", ""),
    ("kreta", lambda raw: raw["forts"]["7"].update(x=10**9), "$.forts.7.x", "at most 1,000,000", ""),
    ("kreta", lambda raw: raw["forts"]["7"].update(coast=1), "$.forts.7.coast", "true or false", ""),
    ("kreta", lambda raw: raw.update(provinces=[]), "$.provinces", "must be an object", ""),
    ("kreta", lambda raw: raw["provinces"]["KIS"].update(forts=1), "$.provinces.KIS.forts", "must be an array", ""),
    ("kreta", lambda raw: raw["provinces"]["KIS"].update(middle=[1]), "$.provinces.KIS.middle", "2 values", ""),
    ("kreta", lambda raw: raw["provinces"]["KIS"].update(name="{0}"), "$.provinces.KIS.name", "a text of at", ""),
    ("kreta", lambda raw: raw["provinces"].update({"K S": {}}), "$.provinces[K S]", "an id has", ""),
    ("kreta", lambda raw: raw["forts"].update({"7": 1}), "$.forts.7", "must be an object", ""),
    (
        "kreta",
        lambda raw: raw["provinces"]["KYD"].update(terrain="swamp"),
        "$.provinces.KYD.terrain",
        "'swamp' is no ter",
        "KRETA-SCORE-2",
    ),
    ("kreta", renumber, "$.forts", "numbered 1 to 26", ""),
    (
        "kreta",
        lambda raw: raw["provinces"]["KIS"]["adjacent"].append("ATH"),
        "$.provinces.KIS.adjacent[3]",
        "'ATH' is no",
        "KRETA-COMMANDER-2",
    ),
    (
        "kreta",
        lambda raw: raw["provinces"]["KIS"]["adjacent"].append("KIS"),
        "$.provinces.KIS.adjacent[3]",
        "'KIS' is no",
        "KRETA-COMMANDER-2",
    ),
    (
        "kreta",
        lambda raw: raw["provinces"]["KIS"]["adjacent"].append("KYD"),
        "$.provinces.KIS.adjacent[3]",
        "occurs twice",
        "KRETA-COMMANDER-2",
    ),
    (
        "kreta",
        lambda raw: raw["provinces"]["KIS"]["adjacent"].append("RET"),
        "$.provinces.RET.adjacent",
        "RET is adjacent to KIS, but",
        "KRETA-COMMANDER-2",
    ),
    (
        "kreta",
        lambda raw: raw["provinces"]["KIS"]["forts"].append(9),
        "$.provinces.KIS.forts[4]",
        "does not list KIS",
        "KRETA-CASTELLAN-1",
    ),
    (
        "kreta",
        lambda raw: raw["provinces"]["KIS"]["forts"].append(1),
        "$.provinces.KIS.forts[4]",
        "occurs twice",
        "KRETA-CASTELLAN-1",
    ),
    (
        "kreta",
        lambda raw: raw["forts"]["9"]["provinces"].append("KIS"),
        "$.forts.9.provinces[2]",
        "touches 'KIS'",
        "KRETA-CASTELLAN-1",
    ),
    (
        "kreta",
        lambda raw: raw["forts"]["9"].update(provinces=[]),
        "$.forts.9.provinces",
        "touches no province",
        "KRETA-CASTELLAN-1",
    ),
    (
        "kreta",
        lambda raw: raw["tiles"].update(wheat=1),
        "$.tiles.wheat",
        "1 tiles (wheat) for 2 provinces",
        "KRETA-SETUP-4",
    ),
    (
        "kreta",
        lambda raw: raw["tiles"].update(olive=5, wine=3),
        "$.tiles.olive",
        "is 5, and must be 0 to 4",
        "KRETA-FARMER-3",
    ),
    (
        "kreta",
        lambda raw: [each.update(harbour=False) for each in raw["provinces"].values()],
        "$.provinces",
        "no province has a harbour",
        "KRETA-ADMIRAL-1",
    ),
    (
        "kreta",
        lambda raw: raw["provinces"]["SEL"].update(polygon=[[1, 1], [2, 2]]),
        "$.provinces.SEL.polygon",
        "at least 3",
        "",
    ),
    (
        "kreta",
        lambda raw: raw["provinces"]["SEL"].update(middle=[500, -1]),
        "$.provinces.SEL.middle",
        "500, -1 lies outside 1000 x 360",
        "",
    ),
    ("kreta", lambda raw: raw["forts"]["7"].update(y=361), "$.forts.7", "outside", ""),
    ("kreta", lambda raw: raw.update(width=0), "$.width", "100 to 4000", ""),
    ("canarias", settler(house="pink"), "$.settlers.monje-a.house", "'pink' is no colour", "CANARIAS-BUILD-1"),
    (
        "canarias",
        settler(priorities=["sea", "red", "blue", "road"]),
        "$.settlers.monje-a.priorities[0]",
        "'sea' is no priority",
        "CANARIAS-BUILD-3",
    ),
    (
        "canarias",
        settler(priorities=["red", "blue", "road"]),
        "$.settlers.monje-a.priorities",
        "3 priorities instead of 4",
        "CANARIAS-BUILD-2",
    ),
    (
        "canarias",
        settler(priorities=["red", "blue", "road", "red"]),
        "$.settlers.monje-a.priorities[3]",
        "occurs twice",
        "CANARIAS-BUILD-2",
    ),
    ("canarias", keep("settlers", 19), "$.settlers", "is 19, and must be 20 to 57", "CANARIAS-SETUP-4"),
    (
        "canarias",
        lambda raw: [each.update(occupation="Monje") for each in raw["settlers"].values()],
        "$.settlers",
        "number of occupations is 1,",
        "CANARIAS-SETUP-4",
    ),
    (
        "canarias",
        lambda raw: raw["powers"].update(red="ties"),
        "$.powers",
        "one each of the powers",
        "CANARIAS-SETUP-2",
    ),
    ("canarias", keep("islands", 4), "$.islands", "is 4, and must be 5 to 10", "CANARIAS-SETUP-3"),
    (
        "canarias",
        island(lambda one: one.update(outline=["#####x"])),
        "$.islands.1.outline",
        "not drawn with # and .",
        "",
    ),
    (
        "canarias",
        island(lambda one: one.update(village=[])),
        "$.islands.1.village",
        "must be squares of its land",
        "CANARIAS-SETUP-5",
    ),
    ("canarias", island(lambda one: one.update(farmland=["A3"])), "$.islands.1", "occurs twice", "CANARIAS-SETUP-5"),
    (
        "canarias",
        island(lambda one: one.update(outline=["######"] * 4)),
        "$.islands.1.outline",
        "is 20, and must be 1 to 16",
        "CANARIAS-SETUP-5",
    ),
    (
        "canarias",
        island(lambda one: one["neighbours"].append("A1 C1")),
        "$.islands.1.neighbours[13]",
        "'A1 C1' are no two",
        "CANARIAS-BUILD-4",
    ),
    (
        "canarias",
        island(lambda one: one["neighbours"].remove("A1 A2")),
        "$.islands.1.neighbours",
        "'A1 A2' share a side",
        "CANARIAS-BUILD-4",
    ),
    (
        "canarias",
        island(lambda one: one["neighbours"].append("A1 A2")),
        "$.islands.1.neighbours[13]",
        "occurs twice",
        "CANARIAS-BUILD-4",
    ),
    (
        "canarias",
        island(lambda one: one["touching"].pop("coast")),
        "$.islands.1.touching",
        "each of coast, village",
        "CANARIAS-BUILD-4",
    ),
    (
        "canarias",
        island(lambda one: one["touching"]["road"].append("A3")),
        "$.islands.1.touching.road[3]",
        "'A3' is no building square",
        "CANARIAS-BUILD-4",
    ),
    (
        "canarias",
        island(lambda one: one["touching"]["road"].append("B4")),
        "$.islands.1.touching.road[3]",
        "occurs twice",
        "CANARIAS-BUILD-4",
    ),
    ("canarias", island(lambda one: one["borders"].pop("river")), "$.islands.1.borders", "must draw its coast", ""),
    (
        "canarias",
        island(lambda one: one["borders"]["road"].append([4, 5])),
        "$.islands.1.borders.road",
        "off the sides",
        "",
    ),
    (
        "canarias",
        island(lambda one: one["borders"]["road"].pop()),
        "$.islands.1.touching.road",
        "the drawing shows",
        "CANARIAS-BUILD-4",
    ),
    (
        "tenerife",
        lambda raw: raw["hall"]["plots"][0].update(closed=True),
        "$.hall.plots[0].closed",
        "unknown field",
        "",
    ),
    ("tenerife", keep("towns", 1), "$.towns", "is 1, and must be 2 to 12", "TENERIFE-SETUP-2"),
    ("tenerife", renamed("SCR", "SAN"), "$.removed_town", "'SCR' is no town", "TENERIFE-SETUP-2"),
    ("tenerife", renamed("PUE", "POR"), "$.option_symbol_town", "'PUE' is no town", "TENERIFE-FARMER-1"),
    ("tenerife", lambda raw: raw["hall"].update(id="GAR"), "$.hall.id", "the id of a town", ""),
    (
        "tenerife",
        lambda raw: raw["towns"]["ORO"].update(plots=[]),
        "$.towns.ORO.plots",
        "is 0, and must be 1 to 8",
        "TENERIFE-MASON-1",
    ),
    (
        "tenerife",
        lambda raw: raw["roads"].append(["GAR", "ATH"]),
        "$.roads[7]",
        "'ATH' is no place",
        "TENERIFE-MERCHANT-2",
    ),
    ("tenerife", lambda raw: raw["roads"].append(["GAR", "GAR"]), "$.roads[7]", "to itself", "TENERIFE-MERCHANT-2"),
    (
        "tenerife",
        lambda raw: raw["roads"].append(["ICO", "GAR"]),
        "$.roads[7]",
        "join the same places",
        "TENERIFE-MERCHANT-2",
    ),
    ("tenerife", lambda raw: raw["roads"].pop(), "$.roads", "no road leads from GAR to SCR", "TENERIFE-ROB-MASON-1"),
    (
        "tenerife",
        lambda raw: raw["hall"].update(plots=[]),
        "$.hall.plots",
        "is 0, and must be 1 to 16",
        "TENERIFE-HALL-1",
    ),
    ("tenerife", lambda raw: raw["hall"]["plots"].reverse(), "$.hall.plots", "row by row", ""),
    (
        "tenerife",
        lambda raw: [each.update(closed_with_two_seats=True) for each in raw["hall"]["plots"]],
        "$.hall.plots",
        "every plot is closed",
        "TENERIFE-TWO-1",
    ),
    ("tenerife", lambda raw: raw.update(line_points=[]), "$.line_points", "the longest line is 0", "TENERIFE-HALL-1"),
    ("tenerife", lambda raw: raw["line_points"].append(-1), "$.line_points[4]", "is -1", "TENERIFE-HALL-1"),
    ("tenerife", lambda raw: raw.update(storage=[]), "$.storage", "is 0, and must be 1 to 12", "TENERIFE-FARMER-3"),
    (
        "tenerife",
        lambda raw: raw["storage"][3].update(good="rum"),
        "$.storage[3].good",
        "'rum' is no good",
        "TENERIFE-FARMER-3",
    ),
    ("tenerife", lambda raw: raw["storage"][3].update(room=0), "$.storage[3].room", "is 0", "TENERIFE-FARMER-3"),
    ("tenerife", lambda raw: raw["storage"][3].update(value=-1), "$.storage[3].value", "is -1", "TENERIFE-EXPORTER-1"),
    (
        "tenerife",
        lambda raw: raw.update(farmhand_returns_to=7),
        "$.farmhand_returns_to",
        "is 7, and must be 1 to 6",
        "TENERIFE-FARMER-3",
    ),
    ("tenerife", lambda raw: raw["column"].pop(), "$.column", "is 11", "TENERIFE-ROUND-2"),
    ("tenerife", lambda raw: raw["transport"].append([1, 1]), "$.transport", "is 4", "TENERIFE-TRANSPORT-1"),
    ("tenerife", lambda raw: raw["towns"]["TAC"].update(at=[1001, 0]), "$.towns.TAC", "1001, 0 lies outside", ""),
    ("small_islands", lambda raw: raw["shapes"].pop("LSLS"), "$.shapes", "the shapes must be SSSS", "SMALL-TILE-1"),
    (
        "small_islands",
        lambda raw: raw["shapes"]["LLSS"]["ports"].pop(),
        "$.shapes.LLSS.ports",
        "1 ports, and must have 2",
        "SMALL-TOKEN-3",
    ),
    (
        "small_islands",
        lambda raw: raw["shapes"]["LLLL"].update(land=[]),
        "$.shapes.LLLL.land",
        "outline of 0 corners",
        "SMALL-TILE-1",
    ),
    (
        "small_islands",
        lambda raw: raw["shapes"]["LSSS"]["land"].append([0, 100]),
        "$.shapes.LSSS.land",
        "does not match",
        "SMALL-TILE-1",
    ),
    (
        "small_islands",
        lambda raw: raw["shapes"]["LSSS"]["land"].append([0, 0]),
        "$.shapes.LSSS.land[5]",
        "occurs twice",
        "",
    ),
    (
        "small_islands",
        lambda raw: raw["shapes"]["LSSS"]["spots"].append([50, 101]),
        "$.shapes.LSSS.spots",
        "50, 101 lies outside",
        "",
    ),
    (
        "small_islands",
        lambda raw: raw["landscape"]["L07"].update(shape="SLSL"),
        "$.landscape.L07.shape",
        "'SLSL' is no shape",
        "SMALL-TILE-1",
    ),
    (
        "small_islands",
        lambda raw: raw["landscape"]["L08"]["symbols"].append("gold"),
        "$.landscape.L08.symbols[2]",
        "'gold' is no symbol",
        "",
    ),
    (
        "small_islands",
        lambda raw: raw["landscape"]["L07"]["symbols"].append("leaf"),
        "$.landscape.L07.symbols",
        "4 symbols do not fit on the 3",
        "",
    ),
    (
        "small_islands",
        lambda raw: raw["landscape"]["L17"].update(ports=1),
        "$.landscape.L17.ports",
        "is 1, and must be 0 to 0",
        "SMALL-TOKEN-3",
    ),
    (
        "small_islands",
        lambda raw: raw["start"]["S1A"].update(symbols=["house"] * 2),
        "$.start.S1A.symbols",
        "at most one house",
        "SMALL-REWARD-2",
    ),
    (
        "small_islands",
        lambda raw: raw["landscape"]["L54"].update(symbols=["leaf"] * 4),
        "$.landscape.L54.symbols",
        "4 natural resources",
        "SMALL-TOKEN-2",
    ),
    ("small_islands", keep("landscape", 16), "$.landscape", "is 16, and must be 17 to 64", "SMALL-PREP-1"),
    ("small_islands", lambda raw: raw["start"].pop("S4B"), "$.start", "is 7, and must be 8 to 8", "SMALL-SETUP-4"),
    ("small_islands", lambda raw: raw["start"].update(L01=raw["start"].pop("S4B")), "$.start", "occurs twice", ""),
    ("small_islands", lambda raw: raw["start_layout"].pop(), "$.start_layout", "one side of each", "SMALL-SETUP-4"),
    (
        "small_islands",
        lambda raw: raw["start_layout"][0].__setitem__(1, 4),
        "$.start_layout",
        "0 to 3 quarter turns",
        "SMALL-SETUP-4",
    ),
    (
        "small_islands",
        lambda raw: raw["start_layout"][0].__setitem__(1, 2),
        "$.start_layout",
        "do not match",
        "SMALL-TILE-3",
    ),
    (
        "small_islands",
        lambda raw: raw.update(bonus_tokens=[]),
        "$.bonus_tokens",
        "at least one bonus token",
        "SMALL-TOKEN-1",
    ),
    (
        "small_islands",
        lambda raw: raw.update(bonus_tokens=["leaf", "leaf"]),
        "$.bonus_tokens[1]",
        "occurs twice",
        "SMALL-TOKEN-2",
    ),
    (
        "small_islands",
        lambda raw: raw.update(bonus_tokens=["port"]),
        "$.bonus_tokens[0]",
        "'port' is no bonus token",
        "SMALL-TOKEN-2",
    ),
    ("small_islands", lambda raw: raw.update(discovery_tokens=[]), "$.discovery_tokens", "is 0", "SMALL-PAY-1"),
    ("small_islands", lambda raw: raw["discovery_tokens"].append(0), "$.discovery_tokens[12]", "is 0", "SMALL-PAY-1"),
    (
        "small_islands",
        lambda raw: raw.update(discovery_tokens=list(range(1, 13))),
        "$.discovery_tokens",
        "in 924 ways",
        "SMALL-PAY-1",
    ),
    ("small_islands", lambda raw: raw["size_points"].reverse(), "$.size_points", "must ascend", "SMALL-PAY-1"),
    ("small_islands", keep("missions", 11), "$.missions", "is 11, and must be 12 to 40", "SMALL-PREP-3"),
    (
        "small_islands",
        lambda raw: raw["missions"]["M3"].update(kind="most"),
        "$.missions.M3.kind",
        "'most' is no kind",
        "SMALL-MISSION-1",
    ),
    (
        "small_islands",
        lambda raw: raw["missions"]["M3"]["symbols"].pop(),
        "$.missions.M3.symbols",
        "of the kind more is 1",
        "SMALL-MISSION-1",
    ),
    (
        "small_islands",
        lambda raw: raw["missions"]["M7"].update(symbols=["port"]),
        "$.missions.M7.symbols[0]",
        "'port' is no symbol",
        "SMALL-MISSION-1",
    ),
    (
        "small_islands",
        lambda raw: raw["rewards"]["W10"].update(plus=2),
        "$.rewards.W10.plus",
        "is 2, and must be 0 to 0",
        "SMALL-PAY-1",
    ),
    ("small_islands", lambda raw: raw["rewards"].update(O1=raw["rewards"].pop("W1")), "$.rewards", "occurs twice", ""),
]


@pytest.mark.parametrize(("game", "fault", "place", "sentence", "rule"), FAULTS)
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
