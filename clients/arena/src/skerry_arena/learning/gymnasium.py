"""The games as Gymnasium environments: one seat against players, or self-play. Needs the extra ``gymnasium``.

    import gymnasium
    import skerry_arena.learning.gymnasium  # registers the games

    game = gymnasium.make("skerry/kreta-v0", seats=3, opponents="easy")
    observation, info = game.reset(seed=1)

Actions, observations and rewards are those of the PettingZoo environments. ``gymnasium.make_vec`` makes many at once
(``vector``).
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, ClassVar, Final, SupportsFloat

import gymnasium
import numpy as np

from skerry_arena.learning.encoding.bounds import BoundsMissing, bounds_of
from skerry_arena.learning.encoding.game_encoding import encoding_of
from skerry_arena.learning.episode import SEEDS, Episode
from skerry_arena.learning.spaces import Observation, observation, spaces
from skerry_games.catalogue import all_games
from skerry_games.information_state import seen_from
from skerry_games.players import Player, player, untimed
from skerry_games.rng import Dice

ILLEGAL_REWARD: Final = -1.0
"""The reward of an action outside of the mask, which ends the game."""


class SkerryEnv(gymnasium.Env[Observation, int]):
    """A game in which the caller decides for one seat, and players for all others; or the caller for all seats.

    The reward is 0 until the game is over, then the return of the seat that has acted; the info has ``returns``, those
    of all seats. An action outside of the mask loses the game: its reward is ILLEGAL_REWARD, and the info has
    ``illegal_action``.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi"], "render_fps": 1}  # type: ignore[misc]

    def __init__(
        self,
        game: str,
        seats: int | None = None,
        opponents: str | Sequence[str] | None = "random",
        seat: int | None = None,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        """``opponents``: the name of a player, or a name for each opponent in the order of the seats after the own one.

        With ``None``, the caller decides for all seats: each observation is that of the seat to act (self-play).
        ``seat``: the caller's seat. Default: drawn anew for each game. ``options``: fields of the game's ``Options``.
        Names of players are those of ``skerry_games.players.player``.
        Raises KeyError for an unknown game, TypeError for an unknown option, ValueError for an impossible seat or
        number of opponents, BadOptions, BoundsMissing, UnknownPlayer.
        """
        self.encoding = encoding_of(game, seats, **options)
        """The encodings of moves (``actions``) and of observations (``observations``)."""
        count = self.encoding.seats
        names = [opponents] * (count - 1) if isinstance(opponents, str) else list(opponents or ())
        if opponents is not None and len(names) != count - 1:
            raise ValueError(f"{count} seats need {count - 1} opponents, not {len(names)}.")
        if opponents is None and seat is not None:
            raise ValueError(f"Without opponents, the caller has all seats, not seat {seat}.")
        if seat is not None and seat not in range(count):
            raise ValueError(f"Unknown seat {seat}. The seats are 0 to {count - 1}.")
        self._factories = [player(name) for name in names]
        self._self_play = opponents is None
        self._fixed_seat = seat
        self.render_mode = render_mode
        self.observation_space, self.action_space = spaces(self.encoding)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start another game. Equal seeds and equal actions give equal games. The info has the caller's ``seat``."""
        self.start(seed)
        return observation(self.episode, self.seat), {"seat": self.seat}

    def start(self, seed: int | None = None) -> None:
        """Start another game, and let the opponents play until the caller is to act."""
        super().reset(seed=seed)
        random, count = self.np_random, self.encoding.seats
        self.seat = int(random.integers(count)) if self._fixed_seat is None else self._fixed_seat
        """The caller's seat. In self-play, the seat to act."""
        self._dice = Dice(Random(int(random.integers(SEEDS))))
        self._players: dict[int, Player] = {
            (self.seat + after) % count: factory(self._dice) for after, factory in enumerate(self._factories, 1)
        }
        self.episode = Episode(self.encoding, int(random.integers(SEEDS)))
        """The game in play."""
        self._go_on()

    def step(self, action: int) -> tuple[Observation, SupportsFloat, bool, bool, dict[str, Any]]:
        """Take an action. Return the observation, the reward, whether the game is over, ``False`` and the info."""
        reward, over, legal = self.act(int(action))
        info: dict[str, Any] = {}
        if not legal:
            info["illegal_action"] = action
        elif over:
            info["returns"] = self.episode.returns
        return observation(self.episode, self.seat), reward, over, False, info

    def act(self, action: int) -> tuple[float, bool, bool]:
        """Take an action. Return the reward, whether the game is over, and whether the action was legal."""
        try:
            completed = self.episode.take(action, self.seat)
        except ValueError:
            return ILLEGAL_REWARD, True, False
        if completed:
            self._go_on()
        return (0.0, False, True) if self.episode.to_act else (self.episode.returns[self.seat], True, True)

    def _go_on(self) -> None:
        """Let the opponents play until the caller is to act, or the game is over."""
        episode = self.episode
        if self._self_play:
            self.seat = episode.to_act[0] if episode.to_act else self.seat
            return
        while episode.to_act and self.seat not in episode.to_act:
            seat = episode.to_act[0]
            seen = seen_from(episode.position, seat, self._dice)
            episode.play(self._players[seat].choose(seen, untimed), seat)

    def action_masks(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Return the mask of possible actions, under the name that sb3-contrib's MaskablePPO calls."""
        return self.episode.mask(self.seat).astype(bool)

    def render(self) -> str | None:
        """Return the position in words, as the caller's seat sees it; ``None`` without ``render_mode``."""
        if self.render_mode is None:
            return None
        names = [f"seat_{seat}" for seat in range(self.encoding.seats)]
        return self.episode.position.text(self.seat, names)


def _register() -> None:
    for game in all_games().values():
        try:
            bounds_of(game)
        except BoundsMissing:
            continue
        gymnasium.register(
            id=f"skerry/{game.id}-v0",
            entry_point="skerry_arena.learning.gymnasium:SkerryEnv",
            vector_entry_point="skerry_arena.learning.vector:SkerryVectorEnv",
            kwargs={"game": game.id},
        )


_register()
