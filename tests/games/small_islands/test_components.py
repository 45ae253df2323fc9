from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from importlib.resources import files
from typing import Any

import pytest

from skerry_games.small_islands.printed.components import COMPONENTS, ComponentsError, Symbol, parse_components
from skerry_games.small_islands.tabletop.cells import PATTERNS

TEXT = files("skerry_games.small_islands").joinpath("house.json").read_text(encoding="utf-8")
Raw = dict[str, Any]

SPOILT: dict[str, tuple[Callable[[Raw], object], str]] = {
    "field": (lambda raw: raw["landscape"]["L07"].pop("ports"), r"house.json: .*`ports`.*landscape"),
    "spelling": (lambda raw: raw.update(tokens=[]), r"house.json: .*unknown field `tokens`"),
    "type": (lambda raw: raw["landscape"]["L07"].update(ports="1"), r"house.json: Expected `int`"),
    "shapes": (lambda raw: raw["shapes"].pop("LSLS"), r"the shapes must be SSSS, LSSS"),
    "port places": (lambda raw: raw["shapes"]["LLSS"]["ports"].pop(), r"shape LLSS has places for 1 ports"),
    "ports at sea": (lambda raw: raw["shapes"]["SSSS"]["ports"].append([9, 9]), r"shape SSSS has places for 1 ports"),
    "land at sea": (
        lambda raw: raw["shapes"]["SSSS"]["land"].append([9, 9]),
        r"shape SSSS has an outline of 1 corners",
    ),
    "no land": (lambda raw: raw["shapes"]["LLLL"].update(land=[]), r"shape LLLL has an outline of 0 corners"),
    "outline": (lambda raw: raw["shapes"]["LSSS"]["land"].append([0, 100]), r"LSSS does not match its land corners"),
    "closed": (lambda raw: raw["shapes"]["LSSS"]["land"].append([0, 0]), r"outline of shape LSSS visits a point twice"),
    "outside": (lambda raw: raw["shapes"]["LSSS"]["spots"].append([50, 101]), r"shape LSSS has a point outside"),
    "too near": (
        lambda raw: raw["shapes"]["LSSS"]["spots"].append([15, 15]),
        r"two spots or ports on shape LSSS are less than",
    ),
    "unknown shape": (
        lambda raw: raw["landscape"]["L07"].update(shape="SLSL"),
        r"tile L07 has an unknown shape 'SLSL'",
    ),
    "symbol": (lambda raw: raw["landscape"]["L07"]["symbols"].append("gold"), r"tile L07 shows an unknown .* 'gold'"),
    "spots": (lambda raw: raw["landscape"]["L07"]["symbols"].append("leaf"), r"tile L07 has 4 symbols, but 3 spots"),
    "ports": (lambda raw: raw["landscape"]["L17"].update(ports=1), r"tile L17 has 1 ports, but places for 0"),
    "houses": (
        lambda raw: raw["start"]["S1A"].update(symbols=["house", "house"]),
        r"tile S1A has more than one house symbol",
    ),
    "resources": (
        lambda raw: raw["landscape"]["L54"].update(symbols=["flower", "leaf", "leaf", "fruit"]),
        r"house.json, line \d+: tile L54 has 4 natural resources, but at most 3 are allowed",
    ),
    "temples": (
        lambda raw: raw["landscape"]["L54"].update(symbols=["temple"] * 4),
        r"house.json, line \d+: tile L54 has 4 temples, but at most 3 are allowed",
    ),
    "tiles": (lambda raw: raw["landscape"].pop("L56"), r"there are 55 landscape tiles instead of 56"),
    "sides": (lambda raw: raw["start"].pop("S4B"), r"the sides of starting tiles must be S1A, S1B"),
    "shape total": (
        lambda raw: raw["landscape"]["L55"].update(shape="LSSS"),
        r"shape LSSS occurs 16 times instead of 15",
    ),
    "symbol total": (lambda raw: raw["landscape"]["L01"].update(symbols=[]), r"symbol flower occurs 27 times"),
    "port total": (lambda raw: raw["landscape"]["L01"].update(ports=1), r"symbol port occurs 22 times instead of 21"),
    "layout": (lambda raw: raw["start_layout"].reverse(), r"the layout must have one side each of S1, S2, S3 and S4"),
    "layout turns": (lambda raw: raw["start_layout"][0].__setitem__(1, 4), r"the layout must have one side"),
    "layout fit": (lambda raw: raw["start_layout"][0].__setitem__(1, 2), r"the corners of the starting tiles do not"),
    "bonus tokens": (lambda raw: raw["bonus_tokens"].pop(), r"the bonus tokens must be flower, fruit, leaf, any"),
    "discovery tokens": (lambda raw: raw["discovery_tokens"].pop(), r"there must be 12 discovery tokens"),
    "worthless": (lambda raw: raw["discovery_tokens"].__setitem__(0, 0), r"each worth at least 1"),
    "sizes": (lambda raw: raw["size_points"].reverse(), r"numbers of tiles and their points must both ascend"),
    "sizes alike": (
        lambda raw: raw["size_points"][1].__setitem__(0, 3),
        r"numbers of tiles and their points must",
    ),
    "sizes pay less": (
        lambda raw: raw["size_points"][1].__setitem__(1, 3),
        r"and their points must both ascend",
    ),
    "cards": (lambda raw: raw["missions"].pop("M12"), r"there are 11 missions instead of 12"),
    "mission kind": (lambda raw: raw["missions"]["M3"].update(kind="most"), r"card M3 has an unknown kind 'most'"),
    "mission symbols": (lambda raw: raw["missions"]["M3"]["symbols"].pop(), r"card M3 names 1 symbols"),
    "no symbols": (lambda raw: raw["missions"]["M7"].update(symbols=[]), r"card M7 names 0 symbols"),
    "mission of ports": (lambda raw: raw["missions"]["M7"].update(symbols=["port"]), r"card M7 names an unknown"),
    "reward kind": (lambda raw: raw["objectives"]["O3"]["reward"].update(kind="gift"), r"card O3 has an unknown kind"),
    "fine": (lambda raw: raw["rewards"]["W6"].update(plus=-1), r"card W6 adds -1 points, but must add at least 0"),
    "discovery": (
        lambda raw: raw["rewards"]["W10"].update(plus=2),
        r"card W10 adds 2 points, but must .* a discovery exactly 0",
    ),
    "reward symbols": (lambda raw: raw["rewards"]["W8"]["symbols"].append("leaf"), r"card W8 names 1 symbols"),
}


