"""The islands and the cards, and the errors that their loaders find in faulty ones."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from importlib.resources import files
from typing import Any

import pytest

from skerry_games.canarias.printed.cards import CARDS, SETTLERS, CardsError, parse_cards
from skerry_games.canarias.printed.islands import EDITIONS, ISLANDS, NUMBER, IslandsError, parse_islands
from skerry_games.canarias.printed.terms import COLOURS, LAND, Colour, Feature, Power
from tests.games.canarias.drawing import sqs

TEXT = files("skerry_games.canarias").joinpath("house.json").read_text(encoding="utf-8")
Fault = Callable[[dict[str, Any]], object]


def swap_contacts(islands: dict[str, Any]) -> None:
    """Let coast and road of island 1 change places, lists and lines alike."""
    for part in ("touching", "borders"):
        first = islands["1"][part]
        first["coast"], first["road"] = first["road"], first["coast"]


FAULTY_ISLANDS: dict[str, tuple[Fault, str]] = {
    "spelling": (lambda i: i["1"].update(vilage=[]), r"unknown field `vilage`"),
    "missing": (lambda i: i["2"].pop("outline"), r"`outline`"),
    "number": (lambda i: i.pop("6"), r"there are 5 islands instead of 6"),
    "signs": (lambda i: i["1"].update(outline=["#####x"]), r"island 1 is not drawn with # and \. in 4 rows of 6"),
    "rows": (lambda i: i["1"].update(outline=["#"] * 5), r"island 1 is not drawn"),
    "no village": (lambda i: i["3"].update(village=[]), r"island 3 has its village off the land: \[\]"),
    "village at sea": (lambda i: i["1"]["village"].append("A6"), r"island 1 has its village off the land"),
    "one square": (lambda i: i["1"].update(farmland=["A3"]), r"village and its farmland on the same square"),
    "area twice": (lambda i: i["3"]["farmland"].append("B1"), r"names a square of its village or its farmland twice"),
    "squares": (lambda i: i["4"]["village"].pop(), r"island 4 has 13 building squares instead of 12"),
    "stranger": (lambda i: i["1"]["neighbours"].append("A1 C1"), r"names 'A1 C1' as neighbours"),
    "no pair": (lambda i: i["1"]["neighbours"].remove("A1 A2"), r"does not name 'A1 A2' as neighbours"),
    "twice": (lambda i: i["1"]["neighbours"].append("A1 A2"), r"island 1 has 14 pairs of neighbours instead of 13"),
    "no coast": (
        lambda i: i["1"]["touching"].pop("coast"),
        r"island 1 must list the squares next to each of coast, village",
    ),
    "contact": (lambda i: i["1"]["touching"]["road"].append("A3"), r"lists a square next to the road twice, or one"),
    "contact twice": (lambda i: i["1"]["touching"]["road"].append("B4"), r"lists a square next to the road twice"),
    "sizes": (lambda i: i["1"]["touching"]["road"].append("A1"), r"features at {3: 1, 4: 3, 5: 2} squares instead of"),
    "lines": (lambda i: i["1"]["borders"].pop("river"), r"island 1 must draw its coast, river, mountain and road"),
    "drawing": (
        lambda i: i["1"]["borders"]["road"].pop(),
        r"lists \['B4', 'B5', 'C5'\] next to the road, but its drawing shows",
    ),
    "off the grid": (lambda i: i["1"]["borders"]["road"].append([4, 5]), r"island 1 draws its road off the sides"),
    "gap": (lambda i: i["2"]["borders"]["road"].append([5, 2]), r"island 2 draws its road off the sides of squares"),
    "sums": (swap_contacts, r"all islands have a total of 22 squares next to the coast instead of 24"),
}
RIVER_FIRST = ("river", "orange", "red", "mountain")
"""The priorities of Molinero b; Cantero a has the same in another order."""


def swap_houses(cards: dict[str, Any]) -> None:
    """Exchange the house colours of Monje a and Pescador c, which neither has as a priority."""
    one, other = cards["settlers"]["monje-a"], cards["settlers"]["pescador-c"]
    one["house"], other["house"] = other["house"], one["house"]


FAULTY_CARDS: dict[str, tuple[Fault, str]] = {
    "spelling": (lambda c: c["settlers"]["monje-a"].update(home="red"), r"unknown field `home`"),
    "copy": (
        lambda c: c["settlers"].update({"monje-d": c["settlers"].pop("monje-c")}),
        r"monje-d must end in one of a, b",
    ),
    "colour": (
        lambda c: c["settlers"]["monje-a"].update(house="pink"),
        r"builds a house of unknown colour 'pink'",
    ),
    "priority": (
        lambda c: c["settlers"]["monje-a"]["priorities"].append("sea"),
        r"has the unknown priority 'sea'",
    ),
    "five": (lambda c: c["settlers"]["monje-a"]["priorities"].append("road"), r"not have 4 different priorities"),
    "alike": (lambda c: c["settlers"]["monje-a"]["priorities"].__setitem__(0, "red"), r"not have 4 different"),
    "own": (
        lambda c: c["settlers"]["monje-a"].update(house="red"),
        r"monje-a has the colour of its own house, red, as a priority",
    ),
    "number": (lambda c: c["settlers"].pop("monje-a"), r"there are 53 settlers instead of 54"),
    "name": (lambda c: c["settlers"]["monje-a"].update(occupation="Pastor"), r"4 cards instead of 3 are called Pastor"),
    "letters": (
        lambda c: c["settlers"].update({"fraile-a": c["settlers"].pop("monje-b")}),
        r"2 cards called Monje end in -a: a, b, c must each be there once",
    ),
    "houses": (
        lambda c: c["settlers"]["monje-a"].update(house="green"),
        r"8 settlers instead of 9 build houses in orange",
    ),
    "first houses": (swap_houses, r"2 settlers in -a instead of 3 build houses in orange"),
    "wishes": (
        lambda c: c["settlers"]["monje-a"]["priorities"].__setitem__(0, "road"),
        r"17 settlers instead of 18 have the priority vil",
    ),
    "powers": (
        lambda c: c["powers"].update(red="ties"),
        r"the colours orange, .* must have one each of the powers ties",
    ),
    "power": (lambda c: c["powers"].pop("red"), r"must have one each of the powers"),
}


@pytest.mark.parametrize(("fault", "problem"), FAULTY_ISLANDS.values(), ids=FAULTY_ISLANDS.keys())
def test_faulty_islands_are_rejected_and_the_island_named(fault: Fault, problem: str) -> None:
    raw = json.loads(TEXT)
    fault(raw["islands"])
    with pytest.raises(IslandsError, match=problem):
        parse_islands(json.dumps(raw))


@pytest.mark.parametrize(("fault", "problem"), FAULTY_CARDS.values(), ids=FAULTY_CARDS.keys())
def test_faulty_cards_are_rejected_and_the_card_named(fault: Fault, problem: str) -> None:
    raw = json.loads(TEXT)
    fault(raw)
    with pytest.raises(CardsError, match=problem):
        parse_cards(json.dumps(raw))


def test_the_error_names_its_line() -> None:
    line = 1 + TEXT.splitlines().index('  "3": {')
    with pytest.raises(IslandsError, match=f"house.json, line {line}: island 3"):
        parse_islands(TEXT.replace('"village": ["C3", "D3"]', '"village": ["C3", "A1"]', 1))
    number = next(n for n, text in enumerate(TEXT.splitlines(), 1) if '"monje-b"' in text)
    with pytest.raises(CardsError, match=f"house.json, line {number}: monje-b"):
        parse_cards(
            TEXT.replace(
                '"house": "orange", "priorities": ["village", "blue"', '"house": "", "priorities": ["village", "blue"'
            )
        )


def test_text_that_is_not_json_is_rejected() -> None:
    with pytest.raises(IslandsError, match=r"house\.json: "):
        parse_islands(TEXT[:-3])
    with pytest.raises(CardsError, match=r"house\.json: "):
        parse_cards(TEXT[:-3])


def test_the_house_edition_has_six_islands_of_twelve_squares() -> None:
    """CANARIAS-SETUP-5"""
    assert EDITIONS == (CARDS.edition,) == ("house",)
    assert [island.id for island in ISLANDS] == ["1", "2", "3", "4", "5", "6"]
    assert {len(island.building) for island in ISLANDS} == {12}
    assert {sum(map(len, island.neighbours.values())) for island in ISLANDS} == {2 * 13}
    assert {sum(map(len, island.touching.values())) for island in ISLANDS} == {24}
    assert {feature: sum(len(island.touching[feature]) for island in ISLANDS) for feature in LAND} == dict.fromkeys(
        LAND, 24
    )


def test_the_lists_of_squares_match_the_drawing() -> None:
    """CANARIAS-BUILD-4"""
    first = ISLANDS[0]
    assert first.touching[Feature.COAST] == sqs("A5 B6 C1 C2 C5")
    assert first.neighbours[NUMBER["B5"]] == sqs("A5 B4 B6 C5")
    assert first.borders[Feature.ROAD] == ((4, 1), (4, 2), (4, 3))


def test_the_house_edition_has_nine_settlers_of_each_colour_and_each_priority_eighteen_times() -> None:
    """CANARIAS-SETUP-2"""
    assert Counter(settler.house for settler in SETTLERS) == dict.fromkeys(Colour, 9)
    assert Counter(wish for settler in SETTLERS for wish in settler.priorities) == dict.fromkeys(Feature, 18)
    assert len({settler.priorities for settler in SETTLERS}) == 54
    assert [CARDS.powers[colour] for colour in COLOURS] == list(Power)


def test_the_settlers_of_the_worked_examples_are_as_printed() -> None:
    """CANARIAS-BUILD-2"""
    by_id = {settler.id: settler for settler in SETTLERS}
    reaper = by_id["segador-a"]
    assert (reaper.english, reaper.house) == ("reaper", Colour.RED)
    assert reaper.priorities == (Feature.FARMLAND, Feature.GREEN, Feature.BEIGE, Feature.VILLAGE)
    assert by_id["cestero-a"].priorities[:3] == (Feature.BLUE, Feature.VILLAGE, Feature.COAST)
