"""Checks of a components file: numbers of components, known names, and room on the tiles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import pairwise

from msgspec import Struct

from skerry_games.component_data import Problem

_RESOURCES = ("flower", "fruit", "leaf")
_SYMBOLS = (*_RESOURCES, "temple", "house")
_SHAPES = ("SSSS", "LSSS", "LLSS", "LSLS", "LLLS", "LLLL")
_ALIKE = {"natural resources": _RESOURCES, "temples": ("temple",)}
"""Groups of symbols that one tile can show as a single kind. Tokens replace natural resources (SMALL-TOKEN-2)."""
_BONUS_TOKENS = [*_RESOURCES, "any"]

# SMALL-SETUP-1, SMALL-SETUP-2: numbers of components.
_LANDSCAPE = 56
_START = ("S1A", "S1B", "S2A", "S2B", "S3A", "S3B", "S4A", "S4B")
_CARDS = 12
_DISCOVERY_TOKENS = 12

_TILE = 100
"""The width and height of a tile, in the unit of the file."""
_APART = 15
"""The minimum distance between symbols and ports on a tile, so that none hides another."""
MOST_PORTS = 2
MOST_ALIKE = 3
"""The maximum of one symbol on a tile. ``Chart.low_bits`` and ``Chart.high_bits`` cannot count more."""
_MISSIONS = {"more": 2, "has": None, "two_equal": 0, "equals_another": 1}
"""The number of symbols that each kind of mission or reward names. ``None`` means at least 1."""
_REWARDS = {"each": None, "lowest": 0, "flat": 0, "size": 0, "pick": 0, "discovery": 0}


class ShapeEntry(Struct, forbid_unknown_fields=True):
    """A shape in the file."""

    land: list[tuple[int, int]]
    spots: list[tuple[int, int]]
    ports: list[tuple[int, int]]


class FaceEntry(Struct, forbid_unknown_fields=True):
    """A landscape tile, or one side of a starting tile."""

    shape: str
    symbols: list[str]
    ports: int


class MissionEntry(Struct, forbid_unknown_fields=True):
    """A mission in the file."""

    kind: str
    symbols: list[str]


class RewardEntry(Struct, forbid_unknown_fields=True):
    """A reward in the file."""

    kind: str
    symbols: list[str]
    plus: int


class ObjectiveEntry(Struct, forbid_unknown_fields=True):
    """An objective in the file."""

    mission: MissionEntry
    reward: RewardEntry


class Totals(Struct, forbid_unknown_fields=True):
    """The required totals over all landscape tiles."""

    shapes: dict[str, int]
    symbols: dict[str, int]


class ComponentsFile(Struct, forbid_unknown_fields=True):
    """The whole file."""

    edition: str
    shapes: dict[str, ShapeEntry]
    totals: Totals
    landscape: dict[str, FaceEntry]
    start: dict[str, FaceEntry]
    start_layout: list[tuple[str, int]]
    bonus_tokens: list[str]
    discovery_tokens: list[int]
    size_points: list[tuple[int, int]]
    objectives: dict[str, ObjectiveEntry]
    missions: dict[str, MissionEntry]
    rewards: dict[str, RewardEntry]


def problems(raw: ComponentsFile) -> Iterator[Problem]:
    """Yield problems. Later checks rely on earlier ones, so only the first problem is reliable."""
    yield from _shape_problems(raw)
    yield from _face_problems({**raw.landscape, **raw.start}, raw.shapes)
    yield from _count_problems(raw)
    yield from _layout_problems(raw)
    yield from _token_problems(raw)
    yield from _card_problems(raw)


def _shape_problems(raw: ComponentsFile) -> Iterator[Problem]:
    """Check that every pattern of corners has one shape, and that coasts have room for two ports (SMALL-TOKEN-3)."""
    if sorted(raw.shapes) != sorted(_SHAPES):
        yield "shapes", f"the shapes must be {', '.join(_SHAPES)}"
    for name, shape in raw.shapes.items():
        coast = {*name} == {"L", "S"}
        if len(shape.ports) != (MOST_PORTS if coast else 0):
            yield name, f"shape {name} has places for {len(shape.ports)} ports"
        if bool(shape.land) != ("L" in name) or 0 < len(shape.land) < 3:
            yield name, f"shape {name} has an outline of {len(shape.land)} corners"
        if len(set(shape.land)) != len(shape.land):
            yield name, f"the outline of shape {name} visits a point twice"
        corners = ((0, 0), (_TILE, 0), (_TILE, _TILE), (0, _TILE))
        if any((corner in shape.land) != (letter == "L") for letter, corner in zip(name, corners, strict=True)):
            yield name, f"the outline of shape {name} does not match its land corners"
        lying = [*shape.spots, *shape.ports]
        if not all(0 <= x <= _TILE and 0 <= y <= _TILE for x, y in (*shape.land, *lying)):
            yield name, f"shape {name} has a point outside the tile"
        if any(_near(one, other) for at, one in enumerate(lying) for other in lying[:at]):
            yield name, f"two spots or ports on shape {name} are less than {_APART} apart"


def _near(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2 < _APART**2


def _face_problems(faces: Mapping[str, FaceEntry], shapes: Mapping[str, ShapeEntry]) -> Iterator[Problem]:
    """Check that the symbols and ports of each tile are known and have places on its shape."""
    for key, face in faces.items():
        if face.shape not in shapes:
            yield key, f"tile {key} has an unknown shape {face.shape!r}"
            return
        for symbol in face.symbols:
            if symbol not in _SYMBOLS:
                yield key, f"tile {key} shows an unknown symbol {symbol!r}"
        if len(face.symbols) > len(shapes[face.shape].spots):
            yield key, f"tile {key} has {len(face.symbols)} symbols, but {len(shapes[face.shape].spots)} spots"
        if not 0 <= face.ports <= len(shapes[face.shape].ports):
            yield key, f"tile {key} has {face.ports} ports, but places for {len(shapes[face.shape].ports)}"
        if face.symbols.count("house") > 1:
            yield key, f"tile {key} has more than one house symbol"
        for name, symbols in _ALIKE.items():
            alike = sum(map(face.symbols.count, symbols))
            if alike > MOST_ALIKE:
                yield key, f"tile {key} has {alike} {name}, but at most {MOST_ALIKE} are allowed"


def _count_problems(raw: ComponentsFile) -> Iterator[Problem]:
    """Check the number of tiles, and the totals of their shapes and symbols."""
    if len(raw.landscape) != _LANDSCAPE:
        yield "landscape", f"there are {len(raw.landscape)} landscape tiles instead of {_LANDSCAPE}"
    if tuple(raw.start) != _START:
        yield "start", f"the sides of starting tiles must be {', '.join(_START)}, in this order"
    shapes = Counter(face.shape for face in raw.landscape.values())
    symbols = Counter(symbol for face in raw.landscape.values() for symbol in face.symbols)
    symbols["port"] = sum(face.ports for face in raw.landscape.values())
    for kind, found, wanted in (("shape", shapes, raw.totals.shapes), ("symbol", symbols, raw.totals.symbols)):
        for name in sorted({*found, *wanted}):
            if found[name] != wanted.get(name, 0):
                yield "totals", f"{kind} {name} occurs {found[name]} times instead of {wanted.get(name, 0)}"


def _layout_problems(raw: ComponentsFile) -> Iterator[Problem]:
    """Check that the fixed layout (SMALL-SETUP-4) has a side of each starting tile, with matching corners."""
    if [key[:2] for key, _ in raw.start_layout] != ["S1", "S2", "S3", "S4"] or not all(
        key in raw.start and turns in range(4) for key, turns in raw.start_layout
    ):
        yield "start_layout", "the layout must have one side each of S1, S2, S3 and S4, with 0 to 3 quarter turns"
        return
    top_left, top_right, bottom_right, bottom_left = (
        _turned(raw.start[key].shape, turns) for key, turns in raw.start_layout
    )
    sides = (
        (top_left[1] + top_left[2], top_right[0] + top_right[3]),
        (top_right[3] + top_right[2], bottom_right[0] + bottom_right[1]),
        (bottom_right[0] + bottom_right[3], bottom_left[1] + bottom_left[2]),
        (bottom_left[0] + bottom_left[1], top_left[3] + top_left[2]),
    )
    if any(one != other for one, other in sides):
        yield "start_layout", "the corners of the starting tiles do not match"


def _turned(shape: str, turns: int) -> str:
    return shape[-turns:] + shape[:-turns] if turns else shape


def _token_problems(raw: ComponentsFile) -> Iterator[Problem]:
    if raw.bonus_tokens != _BONUS_TOKENS:
        yield "bonus_tokens", f"the bonus tokens must be {', '.join(_BONUS_TOKENS)}"
    if len(raw.discovery_tokens) != _DISCOVERY_TOKENS or min(raw.discovery_tokens) < 1:
        yield "discovery_tokens", f"there must be {_DISCOVERY_TOKENS} discovery tokens, each worth at least 1"
    for fewer, more in pairwise(raw.size_points):
        if fewer[0] >= more[0] or fewer[1] >= more[1]:
            yield "size_points", "numbers of tiles and their points must both ascend"


def _card_problems(raw: ComponentsFile) -> Iterator[Problem]:
    """Check that there are 12 cards of each kind, and that they name known kinds and symbols."""
    for name, cards in (("objectives", raw.objectives), ("missions", raw.missions), ("rewards", raw.rewards)):
        if len(cards) != _CARDS:
            yield name, f"there are {len(cards)} {name} instead of {_CARDS}"
    missions = {key: card.mission for key, card in raw.objectives.items()} | raw.missions
    rewards = {key: card.reward for key, card in raw.objectives.items()} | raw.rewards
    for key, mission in missions.items():
        yield from _half_problems(key, mission.kind, mission.symbols, _MISSIONS, (*_RESOURCES, "temple"))
    for key, reward in rewards.items():
        yield from _half_problems(key, reward.kind, reward.symbols, _REWARDS, (*_RESOURCES, "temple", "port"))
        if reward.plus < 0 or (reward.plus and reward.kind == "discovery"):
            yield key, f"card {key} adds {reward.plus} points, but must add at least 0, and a discovery exactly 0"


def _half_problems(
    key: str, kind: str, symbols: list[str], kinds: Mapping[str, int | None], known: tuple[str, ...]
) -> Iterator[Problem]:
    if kind not in kinds:
        yield key, f"card {key} has an unknown kind {kind!r}"
        return
    wanted = kinds[kind]
    if len(symbols) != wanted if wanted is not None else not symbols:
        yield key, f"card {key} names {len(symbols)} symbols"
    for symbol in symbols:
        if symbol not in known:
            yield key, f"card {key} names an unknown symbol {symbol!r}"
