"""Every mission and every reward, on drawn islands and then in play."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from skerry_games.api import MalformedMove
from skerry_games.small_islands import GAME
from skerry_games.small_islands.events import DiscoveryDrawn, DiscoveryKept, HousePaid, Part, PartKind
from skerry_games.small_islands.moves import DrawDiscovery, KeepDiscovery, PickResource
from skerry_games.small_islands.phases.objectives import fulfils, parts
from skerry_games.small_islands.printed.components import COMPONENTS, Symbol
from skerry_games.small_islands.state import Discovery, Mode, Phase, State
from skerry_games.small_islands.tabletop.chart import IslandSummary
from tests.games.small_islands.acting import choices, do, happens, house, land, refused
from tests.games.small_islands.drawing import card, cell, position

# Islands of LLSS tiles, turned twice in the upper row: what they show is what counts.
DRAWN = {
    "flowers": "L06/2\nL29",  # 3 flowers, 1 port
    "fruits": "L24/2\nL47",  # 3 fruits, 1 port
    "leaves": "L42/2\nL11",  # 3 leaves, 1 port
    "one of each": "L07/2\nL11",  # flower, fruit, leaf, 1 port
    "flower and fruit": "L07/2",  # flower, fruit
    "flower temple": "L09/2 L06/2\nL43 L07",  # 5 flowers, 1 fruit, 1 leaf, 1 temple
    "fruit temple": "L27/2 L24/2\nL07 L47",  # 5 fruits, 1 flower, 1 temple, 1 port
    "leaf temple": "L45/2 L42/2\nL25 L43",  # 5 leaves, 1 flower, 1 fruit, 1 temple
}


def island(name: str) -> IslandSummary:
    """Return the one island of a drawing."""
    (drawn,) = position(DRAWN[name]).table.chart.summaries
    return drawn


def counts(name: str) -> dict[str, int]:
    return {symbol.name.lower(): island(name).counts[symbol] for symbol in Symbol if island(name).counts[symbol]}


def test_the_drawings_show_what_they_are_meant_to() -> None:
    assert counts("flowers") == {"flower": 3, "house": 2, "port": 1}
    assert counts("flower temple") == {"flower": 5, "fruit": 1, "leaf": 1, "temple": 1, "house": 4}
    assert counts("fruit temple") == {"fruit": 5, "flower": 1, "temple": 1, "house": 4, "port": 1}


FULFILLED = {
    "M1": {"flowers", "flower temple"},
    "M2": {"flowers", "flower and fruit", "flower temple", "fruit temple"},
    "M3": {"fruits", "fruit temple"},
    "M4": {"fruits", "flower and fruit", "fruit temple"},
    "M5": {"leaves", "leaf temple"},
    "M6": {"leaves", "leaf temple"},
    "M7": {"flower temple"},
    "M8": {"fruit temple"},
    "M9": {"leaf temple"},
    "M10": {"one of each", "flower and fruit", "leaf temple"},
    "M11": {"one of each", "flower and fruit", "flower temple", "leaf temple"},
    "M12": {"one of each", "flower temple"},
    "O10": {"one of each", "flower and fruit", "flower temple", "leaf temple"},
}


@pytest.mark.parametrize(("name", "wanted"), FULFILLED.items(), ids=FULFILLED.keys())
def test_each_mission_is_fulfilled_by_these_islands_and_no_others(name: str, wanted: set[str]) -> None:
    """SMALL-MISSION-1, SMALL-MISSION-2, SMALL-MISSION-3, SMALL-MISSION-4"""
    mission = COMPONENTS.cards[card(name)].mission
    assert mission is not None
    assert {drawn for drawn in DRAWN if fulfils(island(drawn), mission)} == wanted


def on(tiles: int = 1, **symbols: int) -> IslandSummary:
    return IslandSummary(1, tiles, (0, *(symbols.get(symbol.name.lower(), 0) for symbol in Symbol)))


def met(name: str, **symbols: int) -> bool:
    mission = COMPONENTS.cards[card(name)].mission
    assert mission is not None
    return fulfils(on(**symbols), mission)


def test_more_is_strictly_more_and_none_of_the_other_is_enough() -> None:
    """SMALL-MISSION-1"""
    assert met("M1", flower=1)
    assert met("M1", flower=2, fruit=1)
    assert not met("M1", flower=1, fruit=1)
    assert not met("M1", leaf=3)


def test_has_is_at_least_the_symbols_named() -> None:
    """SMALL-MISSION-2"""
    assert met("M7", temple=1, flower=2)
    assert met("M7", temple=2, flower=5, fruit=1)
    assert not met("M7", temple=1, flower=1)
    assert not met("M7", flower=4)


def test_two_equal_needs_at_least_one_of_each() -> None:
    """SMALL-MISSION-3"""
    assert met("O10", flower=2, leaf=2)
    assert met("O10", flower=1, fruit=3, leaf=3)
    assert not met("O10", flower=2)
    assert not met("O10", temple=1, port=1)
    assert not met("O10", flower=1, fruit=2, leaf=3)


def test_equals_another_is_about_that_resource() -> None:
    """SMALL-MISSION-4"""
    assert met("M10", flower=2, leaf=2)
    assert not met("M10", fruit=2, leaf=2)
    assert not met("M10", leaf=2)
    assert met("M12", leaf=1, fruit=1, flower=5)


def paid(name: str, shown: IslandSummary, picked: Symbol | None = None) -> tuple[Part, ...]:
    reward = COMPONENTS.cards[card(name)].reward
    assert reward is not None
    return parts(shown, reward, picked)


PLUS_2 = Part(PartKind.FIXED, 1, 2)


@pytest.mark.parametrize(
    ("name", "sums"),
    [
        ("W1", (Part(PartKind.FLOWER, 5, 5), PLUS_2)),
        ("W2", (Part(PartKind.FRUIT, 3, 3), PLUS_2)),
        ("W3", (Part(PartKind.LEAF, 2, 2), PLUS_2)),
        ("W4", (Part(PartKind.TEMPLE, 2, 2), Part(PartKind.FLOWER, 5, 5))),
        ("W5", (Part(PartKind.TEMPLE, 2, 2), Part(PartKind.FRUIT, 3, 3))),
        ("W6", (Part(PartKind.TEMPLE, 2, 2), Part(PartKind.LEAF, 2, 2))),
        ("W7", (Part(PartKind.SCARCEST, 2, 4), PLUS_2)),
        ("W8", (Part(PartKind.FIXED, 1, 6),)),
        ("W9", (Part(PartKind.SIZE, 7, 6),)),
        ("W12", (Part(PartKind.PORT, 4, 4), Part(PartKind.FIXED, 1, 3))),
    ],
)
def test_each_reward_pays_the_sum_of_its_parts(name: str, sums: tuple[Part, ...]) -> None:
    """SMALL-PAY-1"""
    assert paid(name, on(7, flower=5, fruit=3, leaf=2, temple=2, port=4)) == sums


@pytest.mark.parametrize(
    ("tiles", "points"), [(2, 0), (3, 4), (5, 4), (6, 6), (8, 6), (9, 8), (11, 8), (12, 10), (40, 10)]
)
def test_the_size_of_an_island_pays_in_steps(tiles: int, points: int) -> None:
    """SMALL-PAY-1"""
    assert paid("W9", on(tiles)) == (Part(PartKind.SIZE, tiles, points),)


def test_a_resource_that_is_not_there_is_not_the_scarcest() -> None:
    """SMALL-PAY-1"""
    assert paid("W7", on(flower=3, leaf=1)) == (Part(PartKind.SCARCEST, 1, 2), PLUS_2)


PAIRS = {
    "O1": ("M1", "W1"),
    "O2": ("M4", "W2"),
    "O3": ("M5", "W3"),
    "O4": ("M2", "W9"),
    "O5": ("M3", "W8"),
    "O6": ("M6", "W10"),
    "O7": ("M7", "W4"),
    "O8": ("M8", "W5"),
    "O9": ("M9", "W6"),
}


@pytest.mark.parametrize(("name", "halves"), PAIRS.items(), ids=PAIRS.keys())
def test_an_objective_is_a_mission_with_a_reward(name: str, halves: tuple[str, str]) -> None:
    """SMALL-SETUP-1"""
    mission, reward = (COMPONENTS.cards[card(half)] for half in halves)
    objective = COMPONENTS.cards[card(name)]
    assert (objective.mission, objective.reward) == (mission.mission, reward.reward)


TEMPLES = """
    L09/2 L27/2 L45/2 . . L55
    L43   L07   L42   . . .
