"""Contestants that are programs."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from typing import Any, Final, NoReturn, TypeVar

import msgspec
from msgspec import Raw, json, msgpack

from skerry_arena.play.contestant import FailureKind, GameStart, PlayerFailed
from skerry_arena.programs.process import Process
from skerry_arena.programs.protocol import (
    WANTS,
    Choice,
    Choose,
    GameOver,
    Hello,
    Line,
    NewGame,
    ProgramHello,
    Quit,
    Ready,
)
from skerry_arena.settings import Limits
from skerry_games.api import Outcome
from skerry_games.information_state import InformationState
from skerry_games.rng import SeededRng
from skerry_games.sentences import fill

Answered = TypeVar("Answered", ProgramHello, Ready, Choice)
_SAMPLES: Final = 1
"""The draw number of samples. The player itself has 0."""


class Program:
    """A contestant that asks a program. Its process stays from game to game; after a failure a new one starts."""

    def __init__(self, command: Sequence[str], limits: Limits) -> None:
        self._command = command
        self._limits = limits
        self._process: Process | None = None
        self._wants: frozenset[str] = frozenset()

    def begin(self, beginning: GameStart) -> None:
        self._names = [f"seat {seat}" for seat in range(beginning.seats)]
        self._dice = SeededRng(beginning.seed, _SAMPLES)
        self._decision = 0
        try:
            if self._process is None:
                self._start()
            self._ask(self._new_game(beginning), self._limits.start_seconds, Ready)
        except PlayerFailed as failed:
            if failed.kind is FailureKind.TIMEOUT:
                raise PlayerFailed(
                    FailureKind.START, f"It was not ready after {self._limits.start_seconds:g} seconds."
                ) from None
            raise

    def _start(self) -> None:
        try:
            self._process = Process(self._command, self._limits)
        except OSError as error:
            raise PlayerFailed(FailureKind.START, f"It did not start: {error}.") from None
        wishes = self._ask(Hello(), self._limits.start_seconds, ProgramHello).wants
        if unknown := [wish for wish in wishes if wish not in WANTS]:
            self._fail(FailureKind.GARBLED, f"It wants {unknown[0]!r}, which is none of {', '.join(WANTS)}.")
        self._wants = frozenset(wishes)

    def _new_game(self, beginning: GameStart) -> NewGame:
        return NewGame(
            game=beginning.game.id,
            ruleset=beginning.game.ruleset,
            options=_raw(beginning.options),
            seats=beginning.seats,
            seat=beginning.seat,
            seed=beginning.seed.hex(),
            move_seconds=self._limits.move_seconds,
            bank_seconds=self._limits.bank_seconds,
        )

    def choose(self, position: InformationState, seconds: float) -> int:
        self._decision += 1
        answer = self._ask(self._question(position, seconds), seconds, Choice)
        if answer.decision != self._decision:
            self._fail(FailureKind.GARBLED, f"It answered decision {answer.decision} instead of {self._decision}.")
        if not 0 <= answer.choice < len(position.legal_moves):
            self._fail(FailureKind.ILLEGAL, f"It chose move {answer.choice}, which is not listed.")
        return answer.choice

    def _question(self, position: InformationState, seconds: float) -> Choose:
        wants, moves, say = self._wants, position.legal_moves, position.game.say_move
        return Choose(
            decision=self._decision,
            seconds=round(seconds, 3),
            legal_moves=_raw(moves),
            view=_raw(position.view) if "view" in wants else None,
            words=tuple([fill(say(move), self._names) for move in moves]) if "words" in wants else None,
            sample=_packed(position.sample(self._dice).state) if "sample" in wants else None,
        )

    def _ask(self, line: Line, seconds: float, kind: type[Answered]) -> Answered:
        """Return the answer. A program that fails is killed, so that its next game starts a new process."""
        assert self._process is not None
        try:
            answer = self._process.ask(self._encoded(line), seconds)
            return json.decode(answer, type=kind)
        except PlayerFailed as failed:
            self._end_process()
            raise failed from None
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            self._fail(FailureKind.GARBLED, f"Its answer is not a valid {kind.__name__}: {error}")

    def _encoded(self, line: Line) -> bytes:
        return json.encode(line)

    def _fail(self, kind: FailureKind, detail: str) -> NoReturn:
        self._end_process()
        raise PlayerFailed(kind, detail)

    def _end_process(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()

    def end(self, outcome: Outcome) -> None:
        if self._process is not None:
            self._process.send(self._encoded(GameOver(outcome.ranks, outcome.scores, outcome.reason)))

    def close(self) -> None:
        self.quit()

    def quit(self) -> bool:
        """End the program. Return whether it ended by itself or was not running."""
        process, self._process = self._process, None
        return process is None or process.quit(self._encoded(Quit()))


def _raw(value: Any) -> Raw:
    return Raw(json.encode(value))


def _packed(state: Any) -> str:
    return b64encode(msgpack.encode(state)).decode()
