"""Information set Monte Carlo tree search (Cowling, Powley and Whitehouse 2012), for any number of seats.

An *iteration* begins with a sampled state. It descends the tree, adds one node, plays on for a while, and evaluates
the state for every seat. A node is an information set of the searching seat: the move of another seat leads to the
node of its masked copy. Chance moves have no nodes, because there are too many of them. In a node, the acting seat
chooses for itself, among the moves that are legal in the state of this iteration. It takes the move with the highest
upper confidence bound (UCB).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import log, sqrt
from typing import Any, Final, NamedTuple

from skerry_games.api import AnyGame
from skerry_games.evaluation import Advice
from skerry_games.players.fast_dice import FastDice
from skerry_games.players.simulation import Simulation
from skerry_games.players.turn_search import state_utility
from skerry_games.players.utility import Utilities, outcome_utilities, utilities

EXPLORATION: Final = 0.1
"""The weight of the exploration term. It is small: utilities are from 0 to 1, and mostly close together."""
ROOT_PRIOR_VISITS: Final = 4
"""Each move of the root begins as if it had so many visits, with the utility from ``turn_utilities``."""
PRIOR_VISITS: Final = 2
"""The same for other nodes, with the utility right after the move."""
TURNS: Final = 2
"""An iteration plays at least to the end of so many turns. The turn in progress is the first."""


class _Arm:
    """The statistics of a move in a node."""

    __slots__ = ("available", "total", "visits")

    def __init__(self, prior: float, prior_visits: int) -> None:
        self.visits = prior_visits
        self.total = prior * prior_visits
        """The sum of the utilities for the seat that makes the move."""
        self.available = prior_visits
        """How often the move was legal when the search was in the node."""


class _Node:
    """A decision of any seat, as the searching seat can tell it apart from others."""

    __slots__ = ("arms", "children", "last_arms", "last_moves")

    def __init__(self) -> None:
        self.arms: dict[Any, _Arm] = {}
        self.children: dict[tuple[Any, int], _Node] = {}
        """By the masked move and the next actor, because chance may have decided who acts next."""
        self.last_moves: Sequence[Any] = ()
        """The legal moves of the last visit. A cache, with their arms: the next visit mostly has the same moves."""
        self.last_arms: list[_Arm] = []


class RankedMove(NamedTuple):
    """A move with what a search expects of it."""

    move: Any
    utility: float
    """The mean utility for the seat that makes the move: the share of other seats that it beats, from 0 to 1."""


Path = list[tuple[int, _Arm]]


class Search:
    """A search tree that grows by one node with each iteration."""

    def __init__(self, game: AnyGame, advice: Advice, seat: int, priors: Mapping[Any, float], dice: FastDice) -> None:
        """``priors``: the estimated utility of each legal move of the seat, from 0 to 1."""
        self._game = game
        self._seat = seat
        self._advice = advice
        self._simulation = Simulation(game, advice, dice, seat)
        self._root = _Node()
        self._root.arms.update({move: _Arm(prior, ROOT_PRIOR_VISITS) for move, prior in priors.items()})

    def best(self) -> Any:
        """Return the move with the most visits. The higher total of utilities breaks ties."""
        return self.ranked()[0].move

    def ranked(self) -> list[RankedMove]:
        """Return the moves of the root, those with the most visits first. The total of utilities breaks ties."""
        arms = self._root.arms
        order = sorted(arms, key=lambda move: (arms[move].visits, arms[move].total), reverse=True)
        return [RankedMove(move, arms[move].total / arms[move].visits) for move in order]

    def iterate(self, state: Any) -> None:
        """Run one iteration from a state that is possible for the searching seat."""
        path, state = self._descend(state)
        values = self._evaluate(self._play_out(state, path))
        for actor, arm in path:
            arm.visits += 1
            arm.total += values[actor]

    def _descend(self, state: Any) -> tuple[Path, Any]:
        """Add a node. Return the decisions on the way to it, and the state there."""
        game, node, path, actor = self._game, self._root, Path(), self._seat
        while True:
            move, arm = self._select(node, state, actor)
            path.append((actor, arm))
            state, _ = game.apply(state, actor, move)
            masked = move if actor == self._seat else game.show_move(move, actor, self._seat)
            state, actors = self._simulation.drawn(state)
            if not actors:
                return path, state
            actor = actors[0]
            following = node.children.get((masked, actor))
            if following is None:
                node.children[masked, actor] = _Node()
                return path, state
            node = following

    def _select(self, node: _Node, state: Any, actor: int) -> tuple[Any, _Arm]:
        """Return the move of the actor with the highest UCB, and its arm."""
        moves = self._game.legal_moves(state, actor)
        if moves != node.last_moves:
            node.last_moves, node.last_arms = moves, self._arms(node, state, actor, moves)
        highest, chosen = -1.0, 0
        for number, arm in enumerate(node.last_arms):
            arm.available += 1
            visits = arm.visits
            bound = arm.total / visits + EXPLORATION * sqrt(log(arm.available) / visits)
            if bound > highest:
                highest, chosen = bound, number
        return moves[chosen], node.last_arms[chosen]

    def _arms(self, node: _Node, state: Any, actor: int, moves: Sequence[Any]) -> list[_Arm]:
        """Return the arms of these moves. Adds arms for new moves.

        On the first visit of the node, each move gets the utility right after it as its prior. A move that becomes
        legal on a later visit gets the mean of the node.
        """
        arms = node.arms
        if not arms:
            game, possible = self._game, self._simulation.possible(state, actor)
            for move in moves:
                after, _ = game.apply(possible, actor, move)
                arms[move] = _Arm(state_utility(self._advice, after, actor), PRIOR_VISITS)
        elif new := [move for move in moves if move not in arms]:
            mean = sum([arm.total for arm in arms.values()]) / sum([arm.visits for arm in arms.values()])
            arms.update({move: _Arm(mean, PRIOR_VISITS) for move in new})
        return [arms[move] for move in moves]

    def _play_out(self, state: Any, path: Path) -> Any:
        """Return the state at the end of the turn in progress, or of a later one if the path has less than ``TURNS``.

        So the search compares all moves after the same number of turns: each seat is better off right after its own.
        If the evaluation is not reliable in that state, play on at random until it is.
        """
        game, (seat, _) = self._game, path[-1]
        turns = 1 + sum([actor != following for (actor, _), (following, _) in pairwise(path)])
        actors = game.to_act(state)
        while actors and (actors == (seat,) or turns < TURNS):
            turns += actors != (seat,)
            seat = actors[0]
            state = self._simulation.turn(state, seat)
            actors = game.to_act(state)
        while actors and not self._advice.settled(state):
            state, _ = self._simulation.random_turn(state, actors[0])
            actors = game.to_act(state)
        return state

    def _evaluate(self, state: Any) -> Utilities:
        if (outcome := self._game.outcome(state)) is not None:
            return outcome_utilities(outcome)
        return utilities(self._advice.worth(state), self._advice.lead)
