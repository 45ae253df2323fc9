"""Contestants that are programs."""

from __future__ import annotations

import time
from base64 import b64encode
from collections.abc import Iterable, Sequence
from typing import Any, Final, NoReturn, TypeVar

import msgspec
from msgspec import Raw, json, msgpack
from msgspec.structs import replace

from skerry_arena.play.contestant import AnswerCounts, FailureKind, GameStart, PlayerFailed
from skerry_arena.programs.answers import AnswerReader, AnswerRefused, answer_form
from skerry_arena.programs.move_words import forms, in_words, seat_names
from skerry_arena.programs.process import Process
from skerry_arena.programs.protocol import (
    WANTS,
    Choice,
    Choose,
    GameOver,
    Hello,
    Line,
    Moves,
    NewGame,
    ProgramHello,
    Quit,
    Ready,
    Refusal,
)
from skerry_arena.settings import Limits
from skerry_games.api import AnyGame, Outcome
from skerry_games.editions import edition_text
from skerry_games.information_state import InformationState
from skerry_games.rng import SeededRng
from skerry_games.sentences import fill

Answered = TypeVar("Answered", ProgramHello, Ready, Choice)
_SAMPLES: Final = 1
_REFUSALS: Final = 2
"""The draw numbers of samples, and of states that refuse a move. The player itself has 0."""


class Program:
    """A contestant that asks a program. Its process stays from game to game; after a failure a new one starts."""

    def __init__(self, command: Sequence[str], limits: Limits) -> None:
        self._command = command
        self._limits = limits
        self._process: Process | None = None
        self._wants: frozenset[str] = frozenset()
        self._moves = Moves.UNLISTED if limits.unlisted else Moves.LISTED
        self._events: tuple[str, ...] = ()
        self.counts = AnswerCounts()

    def begin(self, beginning: GameStart) -> None:
        self._game = beginning.game
        self._names = seat_names(beginning.seats)
        self._dice = SeededRng(beginning.seed, _SAMPLES)
        self._reader = AnswerReader(beginning.options, self._names, SeededRng(beginning.seed, _REFUSALS))
        self._decision = 0
        self._events = ()
        self.counts = AnswerCounts()
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
        moves = Moves.UNLISTED if self._limits.unlisted else Moves.LISTED
        hello = self._ask(Hello(moves=moves), self._limits.start_seconds, ProgramHello)
        if unknown := [wish for wish in hello.wants if wish not in WANTS]:
            self._fail(FailureKind.GARBLED, f"It wants {unknown[0]!r}, which is none of {', '.join(WANTS)}.")
        self._wants = frozenset(hello.wants)
        self._moves = moves if self._limits.unlisted else hello.moves

    def _new_game(self, beginning: GameStart) -> NewGame:
        game, unlisted = beginning.game, self._moves is Moves.UNLISTED
        return NewGame(
            game=game.id,
            ruleset=game.ruleset,
            options=_raw(beginning.options),
            seats=beginning.seats,
            seat=beginning.seat,
            seed=beginning.seed.hex(),
            move_seconds=self._limits.move_seconds,
            bank_seconds=self._limits.bank_seconds,
            retries=self._limits.retries,
            moves=self._moves,
            forms=forms(game.ruleset, beginning.options, beginning.seats) if unlisted else None,
            board=_board(game, beginning.options) if "text" in self._wants else None,
            edition=edition_text(game) if "sample" in self._wants else None,
        )

    def observe(self, events: Iterable[Any]) -> None:
        if "events" in self._wants:
            self._events = tuple([fill(self._game.say(event), self._names) for event in events])

    def choose(self, position: InformationState, seconds: float) -> int:
        self._decision += 1
        self._count(decisions=1)
        end = time.monotonic() + seconds
        question = self._question(position, seconds)
        for left in range(self._limits.retries, 0, -1):
            try:
                return self._answered(question, position, end)
            except AnswerRefused as refused:
                self._count(retries=1)
                question = self._again(question, refused, left, end)
        try:
            return self._answered(question, position, end)
        except AnswerRefused as refused:
            self._fail(refused.kind, str(refused))

    def _answered(self, question: Choose, position: InformationState, end: float) -> int:
        """Return the program's choice. Raises AnswerRefused; PlayerFailed, if it cannot be asked again."""
        try:
            answer = _decoded(self._exchange(question, max(0.0, end - time.monotonic())), Choice)
            if answer.decision != self._decision:
                self._fail(FailureKind.GARBLED, f"It answered decision {answer.decision} instead of {self._decision}.")
            self._count(tokens_in=answer.tokens_in, tokens_out=answer.tokens_out)
            return self._reader.chosen(answer, position, listed=self._moves is Moves.LISTED)
        except AnswerRefused as refused:
            illegal = refused.kind is FailureKind.ILLEGAL
            self._count(illegal=int(illegal), unreadable=int(not illegal))
            raise

    def _count(self, **more: int) -> None:
        counted = {name: getattr(self.counts, name) + number for name, number in more.items()}
        self.counts = replace(self.counts, **counted)

    def _question(self, position: InformationState, seconds: float) -> Choose:
        wants, moves, game = self._wants, position.legal_moves, position.game
        listed = self._moves is Moves.LISTED
        return Choose(
            decision=self._decision,
            seconds=round(seconds, 3),
            legal_moves=_raw(moves) if listed else None,
            view=_raw(position.view) if "view" in wants else None,
            words=in_words(game, moves, self._names) if listed and "words" in wants else None,
            sample=_packed(position.sample(self._dice).state) if "sample" in wants else None,
            text=fill(game.text(position.view, position.seat), self._names) if "text" in wants else None,
            events=self._events if "events" in wants else None,
        )

    def _again(self, question: Choose, refused: AnswerRefused, left: int, end: float) -> Choose:
        """Return the question with the reason for the refusal of the last answer. ``left``: the tries that are left."""
        illegal, sentence = refused.kind is FailureKind.ILLEGAL, refused.sentence
        if not illegal:
            listed = None if question.legal_moves is None else len(json.decode(question.legal_moves))
            sentence = f"{sentence} {answer_form(self._decision, listed)}"
        refusal = Refusal(
            reason="illegal" if illegal else "unreadable", rule=refused.rule, sentence=sentence, tries_left=left
        )
        return replace(question, refused=refusal, seconds=round(max(0.0, end - time.monotonic()), 3))

    def _ask(self, line: Line, seconds: float, kind: type[Answered]) -> Answered:
        """Return the answer. A program that fails is killed, so that its next game starts a new process."""
        try:
            return _decoded(self._exchange(line, seconds), kind)
        except AnswerRefused as refused:
            self._fail(refused.kind, refused.sentence)

    def _exchange(self, line: Line, seconds: float) -> bytes:
        """Return the line that answers a line."""
        assert self._process is not None
        try:
            return self._process.ask(self._encoded(line), seconds)
        except PlayerFailed as failed:
            self._end_process()
            raise failed from None

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


def _decoded(answer: bytes, kind: type[Answered]) -> Answered:
    """Return an answer. Raises AnswerRefused for a line of another kind."""
    try:
        return json.decode(answer, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise AnswerRefused(FailureKind.GARBLED, f"Its answer is not a valid {kind.__name__}: {error}.") from None


def _board(game: AnyGame, options: Any) -> str:
    """Return the printed board of a game in words."""
    return str(game.board_text(next(board for board in game.boards if board.edition == options.edition)))


def _raw(value: Any) -> Raw:
    return Raw(json.encode(value))


def _packed(state: Any) -> str:
    return b64encode(msgpack.encode(state)).decode()
