"""The games as environments of PettingZoo (AEC): one seat after the other, hidden information kept.

    from skerry_arena.learning.environment import env

    game = env("kreta", seats=3)
    game.reset(seed=1)
    for agent in game.agent_iter():
        observation, reward, terminated, truncated, info = game.last()
        action = None if terminated else game.action_space(agent).sample(observation["action_mask"])
        game.step(action)

*Actions* are those of ``spelling``: a move takes one to a few of them, and the same agent goes on until it is made.
*Observations* are two arrays: ``observation``, the seat's own number, what it has spelled of its move (each action plus
one, then zeros), and its view as ``features`` tells it; and ``action_mask``, with 1 for each action that it can take.
The *reward* comes at the end, from -1 to 1: the share of the others that the seat has beaten, where a tie is a half. It
sums to zero.
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
    """Return the environment of a game, for as few seats as it can be played with unless a number is named.

    ``options`` are fields of the game's ``Options``; ``render_mode`` is ``ansi`` or ``None``.
    Raises KeyError for an unknown game, TypeError for an unknown option, BadOptions, BoundsMissing.
    """
    return OrderEnforcingWrapper(raw_env(game, seats, render_mode, **options))


class raw_env(AECEnv[str, Any, Any]):  # type: ignore[misc] # noqa: N801 - every environment of PettingZoo is called this
    """The same without a look at the order of calls. An action that is not in the mask raises ValueError."""

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi"], "is_parallelizable": False, "name": "skerry_v0"}

    def __init__(self, game: str, seats: int | None = None, render_mode: str | None = None, **options: Any) -> None:
        super().__init__()
        self._table = GameEncoding(game, seats, **options)
        self.game, self.spelling, self.features = self._table.game, self._table.spelling, self._table.features
        self.metadata = {**raw_env.metadata, "name": f"{game}_v0"}  # type: ignore[misc]
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(self._table.seats)]
        self.agents: list[str] = []
        self._random, _ = np_random()
        self.observation_spaces = {agent: self._space() for agent in self.possible_agents}
        self.action_spaces = {agent: Discrete(self.spelling.size) for agent in self.possible_agents}

    def _space(self) -> Dict:
        seen = Box(self._table.lowest, self._table.highest, dtype=np.int16)
        return Dict({"observation": seen, "action_mask": Box(0, 1, (self.spelling.size,), np.int8)})

    def observation_space(self, agent: str) -> Dict:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        """Return the space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin another game. Equal seeds, and equal actions, bring equal games."""
        if seed is not None:
            self._random, _ = np_random(seed)
        table = self._table
        self._course = GameRun(table.game, table.options, table.seats, self._random.bytes(SEED_BYTES))
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: dict[str, Any]() for agent in self.agents}
        self._ask()

    def _ask(self) -> None:
        """Have the next seat decide."""
        seat = self._course.seat
        self._decision = self._table.decision(self._course.position.legal_moves(seat))
        self.agent_selection = self.possible_agents[seat]

    def observe(self, agent: str) -> Observation:
        """Return what an agent may know."""
        seat = self.possible_agents.index(agent)
        spelled: ActionSequence = ()
        mask = np.zeros(self.spelling.size, np.int8)
        if agent == self.agent_selection and not self._course.over:
            spelled = self._decision.spelled
            mask[list(self._decision.possible)] = 1
        view = self._course.position.view(seat)
        return {"observation": self._table.numbers(seat, spelled, view), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Take an action of the agent that is selected. Raises ValueError for one that is not in its mask."""
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError("The game goes on, so there is an action to take.")
        try:
            choice = self._decision.spell(int(action))
        except KeyError:
            raise ValueError(f"The action {action} cannot be taken now; the mask shows those that can.") from None
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
        """Return what happened last, as a spectator is told; ``None`` without ``render_mode``."""
        if self.render_mode is None:
            return None
        names = self.possible_agents
        shown = self._course.position.shown(None)
        return "\n".join(fill(self.game.say(event), names) for event in shown)
