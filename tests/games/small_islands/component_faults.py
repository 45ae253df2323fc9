"""Faults of a components file, each with its place, its sentence and its rule."""

from __future__ import annotations

from tests.games.component_changes import Fault, keep

FAULTS: list[Fault] = [
    (lambda raw: raw["shapes"].pop("LSLS"), "$.shapes", "the shapes must be SSSS", "SMALL-TILE-1"),
    (
        lambda raw: raw["shapes"]["LLSS"]["ports"].pop(),
        "$.shapes.LLSS.ports",
        "1 ports, and must have 2",
        "SMALL-TOKEN-3",
    ),
    (lambda raw: raw["shapes"]["LLLL"].update(land=[]), "$.shapes.LLLL.land", "outline of 0 corners", "SMALL-TILE-1"),
    (
        lambda raw: raw["shapes"]["LSSS"]["land"].append([0, 100]),
        "$.shapes.LSSS.land",
        "does not match",
        "SMALL-TILE-1",
    ),
    (lambda raw: raw["shapes"]["LSSS"]["land"].append([0, 0]), "$.shapes.LSSS.land[5]", "occurs twice", ""),
    (lambda raw: raw["shapes"]["LSSS"]["spots"].append([50, 101]), "$.shapes.LSSS.spots", "50, 101 lies outside", ""),
    (
        lambda raw: raw["landscape"]["L07"].update(shape="SLSL"),
        "$.landscape.L07.shape",
        "'SLSL' is no shape",
        "SMALL-TILE-1",
    ),
    (
        lambda raw: raw["landscape"]["L08"]["symbols"].append("gold"),
        "$.landscape.L08.symbols[2]",
        "'gold' is no symbol",
        "",
    ),
    (
        lambda raw: raw["landscape"]["L07"]["symbols"].append("leaf"),
        "$.landscape.L07.symbols",
        "4 symbols do not fit on the 3",
        "",
    ),
    (
        lambda raw: raw["landscape"]["L17"].update(ports=1),
        "$.landscape.L17.ports",
        "is 1, and must be 0 to 0",
        "SMALL-TOKEN-3",
    ),
    (
        lambda raw: raw["start"]["S1A"].update(symbols=["house"] * 2),
        "$.start.S1A.symbols",
        "at most one house",
        "SMALL-REWARD-2",
    ),
    (
        lambda raw: raw["landscape"]["L54"].update(symbols=["leaf"] * 4),
        "$.landscape.L54.symbols",
        "4 natural resources",
        "SMALL-TOKEN-2",
    ),
    (keep("landscape", 16), "$.landscape", "is 16, and must be 17 to 64", "SMALL-PREP-1"),
    (lambda raw: raw["start"].pop("S4B"), "$.start", "is 7, and must be 8 to 8", "SMALL-SETUP-4"),
    (lambda raw: raw["start"].update(L01=raw["start"].pop("S4B")), "$.start", "occurs twice", ""),
    (lambda raw: raw["start_layout"].pop(), "$.start_layout", "one side of each", "SMALL-SETUP-4"),
    (lambda raw: raw["start_layout"][0].__setitem__(1, 4), "$.start_layout", "0 to 3 quarter turns", "SMALL-SETUP-4"),
    (lambda raw: raw["start_layout"][0].__setitem__(1, 2), "$.start_layout", "do not match", "SMALL-TILE-3"),
    (lambda raw: raw.update(bonus_tokens=[]), "$.bonus_tokens", "at least one bonus token", "SMALL-TOKEN-1"),
    (lambda raw: raw.update(bonus_tokens=["leaf", "leaf"]), "$.bonus_tokens[1]", "occurs twice", "SMALL-TOKEN-2"),
    (lambda raw: raw.update(bonus_tokens=["port"]), "$.bonus_tokens[0]", "'port' is no bonus token", "SMALL-TOKEN-2"),
    (lambda raw: raw.update(discovery_tokens=[]), "$.discovery_tokens", "is 0", "SMALL-PAY-1"),
    (lambda raw: raw["discovery_tokens"].append(0), "$.discovery_tokens[12]", "is 0", "SMALL-PAY-1"),
    (lambda raw: raw.update(discovery_tokens=list(range(1, 13))), "$.discovery_tokens", "in 924 ways", "SMALL-PAY-1"),
    (lambda raw: raw["size_points"].reverse(), "$.size_points", "must ascend", "SMALL-PAY-1"),
    (keep("missions", 11), "$.missions", "is 11, and must be 12 to 40", "SMALL-PREP-3"),
    (
        lambda raw: raw["missions"]["M3"].update(kind="most"),
        "$.missions.M3.kind",
        "'most' is no kind",
        "SMALL-MISSION-1",
    ),
    (
        lambda raw: raw["missions"]["M3"]["symbols"].pop(),
        "$.missions.M3.symbols",
        "of the kind more is 1",
        "SMALL-MISSION-1",
    ),
    (
        lambda raw: raw["missions"]["M7"].update(symbols=["port"]),
        "$.missions.M7.symbols[0]",
        "'port' is no symbol",
        "SMALL-MISSION-1",
    ),
    (lambda raw: raw["rewards"]["W10"].update(plus=2), "$.rewards.W10.plus", "is 2, and must be 0 to 0", "SMALL-PAY-1"),
    (lambda raw: raw["rewards"].update(O1=raw["rewards"].pop("W1")), "$.rewards", "occurs twice", ""),
]
