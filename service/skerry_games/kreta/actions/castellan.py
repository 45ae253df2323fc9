"""The castellan card: scoring, the row of fort cards, and the end of the game."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from msgspec.structs import replace

from skerry_games.api import IllegalMove, MalformedMove, Step
from skerry_games.kreta.events import (
    CardsReturned,
    Event,
    FortKept,
    FortReplaced,
    GameEnded,
    ProvinceScored,
    ScoringBegun,
)
from skerry_games.kreta.kreta_board import BOARD
from skerry_games.kreta.moves import KEEP_OR_REPLACE, KeepFort, Move, ReplaceFort
from skerry_games.kreta.province_sets import ProvinceCounts, forts_at
from skerry_games.kreta.state import (
    FULL_HAND,
    GAME_OVER,
    REPLACEMENT,
    ROW,
    TURN_UP,
    SeatState,
    State,
    end_turn,
    face_down,
)
from skerry_games.sentences import phrase

_SCORED: Final = {
    fort.number: tuple((province, 4 * province, BOARD.provinces[province].value) for province in fort.provinces)
    for fort in BOARD.forts
}
"""The provinces that each fort card scores: number, bit offset in ``ProvinceCounts``, and value (KRETA-SCORE-2)."""


def influence(seat: SeatState) -> ProvinceCounts:
    """Return the seat's influence in every province (KRETA-SCORE-1).

    A province holds at most 7 figures, so influence fits in one hexadecimal digit: at most 8 for 4 villages, 3 for
    3 other figures, 1 for a ship and 3 for forts.
    """
    return seat.abbot + seat.villagers + 2 * seat.villages + seat.ships + forts_at(seat.forts)


@lru_cache(maxsize=1 << 12)
def awards(shares: tuple[int, ...], value: int) -> tuple[int, ...]:
    """Return the points of each seat for a province of that value, by the seats' influence."""
    first = max(shares)
    if first == 0:
        return (0,) * len(shares)
    second = max((share for share in shares if share < first), default=0)
    # KRETA-SCORE-4: second place needs a single first place, 3 or 4 seats, and some influence.
    half = value // 2 if shares.count(first) == 1 and len(shares) > 2 and second else 0
    # KRETA-SCORE-3: every seat in first place scores the full value.
    return tuple(value if share == first else half if share == second else 0 for share in shares)


def fort_awards(fort: int, influences: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """Return the points of each seat for a fort, by the seats' influence in each province."""
    given = [awards(influences[province], value) for province, _, value in _SCORED[fort]]
    return tuple(map(sum, zip(*given, strict=True)))


def score_fort(state: State) -> Step[State, Event]:
    """Score the leftmost fort card and return all cards (KRETA-CASTELLAN-1, KRETA-CASTELLAN-2)."""
    fort = state.row[0]
    events: list[Event] = [ScoringBegun(fort, state.scorings + 1)]
    influences = [influence(seat) for seat in state.seats]
    scores = [seat.score for seat in state.seats]
    for province, digit, value in _SCORED[fort]:
        shares = tuple([counts >> digit & 15 for counts in influences])
        given = awards(shares, value)
        scores = [score + award for score, award in zip(scores, given, strict=True)]
        events.append(ProvinceScored(province, value, shares, given))
    events.append(CardsReturned())
    seats = tuple([replace(seat, hand=FULL_HAND, score=score) for seat, score in zip(state.seats, scores, strict=True)])
    scored_state = replace(state, seats=seats, row=state.row[1:], scorings=state.scorings + 1)
    return _after_scoring(scored_state, events)


def _after_scoring(state: State, events: list[Event]) -> Step[State, Event]:
    """Continue with the next fort card (KRETA-CASTELLAN-3), the next turn, or the end (KRETA-END-1)."""
    if state.scorings == ROW:
        scores = tuple(seat.score for seat in state.seats)
        winners = tuple(number for number, score in enumerate(scores) if score == max(scores))
        return replace(state, phase=GAME_OVER), (*events, GameEnded(scores, winners))
    if face_down(state):
        return replace(state, phase=TURN_UP), tuple(events)
    return end_turn(state), tuple(events)


def keep_or_replace_moves(state: State, me: int) -> tuple[Move, ...]:
    """Return the two decisions about the new fort card."""
    return KEEP_OR_REPLACE[state.row[-1]]


def keep_fort(state: State, me: int, move: KeepFort) -> Step[State, Event]:
    """Keep the new fort card. Raises IllegalMove (KRETA-CASTELLAN-3) or MalformedMove."""
    _expect_new_card(state, move)
    return end_turn(state), (FortKept(me, move.number),)


def replace_fort(state: State, me: int, move: ReplaceFort) -> Step[State, Event]:
    """Put the new fort card under the pile. Raises IllegalMove (KRETA-CASTELLAN-3) or MalformedMove."""
    _expect_new_card(state, move)
    buried = state.buried | 1 << move.number
    away = replace(state, phase=REPLACEMENT, row=state.row[:-1], buried=buried)
    return away, (FortReplaced(me, move.number),)


def _expect_new_card(state: State, move: KeepFort | ReplaceFort) -> None:
    if move.number not in KEEP_OR_REPLACE:
        raise MalformedMove(phrase("kreta-no-fort-card", card=repr(move.number), last=len(KEEP_OR_REPLACE)))
    if move.number != state.row[-1]:
        raise IllegalMove(
            "KRETA-CASTELLAN-3",
            phrase("kreta-decide-about-fort-card", row=state.row[-1], number=move.number),
        )
