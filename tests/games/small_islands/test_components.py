from __future__ import annotations

import json
from collections import Counter
from importlib.resources import files
from itertools import combinations
from math import dist

from skerry_games.small_islands.printed.components import COMPONENTS, Symbol, parse_components
from skerry_games.small_islands.tabletop.cells import PATTERNS

TEXT = files("skerry_games.small_islands").joinpath("house.json").read_text(encoding="utf-8")


def test_discovery_tokens_may_lie_in_any_order() -> None:
    """SMALL-SETUP-2"""
    raw = json.loads(TEXT)
    raw["discovery_tokens"].reverse()
    assert parse_components(json.dumps(raw)).discovery_tokens == COMPONENTS.discovery_tokens


def test_the_house_edition_is_what_the_rules_describe() -> None:
    """SMALL-SETUP-2"""
    tiles = COMPONENTS.faces[: COMPONENTS.landscape]
    symbols = Counter(symbol for face in tiles for symbol in face.symbols)
    assert (COMPONENTS.edition, len(tiles), len(COMPONENTS.faces)) == ("house", 56, 64)
    assert {symbols[each] for each in (Symbol.FLOWER, Symbol.FRUIT, Symbol.LEAF)} == {28}
    assert (symbols[Symbol.TEMPLE], symbols[Symbol.HOUSE], sum(face.ports for face in tiles)) == (12, 33, 21)
    shapes = Counter(face.shape.name for face in tiles)
    assert shapes == {"SSSS": 2, "LSSS": 15, "LLSS": 18, "LSLS": 3, "LLLS": 12, "LLLL": 6}
    assert [bonus.name for bonus in COMPONENTS.bonus_tokens] == ["FLOWER", "FRUIT", "LEAF", "ANY"]
    assert (COMPONENTS.card_counts, len(COMPONENTS.discovery_tokens)) == ((12, 12, 12), 12)
    assert [card.id[0] for card in COMPONENTS.cards] == ["O"] * 12 + ["M"] * 12 + ["W"] * 12


def test_a_pattern_has_the_land_of_the_corners_in_their_order() -> None:
    """SMALL-TILE-1"""
    patterns = {face.shape.name: PATTERNS[number] for number, face in enumerate(COMPONENTS.faces)}
    assert patterns == {"SSSS": 0, "LSSS": 1, "LLSS": 3, "LSLS": 5, "LLLS": 7, "LLLL": 15}


def test_symbols_and_ports_of_the_house_edition_hide_none_of_each_other() -> None:
    for shape in {face.shape.name: face.shape for face in COMPONENTS.faces}.values():
        lying = [*shape.spots, *shape.ports]
        assert all(dist(one, other) >= 15 for one, other in combinations(lying, 2))
