"""Plays games between players, each deal once for each seat."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from statistics import fmean
from time import process_time
from typing import Any

from skerry_games.api import CHANCE, CHANCE_ACTS, AnyGame, Outcome
from skerry_games.information_state import InformationState, seen_from
from skerry_games.players import Clock, Player, PlayerFactory, untimed
from skerry_games.position import Position
from skerry_games.rng import SEED_BYTES, Dice, Rng, SeededRng


def ticking(seconds: float, step: float) -> Clock:
    """Return a clock that starts at ``seconds`` and loses ``step`` at each reading."""
    left = seconds + step

    def look() -> float:
        nonlocal left
        left -= step
        return left

    return look


class Timed:
    """A factory of players that measures the processor time of their decisions. Single moves do not count."""

    def __init__(self, factory: PlayerFactory) -> None:
        self._factory = factory
        self.seconds = 0.0
        self.decisions = 0

    def __call__(self, rng: Rng) -> Player:
        return _TimedPlayer(self._factory(rng), self)


class _TimedPlayer:
    def __init__(self, player: Player, times: Timed) -> None:
        self._player = player
        self._times = times

    def choose(self, position: InformationState, clock: Clock) -> Any:
        before = process_time()
        move = self._player.choose(position, clock)
        if len(position.legal_moves) > 1:
            self._times.seconds += process_time() - before
            self._times.decisions += 1
        return move


def play_match(game: AnyGame, factories: Sequence[PlayerFactory], seed: int) -> Outcome:
    """Play one game with a player for each seat. Chance draws depend only on the seed and the number of the move."""
    dice = [Dice(Random(f"{seed} {seat}")) for seat in range(len(factories))]
    players = [factory(each) for factory, each in zip(factories, dice, strict=True)]
    position, entry = Position(game, game.setup(game.options_type(), len(factories))), 0
    while position.to_act:
        entry += 1
        if position.to_act == CHANCE_ACTS:
            drawn = position.draw(SeededRng(seed.to_bytes(SEED_BYTES, "big"), entry))
            position = position.play(drawn, CHANCE)
        else:
            seat = position.to_act[0]
            move = players[seat].choose(seen_from(position, seat, dice[seat]), untimed)
            position = position.play(move, seat)
    outcome = position.outcome
    assert outcome is not None
    return outcome


def beaten(outcome: Outcome, seat: int) -> float:
    """Return the share of opponents that a seat beats. A tie counts as half."""
    rank = outcome.ranks[seat]
    others = [other for at, other in enumerate(outcome.ranks) if at != seat]
    return fmean([1.0 if rank < other else 0.5 if rank == other else 0.0 for other in others])


def play_block(game: AnyGame, seats: int, one: PlayerFactory, others: PlayerFactory, seed: int) -> float:
    """Return the share of opponents that ``one`` beats in a deal. It plays once in each seat."""
    shares = []
    for seat in range(seats):
        factories = [one if at == seat else others for at in range(seats)]
        shares.append(beaten(play_match(game, factories, seed), seat))
    return fmean(shares)
