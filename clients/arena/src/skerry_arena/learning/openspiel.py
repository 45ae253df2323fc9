"""The games as games of OpenSpiel, so that its algorithms play and learn them. Importing this registers them.

    import pyspiel
    import skerry_arena.learning.openspiel

    game = pyspiel.load_game("skerry_kreta(players=3)")

*Parameters* are ``players`` and the options of the game: what has a name by its name (``islands=choose``), and -1 for
what is not set. *Actions* and the *observation tensor* are those of the environment of PettingZoo, without the mask;
*returns* are its rewards. Seats that decide at once are asked one after the other; none sees what another has chosen.
*Chance nodes* are explicit, a throw of equally likely outcomes each (``moments``).

The *observation string* is what the seat sees now, as JSON. The *information state string* adds its memory
(``moments``), which makes it one of perfect recall: whoever was shown or did anything else has another one, though what
it was cannot be read from it. There is no tensor of it.
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

from skerry_arena.learning.bounds import BoundsMissing, bounds_of
from skerry_arena.learning.game_encoding import GameEncoding
from skerry_arena.learning.game_tree import MOST_OUTCOMES, OVER, GameNode, GameTree
from skerry_games.api import CHANCE, AnyGame
from skerry_games.catalogue import all_games
from skerry_games.rng import Dice

Parameters = Mapping[str, Any]
_NOT_SET: Final = -1
_PLAYERS: Final[Mapping[int, int]] = {CHANCE: pyspiel.PlayerId.CHANCE, OVER: pyspiel.PlayerId.TERMINAL}


class SkerryGame(pyspiel.Game):  # type: ignore[misc]
    """A game with its options and number of seats.

    Raises ValueError for a name that an option does not know, and BadOptions.
    """

    rules: AnyGame

    def __init__(self, parameters: Parameters) -> None:
        game, defaults = self.rules, asdict(self.rules.options_type())
        options = {name: _option(name, parameters[name], default) for name, default in defaults.items()}
        self.table = GameEncoding(game.id, parameters["players"], **options)
        self.moments = GameTree(self.table)
        info = pyspiel.GameInfo(
            num_distinct_actions=self.table.spelling.size,
            max_chance_outcomes=MOST_OUTCOMES,
            num_players=self.table.seats,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=game.max_moves * self.table.spelling.longest,
        )
        super().__init__(_game_type(game), info, dict(parameters))

    def __reduce__(self) -> tuple[Callable[[str], Any], tuple[str]]:
        # By a function of this module: to load it registers the games, in whatever process that is.
        return _loaded, (str(self),)

    def new_initial_state(self) -> SkerryState:
        """Return the state in which nothing has been thrown yet."""
        return SkerryState(self)

    def make_py_observer(self, kind: Any = None, params: Parameters | None = None) -> SkerryObserver:
        """Return what tells a state as a seat knows it. Raises ValueError for another kind of knowledge."""
        return SkerryObserver(self.table, kind or pyspiel.IIGObservationType(perfect_recall=False), params)


class SkerryState(pyspiel.State):  # type: ignore[misc]
    """A game as it stands. An action that is not legal raises ValueError and changes nothing."""

    def __init__(self, game: SkerryGame) -> None:
        super().__init__(game)
        self.moment: GameNode = game.moments.first

    def current_player(self) -> int:
        return _PLAYERS.get(self.moment.actor, self.moment.actor)

    def is_terminal(self) -> bool:
        return self.moment.actor == OVER

    def _legal_actions(self, player: int) -> Sequence[int]:
        return self.moment.possible

    def chance_outcomes(self) -> Sequence[tuple[int, float]]:
        """Return the outcomes of the throw, each with its probability."""
        outcomes = self.moment.outcomes
        return [(outcome, 1.0 / outcomes) for outcome in range(outcomes)]

    def _apply_action(self, action: int) -> None:
        self.moment = self.get_game().moments.after(self.moment, action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"throw {action}"
        name: str = self.get_game().table.spelling.names[action]
        return name

    def returns(self) -> Sequence[float]:
        returns: Sequence[float] = self.get_game().moments.returns(self.moment)
        return returns

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> SkerryState:
        """Return a state that a player cannot tell from this one, dealt anew. It has no history.

        ``sampler`` returns numbers from 0 to 1 and is asked once. Raises ValueError for a player there is not.
        """
        game = self.get_game()
        if player not in range(game.table.seats):
            raise ValueError(f"There is no player {player} at a table of {game.table.seats}.")
        state: SkerryState = game.new_initial_state()
        state.moment = game.moments.redealt(self.moment, player, Dice(Random(sampler())))
        return state

    def __str__(self) -> str:
        moment = self.moment
        return f"{moment.state} {moment.spelled(moment.actor)} {moment.throws}"


class SkerryObserver:
    """Tells a state as a seat knows it, in the way that ``open_spiel.python.observation`` describes."""

    def __init__(self, table: GameEncoding, kind: Any, params: Parameters | None) -> None:
        if params:
            raise ValueError("Observers have no parameters.")
        if not kind.public_info or kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            raise ValueError("A seat sees what is public together with what it alone may know, and nothing else.")
        self._table = table
        self._remembers = kind.perfect_recall
        size = len(table.features.all) + table.longest + 1
        self.tensor = None if kind.perfect_recall else np.zeros(size, np.float32)
        self.dict = {} if self.tensor is None else {"observation": self.tensor}

    def set_from(self, state: SkerryState, player: int) -> None:
        """Write the observation of a player into ``tensor``. Raises ValueError where there is none."""
        if self.tensor is None:
            raise ValueError("There is no tensor of an information state; learn from the observation tensor.")
        view = self._table.game.view(state.moment.state, player)
        self.tensor[:] = self._table.numbers(player, state.moment.spelled(player), view)

    def string_from(self, state: SkerryState, player: int) -> str:
        """Return the observation of a player as JSON."""
        moment, table = state.moment, self._table
        spelled = [table.spelling.names[action] for action in moment.spelled(player)]
        told = {"seat": player, "spelled": spelled, "view": table.game.view(moment.state, player)}
        if self._remembers:
            told["memory"] = moment.memories[player].hex()
        return json.encode(told).decode()


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
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"players": game.seats[0], **options},
    )


def _parameter(value: Any) -> Any:
    """Return the value of an option as a parameter, which is a number, a text, or true or false."""
    if value is None:
        return _NOT_SET
    return value.name.lower() if isinstance(value, Enum) else value


def _option(name: str, given: Any, default: Any) -> Any:
    """Return what was given for an option."""
    if given == _parameter(default):
        return default
    if not isinstance(default, Enum):
        return given
    for value in type(default):
        if given == _parameter(value):
            return value
    raise ValueError(f"{name} is one of {', '.join(map(_parameter, type(default)))}, not {given!r}.")


def _register() -> None:
    for game in all_games().values():
        try:
            bounds_of(game)
        except BoundsMissing:
            continue
        # A class, as what is registered must outlive the interpreter, which frees a function before OpenSpiel lets go.
        pyspiel.register_game(_game_type(game), type("SkerryGame", (SkerryGame,), {"rules": game}))


_register()
