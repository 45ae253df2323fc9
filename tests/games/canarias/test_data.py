"""The islands and the cards of the house edition."""

from __future__ import annotations

from collections import Counter

from skerry_games.canarias.printed.cards import CARD_IDS, CARDS, SETTLERS, TRIPLES
from skerry_games.canarias.printed.components_file import NUMBER
from skerry_games.canarias.printed.islands import EDITIONS, ISLANDS
from skerry_games.canarias.printed.terms import COLOURS, LAND, Colour, Feature, Power
from tests.games.canarias.drawing import sqs


def test_the_house_edition_has_six_islands_of_twelve_squares() -> None:
    """CANARIAS-SETUP-5"""
    assert EDITIONS == (CARDS.edition,) == ("house",)
    assert [island.id for island in ISLANDS] == ["1", "2", "3", "4", "5", "6"]
    assert {len(island.building) for island in ISLANDS} == {12}
    assert {sum(map(len, island.neighbours.values())) for island in ISLANDS} == {2 * 13}
    assert {sum(map(len, island.touching.values())) for island in ISLANDS} == {24}
    for island in ISLANDS:
        assert sorted(map(len, island.touching.values())) == [3, 3, 4, 4, 5, 5]
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
    assert all(int(settler.house) not in map(int, settler.priorities) for settler in SETTLERS)
    assert set(Counter(settler.occupation for settler in SETTLERS).values()) == {3}
    assert [CARDS.powers[colour] for colour in COLOURS] == list(Power)


def test_the_settlers_of_the_worked_examples_are_as_printed() -> None:
    """CANARIAS-BUILD-2"""
    by_id = {settler.id: settler for settler in SETTLERS}
    reaper = by_id["segador-a"]
    assert (reaper.english, reaper.house) == ("reaper", Colour.RED)
    assert reaper.priorities == (Feature.FARMLAND, Feature.GREEN, Feature.BEIGE, Feature.VILLAGE)
    assert by_id["cestero-a"].priorities[:3] == (Feature.BLUE, Feature.VILLAGE, Feature.COAST)


def test_triples_are_the_first_card_of_each_occupation() -> None:
    """CANARIAS-SETUP-2"""
    assert Counter(CARD_IDS[card] for card in TRIPLES if card < len(SETTLERS)) == {
        settler.id: 3 for settler in SETTLERS if settler.id.endswith("-a")
    }
    houses = Counter(SETTLERS[card].house for card in TRIPLES if card < len(SETTLERS))
    assert set(houses.values()) == {9}
