"""The chances to win: how often each seat would win if the game went on from a state whose secrets are known."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

from skerry_games.api import AnyGame, Outcome
from skerry_games.players.fast_dice import FastDice
from skerry_games.players.simulation import Simulation
from skerry_games.players.utility import advice_of, powers
from skerry_games.rng import Rng

ROUNDS: Final = 3
"""A simulation plays so many turns for each seat."""

Chances = tuple[float, ...]
"""For each seat, its chance to win. They sum to 1: seats that share a win share its chance."""


def win_chances(game: AnyGame, state: Any, rng: Rng, simulations: int, lost: Collection[int] = ()) -> Chances:
    """Estimate the chances to win from any state. ``lost``: the seats that cannot win any more.

    Each simulation plays some rounds and evaluates the state. The true state is used: what was hidden from players
    counts. Equal generators give equal chances. ``simulations``: at least 1.
    """
    if (outcome := game.outcome(state)) is not None:
        return outcome_chances(outcome, lost)
    simulation = Simulation(game, advice_of(game), FastDice(rng))
    simulated = [_simulated(game, simulation, state, lost) for _ in range(simulations)]
    return _mean(simulated)


def outcome_chances(outcome: Outcome, lost: Collection[int] = ()) -> Chances:
    """Return 1 for the winner of a finished game, or equal shares for winners that tie."""
    best = min([rank for seat, rank in enumerate(outcome.ranks) if seat not in lost])
    return _shares([float(rank == best) for rank in outcome.ranks], lost)


def _simulated(game: AnyGame, simulation: Simulation, state: Any, lost: Collection[int]) -> Chances:
    """Return the chances after one simulation.

    Each seat is better off right after its own turn, so the chances are a mean over the turns of the last round. If the
    evaluation is not reliable after any of them, the simulation goes on at random until it is.
    """
    advice = advice_of(game)
    state, actors = simulation.drawn(state)
    seats = len(game.scores(state))
    turns, ends = 0, list[Chances]()
    while actors and (turns < ROUNDS * seats or not ends):
        if turns < ROUNDS * seats:
            state = simulation.turn(state, actors[0])
        else:
            state, _ = simulation.random_turn(state, actors[0])
        turns += 1
        actors = game.to_act(state)
        if turns > (ROUNDS - 1) * seats and advice.settled(state):
            ends.append(_shares(powers(advice.worth(state), advice.lead), lost))
    if (outcome := game.outcome(state)) is not None:
        return outcome_chances(outcome, lost)
    return _mean(ends)


def _shares(weights: list[float], lost: Collection[int]) -> Chances:
    """Return the share of each seat in the weights of all seats that have not lost."""
    weights = [0.0 if seat in lost else weight for seat, weight in enumerate(weights)]
    total = sum(weights)
    return tuple([weight / total for weight in weights])


def _mean(of: list[Chances]) -> Chances:
    return tuple([sum(chances) / len(of) for chances in zip(*of, strict=True)])
