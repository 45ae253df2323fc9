"""The inputs of a network: an observation as numbers near 0, seen from the own seat."""

from __future__ import annotations

import re
from typing import Any, Final

import numpy as np

from skerry_arena.learning.encoding.bounds import bounds_of
from skerry_arena.learning.encoding.game_encoding import GameEncoding
from skerry_arena.learning.encoding.observation_encoding import Numbers
from skerry_arena.learning.encoding.view_layout import Feature

Floats = np.ndarray[Any, np.dtype[np.floating[Any]]]
_SEAT: Final = re.compile(r"seats\[(\d+)\]")


class NetworkInputs:
    """The conversion of a game's observations.

    A category is one input for each of its values, all 0 if it is absent. A quantity ``x`` is ``sign(x) log(1 + |x|)``.
    The own seat is number 0 and the next one number 1, so a network learns for all seats at once. Lists by seat inside
    of other lists, such as the villagers of a province, keep their order. The true number of the seat is an input, too.
    """

    def __init__(self, encoding: GameEncoding) -> None:
        features = encoding.observations.features
        self._seats = encoding.seats
        indexes = {feature.name: index for index, feature in enumerate(features)}
        self._sources = np.array(
            [[indexes[_turned(one.name, seat, self._seats)] for one in features] for seat in range(self._seats)]
        )
        """For each seat, the index of each feature in its observations."""
        numbered = bounds_of(encoding.game).seat_numbers
        categories = [index for index, one in enumerate(features) if one.categories]
        self._names_seat = np.array([_path(features[index]) in numbered for index in categories])
        presence = [_presence(features[index].name, indexes) for index in categories]
        self._present = np.array([0 if index is None else index for index in presence])
        self._optional = np.array([index is not None for index in presence])
        self._quantities = np.array([index for index, one in enumerate(features) if not one.categories])
        self._categories = np.array(categories)
        sizes = [len(features[index].categories) for index in categories]
        self._columns = len(self._quantities) + np.cumsum([0, *sizes[:-1]])
        """The column of the first value of each category."""
        self.width: int = len(self._quantities) + sum(sizes)
        """The number of inputs."""

    def encode(self, observations: Numbers) -> Floats:
        """Return the inputs for observations: a row for each one."""
        seats = observations[:, 0].astype(np.intp)
        turned = np.take_along_axis(observations, self._sources[seats], axis=1)
        inputs = np.zeros((len(turned), self.width), np.float32)
        quantities = turned[:, self._quantities].astype(np.float32)
        inputs[:, : quantities.shape[1]] = np.sign(quantities) * np.log1p(np.abs(quantities))
        values = turned[:, self._categories].astype(np.intp)
        values[:, self._names_seat] = (values[:, self._names_seat] - seats[:, None]) % self._seats
        present = ~self._optional | (turned[:, self._present] > 0)
        rows, which = np.nonzero(present)
        inputs[rows, (self._columns + values)[rows, which]] = 1
        return inputs


def _turned(name: str, seat: int, seats: int) -> str:
    """Return the name of the feature that takes the place of another one for the owner of a seat."""
    return _SEAT.sub(lambda found: f"seats[{(int(found[1]) + seat) % seats}]", name)


def _presence(name: str, indexes: dict[str, int]) -> int | None:
    """Return the index of the feature that is 0 if a category is absent: its own, or that of the item around it."""
    while name:
        if (index := indexes.get(f"{name}?")) is not None:
            return index
        name = name[: max(name.rfind("."), name.rfind("["), 0)]
    return None


def _path(feature: Feature) -> str:
    return re.sub(r"\[[^]]*\]", "[]", feature.name)