"""
"""One island with 3 temples, 3 flowers, 2 fruits and 4 leaves."""


def landed(cards: str, picture: str = TEMPLES, more: str = "") -> State:
    text = f"{picture}\nseat 0: objective {cards}\nseat 1: objective M8 W8\nreserve: 20\n{more}"
    return do(position(text, mode=Mode.ADVANCED), land("9,5", grey=True))


def test_a_house_is_paid_for_each_symbol_of_the_picked_resource() -> None:
    """SMALL-PAY-1"""
    state = do(landed("M5 W11"), house("4,4"))
    assert state.phase is Phase.PICK_RESOURCE
    assert choices(state) == tuple(map(PickResource, (Symbol.FLOWER, Symbol.FRUIT, Symbol.LEAF)))
    assert refused(state, house("5,4")) == "SMALL-PAY-1"
    with pytest.raises(MalformedMove, match=r"^Pick one of the natural resources: flower, fruit or leaf"):
        GAME.apply(state, 0, PickResource(Symbol.TEMPLE))
    _, events = happens(state, PickResource(Symbol.FRUIT))
    assert events[0] == HousePaid(0, cell("4,4"), (Part(PartKind.FRUIT, 2, 2), PLUS_2), 4)


def test_as_many_discovery_tokens_are_drawn_as_there_are_temples_and_one_is_kept() -> None:
    """SMALL-PAY-1"""
    state = do(landed("M5 W10"), house("4,4"))
    assert state.phase is Phase.DRAW_DISCOVERY
    assert len(choices(state)) == 50, "multisets of 3 of twelve tokens in six pairs"
    assert refused(state, DrawDiscovery(0, (3, 3, 3))) == "SMALL-PAY-1"
    assert refused(state, DrawDiscovery(0, (3, 4))) == "SMALL-PAY-1"
    assert refused(state, DrawDiscovery(1, (3, 8, 8))) == "SMALL-PAY-1"
    state, events = happens(state, DrawDiscovery(0, (3, 8, 8)))
    assert events == (DiscoveryDrawn(0, 3, (3, 8, 8)),)
    assert choices(state) == (KeepDiscovery(3), KeepDiscovery(8))
    assert refused(state, KeepDiscovery(4)) == "SMALL-PAY-1"
    state, events = happens(state, KeepDiscovery(8))
    assert events[0] == DiscoveryKept(0, 8)
    assert state.discoveries == (Discovery(0, (3, 8, 8), 8),)
    view = GAME.view(state, 0)
    assert (view.discoveries_left, view.seats[0].discoveries, view.seats[0].drawn) == (11, (8,), ())
    assert GAME.scores(state) == (0, 0), "they count in the end"


def test_two_equal_tokens_are_asked_for_because_others_do_not_know_that_they_are_equal() -> None:
    """SMALL-PAY-1"""
    two = TEMPLES.replace("L27/2", "L24/2")
    state = do(landed("M5 W10", two), house("4,4"), DrawDiscovery(0, (8, 8)))
    assert choices(state) == (KeepDiscovery(8),)


def test_a_single_token_is_kept_at_once() -> None:
    """SMALL-PAY-1"""
    one = TEMPLES.replace("L27/2", "L24/2").replace("L09/2", "L06/2")
    _, events = happens(do(landed("M6 W10", one), house("4,4")), DrawDiscovery(0, (5,)))
    assert events[:2] == (DiscoveryDrawn(0, 1, (5,)), DiscoveryKept(0, 5))


def test_without_a_temple_nothing_is_drawn() -> None:
    """SMALL-PAY-1"""
    none = "L42/2 . . . . L55\nL43 . . . . ."
    _, events = happens(landed("M5 W10", none), house("4,4"))
    assert events[1] == DiscoveryDrawn(0, 0, ())


def test_when_few_tokens_are_left_all_of_them_are_drawn() -> None:
    """SMALL-PAY-1"""
    kept = tuple(Discovery(1, (value,), value) for value in COMPONENTS.discovery_tokens[:10])
    state = do(replace(landed("M5 W10"), discoveries=kept), house("4,4"))
    assert choices(state) == (DrawDiscovery(0, (8, 8)),)
    none = tuple(Discovery(1, (value,), value) for value in COMPONENTS.discovery_tokens)
    _, events = happens(replace(landed("M5 W10"), discoveries=none), house("4,4"))
    assert events[1] == DiscoveryDrawn(0, 0, ())
