"""Faults of a components file, each with its place, its sentence and its rule."""

from __future__ import annotations

from collections.abc import Callable

from tests.games.component_changes import Fault, Raw, keep


def renamed(old: str, new: str) -> Callable[[Raw], None]:
    def rename(raw: Raw) -> None:
        raw["towns"] = {key.replace(old, new): town for key, town in raw["towns"].items()}

    return rename


FAULTS: list[Fault] = [
    (lambda raw: raw["hall"]["plots"][0].update(closed=True), "$.hall.plots[0].closed", "unknown field", ""),
    (keep("towns", 1), "$.towns", "is 1, and must be 2 to 12", "TENERIFE-SETUP-2"),
    (renamed("SCR", "SAN"), "$.removed_town", "'SCR' is no town", "TENERIFE-SETUP-2"),
    (renamed("PUE", "POR"), "$.option_symbol_town", "'PUE' is no town", "TENERIFE-FARMER-1"),
    (lambda raw: raw["hall"].update(id="GAR"), "$.hall.id", "the id of a town", ""),
    (lambda raw: raw["hall"].update(id="LA LAG"), "$.hall.id", "an id has 1 to 24 letters, digits, - and _", ""),
    (lambda raw: raw["hall"].update(id="L" * 25), "$.hall.id", "an id has 1 to 24 letters, digits, - and _", ""),
    (
        lambda raw: raw["towns"]["ORO"].update(plots=[]),
        "$.towns.ORO.plots",
        "is 0, and must be 1 to 8",
        "TENERIFE-MASON-1",
    ),
    (lambda raw: raw["roads"].append(["GAR", "ATH"]), "$.roads[7]", "'ATH' is no place", "TENERIFE-MERCHANT-2"),
    (lambda raw: raw["roads"].append(["GAR", "GAR"]), "$.roads[7]", "to itself", "TENERIFE-MERCHANT-2"),
    (lambda raw: raw["roads"].append(["ICO", "GAR"]), "$.roads[7]", "join the same places", "TENERIFE-MERCHANT-2"),
    (lambda raw: raw["roads"].pop(), "$.roads", "no road leads from GAR to SCR", "TENERIFE-ROB-MASON-1"),
    (lambda raw: raw["hall"].update(plots=[]), "$.hall.plots", "is 0, and must be 1 to 16", "TENERIFE-HALL-1"),
    (lambda raw: raw["hall"]["plots"].reverse(), "$.hall.plots", "row by row", ""),
    (
        lambda raw: [each.update(closed_with_two_seats=True) for each in raw["hall"]["plots"]],
        "$.hall.plots",
        "every plot is closed",
        "TENERIFE-TWO-1",
    ),
    (lambda raw: raw.update(line_points=[]), "$.line_points", "the longest line is 0", "TENERIFE-HALL-1"),
    (lambda raw: raw["line_points"].append(-1), "$.line_points[4]", "is -1", "TENERIFE-HALL-1"),
    (lambda raw: raw.update(storage=[]), "$.storage", "is 0, and must be 1 to 12", "TENERIFE-FARMER-3"),
    (lambda raw: raw["storage"][3].update(good="rum"), "$.storage[3].good", "'rum' is no good", "TENERIFE-FARMER-3"),
    (lambda raw: raw["storage"][3].update(room=0), "$.storage[3].room", "is 0", "TENERIFE-FARMER-3"),
    (lambda raw: raw["storage"][3].update(value=-1), "$.storage[3].value", "is -1", "TENERIFE-EXPORTER-1"),
    (
        lambda raw: raw.update(farmhand_returns_to=7),
        "$.farmhand_returns_to",
        "is 7, and must be 1 to 6",
        "TENERIFE-FARMER-3",
    ),
    (lambda raw: raw["column"].pop(), "$.column", "is 11", "TENERIFE-ROUND-2"),
    (lambda raw: raw["transport"].append([1, 1]), "$.transport", "is 4", "TENERIFE-TRANSPORT-1"),
    (lambda raw: raw["towns"]["TAC"].update(at=[1001, 0]), "$.towns.TAC", "1001, 0 lies outside", ""),
]
