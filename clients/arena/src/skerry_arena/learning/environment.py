"""The games as PettingZoo environments (AEC): the seats act one after the other and see no hidden information.

    from skerry_arena.learning.environment import env

    game = env("kreta", seats=3)
    game.reset(seed=1)
    for agent in game.agent_iter():
        observation, reward, terminated, truncated, info = game.last()
        action = None if terminated else game.action_space(agent).sample(observation["action_mask"])
        game.step(action)

*Actions* are those of ``action_encoding``. A move takes one or more actions, all by the same agent.
*Observations* have two arrays. ``observation`` has the number of the seat, the actions of its incomplete move (each
plus one, then zeros), and the features of its view (``features``). ``action_mask`` has 1 for each possible action.
The *reward* comes at the end, from -1 to 1: the share of opponents that the seat has beaten minus the share that have
beaten it. All rewards sum to zero.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from gymnasium.utils.seeding import np_random
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from skerry_arena.learning.action_encoding import ActionSequence
from skerry_arena.learning.game_encoding import GameEncoding
from skerry_arena.learning.returns import returns
from skerry_arena.play.game_run import GameRun
from skerry_games.rng import SEED_BYTES
from skerry_games.sentences import fill

Array = np.ndarray[Any, np.dtype[Any]]
Observation = dict[str, Array]


def env(game: str, seats: int | None = None, render_mode: str | None = None, **options: Any) -> AECEnv[str, Any, Any]:
    """Return the environment of a game.

    ``seats``: Default: the smallest number that the game allows. ``render_mode``: ``ansi`` or ``None``.
    ``options``: fields of the game's ``Options``.
    Raises KeyError for an unknown game, TypeError for an unknown option, BadOptions, BoundsMissing.
    """
    return OrderEnforcingWrapper(raw_env(game, seats, render_mode, **options))


class raw_env(AECEnv[str, Any, Any]):  # type: ignore[misc] # noqa: N801 - every environment of PettingZoo is called this
    """The environment without checks of the order of calls. An action outside of the mask raises ValueError."""

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi"], "is_parallelizable": False, "name": "skerry_v0"}

    def __init__(self, game: str, seats: int | None = None, render_mode: str | None = None, **options: Any) -> None:
        super().__init__()
        self._encoding = GameEncoding(game, seats, **options)
        self.game, self.actions, self.features = self._encoding.game, self._encoding.actions, self._encoding.features
        self.metadata = {**raw_env.metadata, "name": f"{game}_v0"}  # type: ignore[misc]
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(self._encoding.seats)]
        self.agents: list[str] = []
        self._random, _ = np_random()
        self.observation_spaces = {agent: self._space() for agent in self.possible_agents}
        self.action_spaces = {agent: Discrete(self.actions.size) for agent in self.possible_agents}

    def _space(self) -> Dict:
        seen = Box(self._encoding.lowest, self._encoding.highest, dtype=np.int16)
        return Dict({"observation": seen, "action_mask": Box(0, 1, (self.actions.size,), np.int8)})

    def observation_space(self, agent: str) -> Dict:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        """Return the space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start another game. Equal seeds and equal actions give equal games."""
        if seed is not None:
            self._random, _ = np_random(seed)
        encoding, game_seed = self._encoding, self._random.bytes(SEED_BYTES)
        self._course = GameRun(encoding.game, encoding.options, encoding.seats, game_seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: dict[str, Any]() for agent in self.agents}
        self._ask()

    def _ask(self) -> None:
        """Ask the next seat to decide."""
        seat = self._course.seat
        self._decision = self._encoding.decision(self._course.position.legal_moves(seat))
        self.agent_selection = self.possible_agents[seat]

    def observe(self, agent: str) -> Observation:
        """Return the observation of an agent."""
        seat = self.possible_agents.index(agent)
        prefix: ActionSequence = ()
        mask = np.zeros(self.actions.size, np.int8)
        if agent == self.agent_selection and not self._course.over:
            prefix = self._decision.prefix
            mask[list(self._decision.possible)] = 1
        view = self._course.position.view(seat)
        return {"observation": self._encoding.numbers(seat, prefix, view), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Take an action of the selected agent. Raises ValueError for an action outside of its mask."""
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError("The action is None, but the game is not over. Take an action of the mask.")
        try:
            choice = self._decision.take(int(action))
        except KeyError:
            raise ValueError(f"The action {action} is not possible now. Take an action of the mask.") from None
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._clear_rewards()
        if choice is not None:
            self._course.choose(choice)
            self._go_on()
        self._accumulate_rewards()

    def _go_on(self) -> None:
        if not self._course.over:
            self._ask()
            return
        outcome = self._course.position.outcome
        assert outcome is not None
        for agent, reward in zip(self.possible_agents, returns(outcome.ranks), strict=True):
            self.rewards[agent] = reward
            self.terminations[agent] = True
        self._deads_step_first()

    def render(self) -> str | None:
        """Return the last events in the words for spectators; ``None`` without ``render_mode``."""
        if self.render_mode is None:
            return None
        names = self.possible_agents
        shown = self._course.position.shown(None)
        return "\n".join(fill(self.game.say(event), names) for event in shown)
