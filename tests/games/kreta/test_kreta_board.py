from __future__ import annotations

import json
from collections.abc import Callable
from importlib.resources import files
from typing import Any

import pytest

from skerry_games.kreta.kreta_board import BOARD, KretaBoardError, parse_board

TEXT = files("skerry_games.kreta").joinpath("house.json").read_text(encoding="utf-8")
Spoil = Callable[[dict[str, Any], dict[str, Any]], object]


def unborder(provinces: dict[str, Any], one: str, two: str) -> None:
    provinces[one]["adjacent"].remove(two)
    provinces[two]["adjacent"].remove(one)


def untouch(provinces: dict[str, Any], forts: dict[str, Any], province: str, fort: int) -> None:
    provinces[province]["forts"].remove(fort)
    forts[str(fort)]["provinces"].remove(province)


def cut_off_sitia(provinces: dict[str, Any], forts: dict[str, Any]) -> None:
    for neighbour in ("MIR", "IER", "LAS"):
        unborder(provinces, "SIT", neighbour)
    for fort in (23, 24, 25, 26):
        untouch(provinces, forts, "SIT", fort)


def remove_a_border(provinces: dict[str, Any], forts: dict[str, Any]) -> None:
    unborder(provinces, "KIS", "KYD")
    untouch(provinces, forts, "KIS", 4)


def widen_a_fort(provinces: dict[str, Any], forts: dict[str, Any]) -> None:
    provinces["KIS"]["forts"].append(26)
    forts["26"]["provinces"].append("KIS")


def swap_forts_2_and_3(provinces: dict[str, Any], forts: dict[str, Any]) -> None:
    forts["2"], forts["3"] = forts["3"], forts["2"]
    for province in provinces.values():
        province["forts"] = [{2: 3, 3: 2}.get(number, number) for number in province["forts"]]


def touch_twice(provinces: dict[str, Any], forts: dict[str, Any]) -> None:
    forts["1"]["provinces"].append("KIS")
    forts["1"]["total_value"] += provinces["KIS"]["value"]


SPOILT: dict[str, tuple[Spoil, str]] = {
    "field": (lambda p, f: p["KIS"].pop("name"), r"house.json: .*`name`.*provinces"),
    "spelling": (lambda p, f: p["KIS"].update(harbor=True), r"house.json: .*unknown field `harbor`"),
    "type": (lambda p, f: f["7"].update(x="270"), r"house.json: Expected `int`.*forts"),
    "terrain": (lambda p, f: p["KYD"].update(terrain="swamp"), r"province KYD has an unknown terrain 'swamp'"),
    "fort numbers": (lambda p, f: f.update({"27": f.pop("26")}), r"fort spaces must be numbered 1 to 26"),
    "stranger": (lambda p, f: p["KIS"]["adjacent"].append("ATH"), r"line 6: province KIS is adjacent to 'ATH', which"),
    "own fort": (lambda p, f: p["KIS"]["forts"].append(9), r"line 6: province KIS lists fort space 9, which"),
    "fort 99": (lambda p, f: p["KIS"]["forts"].append(99), r"province KIS lists fort space 99, which"),
    "foreign fort": (lambda p, f: f["9"]["provinces"].append("KIS"), r"fort space 9 touches 'KIS', which does not"),
    "fort in Athens": (lambda p, f: f["9"]["provinces"].append("ATH"), r"fort space 9 touches 'ATH', which does not"),
    "fort twice": (lambda p, f: p["KIS"]["forts"].append(1), r"line 6: province KIS lists a fort space twice"),
    "province twice": (touch_twice, r"fort space 1 lists a province twice"),
    "one-sided": (lambda p, f: p["KIS"]["adjacent"].append("RET"), r"KIS is adjacent to RET, but RET is not"),
    "itself": (lambda p, f: p["KIS"]["adjacent"].append("KIS"), r"province KIS lists itself or a neighbour twice"),
    "twice": (lambda p, f: p["KIS"]["adjacent"].append("KYD"), r"province KIS lists itself or a neighbour twice"),
    "border end": (lambda p, f: untouch(p, f, "KYD", 4), r"the border between KIS and KYD ends in 1 fort spaces"),
    "no border": (lambda p, f: unborder(p, "KIS", "KYD"), r"KIS and KYD share 2 fort spaces, but have no border"),
    "island": (cut_off_sitia, r"province SIT cannot be reached"),
    "provinces": (lambda p, f: p["KIS"].update(terrain="plain"), r"7 provinces are hill|3 provinces are plain"),
    "harbours": (lambda p, f: p["KIS"].update(harbour=True), r"4 harbours are hill instead of 3"),
    "borders": (remove_a_border, r"there are 28 borders instead of 29"),
    "fort sizes": (widen_a_fort, r"touch {2: 11, 3: 11, 4: 4} provinces instead of {2: 12, 3: 10, 4: 4}"),
    "value": (lambda p, f: p["SEL"].update(value=4), r"province SEL is worth 4 instead of 3"),
    "total": (lambda p, f: f["7"].update(total_value=12), r"fort space 7 says 12, but its provinces sum to 11"),
    "fort 2": (swap_forts_2_and_3, r"fort space 2 must touch one mountain and two hills"),
    "corners": (
        lambda p, f: p["SEL"].update(polygon=[[1, 1], [2, 2]]),
        r"province SEL has an outline with fewer than 3",
    ),
    "outline": (lambda p, f: p["SEL"]["polygon"].append([1001, 0]), r"SEL has a corner outside 1000 x 360"),
    "middle": (lambda p, f: p["SEL"].update(middle=[500, -1]), r"SEL has its middle outside 1000 x 360"),
    "outside": (lambda p, f: f["7"].update(y=361), r"fort space 7 lies outside 1000 x 360"),
}


@pytest.mark.parametrize(("spoil", "problem"), SPOILT.values(), ids=SPOILT.keys())
def test_a_spoilt_map_is_refused_and_the_place_named(spoil: Spoil, problem: str) -> None:
    raw = json.loads(TEXT)
    spoil(raw["provinces"], raw["forts"])
    with pytest.raises(KretaBoardError, match=problem):
        parse_board(json.dumps(raw, indent=1))


def test_the_line_that_is_wrong_is_named() -> None:
    wrong = TEXT.replace('"terrain": "plain"', '"terrain": "swamp"', 1)
    line = 1 + TEXT.splitlines().index('  "KYD": {')
    with pytest.raises(KretaBoardError, match=f"house.json, line {line}: province KYD"):
        parse_board(wrong)


def test_what_is_no_json_is_refused() -> None:
    with pytest.raises(KretaBoardError, match=r"house.json: "):
        parse_board(TEXT[:-3])


def test_the_house_edition_is_the_map_that_the_rules_describe() -> None:
    assert BOARD.edition == "house"
    assert (len(BOARD.provinces), len(BOARD.forts)) == (16, 26)
    assert sum(len(province.adjacent) for province in BOARD.provinces) == 2 * 29
    assert sum(province.harbour for province in BOARD.provinces) == 7
    assert sum(province.value for province in BOARD.provinces) == 58
    assert [fort.number for fort in BOARD.forts] == [*range(1, 27)]


def test_provinces_that_meet_only_at_a_fort_space_are_not_adjacent() -> None:
    """KRETA-COMMANDER-2"""
    for fort in BOARD.forts:
        for one in fort.provinces:
            for two in fort.provinces:
                shared = set(BOARD.provinces[one].fort_spaces) & set(BOARD.provinces[two].fort_spaces)
                assert one == two or (two in BOARD.provinces[one].adjacent) == (len(shared) == 2)
