"""Tiles, cards and tokens: read from ``house.json`` once, checked, and frozen.

An owner of the game can correct or replace the file.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated, Final

from msgspec import Struct

from skerry_games.annotations import Id
from skerry_games.component_data import components_text, load
from skerry_games.small_islands.printed.component_checks import CHECKS, ComponentsFile, MissionEntry, RewardEntry

Point = tuple[int, int]


class Symbol(IntEnum):
    """A symbol on a tile. The first three are the natural resources."""

    FLOWER = 1
    FRUIT = 2
    LEAF = 3
    TEMPLE = 4
    PORT = 5
    HOUSE = 6


# Reading a member through its class costs as much as a rule (81 ns).
HOUSE: Final = Symbol.HOUSE
PORT: Final = Symbol.PORT


RESOURCES: Final = (Symbol.FLOWER, Symbol.FRUIT, Symbol.LEAF)


class Bonus(IntEnum):
    """A bonus token, by what its resource side shows (SMALL-TOKEN-2)."""

    FLOWER = 1
    FRUIT = 2
    LEAF = 3
    ANY = 4


class MissionKind(IntEnum):
    """The kind of condition that a mission sets (SMALL-MISSION-1 to SMALL-MISSION-4)."""

    MORE = 1
    HAS = 2
    TWO_EQUAL = 3
    EQUALS_ANOTHER = 4


class RewardKind(IntEnum):
    """The kind of reward for a house (SMALL-PAY-1)."""

    EACH = 1
    LOWEST = 2
    FLAT = 3
    SIZE = 4
    PICK = 5
    DISCOVERY = 6


# Reading a member through its class costs as much as a rule (81 ns).
PICK: Final = RewardKind.PICK
DISCOVERY: Final = RewardKind.DISCOVERY
EACH: Final = RewardKind.EACH
LOWEST: Final = RewardKind.LOWEST
SIZE: Final = RewardKind.SIZE


class Mission(Struct, frozen=True):
    """The left half of an objective."""

    kind: MissionKind
    symbols: tuple[Symbol, ...]


class Reward(Struct, frozen=True):
    """The right half of an objective."""

    kind: RewardKind
    symbols: tuple[Symbol, ...]
    plus: int


class ObjectiveCard(Struct, frozen=True):
    """A card. An objective has a mission and a reward. A mission card or reward card has one of them."""

    id: str
    mission: Mission | None
    reward: Reward | None


class Shape(Struct, frozen=True):
    """The land of a tile, and the places on it, in hundredths of its side from the top left corner."""

    name: str
    """Land or sea at the corners: top left, top right, bottom right, bottom left."""
    land: tuple[Point, ...]
    """Outline of the land. Empty if there is none."""
    spots: tuple[Point, ...]
    """Places of the symbols, in the order of ``Face.symbols``."""
    ports: tuple[Point, ...]
    """Places of the ports, printed ones first: two if the tile has land and sea, else none."""


class Face(Struct, frozen=True):
    """One side of a tile, without rotation."""

    id: str
    shape: Shape
    symbols: tuple[Symbol, ...]
    """Printed symbols except ports. The first is on the first spot."""
    ports: int


class Components(Struct, frozen=True):
    """Components that have passed every check. The number of a face or card is its index in these tuples."""

    edition: str
    faces: tuple[Face, ...]
    """The landscape tiles, followed by side A and side B of each starting tile."""
    landscape: int
    """The number of landscape tiles."""
    start_layout: tuple[tuple[int, int], ...]
    """Face and quarter turns of each fixed starting tile, clockwise from the top left (SMALL-SETUP-4)."""
    cards: tuple[ObjectiveCard, ...]
    """Objectives, then missions, then rewards."""
    card_counts: tuple[int, int, int]
    """The numbers of objectives, of missions and of rewards."""
    bonus_tokens: tuple[Bonus, ...]
    discovery_tokens: tuple[int, ...]
    """Values of the discovery tokens, ascending. The file may list them in any order."""
    size_points: tuple[tuple[int, int], ...]
    """Pairs of a least number of tiles and the points for it, ascending (SMALL-PAY-1)."""


def parse_components(text: str) -> Components:
    """Return the components in ``text``, which has the format of ``house.json``. Raises ComponentsError."""
    return _build(load(text, ComponentsFile, CHECKS))


def _build(raw: ComponentsFile) -> Components:
    shapes = {
        name: Shape(name, tuple(entry.land), tuple(entry.spots), tuple(entry.ports))
        for name, entry in raw.shapes.items()
    }
    faces = tuple(
        Face(key, shapes[entry.shape], _symbols(entry.symbols), entry.ports)
        for key, entry in (*raw.landscape.items(), *raw.start.items())
    )
    number = {face.id: index for index, face in enumerate(faces)}
    cards = (
        *(ObjectiveCard(key, _mission(entry.mission), _reward(entry.reward)) for key, entry in raw.objectives.items()),
        *(ObjectiveCard(key, _mission(entry), None) for key, entry in raw.missions.items()),
        *(ObjectiveCard(key, None, _reward(entry)) for key, entry in raw.rewards.items()),
    )
    return Components(
        edition=raw.edition,
        faces=faces,
        landscape=len(raw.landscape),
        start_layout=tuple((number[key], turns) for key, turns in raw.start_layout),
        cards=cards,
        card_counts=(len(raw.objectives), len(raw.missions), len(raw.rewards)),
        bonus_tokens=tuple(Bonus[name.upper()] for name in raw.bonus_tokens),
        discovery_tokens=tuple(sorted(raw.discovery_tokens)),
        size_points=tuple(raw.size_points),
    )


def _symbols(names: list[str]) -> tuple[Symbol, ...]:
    return tuple(Symbol[name.upper()] for name in names)


def _mission(entry: MissionEntry) -> Mission:
    return Mission(MissionKind[entry.kind.upper()], _symbols(entry.symbols))


def _reward(entry: RewardEntry) -> Reward:
    return Reward(RewardKind[entry.kind.upper()], _symbols(entry.symbols), entry.plus)


COMPONENTS: Final = parse_components(components_text(__package__))
EDITIONS: Final = (COMPONENTS.edition,)
TileNumber = Annotated[int, Id(tuple(face.id for face in COMPONENTS.faces), "tile")]
CardNumber = Annotated[int, Id(tuple(card.id for card in COMPONENTS.cards), "card")]
