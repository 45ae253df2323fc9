"""The games as OpenSpiel games for its algorithms. Importing this module registers them.

    import pyspiel
    import skerry_arena.learning.openspiel

    game = pyspiel.load_game("skerry_kreta(players=3)")

*Parameters* are ``players`` and the options of the game. Options with named values take the name (``islands=choose``),
and -1 means not set. *Actions* and the *observation tensor* are those of the PettingZoo environment, without the mask.
*Returns* are its rewards. Seats that decide at once act one after the other, and do not see each other's choices.
*Chance nodes* are explicit, one for each draw of equally likely outcomes (``game_tree``).

The *observation string* is the current view of the seat, as JSON. *Information states* add its memory (``game_tree``)
for perfect recall: different histories of a seat have different strings and tensors. The memory is a digest, as
hexadecimal digits in the string and as bits in the tensor, so the history cannot be read from it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from random import Random
from typing import Any, Final

import numpy as np
import pyspiel
from msgspec import json
from msgspec.structs import asdict

from skerry_arena.learning.encoding.bounds import BoundsMissing, bounds_of
from skerry_arena.learning.encoding.game_encoding import GameEncoding, encoding_of
from skerry_arena.learning.game_tree import MEMORY_BYTES, MOST_OUTCOMES, OVER, GameNode, GameTree
from skerry_games.api import CHANCE, AnyGame
from skerry_games.catalogue import all_games
from skerry_games.rng import Dice

Parameters = Mapping[str, Any]
_NOT_SET: Final = -1
_PLAYERS: Final[Mapping[int, int]] = {CHANCE: pyspiel.PlayerId.CHANCE, OVER: pyspiel.PlayerId.TERMINAL}


class SkerryGame(pyspiel.Game):  # type: ignore[misc]
    """A game with its options and number of seats.

    Raises ValueError for an unknown value of an option, and BadOptions.
    """

    rules: AnyGame

    def __init__(self, parameters: Parameters) -> None:
        game, defaults = self.rules, asdict(self.rules.options_type())
        options = {name: _option(name, parameters[name], default) for name, default in defaults.items()}
        self.encoding = encoding_of(game.id, parameters["players"], **options)
        self.tree = GameTree(self.encoding)
        info = pyspiel.GameInfo(
            num_distinct_actions=self.encoding.actions.size,
            max_chance_outcomes=MOST_OUTCOMES,
            num_players=self.encoding.seats,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=game.max_moves * self.encoding.actions.longest,
        )
        super().__init__(_game_type(game), info, dict(parameters))

    def __reduce__(self) -> tuple[Callable[[str], Any], tuple[str]]:
        # A function of this module, because importing the module registers the games in the loading process.
        return _loaded, (str(self),)

    def new_initial_state(self) -> SkerryState:
        """Return the state at the root of the game tree."""
        return SkerryState(self)

    def make_py_observer(self, kind: Any = None, params: Parameters | None = None) -> SkerryObserver:
        """Return an observer. Raises ValueError for unsupported kinds of information and for parameters."""
        return SkerryObserver(self.encoding, kind or pyspiel.IIGObservationType(perfect_recall=False), params)


class SkerryState(pyspiel.State):  # type: ignore[misc]
    """A state of a game. An illegal action raises ValueError and changes nothing."""

    def __init__(self, game: SkerryGame) -> None:
        super().__init__(game)
        self.node: GameNode = game.tree.root

    def current_player(self) -> int:
        return _PLAYERS.get(self.node.actor, self.node.actor)

    def is_terminal(self) -> bool:
        return self.node.actor == OVER

    def _legal_actions(self, player: int) -> Sequence[int]:
        return self.node.possible

    def chance_outcomes(self) -> Sequence[tuple[int, float]]:
        """Return the outcomes of the draw, each with its probability."""
        outcomes = self.node.outcomes
        return [(outcome, 1.0 / outcomes) for outcome in range(outcomes)]

    def _apply_action(self, action: int) -> None:
        self.node = self.get_game().tree.child(self.node, action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"draw {action}"
        name: str = self.get_game().encoding.actions.names[action]
        return name

    def returns(self) -> Sequence[float]:
        returns: Sequence[float] = self.get_game().tree.returns(self.node)
        return returns

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> SkerryState:
        """Return a resampled state that a player cannot tell from this one. It has no history.

        ``sampler`` returns numbers from 0 to 1 and is called once. Raises ValueError for an unknown player.
        """
        game = self.get_game()
        if player not in range(game.encoding.seats):
            raise ValueError(f"Unknown player {player}. The players are 0 to {game.encoding.seats - 1}.")
        state: SkerryState = game.new_initial_state()
        state.node = game.tree.resample(self.node, player, Dice(Random(sampler())))
        return state

    def __str__(self) -> str:
        node = self.node
        return f"{node.state} {node.prefix(node.actor)} {node.draws}"


class SkerryObserver:
    """The observation of a state by a seat, with the interface of ``open_spiel.python.observation``."""

    def __init__(self, encoding: GameEncoding, kind: Any, params: Parameters | None) -> None:
        if params:
            raise ValueError("Observers take no parameters.")
        if not kind.public_info or kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            raise ValueError("Observations must have the public information and the private information of one player.")
        self._encoding = encoding
        self._remembers = kind.perfect_recall
        size = encoding.observations.size
        self.tensor = np.zeros(size + 8 * MEMORY_BYTES * kind.perfect_recall, np.float32)
        self.dict = {"observation": self.tensor[:size]}
        """The parts of ``tensor``: ``observation`` and, with perfect recall, the bits of ``memory``."""
        if kind.perfect_recall:
            self.dict["memory"] = self.tensor[size:]

    def set_from(self, state: SkerryState, player: int) -> None:
        """Write what a player observes into ``tensor``."""
        node = state.node
        view = self._encoding.game.view(node.state, player)
        self.dict["observation"][:] = self._encoding.observations.encode(player, node.prefix(player), view)
        if self._remembers:
            memory = node.memories[player].ljust(MEMORY_BYTES, b"\0")
            self.dict["memory"][:] = np.unpackbits(np.frombuffer(memory, np.uint8))

    def string_from(self, state: SkerryState, player: int) -> str:
        """Return the observation of a player as JSON."""
        node, encoding = state.node, self._encoding
        prefix = [encoding.actions.names[action] for action in node.prefix(player)]
        observed = {"seat": player, "prefix": prefix, "view": encoding.game.view(node.state, player)}
        if self._remembers:
            observed["memory"] = node.memories[player].hex()
        return json.encode(observed).decode()


def _loaded(game: str) -> Any:
    return pyspiel.load_game(game)


def _game_type(game: AnyGame) -> Any:
    options = {name: _parameter(value) for name, value in asdict(game.options_type()).items()}
    return pyspiel.GameType(
        short_name=f"skerry_{game.id}",
        long_name=game.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=game.seats[-1],
        min_num_players=game.seats[0],
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"players": game.seats[0], **options},
    )


def _parameter(value: Any) -> Any:
    """Return the value of an option as a parameter, which is a number, a string or a boolean."""
    if value is None:
        return _NOT_SET
    return value.name.lower() if isinstance(value, Enum) else value


def _option(name: str, given: Any, default: Any) -> Any:
    """Return the value of an option from its parameter."""
    if given == _parameter(default):
        return default
    if not isinstance(default, Enum):
        return given
    for value in type(default):
        if given == _parameter(value):
            return value
    raise ValueError(f"{name} must be one of {', '.join(map(_parameter, type(default)))}, not {given!r}.")


def _register() -> None:
    for game in all_games().values():
        try:
            bounds_of(game)
        except BoundsMissing:
            continue
        # A class, because the interpreter frees functions at exit before OpenSpiel releases its registry.
        pyspiel.register_game(_game_type(game), type("SkerryGame", (SkerryGame,), {"rules": game}))


_register()
