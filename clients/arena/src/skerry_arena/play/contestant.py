"""Who sits at a table: a player of this process or of another, asked through one interface."""

from __future__ import annotations

import time
from enum import StrEnum
from typing import Any, Final, Protocol

from msgspec import Struct

from skerry_arena.play.clock import player_clock
from skerry_games.api import AnyGame, Outcome
from skerry_games.information_state import InformationState
from skerry_games.players import PlayerFactory
from skerry_games.rng import SeededRng

MOST_WORDS: Final = 500


class FailureKind(StrEnum):
    """How a player can fail."""

    START = "start"
    """It could not be started, or was not ready in time."""
    TIMEOUT = "timeout"
    """It did not answer in time."""
    CRASH = "crash"
    """It ended, or raised an error."""
    GARBLED = "garbled"
    """What it wrote was no answer, too long, or not asked for."""
    ILLEGAL = "illegal"
    """It chose a move that there is not."""
    LEFT = "left"
    """It left its seat at a service, or resigned."""


class PlayerFailed(Exception):
    """A player has failed, and is out of this game."""

    def __init__(self, kind: FailureKind, detail: str) -> None:
        """``detail``: one sentence for the log, cut where it becomes long."""
        super().__init__(detail)
        self.kind = kind
        self.detail = detail if len(detail) <= MOST_WORDS else f"{detail[:MOST_WORDS]}…"


class GameStart(Struct, frozen=True):
    """A game that begins for one seat."""

    game: AnyGame
    options: Any
    seats: int
    seat: int
    seed: bytes
    """32 bytes for the player to draw from, this game's and seat's own. They tell nothing of what chance draws."""


class Contestant(Protocol):
    """Plays one seat, game after game."""

    def begin(self, beginning: GameStart) -> None:
        """Be ready for a game. Raises PlayerFailed."""

    def choose(self, position: InformationState, seconds: float) -> int:
        """Return the place of a move in ``position.legal_moves``, within so many seconds. Raises PlayerFailed."""

    def end(self, outcome: Outcome) -> None:
        """Take note of how the game ended. Nothing that happens here changes the game any more."""

    def close(self) -> None:
        """End all that was started."""


class InProcessPlayer:
    """A player that comes with the rules, in this process. It heeds the clock; nobody could stop it."""

    def __init__(self, make: PlayerFactory) -> None:
        self._make = make

    def begin(self, beginning: GameStart) -> None:
        self._player = self._make(SeededRng(beginning.seed, 0))

    def choose(self, position: InformationState, seconds: float) -> int:
        end = time.monotonic() + seconds
        try:
            move = self._player.choose(position, player_clock(seconds))
        except Exception as error:
            raise PlayerFailed(FailureKind.CRASH, f"It raised {type(error).__name__}: {error}") from error
        if time.monotonic() > end:
            raise PlayerFailed(FailureKind.TIMEOUT, f"It did not answer within {seconds:.3g} seconds.")
        try:
            return tuple(position.legal_moves).index(move)
        except ValueError:
            raise PlayerFailed(FailureKind.ILLEGAL, "It chose a move that there is not.") from None

    def end(self, outcome: Outcome) -> None:
        """Nobody waits for it."""

    def close(self) -> None:
        """Nothing was started."""
