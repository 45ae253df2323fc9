"""A run of training: it plays, learns and measures itself round by round, and can be interrupted and resumed."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Final

import numpy as np
from msgspec import Meta, Struct
from msgspec.structs import asdict

from skerry_arena.learning.encoding.game_encoding import encoding_of
from skerry_arena.learning.ppo.curve import CURVE, CurvePoint, UnusableFolder, appended, share_of
from skerry_arena.learning.ppo.loss import Adam, Samples, joined, loss
from skerry_arena.learning.ppo.network import Weights, new_weights, shapes_of
from skerry_arena.learning.ppo.network_inputs import NetworkInputs
from skerry_arena.learning.ppo.rollouts import Rollouts, measure
from skerry_arena.learning.ppo.trained_network import read_arrays, replace_arrays, save
from skerry_arena.learning.vector import SkerryVectorEnv

SELF: Final = "self"
"""The opponent that stands for the network itself: it plays all seats."""
MEASURED_AGAINST: Final = ("random", "easy")
NETWORK: Final = "network.npz"
_CHECKPOINT: Final = "checkpoint.npz"
_SEEDS: Final = 1 << 31


_Positive = Annotated[int, Meta(ge=1, le=1 << 20)]
_Share = Annotated[float, Meta(ge=0, le=1)]


class TrainingSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """What a run trains, and how. Two runs with equal settings are equal."""

    game: str
    seats: int
    opponents: tuple[str, ...] = (SELF,)
    """Players, or ``self``. Each one gets an equal share of the games."""
    seed: Annotated[int, Meta(ge=0)] = 1
    games: _Positive = 128
    """Games at once."""
    steps: _Positive = 64
    """Actions in each game between two updates."""
    updates: _Positive = 20
    """Updates in a round. After each round, the run measures itself and can be resumed. All games start again then."""
    epochs: _Positive = 3
    """How often an update uses each decision."""
    batch: _Positive = 512
    """Decisions for each step of the optimizer."""
    hidden: _Positive = 128
    """The width of both hidden layers."""
    rate: _Share = 1e-3
    """The learning rate."""
    entropy: _Share = 0.01
    """The weight of the policy's entropy, which keeps it from deciding too early."""
    measured_games: _Positive = 100
    """Games against each player by which a round is measured."""

    def __post_init__(self) -> None:
        if not 1 <= len(self.opponents) <= self.games:
            raise ValueError(f"{self.games} games need 1 to {self.games} opponents, not {len(self.opponents)}.")


class _State(Struct):
    """What a checkpoint has beside its arrays."""

    settings: TrainingSettings
    ruleset: str
    point: CurvePoint
    optimizer_steps: int


class Training:
    """A run in its folder."""

    def __init__(self, folder: Path, settings: TrainingSettings) -> None:
        """Start a run, or resume that of the folder. Raises UnusableFolder, UnusableNetwork, OSError, and
        the errors of ``SkerryEnv``."""
        self._folder, self._settings = folder, settings
        self._inputs = NetworkInputs(encoding_of(settings.game, settings.seats))
        share = settings.games // len(settings.opponents)
        self._games = [self._vector(share, None if name == SELF else name) for name in settings.opponents]
        self._measured = {name: self._vector(settings.measured_games, name) for name in MEASURED_AGAINST}
        folder.mkdir(parents=True, exist_ok=True)
        self.point = CurvePoint(0, 0, 0.0, {})
        """The state after the last round."""
        actions = self._games[0].encoding.actions.size
        rng = np.random.default_rng(settings.seed)
        self.weights: Weights = new_weights(self._inputs.width, settings.hidden, actions, rng)
        self._adam = Adam(self.weights, settings.rate)
        if (folder / _CHECKPOINT).exists():
            self._resume()

    def _vector(self, games: int, opponents: str | None) -> SkerryVectorEnv:
        settings = self._settings
        return SkerryVectorEnv(games, processes=0, game=settings.game, seats=settings.seats, opponents=opponents)

    def _resume(self) -> None:
        path = self._folder / _CHECKPOINT
        state, arrays = read_arrays(path, _State)
        found, asked = asdict(state.settings), asdict(self._settings)
        if differing := [
            f"{name} {value!r}, not {asked[name]!r}" for name, value in found.items() if value != asked[name]
        ]:
            raise UnusableFolder(
                f"{path}: The run has {'; '.join(differing)}. Resume it as it is, or use another folder."
            )
        if state.ruleset != self._ruleset or shapes_of(arrays) != shapes_of(self._arrays()):
            raise UnusableFolder(f"{path}: The run is for other rules or views ({state.ruleset}). Use another folder.")
        self.point, self._adam.steps = state.point, state.optimizer_steps
        for name, array in self._arrays().items():
            array[...] = arrays[name]

    @property
    def _ruleset(self) -> str:
        return self._games[0].encoding.game.ruleset

    def _arrays(self) -> Weights:
        """Return all arrays of a checkpoint. To resume a run is to change them in place."""
        parts = {"weights": self.weights, "means": self._adam.means, "squares": self._adam.squares}
        return {f"{part}.{layer}": array for part, layers in parts.items() for layer, array in layers.items()}

    def run(self, rounds: int) -> Iterator[CurvePoint]:
        """Train until so many rounds are complete. Yield the point of the curve after each one.

        Raises UnusableFolder if another process trains in the folder.
        """
        with appended(self._folder / CURVE, self.point.round) as append:
            while self.point.round < rounds:
                self._round()
                append(self.point)
                self._save()
                yield self.point

    def _round(self) -> None:
        settings, began = self._settings, time.process_time()
        # Each round has its own generator, and begins with new games. So a resumed run is the same run.
        rng = np.random.default_rng([settings.seed, self.point.round])
        rollouts = [Rollouts(games, self._inputs, int(rng.integers(_SEEDS))) for games in self._games]
        for _ in range(settings.updates):
            self._update(joined([one.play(self.weights, settings.steps) for one in rollouts]), rng)
        seed = int(rng.integers(_SEEDS))
        against = {
            name: share_of(measure(self.weights, games, self._inputs, seed)) for name, games in self._measured.items()
        }
        steps = settings.updates * settings.steps * sum(games.num_envs for games in self._games)
        self.point = CurvePoint(
            self.point.round + 1,
            self.point.steps + steps,
            round(self.point.seconds + time.process_time() - began, 1),
            against,
        )

    def _update(self, samples: Samples, rng: np.random.Generator) -> None:
        """Improve the policy by samples that it has played."""
        if not samples.actions.size:
            return  # Every step began another game, which is possible with few games and steps.
        advantages = samples.advantages
        samples = replace(samples, advantages=(advantages - advantages.mean()) / (advantages.std() + 1e-8))
        count = len(samples.actions)
        for _ in range(self._settings.epochs):
            for rows in np.array_split(rng.permutation(count), max(1, count // self._settings.batch)):
                _, slopes = loss(self.weights, samples.rows(rows), self._settings.entropy)
                self._adam.step(self.weights, slopes)

    def _save(self) -> None:
        state = _State(self._settings, self._ruleset, self.point, self._adam.steps)
        save(self._folder / NETWORK, self._games[0].encoding, self.weights)
        replace_arrays(self._folder / _CHECKPOINT, state, self._arrays())
