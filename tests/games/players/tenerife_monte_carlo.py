"""A fixed opponent of the ladder: a flat Monte Carlo player for Tenerife, as a user of the library would write it.

It tries each legal move in sampled positions, plays the round to its end with rules of thumb for all seats, and makes
the move with the best mean. It uses the rules alone, neither the game's advice nor the search of the library.
"""

from __future__ import annotations

from math import log, sqrt
from typing import Any, Final

from skerry_games.api import CHANCE, CHANCE_ACTS, AnyGame
from skerry_games.information_state import InformationState
from skerry_games.players.fast_dice import FastDice
from skerry_games.players.protocol import Clock
from skerry_games.rng import Rng
from skerry_games.tenerife.actions.roads import farmers_symbols, foreign_mansions, has_room
from skerry_games.tenerife.actions.town_hall import split_of
from skerry_games.tenerife.moves import BuildElement, Export, Lay, MoveMerchant
from skerry_games.tenerife.printed.tenerife_board import BOARD
from skerry_games.tenerife.state import NO_SEAT, Character, Phase, State, at_hall, with_item

EXPLORATION: Final = 2.0
"""The weight of the exploration term, in points."""
STORED: Final = 0.6
"""A warehouse counts this share of its goods."""
_VALUES: Final = tuple(space.value for space in BOARD.storage)


class TenerifeMonteCarlo:
    """Chooses by play-outs to the end of the round."""

    def __init__(self, rng: Rng, play_outs: int = 500) -> None:
        """``play_outs``: for each decision, or one for each legal move if there are more of them."""
        self._dice = FastDice(rng)
        self._play_outs = play_outs

    def choose(self, position: InformationState, clock: Clock) -> Any:
        """Return the move with the best mean lead at the end of the round."""
        moves, game, seat = position.legal_moves, position.game, position.seat
        if len(moves) == 1:
            return moves[0]
        leads, tries = [0.0] * len(moves), [0] * len(moves)
        for done in range(max(self._play_outs, len(moves))):
            tried = done if done < len(moves) else _most_promising(leads, tries)
            after, _ = game.apply(position.sample(self._dice).state, seat, moves[tried])
            leads[tried] += _lead(_end_of_round(game, after, self._dice), seat)
            tries[tried] += 1
        return moves[max(range(len(moves)), key=lambda each: leads[each] / tries[each])]


def _most_promising(leads: list[float], tries: list[int]) -> int:
    """Return the move with the highest upper confidence bound."""
    tried = log(sum(tries))
    bounds = [lead / count + EXPLORATION * sqrt(tried / count) for lead, count in zip(leads, tries, strict=True)]
    return bounds.index(max(bounds))


def _end_of_round(game: AnyGame, state: Any, dice: FastDice) -> Any:
    """Return the state when a round has ended, with all seats playing by rules of thumb."""
    begun = state.round
    while state.round == begun and (actors := game.to_act(state)) and state.phase is not Phase.TURN_UP:
        if actors == CHANCE_ACTS:
            state, _ = game.apply(state, CHANCE, game.draw(state, dice))
        else:
            state, _ = game.apply(state, actors[0], _by_rules_of_thumb(game, state, actors[0], dice))
    return state


def _lead(state: State, seat: int) -> float:
    """Return the points of a seat, with its warehouses and elements, minus those of its best opponent."""
    points = [float(each.score) for each in state.seats]
    for me in range(len(points)):
        if state.phase is not Phase.OVER:
            points[me] += split_of(state.hall, me)[0] + STORED * sum(_goods(state, me))
    return points[seat] - max(points[:seat] + points[seat + 1 :])


def _goods(state: State, seat: int) -> list[int]:
    """Return the values of the seat's warehouses."""
    return [value * owners.count(seat) for value, owners in zip(_VALUES, state.storage, strict=True) if seat in owners]


def _by_rules_of_thumb(game: AnyGame, state: State, seat: int, dice: FastDice) -> Any:
    """Return a move of a seat that needs no look at hidden cards of others."""
    moves = game.legal_moves(state, seat)
    weights = [_weight(state, seat, move) for move in moves]
    mark = dice.below(1 << 30) / (1 << 30) * sum(weights)
    for move, weight in zip(moves, weights, strict=True):
        mark -= weight
        if mark < 0:
            return move
    return moves[-1]


def _weight(state: State, seat: int, move: Any) -> float:
    """Return how often a move is made, relative to the other moves of its seat."""
    if isinstance(move, Lay):
        return _character_weight(state, seat, move) * _space_weight(state, seat, move)
    if isinstance(move, Export):
        return 10.0 ** _VALUES[move.storage - 1]
    if isinstance(move, MoveMerchant):
        return 10.0 ** foreign_mansions(state, seat, move.place)
    if isinstance(move, BuildElement):
        return 10.0 ** split_of(with_item(state.hall, move.plot - 1, seat), seat)[0]
    return 1.0


def _character_weight(state: State, seat: int, move: Lay) -> float:
    """Return more for characters that can gain something in this round."""
    me = state.seats[seat]
    if move.character is Character.THIEVES:
        return 1.0
    if move.character is Character.EXPORTER:
        return max(_goods(state, seat), default=0.1)
    if move.character is Character.MERCHANT:
        return 0.1 + foreign_mansions(state, seat, state.place if me.merchant < 0 else me.merchant)
    if not me.mansions:
        return 0.1
    if move.character is Character.FARMER:
        return 2.5 if state.place in farmers_symbols(state) else 0.1
    return 3.0 if at_hall(state) or has_room(state, state.place) else 0.2


def _space_weight(state: State, seat: int, move: Lay) -> float:
    """Return more for spaces where thieves cannot follow, for thieves behind others, and for early transport."""
    ahead, behind = move.space - 2, move.space
    if move.character is Character.THIEVES:
        if ahead < 0 or state.owners[ahead] == seat:
            return 0.1
        return 1.0 if state.owners[ahead] == NO_SEAT else 3.0
    safe = behind == len(state.owners) or state.owners[behind] != NO_SEAT
    early = 1.0
    if move.character in (Character.MERCHANT, Character.EXPORTER):
        early = 2.0 if move.space <= len(state.owners) / 2 else 0.5
    return early * (2.0 if safe else 1.0)
