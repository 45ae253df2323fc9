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
    PROVINCES,
    count_at,
    fort_numbers,
    members,
    occupied,
    unpacked,
)
from skerry_games.kreta.state import GAME_OVER, ROW, KretaCard, SeatState, State, face_down, with_tiles

_STANDINGS: Final = ("award", "safe", "near")
_CARDS: Final = tuple(card for card in KretaCard if card is not KretaCard.CASTELLAN)
_CARD_BITS: Final = tuple(1 << card for card in _CARDS)
_FORT_PROVINCES: Final = {fort.number: fort.provinces for fort in BOARD.forts}
_VALUES: Final = tuple(province.value for province in BOARD.provinces)
_NONE: Final = (0.0,) * (2 * len(_STANDINGS) + 1)

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
    seats, influences = state.seats, [unpacked(influence(seat)) for seat in state.seats]
    standings = [[*_NONE] for _ in seats]
    for place, fort in zip((0, len(_STANDINGS)), state.row, strict=False):
        for province in _FORT_PROVINCES[fort]:
            shares = tuple([each[province] for each in influences])
            for mine, (award, safe, near) in zip(standings, _standing(shares, _VALUES[province]), strict=True):
                mine[place] += award
                mine[place + 1] += safe
                mine[place + 2] += near
    for province, chance in _later(state.unseen, face_down(state)):
        shares = tuple([each[province] for each in influences])
        for mine, each in zip(standings, _hold(shares, _VALUES[province]), strict=True):
            mine[-1] += chance * each
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


@lru_cache(maxsize=1 << 15)
def _standing(shares: tuple[int, ...], value: int) -> tuple[tuple[float, float, float], ...]:
    """Return for each seat its award in a province, the part that one more of any other seat leaves it, and its chance.

    The chance is what one more influence of its own would add.
    """
    given, found = awards(shares, value), []
    for seat, award in enumerate(given):
        left = [awards(_more(shares, other), value)[seat] for other in range(len(shares)) if other != seat]
        found.append((float(award), float(min(award, *left)), float(awards(_more(shares, seat), value)[seat] - award)))
    return tuple(found)


@lru_cache(maxsize=1 << 15)
def _hold(shares: tuple[int, ...], value: int) -> tuple[float, ...]:
    """Return for each seat the mean of its award and of what one more of any other seat leaves it."""
    return tuple([(award + safe) / 2 for award, safe, _ in _standing(shares, value)])


def _more(shares: tuple[int, ...], seat: int) -> tuple[int, ...]:
    return (*shares[:seat], shares[seat] + 1, *shares[seat + 1 :])


@lru_cache(maxsize=1 << 12)
def _later(unseen: int, hidden: int) -> tuple[tuple[int, float], ...]:
    """Return the provinces that the face-down fort cards of the row can score, and how often they will.

    ``hidden`` is the number of these cards. Each can be any of the unseen cards.
    """
    if not hidden:
        return ()
    numbers = fort_numbers(unseen)
    touching = [sum([province in _FORT_PROVINCES[fort] for fort in numbers]) for province in PROVINCES]
    return tuple([(province, count * hidden / len(numbers)) for province, count in enumerate(touching) if count])


def _stage(state: State) -> int:
    return state.scorings


def _final(state: State) -> ExpectedPoints | None:
    return tuple([seat.score for seat in state.seats]) if state.phase is GAME_OVER else None


FEATURES: Final = Features(NAMES, features, _stage, ROW, _final)
