"""An edition of each game that differs from the house's in every count that the rules leave open."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.resources import files
from typing import Any, Final

from skerry_games import catalogue
from skerry_games.api import AnyGame
from skerry_games.editions import add_edition

Raw = dict[str, Any]
NAME: Final = "other"


@contextmanager
def added_editions_restored() -> Iterator[None]:
    """Remove editions that a test has added, so that later tests of the process do not meet them."""
    editions = dict(catalogue._editions)
    yield
    catalogue._editions.clear()
    catalogue._editions.update(editions)


def house(game: str) -> Raw:
    """Return the components of the house edition."""
    raw: Raw = json.loads(files(f"skerry_games.{game}").joinpath("house.json").read_text(encoding="utf-8"))
    return raw


def other_text(game: str) -> str:
    """Return the file of the other edition."""
    raw = house(game) | {"edition": NAME}
    _CHANGES[game](raw)
    return json.dumps(raw, indent=1)


def other_edition(game: str) -> AnyGame:
    """Return the game with the components of the other edition."""
    return add_edition(game, other_text(game))


def _kreta(raw: Raw) -> None:
    provinces, forts = raw["provinces"], raw["forts"]
    for gone in ("KIS", "LEF", "SIT"):
        del provinces[gone]
        for province in provinces.values():
            province["adjacent"] = [other for other in province["adjacent"] if other != gone]
        for fort in forts.values():
            fort["provinces"] = [other for other in fort["provinces"] if other != gone]
    kept = [fort for fort in forts.values() if len(fort["provinces"]) > 1]
    raw["forts"] = {str(number): fort for number, fort in enumerate(kept, start=1)}
    for key, province in provinces.items():
        province["forts"] = [number for number, fort in enumerate(kept, start=1) if key in fort["provinces"]]
    provinces["SEL"] |= {"terrain": "plain", "harbour": True, "name": "Sélino"}
    provinces["VIA"] |= {"terrain": "plain"}
    provinces["IER"] |= {"harbour": False}
    raw["tiles"] = {"wheat": 4, "olive": 3, "wine": 2, "thyme": 2, "cheese": 2}


def _canarias(raw: Raw) -> None:
    for key in [key for key in raw["settlers"] if key.endswith("-c")][:8]:
        del raw["settlers"][key]
    raw["settlers"]["segador-d"] = raw["settlers"]["segador-a"] | {
        "house": "green",
        "priorities": ["green", "road", "coast", "red"],
    }
    raw["islands"]["7"] = json.loads(json.dumps(raw["islands"]["1"]))
    for island in raw["islands"].values():
        _sink(island, 1 if island is not raw["islands"]["7"] else 3)
    raw["powers"] = dict(zip(raw["powers"], [*raw["powers"].values()][::-1], strict=True))


def _sink(island: Raw, squares: int) -> None:
    """Turn the last building squares of an island into sea."""
    for _ in range(squares):
        row, column = next(
            (row, column)
            for row in reversed(range(len(island["outline"])))
            for column in reversed(range(len(island["outline"][row])))
            if island["outline"][row][column] == "#"
            and f"{'ABCD'[row]}{column + 1}" not in (*island["village"], *island["farmland"])
        )
        gone, line = f"{'ABCD'[row]}{column + 1}", island["outline"][row]
        island["outline"][row] = line[:column] + "." + line[column + 1 :]
        island["neighbours"] = [pair for pair in island["neighbours"] if gone not in pair.split()]
        for squares_ in island["touching"].values():
            if gone in squares_:
                squares_.remove(gone)


def _tenerife(raw: Raw) -> None:
    towns = raw["towns"]
    for number, town in enumerate(towns.values()):
        town["plots"] = town["plots"][:-1] if number % 2 else [*town["plots"], [town["at"][0], town["at"][1] + 60]]
    towns["SCR"]["farmers_symbol"] = True
    raw["towns"] = {"LOR" if key == "ORO" else "SFE" if key == "SCR" else key: town for key, town in towns.items()}
    raw["towns"]["ADE"] = {"name": "Adeje", "farmers_symbol": True, "at": [160, 470], "plots": [[150, 490], [180, 490]]}
    raw["towns"]["GUI"] = {"name": "Güímar", "farmers_symbol": False, "at": [800, 420], "plots": [[790, 450]]}
    raw["removed_town"], raw["option_symbol_town"] = "ADE", "GUI"
    names = {"ORO": "LOR", "SCR": "SFE"}
    raw["roads"] = [[names.get(end, end) for end in road] for road in raw["roads"]]
    raw["roads"] += [["ADE", "GAR"], ["ADE", "LOR"], ["GUI", "SFE"]]
    raw["hall"]["plots"] += [
        {"row": 3, "column": column, "at": [745 + 40 * column, 210], "closed_with_two_seats": column == 0}
        for column in range(2)
    ]
    raw["storage"] = [
        {"good": "wine", "value": 2, "room": 2, "at": [500, 505]},
        {"good": "sugar", "value": 6, "room": 1, "at": [580, 505]},
        {"good": "wine", "value": 4, "room": 4, "at": [660, 505]},
        {"good": "sugar", "value": 1, "room": 2, "at": [740, 505]},
    ]
    raw["farmhand_returns_to"] = 1
    raw["line_points"] = [2, 3, 5]


def _small_islands(raw: Raw) -> None:
    raw["landscape"] = {f"T{number}": tile for number, tile in enumerate([*raw["landscape"].values()][8:])}
    raw["start"] = {f"{key}x": tile for key, tile in raw["start"].items()}
    raw["start_layout"] = [[f"{key}x", turns] for key, turns in raw["start_layout"]]
    raw["bonus_tokens"] = ["leaf", "any", "flower"]
    raw["discovery_tokens"] = [1, 2, 2, 9, 9, 9, 10]
    raw["size_points"] = [[2, 5], [7, 3], [20, 30]]
    raw["objectives"]["O13"] = {
        "mission": {"kind": "has", "symbols": ["leaf", "fruit", "flower"]},
        "reward": {"kind": "each", "symbols": ["port", "leaf", "temple"], "plus": 4},
    }
    raw["missions"] |= {"M13": {"kind": "two_equal", "symbols": []}, "M14": {"kind": "has", "symbols": ["temple"]}}
    raw["rewards"] |= {f"W{number}": {"kind": "flat", "symbols": [], "plus": number} for number in (13, 14, 15)}


_CHANGES: Final[dict[str, Callable[[Raw], None]]] = {
    "canarias": _canarias,
    "kreta": _kreta,
    "small_islands": _small_islands,
    "tenerife": _tenerife,
}
GAMES: Final = tuple(_CHANGES)
