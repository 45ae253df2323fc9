"""The interface of contestants, which are players in this process or in another one."""

from __future__ import annotations

import time
from collections.abc import Iterable
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
    """The ways in which a player can fail."""

    START = "start"
    """It did not start, or was not ready in time."""
    TIMEOUT = "timeout"
    """It did not answer in time."""
    CRASH = "crash"
    """It ended, or raised an error."""
    GARBLED = "garbled"
    """It wrote a malformed, oversized or unexpected answer."""
    ILLEGAL = "illegal"
    """It chose a move that is not legal."""
    LEFT = "left"
    """It left its seat at a service, or resigned."""


class PlayerFailed(Exception):
    """A player has failed and takes no further part in the game."""

    def __init__(self, kind: FailureKind, detail: str) -> None:
        """``detail``: one sentence for the log, cut to ``MOST_WORDS`` characters."""
        super().__init__(detail)
        self.kind = kind
        self.detail = detail if len(detail) <= MOST_WORDS else f"{detail[:MOST_WORDS]}…"


class AnswerCounts(Struct, frozen=True):
    """The answers of one seat's program in a game, and the tokens of language models that the program reports."""

    decisions: int = 0
    illegal: int = 0
    """The number of answers with a move that is not legal."""
    unreadable: int = 0
    """The number of answers that name no move."""
    retries: int = 0
    """The number of illegal or unreadable answers after which the program could answer again."""
    tokens_in: int = 0
    tokens_out: int = 0


class GameStart(Struct, frozen=True):
    """The start of a game for one seat."""

    game: AnyGame
    options: Any
    seats: int
    seat: int
    seed: bytes
    """32 bytes for the player's random numbers, unique to this game and seat, and independent of the game's chance."""


class Contestant(Protocol):
    """Plays one seat, game after game."""

    def begin(self, beginning: GameStart) -> None:
        """Prepare for a game. Raises PlayerFailed."""

    def observe(self, events: Iterable[Any]) -> None:
        """Receive the events since the seat's last decision, as the seat may see them. Called before ``choose``."""

    def choose(self, position: InformationState, seconds: float) -> int:
        """Return the index of a move in ``position.legal_moves``, within so many seconds. Raises PlayerFailed."""

    @property
    def counts(self) -> AnswerCounts:
        """The answers of a program in this game. All counts of other players are 0."""

    def end(self, outcome: Outcome) -> None:
        """Receive the outcome. Errors here do not affect the game."""

    def close(self) -> None:
        """End all processes of the contestant."""


class InProcessPlayer:
    """A built-in player in this process. It must respect its clock, because the arena cannot interrupt it."""

    def __init__(self, make: PlayerFactory) -> None:
        self._make = make

    def begin(self, beginning: GameStart) -> None:
        self._player = self._make(SeededRng(beginning.seed, 0))

    def observe(self, events: Iterable[Any]) -> None:
        """Do nothing: built-in players choose by the position alone."""

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
            raise PlayerFailed(FailureKind.ILLEGAL, "It chose a move that is not legal.") from None

    @property
    def counts(self) -> AnswerCounts:
        return AnswerCounts()

    def end(self, outcome: Outcome) -> None:
        """Do nothing: built-in players do not use the outcome."""

    def close(self) -> None:
        """Do nothing: there is no process."""
