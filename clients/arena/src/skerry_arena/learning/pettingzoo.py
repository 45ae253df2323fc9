"""The games as PettingZoo environments: ``env`` (AEC) and ``parallel_env``. Needs the extra ``pettingzoo``.

    from skerry_arena.learning.pettingzoo import env

    game = env("kreta", seats=3)
    game.reset(seed=1)
    for agent in game.agent_iter():
        observation, reward, terminated, truncated, info = game.last()
        action = None if terminated else game.action_space(agent).sample(observation["action_mask"])
        game.step(action)

*Actions* are those of ``action_encoding``. A move takes one or more actions, all by the same agent.
*Observations* have two arrays: ``observation`` (``observation_encoding``), and ``action_mask`` with 1 for each possible
action.
The *reward* comes at the end, from -1 to 1: the share of opponents that the seat has beaten minus the share that have
beaten it. All rewards sum to zero.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from gymnasium.spaces import Dict, Discrete
from gymnasium.utils.seeding import np_random
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from skerry_arena.learning.encoding.game_encoding import encoding_of
from skerry_arena.learning.episode import SEEDS, Episode
from skerry_arena.learning.spaces import Observation, observation, spaces
from skerry_games.sentences import fill


def env(game: str, seats: int | None = None, render_mode: str | None = None, **options: Any) -> AECEnv[str, Any, Any]:
    """Return the environment of a game, in which the agents act one after the other.

    ``seats``: Default: the smallest number that the game allows. ``render_mode``: ``ansi`` or ``None``.
    ``options``: fields of the game's ``Options``.
    Raises KeyError for an unknown game, TypeError for an unknown option, BadOptions, BoundsMissing.
    """
    return OrderEnforcingWrapper(raw_env(game, seats, render_mode, **options))


class _Table:
    """What both kinds of environments have: the encoding, the agents, their spaces, and the game in play."""

    metadata: ClassVar[dict[str, Any]]

    def __init__(self, game: str, seats: int | None = None, render_mode: str | None = None, **options: Any) -> None:
        super().__init__()
        self.encoding = encoding_of(game, seats, **options)
        """The encodings of moves (``actions``) and of observations (``observations``)."""
        self.metadata = {**type(self).metadata, "name": f"{game}_v0"}  # type: ignore[misc]
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(self.encoding.seats)]
        self.agents: list[str] = []
        self._random, _ = np_random()
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        both = {agent: spaces(self.encoding) for agent in self.possible_agents}
        self.observation_spaces = {agent: seen for agent, (seen, _) in both.items()}
        self.action_spaces = {agent: possible for agent, (_, possible) in both.items()}

    def observation_space(self, agent: str) -> Dict:
        """Return the space of an agent's observations."""
        space: Dict = self.observation_spaces[agent]
        return space

    def action_space(self, agent: str) -> Discrete:
        """Return the space of an agent's actions."""
        space: Discrete = self.action_spaces[agent]
        return space

    def _start(self, seed: int | None) -> None:
        """Start another game."""
        if seed is not None:
            self._random, _ = np_random(seed)
        self.episode = Episode(self.encoding, int(self._random.integers(SEEDS)))
        """The game in play."""
        self.agents = self.possible_agents[:]

    def observe(self, agent: str) -> Observation:
        """Return the observation of an agent."""
        return observation(self.episode, self._seats[agent])

    def render(self) -> str | None:
        """Return the last events in the words for spectators; ``None`` without ``render_mode``."""
        if self.render_mode is None:
            return None
        shown = self.episode.position.shown(None)
        return "\n".join(fill(self.encoding.game.say(event), self.possible_agents) for event in shown)


class raw_env(_Table, AECEnv[str, Any, Any]):  # type: ignore[misc] # noqa: N801 - every environment of PettingZoo is called this
    """The environment without checks of the order of calls. An action outside of the mask raises ValueError."""

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi"], "is_parallelizable": False, "name": "skerry_v0"}

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start another game. Equal seeds and equal actions give equal games."""
        self._start(seed)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: dict[str, Any]() for agent in self.agents}
        self.agent_selection = self.possible_agents[self.episode.to_act[0]]

    def step(self, action: int | None) -> None:
        """Take an action of the selected agent. Raises ValueError for an action outside of its mask."""
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError("The action is None, but the game is not over. Take an action of the mask.")
        episode = self.episode
        if not episode.take(int(action), episode.to_act[0]):
            return
        if episode.to_act:
            self.agent_selection = self.possible_agents[episode.to_act[0]]
            return
        self.rewards = dict(zip(self.possible_agents, episode.returns, strict=True))
        self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()  # Only now, because all earlier rewards are 0.
        self._deads_step_first()


class parallel_env(_Table, ParallelEnv[str, Any, Any]):  # type: ignore[misc] # noqa: N801 - named as in PettingZoo
    """The environment in which all agents that are to act take an action at once.

    In most steps that is one agent. The actions of agents with an empty mask are ignored, and may be left out. An
    action outside of another mask raises ValueError.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi"], "name": "skerry_v0"}

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Start another game. Equal seeds and equal actions give equal games. Return observations and infos."""
        self._start(seed)
        return self._observations(), {agent: {} for agent in self.agents}

    def step(
        self, actions: Mapping[str, int]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Take the actions. Return observations, rewards, terminations, truncations and infos of each agent."""
        episode, agents = self.episode, self.agents
        to_act = [self.possible_agents[seat] for seat in episode.to_act]
        self._check(actions, to_act)
        for agent in to_act:
            episode.take(int(actions[agent]), self._seats[agent])
        rewards = dict(zip(self.possible_agents, episode.returns, strict=True))
        over = dict.fromkeys(agents, not episode.to_act)
        if not episode.to_act:
            self.agents = []
        observations = {agent: self.observe(agent) for agent in agents}
        return observations, rewards, over, dict.fromkeys(agents, False), {agent: {} for agent in agents}

    def _check(self, actions: Mapping[str, int], to_act: list[str]) -> None:
        """Raise ValueError, before anything changes, if an agent that is to act has no possible action."""
        for agent in to_act:
            action, selection = actions.get(agent), self.episode.selection(self._seats[agent])
            assert selection is not None, "the seat is to act"
            if action is None or int(action) not in selection.possible:
                raise ValueError(f"The action {action} of {agent} is not possible now. Take an action of its mask.")

    def _observations(self) -> dict[str, Observation]:
        return {agent: self.observe(agent) for agent in self.agents}
