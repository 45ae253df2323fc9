"""Search in a tree of decisions under hidden information and chance, for any number of seats.

Each *iteration* begins with a position that the searching seat holds possible, dealt anew. It follows the tree, adds
one node to it, plays on for a while and judges what has come of it, for every seat. So a node stands for what the
searching seat may know when it is there: moves of others lead to the node of what it is shown of them, and draws of
chance, of which there are too many, to no node of their own. In a node each seat chooses for itself, among the moves
that are possible in the position of this iteration: the one with the best sum of what it has brought and of what
little is known of it.
(Information set Monte Carlo tree search: Cowling, Powley and Whitehouse 2012.)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import log, sqrt
from typing import Any, Final

from skerry_games.api import CHANCE, CHANCE_ACTS, AnyGame, IllegalMove
from skerry_games.players.fast_dice import FastDice
from skerry_games.players.turn_search import state_utility
from skerry_games.players.utility import Utilities, advice_of, outcome_utilities, utilities

EXPLORING: Final = 0.1
"""How much little known moves are preferred. What moves bring lies between 0 and 1, and mostly close together."""
ROOT_TRUST: Final = 4
"""So many iterations count as made before the first, with the prospects that the moves have within the turn."""
TRUST: Final = 2
"""The same in all other nodes, with the prospects right after the move."""
TURNS: Final = 2
"""An iteration goes at least to the end of so many turns, the first of which is going on."""
TRIES: Final = 3
"""A turn that is played on is the best of so many random ones."""


class _Arm:
    """A move in a node, and what it has brought."""

    __slots__ = ("gained", "offered", "visits")

    def __init__(self, expected: float, trust: int) -> None:
        self.visits = trust
        self.gained = expected * trust
        """The sum of the utilities, for the seat that makes the move."""
        self.offered = trust
        """How often it was possible."""


class _Node:
    """A decision, as the searching seat knows it."""

    __slots__ = ("arms", "children", "listed", "offered")

    def __init__(self) -> None:
        self.arms: dict[Any, _Arm] = {}
        self.children: dict[tuple[Any, int], _Node] = {}
        """By the move as it is shown, and by who acts next: of that, chance may have decided."""
        self.listed: Sequence[Any] = ()
        """The moves that were possible last time, and their arms: mostly they are the same again."""
        self.offered: list[_Arm] = []


Path = list[tuple[int, _Arm]]


class Search:
    """A tree that grows with each iteration."""

    def __init__(self, game: AnyGame, seat: int, hopes: Mapping[Any, float], dice: FastDice) -> None:
        """``hopes``: for each legal move of the seat what it promises, from 0 to 1."""
        self._game = game
        self._seat = seat
        self._dice = dice
        self._judge = advice_of(game)
        self._root = _Node()
        self._root.arms.update({move: _Arm(expected, ROOT_TRUST) for move, expected in hopes.items()})

    def best(self) -> Any:
        """Return the move that was followed most; of several the one that has brought most."""
        arms = self._root.arms
        return max(arms, key=lambda move: (arms[move].visits, arms[move].gained))

    def iterate(self, state: Any) -> None:
        """Follow the tree from a state that the searching seat holds possible."""
        path, state = self._descend(state)
        brought = self._judged(self._play_on(state, path))
        for actor, arm in path:
            arm.visits += 1
            arm.gained += brought[actor]

    def _descend(self, state: Any) -> tuple[Path, Any]:
        """Return the decisions on the way to the first node that is new, and the state there."""
        game, node, path, actor = self._game, self._root, Path(), self._seat
        while True:
            move, arm = self._select(node, state, actor)
            path.append((actor, arm))
            state, _ = game.apply(state, actor, move)
            shown = move if actor == self._seat else game.show_move(move, actor, self._seat)
            state, actors = self._drawn(state)
            if not actors:
                return path, state
            actor = actors[0]
            following = node.children.get((shown, actor))
            if following is None:
                node.children[shown, actor] = _Node()
                return path, state
            node = following

    def _select(self, node: _Node, state: Any, actor: int) -> tuple[Any, _Arm]:
        """Return the move that the actor follows now."""
        moves = self._game.legal_moves(state, actor)
        if moves != node.listed:
            node.listed, node.offered = moves, self._arms(node, state, actor, moves)
        best, chosen = -1.0, 0
        for number, arm in enumerate(node.offered):
            arm.offered += 1
            visits = arm.visits
            bound = arm.gained / visits + EXPLORING * sqrt(log(arm.offered) / visits)
            if bound > best:
                best, chosen = bound, number
        return moves[chosen], node.offered[chosen]

    def _arms(self, node: _Node, state: Any, actor: int, moves: Sequence[Any]) -> list[_Arm]:
        """Return the arms of these moves, with those that are new.

        The first are judged one by one. What others turn out to be able to do later is taken for as good as the rest.
        """
        arms = node.arms
        if not arms:
            game, believed = self._game, self._believed(state, actor)
            for move in moves:
                after, _ = game.apply(believed, actor, move)
                arms[move] = _Arm(state_utility(game, after, actor), TRUST)
        elif new := [move for move in moves if move not in arms]:
            mean = sum([arm.gained for arm in arms.values()]) / sum([arm.visits for arm in arms.values()])
            arms.update({move: _Arm(mean, TRUST) for move in new})
        return [arms[move] for move in moves]

    def _play_on(self, state: Any, path: Path) -> Any:
        """Return the state at the end of the turn that is going on, or of a later one, until there are enough of them.

        So what different moves bring is judged after as many turns: right after its own each seat is better off.
        """
        game, (seat, _) = self._game, path[-1]
        turns = 1 + sum([one != other for (one, _), (other, _) in pairwise(path)])
        actors = game.to_act(state)
        while actors and (actors == (seat,) or turns < TURNS):
            turns += actors != (seat,)
            seat = actors[0]
            state = self._turn(state, seat)
            actors = game.to_act(state)
        while actors and not self._judge.settled(state):
            state, _ = self._random_turn(state, actors[0])
            actors = game.to_act(state)
        return state

    def _turn(self, state: Any, seat: int) -> Any:
        """Return how the turn of a seat may end: the best of some random ones, as it may think itself."""
        believed = self._believed(state, seat)
        turns = [self._random_turn(believed, seat) for _ in range(TRIES)]
        end, moves = max(turns, key=lambda turn: state_utility(self._game, turn[0], seat))
        return end if believed is state else self._replayed(state, seat, moves)

    def _random_turn(self, state: Any, seat: int) -> tuple[Any, list[Any]]:
        """Return how a random turn ends, and its moves."""
        game, choice, moves = self._game, self._dice.choice, list[Any]()
        own: tuple[int, ...] = (seat,)
        actors = own
        while actors == own:
            moves.append(choice(game.legal_moves(state, seat)))
            state, _ = game.apply(state, seat, moves[-1])
            state, actors = self._drawn(state)
        return state, moves

    def _replayed(self, state: Any, seat: int, moves: list[Any]) -> Any:
        """Return how these moves end that were thought out elsewhere; if chance brings other things, as it happens."""
        game, own = self._game, (seat,)
        for move in moves:
            try:
                state, _ = game.apply(state, seat, move)
            except IllegalMove:
                break
            state, _ = self._drawn(state)
        return self._random_turn(state, seat)[0] if game.to_act(state) == own else state

    def _believed(self, state: Any, seat: int) -> Any:
        """Return what a seat may take the state for: the others do not know the cards of the searching seat.

        The searching seat itself may as well think of what it has been dealt in this iteration.
        """
        return state if seat == self._seat else self._game.redeal(state, seat, self._dice)

    def _drawn(self, state: Any) -> tuple[Any, tuple[int, ...]]:
        """Return the state after all that chance draws now, and who is to act then."""
        game = self._game
        while (actors := game.to_act(state)) == CHANCE_ACTS:
            state, _ = game.apply(state, CHANCE, game.draw(state, self._dice))
        return state, actors

    def _judged(self, state: Any) -> Utilities:
        outcome = self._game.outcome(state)
        return utilities(self._judge.worth(state), self._judge.lead) if outcome is None else outcome_utilities(outcome)
