"""Checks of a components file: numbers of components, known names, and room on the tiles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from msgspec import Struct

from skerry_games.component_data import Path, Problem, each_once, in_range, inside, known, shared

_RESOURCES = ("flower", "fruit", "leaf")
_SYMBOLS = (*_RESOURCES, "temple", "house")
_SHAPES = ("SSSS", "LSSS", "LLSS", "LSLS", "LLLS", "LLLL")
_ALIKE = {"natural resources": _RESOURCES, "temples": ("temple",)}
"""Groups of symbols that one tile can show as a single kind. Tokens replace natural resources (SMALL-TOKEN-2)."""
_BONUS_TOKENS = [*_RESOURCES, "any"]

_LANDSCAPE = range(17, 65)
"""Numbers of landscape tiles. Four seats begin with 2 each, 3 lie open, and 6 are for the first round (SMALL-SETUP-3,
SMALL-PREP-1). A state keeps a bit of a 64-bit number for each tile."""
_SIDES = 8
_CARDS = range(12, 41)
"""Numbers of cards of a kind. Each of up to four seats chooses from 3 (SMALL-PREP-2)."""
_DISCOVERY_TOKENS = range(1, 41)
_MOST_DRAWS = 500
"""The maximum of different draws of discovery tokens. Legal moves list them all."""

_TILE = 100
"""The width and height of a tile, in the unit of the file."""
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


class ComponentsFile(Struct, forbid_unknown_fields=True):
    """The whole file."""

    edition: str
    shapes: dict[str, ShapeEntry]
    landscape: dict[str, FaceEntry]
    start: dict[str, FaceEntry]
    start_layout: list[tuple[str, int]]
    bonus_tokens: list[str]
    discovery_tokens: list[int]
    size_points: list[tuple[int, int]]
    objectives: dict[str, ObjectiveEntry]
    missions: dict[str, MissionEntry]
    rewards: dict[str, RewardEntry]


def shape_problems(raw: ComponentsFile) -> Iterator[Problem]:
    """Check that every pattern of corners has one shape, and that coasts have room for two ports (SMALL-TOKEN-3)."""
    if sorted(raw.shapes) != sorted(_SHAPES):
        yield Problem(("shapes",), f"the shapes must be {', '.join(_SHAPES)}", "SMALL-TILE-1")
        return
    for name, shape in raw.shapes.items():
        at = ("shapes", name)
        ports = MOST_PORTS if {*name} == {"L", "S"} else 0
        if len(shape.ports) != ports:
            sentence = f"shape {name} has places for {len(shape.ports)} ports, and must have {ports}"
            yield Problem((*at, "ports"), sentence, "SMALL-TOKEN-3")
        if bool(shape.land) != ("L" in name) or 0 < len(shape.land) < 3:
            yield Problem((*at, "land"), f"shape {name} has an outline of {len(shape.land)} corners", "SMALL-TILE-1")
        yield from each_once(shape.land, "a corner of the outline", (*at, "land"))
        corners = ((0, 0), (_TILE, 0), (_TILE, _TILE), (0, _TILE))
        if any((corner in shape.land) != (letter == "L") for letter, corner in zip(name, corners, strict=True)):
            yield Problem((*at, "land"), f"the outline of shape {name} does not match its land corners", "SMALL-TILE-1")
        for field, points in (("land", shape.land), ("spots", shape.spots), ("ports", shape.ports)):
            yield from inside(points, _TILE, _TILE, (*at, field))


def face_problems(raw: ComponentsFile) -> Iterator[Problem]:
    """Check that the symbols and ports of each tile are known and have places on its shape."""
    for part, faces in (("landscape", raw.landscape), ("start", raw.start)):
        for key, face in faces.items():
            if face.shape in raw.shapes:
                yield from _symbol_problems(face, raw.shapes[face.shape], (part, key))
            else:
                yield from known(face.shape, raw.shapes, "shape", (part, key, "shape"), "SMALL-TILE-1")
    yield from shared([*raw.landscape, *raw.start], "the id of a tile", ("start",))


def _symbol_problems(face: FaceEntry, shape: ShapeEntry, at: tuple[str, str]) -> Iterator[Problem]:
    for index, symbol in enumerate(face.symbols):
        yield from known(symbol, _SYMBOLS, "symbol", (*at, "symbols", index))
    if len(face.symbols) > len(shape.spots):
        sentence = f"{len(face.symbols)} symbols do not fit on the {len(shape.spots)} spots of shape {face.shape}"
        yield Problem((*at, "symbols"), sentence)
    places = range(len(shape.ports) + 1)
    yield from in_range(face.ports, places, "the number of ports", (*at, "ports"), "SMALL-TOKEN-3")
    if face.symbols.count("house") > 1:
        yield Problem((*at, "symbols"), "a tile has at most one house symbol", "SMALL-REWARD-2")
    for name, symbols in _ALIKE.items():
        alike = sum(map(face.symbols.count, symbols))
        if alike > MOST_ALIKE:
            sentence = f"the tile has {alike} {name}; states count at most {MOST_ALIKE}"
            yield Problem((*at, "symbols"), sentence, "SMALL-TOKEN-2")


def count_problems(raw: ComponentsFile) -> Iterator[Problem]:
    """Check that there are enough tiles and cards for every rule, and tokens that can be drawn."""
    for name, found, allowed, rule in (
        ("landscape", raw.landscape, _LANDSCAPE, "SMALL-PREP-1"),
        ("start", raw.start, range(_SIDES, _SIDES + 1), "SMALL-SETUP-4"),
        ("objectives", raw.objectives, _CARDS, "SMALL-PREP-2"),
        ("missions", raw.missions, _CARDS, "SMALL-PREP-3"),
        ("rewards", raw.rewards, _CARDS, "SMALL-PREP-3"),
    ):
        yield from in_range(len(found), allowed, f"the number of entries of {name}", (name,), rule)
    ids = [*raw.objectives, *raw.missions, *raw.rewards]
    yield from shared(ids, "the id of a card", ("rewards",))
    yield from _layout_problems(raw)
    yield from _token_problems(raw)


def _layout_problems(raw: ComponentsFile) -> Iterator[Problem]:
    """Check that the fixed layout (SMALL-SETUP-4) has a side of each starting tile, with matching corners.

    Two sides that follow each other in the file belong to one tile.
    """
    at, sides = ("start_layout",), list(raw.start)
    tiles = sorted(sides.index(key) // 2 for key, _ in raw.start_layout if key in sides)
    turned = all(turns in range(4) for _, turns in raw.start_layout)
    if len(raw.start_layout) != 4 or tiles != [*range(4)] or not turned:
        sentence = "the layout must have one side of each of the four starting tiles, with 0 to 3 quarter turns"
        yield Problem(at, sentence, "SMALL-SETUP-4")
        return
    top_left, top_right, bottom_right, bottom_left = (
        _turned(raw.start[key].shape, turns) for key, turns in raw.start_layout
    )
    meeting = (
        (top_left[1] + top_left[2], top_right[0] + top_right[3]),
        (top_right[3] + top_right[2], bottom_right[0] + bottom_right[1]),
        (bottom_right[0] + bottom_right[3], bottom_left[1] + bottom_left[2]),
        (bottom_left[0] + bottom_left[1], top_left[3] + top_left[2]),
    )
    if any(one != other for one, other in meeting):
        yield Problem(at, "the corners of the starting tiles do not match", "SMALL-TILE-3")


def _turned(shape: str, turns: int) -> str:
    return shape[-turns:] + shape[:-turns] if turns else shape


def _token_problems(raw: ComponentsFile) -> Iterator[Problem]:
    at = ("bonus_tokens",)
    yield from each_once(raw.bonus_tokens, "a bonus token", at, "SMALL-TOKEN-2")
    for index, token in enumerate(raw.bonus_tokens):
        yield from known(token, _BONUS_TOKENS, "bonus token", (*at, index), "SMALL-TOKEN-2")
    if not raw.bonus_tokens:
        yield Problem(at, "a seat needs at least one bonus token", "SMALL-TOKEN-1")
    at, rule = ("discovery_tokens",), "SMALL-PAY-1"
    yield from in_range(len(raw.discovery_tokens), _DISCOVERY_TOKENS, "the number of discovery tokens", at, rule)
    for index, value in enumerate(raw.discovery_tokens):
        yield from in_range(value, range(1, 100), "the value", (*at, index), rule)
    if (draws := most_draws(raw.discovery_tokens)) > _MOST_DRAWS:
        sentence = f"the tokens can be drawn in {draws:,} ways, and must be in at most {_MOST_DRAWS}: use fewer values"
        yield Problem(at, sentence, rule)
    for index, (least, points) in enumerate(raw.size_points):
        yield from in_range(least, range(1, 100), "the number of tiles", ("size_points", index, 0), rule)
        yield from in_range(points, range(100), "the points", ("size_points", index, 1), rule)
    if [least for least, _ in raw.size_points] != sorted({least for least, _ in raw.size_points}):
        yield Problem(("size_points",), "the numbers of tiles must ascend", rule)


def most_draws(values: list[int]) -> int:
    """Return the number of different draws of the size that has most of them. Tokens of a value are alike."""
    ways = [1]
    for alike in Counter(values).values():
        longer = [0] * (len(ways) + alike)
        for size, count in enumerate(ways):
            for more in range(alike + 1):
                longer[size + more] += count
        ways = longer
    return max(ways)


def card_problems(raw: ComponentsFile) -> Iterator[Problem]:
    """Check that missions and rewards are of known kinds, with the symbols that these need."""
    missions: list[tuple[Path, MissionEntry]] = [
        *((("objectives", key, "mission"), card.mission) for key, card in raw.objectives.items()),
        *((("missions", key), card) for key, card in raw.missions.items()),
    ]
    rewards: list[tuple[Path, RewardEntry]] = [
        *((("objectives", key, "reward"), card.reward) for key, card in raw.objectives.items()),
        *((("rewards", key), card) for key, card in raw.rewards.items()),
    ]
    for at, mission in missions:
        yield from _half_problems(mission, _MISSIONS, (*_RESOURCES, "temple"), at, "SMALL-MISSION-1")
    for at, reward in rewards:
        yield from _half_problems(reward, _REWARDS, (*_RESOURCES, "temple", "port"), at, "SMALL-PAY-1")
        most = 0 if reward.kind == "discovery" else 50
        yield from in_range(reward.plus, range(most + 1), "plus", (*at, "plus"), "SMALL-PAY-1")


def _half_problems(
    half: MissionEntry | RewardEntry,
    kinds: Mapping[str, int | None],
    symbols: tuple[str, ...],
    at: Path,
    rule: str,
) -> Iterator[Problem]:
    if half.kind not in kinds:
        yield from known(half.kind, kinds, "kind", (*at, "kind"), rule)
        return
    wanted = kinds[half.kind]
    allowed = range(1, 7) if wanted is None else range(wanted, wanted + 1)
    what = f"the number of symbols of the kind {half.kind}"
    yield from in_range(len(half.symbols), allowed, what, (*at, "symbols"), rule)
    for index, symbol in enumerate(half.symbols):
        yield from known(symbol, symbols, "symbol", (*at, "symbols", index), rule)


CHECKS = (shape_problems, face_problems, count_problems, card_problems)
"""In the order in which they rely on each other."""
