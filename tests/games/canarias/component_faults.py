"""Faults of a components file, each with its place, its sentence and its rule."""

from __future__ import annotations

from collections.abc import Callable

from tests.games.component_changes import Fault, Raw, keep


def island(change: Callable[[Raw], object]) -> Callable[[Raw], object]:
    return lambda raw: change(raw["islands"]["1"])


def settler(**changed: object) -> Callable[[Raw], object]:
    return lambda raw: raw["settlers"]["monje-a"].update(changed)


FAULTS: list[Fault] = [
    (settler(house="pink"), "$.settlers.monje-a.house", "'pink' is no colour", "CANARIAS-BUILD-1"),
    (
        settler(priorities=["sea", "red", "blue", "road"]),
        "$.settlers.monje-a.priorities[0]",
        "'sea' is no priority",
        "CANARIAS-BUILD-3",
    ),
    (
        settler(priorities=["red", "blue", "road"]),
        "$.settlers.monje-a.priorities",
        "3 priorities instead of 4",
        "CANARIAS-BUILD-2",
    ),
    (
        settler(priorities=["red", "blue", "road", "red"]),
        "$.settlers.monje-a.priorities[3]",
        "occurs twice",
        "CANARIAS-BUILD-2",
    ),
    (
        lambda raw: raw["settlers"].update({"pirate-red": raw["settlers"].pop("monje-a")}),
        "$.settlers.pirate-red",
        "is the id of a pirate",
        "",
    ),
    (keep("settlers", 19), "$.settlers", "is 19, and must be 20 to 57", "CANARIAS-SETUP-4"),
    (
        lambda raw: [each.update(occupation="Monje") for each in raw["settlers"].values()],
        "$.settlers",
        "number of occupations is 1,",
        "CANARIAS-SETUP-4",
    ),
    (lambda raw: raw["powers"].update(red="ties"), "$.powers", "one each of the powers", "CANARIAS-SETUP-2"),
    (keep("islands", 4), "$.islands", "is 4, and must be 5 to 10", "CANARIAS-SETUP-3"),
    (island(lambda one: one.update(outline=["#####x"])), "$.islands.1.outline", "not drawn with # and .", ""),
    (
        island(lambda one: one.update(village=[])),
        "$.islands.1.village",
        "must be squares of its land",
        "CANARIAS-SETUP-5",
    ),
    (island(lambda one: one.update(farmland=["A3"])), "$.islands.1", "occurs twice", "CANARIAS-SETUP-5"),
    (
        island(lambda one: one.update(outline=["######"] * 4)),
        "$.islands.1.outline",
        "is 20, and must be 1 to 16",
        "CANARIAS-SETUP-5",
    ),
    (
        island(lambda one: one["neighbours"].append("A1 C1")),
        "$.islands.1.neighbours[13]",
        "'A1 C1' are no two",
        "CANARIAS-BUILD-4",
    ),
    (
        island(lambda one: one["neighbours"].remove("A1 A2")),
        "$.islands.1.neighbours",
        "'A1 A2' share a side",
        "CANARIAS-BUILD-4",
    ),
    (
        island(lambda one: one["neighbours"].append("A1 A2")),
        "$.islands.1.neighbours[13]",
        "occurs twice",
        "CANARIAS-BUILD-4",
    ),
    (
        island(lambda one: one["touching"].pop("coast")),
        "$.islands.1.touching",
        "each of coast, village",
        "CANARIAS-BUILD-4",
    ),
    (
        island(lambda one: one["touching"]["road"].append("A3")),
        "$.islands.1.touching.road[3]",
        "'A3' is no building square",
        "CANARIAS-BUILD-4",
    ),
    (
        island(lambda one: one["touching"]["road"].append("B4")),
        "$.islands.1.touching.road[3]",
        "occurs twice",
        "CANARIAS-BUILD-4",
    ),
    (island(lambda one: one["borders"].pop("river")), "$.islands.1.borders", "must draw its coast", ""),
    (island(lambda one: one["borders"]["road"].append([4, 5])), "$.islands.1.borders.road", "off the sides", ""),
    (
        island(lambda one: one["borders"]["road"].pop()),
        "$.islands.1.touching.road",
        "the drawing shows",
        "CANARIAS-BUILD-4",
    ),
]
