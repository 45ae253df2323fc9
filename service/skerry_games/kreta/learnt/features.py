"""What the learnt evaluation sees of a state of Kreta, for each seat: pieces, cards, tiles and the provinces it leads.

The weights are in ``weights.json``.
"""

from __future__ import annotations

from functools import lru_cache
from operator import mul
from typing import Final

from skerry_games.evaluation import ExpectedPoints, Features
from skerry_games.kreta.actions.castellan import awards, influence
from skerry_games.kreta.actions.farmer import chain
from skerry_games.kreta.chance import SEATS
from skerry_games.kreta.kreta_board import BOARD
from skerry_games.kreta.province_sets import (
    PROVINCES,
    count_at,
    fort_numbers,
    members,
    occupied,
    unpacked,
)
from skerry_games.kreta.state import GAME_OVER, ROW, KretaCard, SeatState, State, face_down, with_tiles

_STANDINGS: Final = ("award", "safe", "near")
Standing = tuple[float, float, float]
"""What a seat scores in a province, the part that one more of any other seat leaves it, and what one more of its own
would add."""
_CARDS: Final = tuple(card for card in KretaCard if card is not KretaCard.CASTELLAN)
_CARD_BITS: Final = tuple(1 << card for card in _CARDS)
_FORT_PROVINCES: Final = {fort.number: fort.provinces for fort in BOARD.forts}
_VALUES: Final = tuple(province.value for province in BOARD.provinces)
_UNSCORED: Final[tuple[Standing, ...]] = ((0.0, 0.0, 0.0),) * max(SEATS)


NAMES: Final = (
    "points",
    "tiles",
    "next_tile",
    "harvestable",
    "villages_allowed",
    "villagers",
    "villages",
    "ships",
    "forts",
    "abbot",
    "influence",
    "turn",
    "turn_award",
    "only_castellan",
    *(card.name.lower() for card in _CARDS),
    *(f"{standing}_{card}" for card in ("next", "after_next") for standing in _STANDINGS),
    "later",
)


def features(state: State) -> list[list[float]]:
    """Return the numbers of each seat, in the order of ``NAMES``."""
    seats, turn, tiles = state.seats, state.turn, state.tiles
    shares = tuple(zip(*[unpacked(influence(seat)) for seat in seats], strict=True))
    scored = [_scored(fort, tuple([shares[province] for province in _FORT_PROVINCES[fort]])) for fort in state.row[:2]]
    if len(scored) < 2:
        scored += [_UNSCORED] * (2 - len(scored))
    following, after = scored
    later = zip(*map(_hold, shares, _VALUES), strict=True)
    chances, left = _chances(state.unseen, face_down(state)), with_tiles(state)
    rows = []
    for me, (seat, held) in enumerate(zip(seats, later, strict=True)):
        pieces, hand = _own(seat, left, tiles)
        mine = following[me]
        turns = (1.0, mine[0]) if me == turn else (0.0, 0.0)
        rows.append([*pieces, *turns, *hand, *mine, *after[me], sum(map(mul, chances, held))])
    return rows


@lru_cache(maxsize=1 << 12)
def _own(seat: SeatState, left: int, tiles: int) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return what depends on the seat and on the tiles alone: pieces and tiles, and cards."""
    villagers, villages, harvested = seat.villagers, seat.villages % 15, seat.harvested
    targets = seat.ships and chain(seat.ships, occupied(villagers)) & left
    best, count = 0, sum(harvested)
    if targets:
        best = max([harvested[count_at(tiles, province) - 1] for province in members(targets)]) + 1
    pieces = (
        seat.score,
        count,
        best,
        targets.bit_count(),
        max(0, min(count, 4) - villages),
        villagers % 15,
        villages,
        seat.ships.bit_count(),
        seat.forts.bit_count(),
        1.0 if seat.abbot else 0.0,
        sum(unpacked(influence(seat))),
    )
    held = [1.0 if seat.hand & bit else 0.0 for bit in _CARD_BITS]
    return pieces, (0.0 if any(held) else 1.0, *held)


@lru_cache(maxsize=1 << 12)
def _scored(fort: int, shares: tuple[tuple[int, ...], ...]) -> tuple[Standing, ...]:
    """Return the total of each seat over the provinces of a fort card, by the influences there."""
    provinces = [
        _standing(each, _VALUES[province]) for each, province in zip(shares, _FORT_PROVINCES[fort], strict=True)
    ]
    return tuple([(sum(awards), sum(safe), sum(near)) for awards, safe, near in _by_seat(provinces)])


def _by_seat(provinces: list[tuple[Standing, ...]]) -> list[tuple[tuple[float, ...], ...]]:
    return [tuple(zip(*standings, strict=True)) for standings in zip(*provinces, strict=True)]


@lru_cache(maxsize=1 << 12)
def _standing(shares: tuple[int, ...], value: int) -> tuple[Standing, ...]:
    """Return the standing of each seat in a province, by the seats' influence there."""
    given, found = awards(shares, value), []
    for seat, award in enumerate(given):
        left = [awards(_more(shares, other), value)[seat] for other in range(len(shares)) if other != seat]
        found.append((float(award), float(min(award, *left)), float(awards(_more(shares, seat), value)[seat] - award)))
    return tuple(found)


@lru_cache(maxsize=1 << 12)
def _hold(shares: tuple[int, ...], value: int) -> tuple[float, ...]:
    """Return for each seat the mean of its award and of what one more of any other seat leaves it."""
    return tuple([(award + safe) / 2 for award, safe, _ in _standing(shares, value)])


def _more(shares: tuple[int, ...], seat: int) -> tuple[int, ...]:
    return (*shares[:seat], shares[seat] + 1, *shares[seat + 1 :])


@lru_cache(maxsize=1 << 12)
def _chances(unseen: int, hidden: int) -> tuple[float, ...]:
    """Return for each province how often the face-down fort cards of the row are expected to score it.

    ``hidden`` is the number of these cards. Each can be any of the unseen cards.
    """
    numbers = fort_numbers(unseen)
    share = hidden / len(numbers) if hidden else 0.0
    return tuple([share * sum([province in _FORT_PROVINCES[fort] for fort in numbers]) for province in PROVINCES])


def _stage(state: State) -> int:
    return state.scorings


def _final(state: State) -> ExpectedPoints | None:
    return tuple([seat.score for seat in state.seats]) if state.phase is GAME_OVER else None


FEATURES: Final = Features(NAMES, features, _stage, ROW, _final)
