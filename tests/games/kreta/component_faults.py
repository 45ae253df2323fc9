"""Faults of a components file, each with its place, its sentence and its rule."""

from __future__ import annotations

from tests.games.component_changes import Fault, Raw


def renumber(raw: Raw) -> None:
    raw["forts"]["27"] = raw["forts"].pop("26")


FAULTS: list[Fault] = [
    (lambda raw: raw["provinces"]["KIS"].pop("name"), "$.provinces.KIS", "the field name is missing", ""),
    (lambda raw: raw["provinces"]["KIS"].update(harbor=True), "$.provinces.KIS.harbor", "unknown field", ""),
    (lambda raw: raw["forts"]["7"].update(x="270"), "$.forts.7.x", "whole number", ""),
    (lambda raw: raw["forts"]["7"].update(x=10**9), "$.forts.7.x", "at most 1,000,000", ""),
    (lambda raw: raw["forts"]["7"].update(coast=1), "$.forts.7.coast", "true or false", ""),
    (lambda raw: raw.update(provinces=[]), "$.provinces", "must be an object", ""),
    (lambda raw: raw["provinces"]["KIS"].update(forts=1), "$.provinces.KIS.forts", "must be an array", ""),
    (lambda raw: raw["provinces"]["KIS"].update(middle=[1]), "$.provinces.KIS.middle", "2 values", ""),
    (lambda raw: raw["provinces"]["KIS"].update(name="{0}"), "$.provinces.KIS.name", "a text of 1 to 60 printable", ""),
    (lambda raw: raw["provinces"].update({"K S": {}}), "$.provinces['K S']", "an id has", ""),
    (lambda raw: raw["forts"].update({"7": 1}), "$.forts.7", "must be an object", ""),
    (
        lambda raw: raw["provinces"]["KYD"].update(terrain="swamp"),
        "$.provinces.KYD.terrain",
        "'swamp' is no ter",
        "KRETA-SCORE-2",
    ),
    (renumber, "$.forts", "numbered 1 to 26", ""),
    (
        lambda raw: raw["provinces"]["KIS"]["adjacent"].append("ATH"),
        "$.provinces.KIS.adjacent[3]",
        "'ATH' is no",
        "KRETA-COMMANDER-2",
    ),
    (
        lambda raw: raw["provinces"]["KIS"]["adjacent"].append("KIS"),
        "$.provinces.KIS.adjacent[3]",
        "'KIS' is no",
        "KRETA-COMMANDER-2",
    ),
    (
        lambda raw: raw["provinces"]["KIS"]["adjacent"].append("KYD"),
        "$.provinces.KIS.adjacent[3]",
        "occurs twice",
        "KRETA-COMMANDER-2",
    ),
    (
        lambda raw: raw["provinces"]["KIS"]["adjacent"].append("RET"),
        "$.provinces.RET.adjacent",
        "RET is adjacent to KIS, but",
        "KRETA-COMMANDER-2",
    ),
    (
        lambda raw: raw["provinces"]["KIS"]["forts"].append(9),
        "$.provinces.KIS.forts[4]",
        "does not list KIS",
        "KRETA-CASTELLAN-1",
    ),
    (
        lambda raw: raw["provinces"]["KIS"]["forts"].append(1),
        "$.provinces.KIS.forts[4]",
        "occurs twice",
        "KRETA-CASTELLAN-1",
    ),
    (
        lambda raw: raw["forts"]["9"]["provinces"].append("KIS"),
        "$.forts.9.provinces[2]",
        "touches 'KIS'",
        "KRETA-CASTELLAN-1",
    ),
    (
        lambda raw: raw["forts"]["9"].update(provinces=[]),
        "$.forts.9.provinces",
        "touches no province",
        "KRETA-CASTELLAN-1",
    ),
    (lambda raw: raw["tiles"].update(wheat=1), "$.tiles.wheat", "1 tiles (wheat) for 2 provinces", "KRETA-SETUP-4"),
    (lambda raw: raw["tiles"].update(olive=5, wine=3), "$.tiles.olive", "is 5, and must be 0 to 4", "KRETA-FARMER-3"),
    (
        lambda raw: [each.update(harbour=False) for each in raw["provinces"].values()],
        "$.provinces",
        "no province has a harbour",
        "KRETA-ADMIRAL-1",
    ),
    (lambda raw: raw["provinces"]["SEL"].update(polygon=[[1, 1], [2, 2]]), "$.provinces.SEL.polygon", "at least 3", ""),
    (
        lambda raw: raw["provinces"]["SEL"].update(middle=[500, -1]),
        "$.provinces.SEL.middle",
        "500, -1 lies outside 1000 x 360",
        "",
    ),
    (lambda raw: raw["forts"]["7"].update(y=361), "$.forts.7", "outside", ""),
    (lambda raw: raw.update(width=0), "$.width", "100 to 4000", ""),
]
