"""Reads the answers of programs: a move by its number, in words, or as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NoReturn

import msgspec
from msgspec import Raw, json

from skerry_arena.play.contestant import FailureKind
from skerry_arena.programs.move_words import in_words, known_moves, normalized
from skerry_arena.programs.protocol import Choice
from skerry_games.api import GameError, IllegalMove, MalformedMove
from skerry_games.information_state import InformationState
from skerry_games.rng import Rng
from skerry_games.sentences import fill

_MOST_CHARACTERS: Final = 1000
"""The most characters of a move in words. To normalize many combining marks takes long."""
_SHOWN: Final = 200
"""The most characters of an answer that a refusal repeats."""


class AnswerRefused(Exception):
    """An answer that names no legal move."""

    def __init__(self, kind: FailureKind, sentence: str, rule: str | None = None) -> None:
        """``kind``: ILLEGAL or GARBLED. ``rule``: the id of the rule that forbids the move."""
        super().__init__(sentence if rule is None else f"{rule}: {sentence}")
        self.kind = kind
        self.sentence = sentence
        self.rule = rule


class AnswerReader:
    """Reads the answers of one seat's program in one game."""

    def __init__(self, options: Any, names: Sequence[str], dice: Rng) -> None:
        """``dice``: for samples, which the rules check instead of the true state."""
        self._options = options
        self._names = names
        self._dice = dice

    def chosen(self, answer: Choice, position: InformationState, *, listed: bool) -> int:
        """Return the index of the answered move in ``position.legal_moves``. Raises AnswerRefused."""
        if answer.choice is not None and listed:
            return _by_number(answer.choice, len(position.legal_moves))
        if not bytes(answer.move):
            raise AnswerRefused(FailureKind.GARBLED, "The answer has no move.")
        move = self._move(answer.move, position)
        try:
            return tuple(position.legal_moves).index(move)
        except ValueError:
            self._refuse(move, position)

    def _move(self, written: Raw, position: InformationState) -> Any:
        """Return the move in words or as JSON, which need not be legal."""
        game = position.game
        try:
            value = json.decode(written)
            if isinstance(value, str):
                return self._move_in_words(value, position)
            move = msgspec.convert(value, game.move_type)
            return move.as_listed() if hasattr(move, "as_listed") else move
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, MalformedMove) as error:
            raise AnswerRefused(FailureKind.GARBLED, f"This is no move of {game.title}: {error}.") from None

    def _move_in_words(self, words: str, position: InformationState) -> Any:
        if len(words) > _MOST_CHARACTERS:
            raise AnswerRefused(
                FailureKind.GARBLED,
                f"A move in words has at most {_MOST_CHARACTERS} characters, but this one has {len(words)}.",
            )
        sought, moves = normalized(words), position.legal_moves
        for move, known in zip(moves, in_words(position.game, moves, self._names), strict=True):
            if normalized(known) == sought:
                return move
        try:
            return known_moves(position.game.ruleset, self._options, len(self._names))[sought]
        except KeyError:
            raise AnswerRefused(FailureKind.GARBLED, f"No move has the words {_cut(words)!r}.") from None

    def _refuse(self, move: Any, position: InformationState) -> NoReturn:
        """Raise AnswerRefused for a move that is not legal, with the rule that forbids it."""
        try:
            # A sample: the seat cannot tell it from the true state, so the refusal says nothing hidden.
            position.sample(self._dice).play(move, position.seat)
        except IllegalMove as error:
            raise AnswerRefused(FailureKind.ILLEGAL, fill(error.sentence, self._names), error.rule) from None
        except GameError as error:
            raise AnswerRefused(FailureKind.GARBLED, fill(str(error), self._names)) from None
        raise AnswerRefused(FailureKind.ILLEGAL, "This move is not legal.")


def _by_number(choice: int, moves: int) -> int:
    if not 0 <= choice < moves:
        raise AnswerRefused(
            FailureKind.ILLEGAL, f"It chose move {choice}, which is not listed. The moves are 0 to {moves - 1}."
        )
    return choice


def answer_form(decision: int, moves: int | None) -> str:
    """Return the form of an answer. ``moves``: the number of legal moves, ``None`` if they are not listed."""
    if moves is None:
        named, meaning = '"move": MOVE', "MOVE is a move in words or as JSON, in one of the forms of new_game."
    else:
        named, meaning = '"choice": N', f"N is the number of a legal move, from 0 to {moves - 1}."
    return f'Answer with one line: {{"type": "move", "decision": {decision}, {named}}}. {meaning}'


def _cut(words: str) -> str:
    return words if len(words) <= _SHOWN else f"{words[:_SHOWN]}…"
