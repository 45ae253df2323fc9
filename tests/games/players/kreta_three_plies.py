"""A fixed opponent of the ladder: whole turns and three plies at Kreta, as a user of the library would write it.

It lists whole turns of its own, lets the next two seats answer with their best turns, and judges the result by a
handmade evaluation. It uses the rules alone, neither the game's advice nor the search of the library.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final, NamedTuple

from skerry_games.api import CHANCE, CHANCE_ACTS, AnyGame
from skerry_games.information_state import InformationState
from skerry_games.kreta.actions.castellan import awards, influence
from skerry_games.kreta.kreta_board import BOARD
from skerry_games.kreta.province_sets import total, unpacked
from skerry_games.kreta.state import ROW, Phase, State, face_down
from skerry_games.players.fast_dice import FastDice
from skerry_games.players.protocol import Clock
from skerry_games.rng import Rng

CANDIDATES: Final = 8
"""Turns of its own that are answered."""
BEAM: Final = 6
"""Unfinished turns that the listing of turns follows after the first move."""
ANSWERS: Final = 2
"""Plies after its own turn."""
STAKES: Final = (0.9, 0.7)
"""The expected share of the points of the two fort cards that lie face up."""
HIDDEN: Final = 0.45
"""The same for each card that lies face down, shared by all cards that it can be."""
PIECE: Final = 0.35
"""A villager, ship, abbot, fort or village on the board."""
TILE: Final = 0.6
"""A harvested tile: the next of its kind scores more, and it allows a village."""
HELD: Final = 0.2
"""A card in hand."""

_VALUES: Final = tuple(province.value for province in BOARD.provinces)
_TOUCHED: Final = {fort.number: fort.provinces for fort in BOARD.forts}


class Turn(NamedTuple):
    """A turn of a seat, or the beginning of one."""

    lead: float
    first: Any
    state: State


class KretaThreePlies:
    """Chooses the turn after which it leads most when two seats have answered."""

    def __init__(self, rng: Rng) -> None:
        self._dice = FastDice(rng)

    def choose(self, position: InformationState, clock: Clock) -> Any:
        """Return the first move of the best turn. Its later moves are chosen anew."""
        if len(position.legal_moves) == 1:
            return position.legal_moves[0]
        game, seat = position.game, position.seat
        turns = _turns(game, position.sample(self._dice).state, seat)[:CANDIDATES]
        return max(turns, key=lambda turn: _lead(self._answered(game, turn.state), seat)).first

    def _answered(self, game: AnyGame, state: State) -> State:
        """Return the state after the best turns of the next seats, by what they see right after them."""
        for _ in range(ANSWERS):
            while game.to_act(state) == CHANCE_ACTS:
                state, _ = game.apply(state, CHANCE, game.draw(state, self._dice))
            if not (actors := game.to_act(state)):
                break
            state = _turns(game, state, actors[0])[0].state
        return state


def _turns(game: AnyGame, state: State, seat: int) -> list[Turn]:
    """Return turns of a seat, the best first: until another seat or chance acts."""
    beam, ended, moves = [Turn(0.0, None, state)], list[Turn](), 0
    while beam:
        beam, moves = _following(game, seat, beam), moves + 1
        ended += [turn for turn in beam if game.to_act(turn.state) != (seat,)]
        unfinished = [turn for turn in beam if game.to_act(turn.state) == (seat,)]
        # The first move is mostly a card, which shows its value only with the next move.
        beam = unfinished if moves == 1 else sorted(unfinished, key=_by_lead, reverse=True)[:BEAM]
    return sorted(ended, key=_by_lead, reverse=True)


def _following(game: AnyGame, seat: int, turns: list[Turn]) -> list[Turn]:
    """Return each turn with each next move."""
    found = []
    for turn in turns:
        for move in game.legal_moves(turn.state, seat):
            after, _ = game.apply(turn.state, seat, move)
            found.append(Turn(_lead(after, seat), turn.first or move, after))
    return found


def _by_lead(turn: Turn) -> float:
    return turn.lead


def _lead(state: State, seat: int) -> float:
    """Return what a seat can expect, minus what its best opponent can."""
    worths = _worths(state)
    return worths[seat] - max(worths[:seat] + worths[seat + 1 :])


def _worths(state: State) -> list[float]:
    """Return the points that each seat can expect, by hand."""
    worths = [float(seat.score) for seat in state.seats]
    if state.phase is Phase.OVER:
        return worths
    left = (ROW - state.scorings) / ROW
    for me, seat in enumerate(state.seats):
        placed = total(seat.villagers) + total(seat.villages) + bool(seat.abbot)
        placed += seat.ships.bit_count() + seat.forts.bit_count()
        worths[me] += left * (PIECE * placed + TILE * sum(seat.harvested)) + HELD * seat.hand.bit_count()
    influences = zip(*[unpacked(influence(seat)) for seat in state.seats], strict=True)
    stakes = _stakes(state.row, state.unseen, face_down(state))
    for stake, value, shares in zip(stakes, _VALUES, influences, strict=True):
        if stake and any(shares):
            for me, award in enumerate(awards(shares, value)):
                worths[me] += stake * award
    return worths


@lru_cache(maxsize=1 << 12)
def _stakes(row: tuple[int, ...], unseen: int, hidden: int) -> tuple[float, ...]:
    """Return for each province how often its points are expected to be scored."""
    stakes = [0.0] * len(_VALUES)
    possible = [number for number in _TOUCHED if unseen >> number & 1]
    chances = {number: HIDDEN * hidden / len(possible) for number in possible}
    chances |= zip(row, STAKES, strict=False)
    for number, chance in chances.items():
        for province in _TOUCHED[number]:
            stakes[province] += chance
    return tuple(stakes)
