"""Computes the weights of a learnt evaluation.

    python -m tests.games.players.training kreta --seats 2 --rounds 8 --keep /tmp/rounds

A round plays games with the present weights, fits weights to what their play-outs showed, and plays the new weights
against the old ones. The new weights stay if they win. The first round plays with the game's advice. Rounds are kept
in a folder, and the next run continues. With ``--rounds 0``, a game with its own play-outs plays them alone instead.
``--write`` copies the weights to the game's folder.
"""

from __future__ import annotations

import argparse
import pickle
from collections import Counter
from math import log
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any, Final

import msgspec

import skerry_games
from skerry_arena.statistics.stopping import log_likelihood_ratio
from skerry_games.api import AnyGame
from skerry_games.catalogue import all_games, game_module
from skerry_games.evaluation import Advice, Features
from skerry_games.players.fast_dice import FastDice
from skerry_games.players.learnt_evaluation import FILE, Ramp, Weights, learnt_evaluation
from skerry_games.players.utility import advice_of
from skerry_games.rng import Dice
from tests.games.players.training.fitting import fit
from tests.games.players.training.self_play import Sample, SelfPlay, play_out_samples, samples, valued

LOW: Final = 0.48
HIGH: Final = 0.56
ERROR: Final = 0.05
BLOCKS: Final = 60
"""New weights play at most so many blocks. They stay if the test does not end, and they have won more than half."""
PLAY_OUT_GAMES: Final = 4000
"""Without rounds, weights are fitted to so many games of a game's own play-outs."""
RECENT: Final = 3
"""Weights are fitted to the games of so many rounds."""


class Kept(msgspec.Struct):
    """What the folder keeps of a run."""

    rounds: int
    ramp: Ramp | None
    ridge: float = 20.0


class Trainer:
    """Computes the weights of one game for one number of seats."""

    def __init__(self, game: AnyGame, seats: int, keep: Path) -> None:
        module = game_module(game.id, game.ruleset, "learnt.features")
        if module is None:
            raise SystemExit(f"{game.id} has no module learnt.features.")
        self.game, self.seats = game, seats
        self.features: Features = module.FEATURES
        self._file = keep / f"{game.id}-{seats}.json"
        self._data = keep / f"{game.id}-{seats}.pickle"
        self.kept = Kept(0, None)
        self.recent: list[list[Sample]] = []
        if self._file.exists():
            self.kept = msgspec.json.decode(self._file.read_bytes(), type=Kept)
            if self.kept.ramp and len(self.kept.ramp[0]) != len(self.features.names):
                raise SystemExit(f"{self._file} is for other features. Remove it.")
            self.recent = pickle.loads(self._data.read_bytes())

    def advice(self, ramp: Ramp | None) -> Advice:
        """Return the evaluation with these weights; the advice of the game without any."""
        if ramp is None:
            return advice_of(self.game)
        return learnt_evaluation(self.features, Weights(self.features.names, {self.seats: ramp}))

    def dice(self, *parts: Any) -> FastDice:
        """Return dice whose seed follows from these parts."""
        return FastDice(Dice(Random(" ".join(map(str, (self.game.id, self.seats, *parts))))))

    def fit_to_play_outs(self) -> None:
        """Fit the weights to games of play-outs. That does not depend on the weights, so no further rounds follow."""
        advices = [self.advice(None)] * self.seats
        known = [
            sample
            for each in range(PLAY_OUT_GAMES)
            for sample in play_out_samples(SelfPlay(self.game, advices, self.dice("play-out", each)), self.features)
        ]
        self.kept = Kept(1, fit(known, self.features.stages, 1.0, None))
        print(f"{self.game.id} {self.seats}: weights fitted to {len(known)} states of games of play-outs", flush=True)

    def begin(self, games: int) -> None:
        """Begin with the weights for fewer seats that the folder has, or else with weights fitted to the advice."""
        for seats in range(self.seats - 1, 0, -1):
            other = self._file.with_name(f"{self.game.id}-{seats}.json")
            if other.exists():
                self.kept = Kept(0, msgspec.json.decode(other.read_bytes(), type=Kept).ramp)
                return
        advices = [self.advice(None)] * self.seats
        known = [
            sample
            for each in range(games)
            for sample in valued(SelfPlay(self.game, advices, self.dice("begin", each)), self.features)
        ]
        self.kept = Kept(0, fit(known, self.features.stages, 0.01, None))

    def round(self, games: int, turns: int) -> None:
        """Play games with play-outs of so many turns, fit, compare, and keep the result."""
        number, ramp = self.kept.rounds, self.kept.ramp
        played: list[Sample] = []
        for each in range(games):
            play = SelfPlay(self.game, [self.advice(ramp)] * self.seats, self.dice(number, each))
            following = 1 + max([sample.decision for sample in played[-400:]], default=-1)
            played += samples(play, self.features, max(following, each * 1000), turns)
        self.recent = [*self.recent, _renumbered(played, number)][-RECENT:]
        known = [sample for part in self.recent for sample in part]
        new = fit(known, self.features.stages, self.kept.ridge, ramp)
        share, blocks, better = self.compare(self.advice(new), self.advice(ramp), number)
        print(
            f"{self.game.id} {self.seats}: round {number}, {len(known)} states, new weights beat {share:.3f} "
            f"of the old ones in {blocks} blocks: {'kept' if better else 'dropped'}",
            flush=True,
        )
        self.kept = Kept(number + 1, new if better else ramp, self.kept.ridge if better else self.kept.ridge * 2)
        self._data.write_bytes(pickle.dumps(self.recent))
        self._file.write_bytes(msgspec.json.encode(self.kept))

    def compare(self, new: Advice, old: Advice, number: int | str, most: int = BLOCKS) -> tuple[float, int, bool]:
        """Play blocks until a sequential test ends. Return the share beaten, the blocks, and if new weights stay."""
        seen, shares = Counter[float](), list[float]()
        bound = log((1 - ERROR) / ERROR)
        while len(shares) < most:
            block = len(shares)
            beaten = []
            for seat in range(self.seats):
                advices = [new if each == seat else old for each in range(self.seats)]
                play = SelfPlay(self.game, advices, self.dice("compare", number, block))
                beaten.append(play.ranks()[seat])
            shares.append(fmean(beaten))
            seen[shares[-1]] += 1
            ratio = log_likelihood_ratio(seen, LOW, HIGH)
            if abs(ratio) > bound and len(shares) >= 10:
                return fmean(shares), len(shares), ratio > 0
        return fmean(shares), len(shares), fmean(shares) > 0.5


