"""What the learnt evaluation sees of a state of Kreta, for each seat: pieces, cards, tiles and the provinces it leads.

The weights are in ``weights.json``.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from skerry_games.evaluation import ExpectedPoints, Features
from skerry_games.kreta.actions.castellan import awards, influence
from skerry_games.kreta.actions.farmer import chain
from skerry_games.kreta.kreta_board import BOARD
from skerry_games.kreta.province_sets import (
    FORT_PROVINCES,
    PROVINCES,
    count_at,
    fort_numbers,
    members,
    occupied,
    unpacked,
)
from skerry_games.kreta.state import GAME_OVER, ROW, KretaCard, SeatState, State, face_down, with_tiles

_HORIZONS: Final = ("next", "after_next", "later")
"""The fort card that scores next, the other one that is face up, and those that are face down."""
_STANDINGS: Final = ("award", "safe", "near")
_CARDS: Final = tuple(card for card in KretaCard if card is not KretaCard.CASTELLAN)
_CARD_BITS: Final = tuple(1 << card for card in _CARDS)
_VALUES: Final = tuple(province.value for province in BOARD.provinces)
_NONE: Final = (0.0,) * (len(_HORIZONS) * len(_STANDINGS))

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
    *(f"{standing}_{horizon}" for horizon in _HORIZONS for standing in _STANDINGS),
)


def features(state: State) -> list[list[float]]:
    """Return the numbers of each seat, in the order of ``NAMES``."""
    seats, influences = state.seats, [unpacked(influence(seat)) for seat in state.seats]
    stakes = _stakes(state.row, state.unseen, face_down(state))
    standings = [[*_NONE] for _ in seats]
    for province, horizon, chance in stakes:
        shares = tuple([each[province] for each in influences])
        for mine, three in zip(standings, _standing(shares, _VALUES[province]), strict=True):
            if three is not None:
                award, safe, near = three
                mine[horizon] += chance * award
                mine[horizon + 1] += chance * safe
                mine[horizon + 2] += chance * near
    tiles, turn = state.tiles, state.turn
    left = with_tiles(state)
    return [
        [
            *_own(seat, left, tiles),
            sum(influences[me]),
            1.0 if me == turn else 0.0,
            standings[me][0] if me == turn else 0.0,
            *_hand(seat.hand),
            *standings[me],
        ]
        for me, seat in enumerate(seats)
    ]


@lru_cache(maxsize=1 << 14)
def _own(seat: SeatState, left: int, tiles: int) -> tuple[float, ...]:
    """Return what depends on the seat and on the tiles alone."""
    villagers, villages, harvested = seat.villagers, seat.villages % 15, seat.harvested
    targets = seat.ships and chain(seat.ships, occupied(villagers)) & left
    best = 0
    if targets:
        best = max([harvested[count_at(tiles, province) - 1] for province in members(targets)]) + 1
    count = sum(harvested)
    return (
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
    )


@lru_cache(maxsize=1 << 7)
def _hand(hand: int) -> tuple[float, ...]:
    held = [1.0 if hand & bit else 0.0 for bit in _CARD_BITS]
    return (0.0 if any(held) else 1.0, *held)


@lru_cache(maxsize=1 << 16)
def _standing(shares: tuple[int, ...], value: int) -> tuple[tuple[float, float, float] | None, ...]:
    """Return for each seat its award in a province, the part that one more of another seat leaves it, and one chance.

    The chance is what one more influence of its own would add.
    """
    given = awards(shares, value)
    found: list[tuple[float, float, float] | None] = []
    for seat in range(len(shares)):
        safe = float(given[seat])
        if safe:
            for other in range(len(shares)):
                if other != seat:
                    safe = min(safe, awards(_more(shares, other), value)[seat])
        near = awards(_more(shares, seat), value)[seat] - given[seat]
        found.append((given[seat], safe, near) if given[seat] or near else None)
    return tuple(found)


def _more(shares: tuple[int, ...], seat: int) -> tuple[int, ...]:
    return (*shares[:seat], shares[seat] + 1, *shares[seat + 1 :])


@lru_cache(maxsize=1 << 12)
def _stakes(row: tuple[int, ...], unseen: int, hidden: int) -> tuple[tuple[int, int, float], ...]:
    """Return the provinces that will score: the province, the place of the horizon in the standings, and how often.

    ``hidden`` is the number of face-down fort cards in the row. Each can be any of the unseen cards.
    """
    stakes = [
        (province, len(_STANDINGS) * horizon, 1.0)
        for horizon, fort in enumerate(row[:2])
        for province in PROVINCES
        if count_at(FORT_PROVINCES[fort], province)
    ]
    numbers = fort_numbers(unseen)
    if hidden:
        for province in PROVINCES:
            touching = sum([1 for fort in numbers if count_at(FORT_PROVINCES[fort], province)])
            if touching:
                stakes.append((province, 2 * len(_STANDINGS), touching * hidden / len(numbers)))
    return tuple(stakes)


def _stage(state: State) -> int:
    return state.scorings


def _final(state: State) -> ExpectedPoints | None:
    return tuple([seat.score for seat in state.seats]) if state.phase is GAME_OVER else None


FEATURES: Final = Features(NAMES, features, _stage, ROW, _final)
