"""Simulated turns: how a game goes on if each seat plays a little better than at random, with what it may know."""

from __future__ import annotations

from typing import Any, Final

from skerry_games.api import CHANCE, CHANCE_ACTS, AnyGame, IllegalMove
from skerry_games.evaluation import Advice
from skerry_games.players.fast_dice import FastDice
from skerry_games.players.turn_search import state_utility

TRIES: Final = 3
"""A simulated turn is the best of so many random turns."""


class Simulation:
    """Plays turns of a game."""

    def __init__(self, game: AnyGame, advice: Advice, dice: FastDice, searching: int | None = None) -> None:
        """``searching``: the seat for which the states are samples already, so that it may use them as they are."""
        self._game = game
        self._advice = advice
        self._dice = dice
        self._searching = searching

    def turn(self, state: Any, seat: int) -> Any:
        """Return the state after a simulated turn: the best of some random turns, with what the seat may know."""
        possible = self.possible(state, seat)
        turns = [self.random_turn(possible, seat) for _ in range(TRIES)]
        end, moves = max(turns, key=lambda turn: state_utility(self._advice, turn[0], seat))
        return end if possible is state else self._replay(state, seat, moves)

    def random_turn(self, state: Any, seat: int) -> tuple[Any, list[Any]]:
        """Return the state after a random turn, and its moves."""
        game, choice, moves = self._game, self._dice.choice, list[Any]()
        own: tuple[int, ...] = (seat,)
        actors = own
        while actors == own:
            moves.append(choice(game.legal_moves(state, seat)))
            state, _ = game.apply(state, seat, moves[-1])
            state, actors = self.drawn(state)
        return state, moves

    def possible(self, state: Any, seat: int) -> Any:
        """Return a state that is possible for a seat, which does not know the cards of other seats.

        The searching seat takes the state as it is.
        """
        return state if seat == self._searching else self._game.redeal(state, seat, self._dice)

    def drawn(self, state: Any) -> tuple[Any, tuple[int, ...]]:
        """Return the state after all chance moves, and who acts in it."""
        game = self._game
        while (actors := game.to_act(state)) == CHANCE_ACTS:
            state, _ = game.apply(state, CHANCE, game.draw(state, self._dice))
        return state, actors

    def _replay(self, state: Any, seat: int, moves: list[Any]) -> Any:
        """Return the state after a turn with these moves. If they do not end the turn here, finish it at random."""
        game, own = self._game, (seat,)
        for move in moves:
            try:
                state, _ = game.apply(state, seat, move)
            except IllegalMove:
                break
            state, _ = self.drawn(state)
        return self.random_turn(state, seat)[0] if game.to_act(state) == own else state