def _renumbered(played: list[Sample], number: int) -> list[Sample]:
    base = number * 10_000_000
    return [each if each.decision < 0 else each._replace(decision=base + each.decision) for each in played]


def write(game: AnyGame, ramps: dict[int, Ramp]) -> None:
    """Write weights to the folder of a game. Weights for other numbers of seats stay."""
    features: Features = game_module(game.id, game.ruleset, "learnt.features").FEATURES  # type: ignore[union-attr]
    file = Path(skerry_games.__path__[0]) / game.id / "learnt" / FILE
    seats: dict[int, Ramp] = {}
    if file.exists():
        before = msgspec.json.decode(file.read_bytes(), type=Weights)
        seats = before.seats if before.features == features.names else {}
    weights = Weights(features.names, dict(sorted((seats | ramps).items())))
    file.write_bytes(msgspec.json.format(msgspec.json.encode(weights), indent=1) + b"\n")


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.games.players.training", description=__doc__)
    parser.add_argument("game", choices=list(all_games()))
    parser.add_argument("--seats", type=int, nargs="+", help="numbers of seats; all by default")
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--games", type=int, default=200, help="games of a round")
    parser.add_argument("--turns", type=int, default=4, help="turns of a play-out; in short games, up to the end")
    parser.add_argument("--keep", type=Path, required=True, help="folder of the rounds")
    parser.add_argument("--write", action="store_true", help="copy the weights to the folder of the game")
    parser.add_argument("--against-advice", type=int, metavar="BLOCKS", help="play the advice at last")
    asked = parser.parse_args()
    game = all_games()[asked.game]
    asked.keep.mkdir(parents=True, exist_ok=True)
    for seats in asked.seats or game.seats:
        trainer = Trainer(game, seats, asked.keep)
        if trainer.features.play_out and not asked.rounds:
            trainer.fit_to_play_outs()
        elif trainer.kept.ramp is None:
            trainer.begin(15)
        for _ in range(asked.rounds):
            trainer.round(asked.games, asked.turns)
        ramp = trainer.kept.ramp
        if asked.against_advice:
            share, blocks, _ = trainer.compare(
                trainer.advice(ramp), trainer.advice(None), "advice", asked.against_advice
            )
            print(f"{game.id} {seats}: the weights beat the advice: {share:.3f} in {blocks} blocks", flush=True)
        if asked.write and ramp is not None:
            write(game, {seats: ramp})


if __name__ == "__main__":
    main()
