"""Reads a view of Kreta from its text."""

from __future__ import annotations

from collections.abc import Iterator

from skerry_games.kreta.kreta_board import BOARD
from skerry_games.kreta.state import KretaCard, Phase, Tile
from skerry_games.kreta.view import ProvinceView, SeatView, SupplyView, View
from tests.games.text_lines import SEAT, Facts, Lines, member, pieces, seat


def read(text: str) -> View:
    """Return the view that the text describes. Raises AssertionError if a line or a fact is unknown."""
    lines = Lines(text)
    forts = lines.facts("fort cards")
    action = lines.fact("action")
    seats = tuple(_seat(facts) for _, facts in lines.every(SEAT))
    owners: dict[int, int] = {}
    provinces = tuple(_province(facts, len(seats), owners) for _, facts in lines.every(r"province [A-Z]{3} .+"))
    found = View(
        phase=member(Phase, lines.fact("phase") or ""),
        acting_seat=lines.seat("turn"),
        action=None if action is None else member(KretaCard, action),
        movement_points=lines.number("movement points"),
        provinces=provinces,
        forts=tuple(sorted(owners.items())),
        seats=seats,
        fort_row=_numbers(forts.listed("in the row")),
        face_down=forts.number(r"face down (\d+)") or 0,
        pile=forts.number(r"pile (\d+)") or 0,
        scored_forts=_numbers(forts.listed("scored")),
        buried_forts=_numbers(forts.listed("under the pile")),
        scorings_done=lines.facts("scorings").number(r"(\d+) of 11 done") or 0,
    )
    forts.end()
    lines.end()
    return found


def _numbers(words: list[str]) -> tuple[int, ...]:
    return tuple(map(int, words))


def _seat(facts: Facts) -> SeatView:
    supply = pieces(facts.listed("supply"))
    harvested = pieces(facts.listed("harvested"))
    return SeatView(
        score=facts.number(r"(\d+) points?") or 0,
        hand=tuple(member(KretaCard, card) for card in facts.listed("hand")),
        table=tuple(member(KretaCard, card) for card in facts.listed("table")),
        supply=SupplyView(*(supply.get(kind, 0) for kind in ("ship", "fort", "village", "villager", "abbot"))),
        harvested=tuple(harvested.get(tile.name.lower(), 0) for tile in Tile),
    )


def _province(facts: Facts, seats: int, owners: dict[int, int]) -> ProvinceView:
    printed = next(province for province in BOARD.provinces if province.id in facts.subject)
    assert facts.next() == printed.terrain.name.lower()
    assert facts.has("harbour") == printed.harbour
    assert facts.number(r"worth (\d)") == printed.value
    assert set(_spaces(facts, owners)) == set(printed.fort_spaces)
    tile = facts.word("tile (.+)")
    owned = [pieces(facts.listed(f"seat {who} has")) for who in range(seats)]
    influence = facts.word("influence (.+)")
    villagers = tuple(one.get("villager", 0) for one in owned)
    abbots = tuple(who for who, one in enumerate(owned) if "abbot" in one)
    return ProvinceView(
        tile=None if tile is None else member(Tile, tile),
        villagers=villagers,
        villages=tuple(one.get("village", 0) for one in owned),
        abbots=abbots,
        ships=tuple(who for who, one in enumerate(owned) if "ship" in one),
        figures=sum(villagers) + len(abbots),
        influence=tuple(map(int, influence.split("-"))) if influence else (0,) * seats,
    )


def _spaces(facts: Facts, owners: dict[int, int]) -> Iterator[int]:
    for space in facts.listed("fort spaces"):
        number, _, owner = space.partition(" ")
        if owner:
            owners[int(number)] = seat(owner.strip("()"))
        yield int(number)
