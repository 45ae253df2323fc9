"""A trained network in a file, with the game that it plays."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, TypeVar
from zipfile import BadZipFile

import numpy as np
from msgspec import MsgspecError, Struct, json
from msgspec.structs import asdict

from skerry_arena.learning.encoding.action_encoding import ActionSequence
from skerry_arena.learning.encoding.game_encoding import GameEncoding, encoding_of
from skerry_arena.learning.ppo.network import Weights, outputs, shapes_of, weight_shapes
from skerry_arena.learning.ppo.network_inputs import Floats, NetworkInputs

_ABOUT: Final = "about"
_AboutType = TypeVar("_AboutType", bound=Struct)


class UnusableNetwork(ValueError):
    """A file without a network for this build. The message is a sentence."""


class About(Struct, frozen=True):
    """The game for which a network is trained."""

    game: str
    ruleset: str
    seats: int
    options: dict[str, Any]


class TrainedNetwork:
    """A network for one game with its options and number of seats."""

    def __init__(self, encoding: GameEncoding, weights: Weights) -> None:
        self.encoding = encoding
        """The encodings of moves and observations."""
        self._inputs = NetworkInputs(encoding)
        self._weights = weights
        self._every = np.ones((1, encoding.actions.size), np.int8)

    def scores(self, seat: int, prefix: ActionSequence, view: Any) -> Floats:
        """Return a score for each action: the higher, the more likely. Ignore those of impossible actions."""
        observation = self.encoding.observations.encode(seat, prefix, view)
        found = outputs(self._weights, self._inputs.encode(observation[None]), self._every)
        scores: Floats = found.log_probabilities[0]
        return scores

    @staticmethod
    def load(path: Path) -> TrainedNetwork:
        """Read a network. Raises UnusableNetwork, OSError."""
        about, arrays = read_arrays(path, About)
        try:
            encoding = encoding_of(about.game, about.seats, **about.options)
        except (KeyError, TypeError, ValueError) as error:
            raise UnusableNetwork(f"{path}: This build does not have the game of the network: {error}.") from None
        hidden = arrays["first_bias"].size if "first_bias" in arrays else 0
        expected = weight_shapes(NetworkInputs(encoding).width, hidden, encoding.actions.size)
        if about.ruleset != encoding.game.ruleset or shapes_of(arrays) != expected:
            raise UnusableNetwork(f"{path}: The network is for other rules or views ({about.ruleset}). Train it again.")
        return TrainedNetwork(encoding, {name: one.astype(np.float32) for name, one in arrays.items()})


def save(path: Path, encoding: GameEncoding, weights: Mapping[str, Floats]) -> None:
    """Write a network with half the digits, which play alike."""
    game = encoding.game
    about = About(game.id, game.ruleset, encoding.seats, asdict(encoding.options))
    halves = {name: one.astype(np.float16) for name, one in weights.items()}
    replace_arrays(path, about, halves)


def replace_arrays(path: Path, about: Struct, arrays: Mapping[str, Any]) -> None:
    """Write a file of arrays and what they are. A process that ends meanwhile leaves the former file."""
    part = path.with_suffix(".part")
    with part.open("wb") as file:
        described = np.frombuffer(json.encode(about), np.uint8)
        np.savez_compressed(file, allow_pickle=False, **arrays, **{_ABOUT: described})
    part.replace(path)


def read_arrays(path: Path, kind: type[_AboutType]) -> tuple[_AboutType, dict[str, Any]]:
    """Return what ``replace_arrays`` has written. Raises UnusableNetwork, OSError."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as found:
            arrays = {name: np.asarray(one) for name, one in found.items()}
        return json.decode(arrays.pop(_ABOUT).tobytes(), type=kind), arrays
    except (
        *(ValueError, LookupError, AttributeError, TypeError, EOFError, RuntimeError),
        *(BadZipFile, MsgspecError, zlib.error),
    ) as error:
        raise UnusableNetwork(f"{path}: This is not a file of this build: {error}.") from None
