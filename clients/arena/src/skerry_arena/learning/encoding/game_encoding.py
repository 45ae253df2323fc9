"""The encoding of a game, with its options and its number of seats, as numbers for learning programs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import Any

from msgspec.structs import asdict

from skerry_arena.learning.encoding.action_encoding import ActionEncoding
from skerry_arena.learning.encoding.move_selection import MoveSelection
from skerry_arena.learning.encoding.observation_encoding import ObservationEncoding
from skerry_games.editions import with_options
from skerry_games.position import game_of, options_of


class GameEncoding:
    """The common part of all environments: the game, and the encodings of moves and observations. It is immutable."""

    def __init__(self, game: str, seats: int | None = None, **options: Any) -> None:
        """``options``: fields of the game's ``Options``. ``seats``: Default: the smallest number that the game allows.

        Raises KeyError for an unknown game, TypeError for an unknown option or a value of another type, BadOptions,
        BoundsMissing.
        """
        self.game = with_options(game_of(game), options)
        self.options = options_of(self.game, options)
        self.seats = self.game.seats[0] if seats is None else seats
        self.game.setup(self.options, self.seats)  # rejects invalid options
        self.actions = ActionEncoding(self.game)
        self.observations = ObservationEncoding(self.game, self.options, self.seats, self.actions)

    def __deepcopy__(self, memo: dict[int, Any]) -> GameEncoding:
        return self

    def __reduce__(self) -> tuple[Callable[..., GameEncoding], tuple[str, int]]:
        # Pickle cannot take the generated function.
        return partial(encoding_of, **asdict(self.options)), (self.game.id, self.seats)

    def selection(self, moves: Sequence[Any]) -> MoveSelection:
        """Return the selection among a seat's legal moves, at least one."""
        return MoveSelection([self.actions.encode(move) for move in moves])


@lru_cache(maxsize=1 << 5, typed=True)  # True is not an option where 1 is.
def encoding_of(game: str, seats: int | None = None, **options: Any) -> GameEncoding:
    """Return the encoding of a game, the same object for equal arguments. Arguments and errors are its own."""
    return GameEncoding(game, seats, **options)