@pytest.mark.parametrize(("spoil", "problem"), SPOILT.values(), ids=SPOILT.keys())
def test_spoilt_components_are_refused_and_the_place_named(spoil: Callable[[Raw], object], problem: str) -> None:
    raw = json.loads(TEXT)
    spoil(raw)
    with pytest.raises(ComponentsError, match=problem):
        parse_components(json.dumps(raw, indent=1))


def test_discovery_tokens_may_lie_in_any_order() -> None:
    """SMALL-SETUP-2"""
    raw = json.loads(TEXT)
    raw["discovery_tokens"].reverse()
    assert parse_components(json.dumps(raw)).discovery_tokens == COMPONENTS.discovery_tokens


def test_the_line_that_is_wrong_is_named() -> None:
    wrong = TEXT.replace('"L07": {"shape": "LLSS"', '"L07": {"shape": "LLXX"')
    line = next(number for number, each in enumerate(TEXT.splitlines(), start=1) if '"L07"' in each)
    with pytest.raises(ComponentsError, match=f"house.json, line {line}: tile L07"):
        parse_components(wrong)


def test_what_is_no_json_is_refused() -> None:
    with pytest.raises(ComponentsError, match=r"house.json: "):
        parse_components(TEXT[:-3])


def test_the_house_edition_is_what_the_rules_describe() -> None:
    """SMALL-SETUP-2"""
    tiles = COMPONENTS.faces[: COMPONENTS.landscape]
    symbols = Counter(symbol for face in tiles for symbol in face.symbols)
    assert (COMPONENTS.edition, len(tiles), len(COMPONENTS.faces)) == ("house", 56, 64)
    assert {symbols[each] for each in (Symbol.FLOWER, Symbol.FRUIT, Symbol.LEAF)} == {28}
    assert (symbols[Symbol.TEMPLE], symbols[Symbol.HOUSE], sum(face.ports for face in tiles)) == (12, 33, 21)
    assert [card.id[0] for card in COMPONENTS.cards] == ["O"] * 12 + ["M"] * 12 + ["W"] * 12


def test_a_pattern_has_the_land_of_the_corners_in_their_order() -> None:
    """SMALL-TILE-1"""
    patterns = {face.shape.name: PATTERNS[number] for number, face in enumerate(COMPONENTS.faces)}
    assert patterns == {"SSSS": 0, "LSSS": 1, "LLSS": 3, "LSLS": 5, "LLLS": 7, "LLLL": 15}
