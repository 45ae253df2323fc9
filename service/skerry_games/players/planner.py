"""The player that plans: it compares whole turns by play-outs that a learnt evaluation plays and values.

A play-out plays one turn of the seat, and then the best turn of each seat by the evaluation for some rounds (truncated
rollouts, Tesauro and Galperin 1996, with whole turns as moves). All turns are compared in equal worlds: the same sample
of hidden information, and the same draws. After each stage the better half remains (successive halving, Karnin, Koren
and Somekh 2013).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from skerry_games.api import CHANCE, CHANCE_ACTS, AnyGame, IllegalMove
from skerry_games.evaluation import Advice
from skerry_games.information_state import InformationState
from skerry_games.players.fast_dice import FastDice
from skerry_games.players.protocol import Clock
from skerry_games.players.search import RankedMove
from skerry_games.players.turn_search import WholeTurn, state_utility, whole_turns
from skerry_games.players.utility import evaluation_of, outcome_utilities
from skerry_games.rng import Rng

CANDIDATES: Final = 12
"""The number of turns that are compared: the best by the evaluation."""
REPLY_WIDTH: Final = 3
"""The width of the search for a turn in a play-out."""
ROUNDS: Final = 1
"""A play-out ends when the seat that plans has played so many turns, the compared one included, and is to act again."""
_SEEDS: Final = 1 << 53


class PlanningPlayer:
    """Plays the turn that ends best after the replies of the other seats.

    The budget of a decision is a number of play-outs, times the ``playouts`` of the evaluation. Equal generators give
    equal choices if the clock does not run out.
    """

    def __init__(self, rng: Rng, playouts: int) -> None:
        self._rng = rng
        self._playouts = playouts

    def choose(self, position: InformationState, clock: Clock) -> Any:
        moves = position.legal_moves
        return moves[0] if len(moves) == 1 else self._compare(position, clock, several=False).best().moves[0]

    def rank(self, position: InformationState, clock: Clock) -> list[RankedMove]:
        """Return the legal moves, the best first: the move of ``choose``, then by the utility of their best turn."""
        compared = self._compare(position, clock, several=True)
        utilities, best = compared.utilities(), compared.best().moves[0]
        # A turn that was dropped after few play-outs can have a higher mean than the best one.
        ranked = [RankedMove(move, min(utilities.get(move, 0.0), utilities[best])) for move in position.legal_moves]
        ranked.sort(key=lambda each: (each.move != best, -each.utility))
        return ranked

    def _compare(self, position: InformationState, clock: Clock, *, several: bool) -> TurnComparison:
        """Return the comparison of the best turns. ``several``: also if all of them begin with the same move."""
        game, seat, dice = position.game, position.seat, FastDice(self._rng)
        sample = position.sample(dice).state
        evaluation = evaluation_of(game, len(game.scores(sample)))
        turns = whole_turns(game, evaluation, sample, seat)
        left = self._playouts * evaluation.playouts
        # Fast play-outs compare all turns.
        candidates = len(turns) if evaluation.play_out else CANDIDATES
        compared = TurnComparison(game, evaluation, seat, turns, min(candidates, left))
        stages = (len(compared.remaining) - 1).bit_length()
        for stage in range(stages, 0, -1):
            if not several and len(compared.moves()) == 1:
                break
            worlds = left // len(compared.remaining)
            # A stage gets its share of the budget, but at least one world while the budget lasts.
            for _ in range(min(worlds, max(1, worlds // stage))):
                if clock() <= 0:
                    return compared
                compared.play(_sample(position, evaluation, dice), dice)
                left -= len(compared.remaining)
            compared.halve()
        return compared


def _sample(position: InformationState, evaluation: Advice, dice: FastDice) -> Any:
    """Return a state that the seat cannot tell from the true one."""
    state = position.sample(dice).state
    return evaluation.redeal(state, position.seat, dice) if evaluation.redeal else state


class TurnComparison:
    """Turns of one seat, and what play-outs showed of them."""

    def __init__(
        self, game: AnyGame, evaluation: Advice, seat: int, turns: Sequence[WholeTurn], candidates: int
    ) -> None:
        """``turns``: the best first. So many ``candidates`` of them are compared."""
        self._game = game
        self._evaluation = evaluation
        self._seat = seat
        self._turns = turns
        self._totals = [0.0] * len(turns)
        self._playouts = [0] * len(turns)
        self._replies: dict[tuple[int, Any], Sequence[Any]] = {}
        """The best turn of a seat in a state. Many play-outs meet the same states if a game hides little."""
        self.remaining = list(range(min(candidates, len(turns))))
        """The numbers of the turns that are still compared, the best first."""

    def moves(self) -> set[Any]:
        """Return the moves with which the remaining turns begin."""
        return {self._turns[number].moves[0] for number in self.remaining}

    def best(self) -> WholeTurn:
        """Return the best of the remaining turns."""
        self._order()
        return self._turns[self.remaining[0]]

    def utilities(self) -> dict[Any, float]:
        """Return the utility of each move that begins a turn: that of its best turn after the replies, if known."""
        found: dict[Any, float] = {}
        for number, turn in enumerate(self._turns):
            playouts = self._playouts[number]
            utility = self._totals[number] / playouts if playouts else turn.utility
            if playouts or turn.moves[0] not in found:
                found[turn.moves[0]] = max(utility, found.get(turn.moves[0], 0.0))
        return found

    def halve(self) -> None:
        """Keep the better half of the remaining turns."""
        self._order()
        del self.remaining[(len(self.remaining) + 1) // 2 :]

    def _order(self) -> None:
        # All remaining turns have equally many play-outs.
        self.remaining.sort(key=lambda number: (-self._totals[number], number))

    def play(self, state: Any, dice: FastDice) -> None:
        """Play each remaining turn out, from a state that is possible for the seat, with equal draws."""
        seed = dice.below(_SEEDS)
        for number in self.remaining:
            draws = FastDice.seeded(seed)
            self._totals[number] += self._value(state, self._turns[number].moves, draws)
            self._playouts[number] += 1

    def _value(self, state: Any, turn: Sequence[Any], draws: FastDice) -> float:
        """Return the utility of the seat at the end of a play-out."""
        evaluation, seat = self._evaluation, self._seat
        state, actors = self._played(state, seat, turn, draws)
        if evaluation.play_out:
            if actors and not evaluation.settled(state):
                state, _ = self._drawn(evaluation.play_out(state, draws), draws)
            return self._utility(state)
        rounds, others = 0, False
        while actors:
            if actors[0] != seat:
                others = True
            elif others:
                rounds, others = rounds + 1, False
            if rounds >= ROUNDS and evaluation.settled(state):
                break
            state, actors = self._reply(state, actors[0], draws)
        return self._utility(state)

    def _utility(self, state: Any) -> float:
        outcome = self._game.outcome(state)
        if outcome:
            return outcome_utilities(outcome)[self._seat]
        return state_utility(self._evaluation, state, self._seat)

    def _reply(self, state: Any, seat: int, draws: FastDice) -> tuple[Any, tuple[int, ...]]:
        """Play the best turn of a seat, with what the seat may know."""
        possible = state if seat == self._seat else self._game.redeal(state, seat, draws)
        turn = self._replies.get((seat, possible))
        if turn is None:
            turn = whole_turns(self._game, self._evaluation, possible, seat, REPLY_WIDTH)[0].moves
            self._replies[seat, possible] = turn
        return self._played(state, seat, turn, draws)

    def _played(self, state: Any, seat: int, turn: Sequence[Any], draws: FastDice) -> tuple[Any, tuple[int, ...]]:
        """Return the state after a turn, and who acts then. If a move is illegal here, end the turn at random."""
        game, own = self._game, (seat,)
        actors: tuple[int, ...] = own
        try:
            for move in turn:
                state, _ = game.apply(state, seat, move)
                state, actors = self._drawn(state, draws)
        except IllegalMove:
            while actors == own:
                state, _ = game.apply(state, seat, draws.choice(game.legal_moves(state, seat)))
                state, actors = self._drawn(state, draws)
        return state, actors

    def _drawn(self, state: Any, draws: FastDice) -> tuple[Any, tuple[int, ...]]:
        game = self._game
        while (actors := game.to_act(state)) == CHANCE_ACTS:
            state, _ = game.apply(state, CHANCE, game.draw(state, draws))
        return state, actors
