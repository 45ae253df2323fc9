"""What a person can type when a move is asked for, and what it means."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

from google.protobuf.json_format import ParseDict, ParseError

from skerry.v1 import payload_pb2, session_pb2

HELP = (
    ("12", "Make move 12 of the list."),
    ("word", "List the moves whose sentence has this word, or these."),
    ("moves", "List all moves again."),
    ("board", "Show the whole position again."),
    ("rule ID", "Read a rule, or all that begin so: rule KRETA-ABBOT."),
    ('{"halt": {}}', "Make a move in JSON, as the API takes it; a refusal names the rule that is broken."),
    ("? or help", "Read this."),
    ("q or quit", "Leave the game."),
)


class Ask(Enum):
    """What was asked for instead of a move."""

    HELP = auto()
    MOVES = auto()
    BOARD = auto()
    RULE = auto()
    QUIT = auto()


@dataclass(frozen=True)
class MovePrompt:
    """Something else than a move."""

    ask: Ask
    words: str = ""
    """Of MOVES: what they must have; of RULE: the id."""


class BadEntry(Exception):
    """What was typed means nothing here: one sentence."""


_WORDS = {
    "?": Ask.HELP,
    "h": Ask.HELP,
    "help": Ask.HELP,
    "b": Ask.BOARD,
    "board": Ask.BOARD,
    "m": Ask.MOVES,
    "moves": Ask.MOVES,
    "q": Ask.QUIT,
    "quit": Ask.QUIT,
    "exit": Ask.QUIT,
}


def chosen(line: str, position: session_pb2.Position) -> payload_pb2.Move | MovePrompt:
    """Return the move or the question that the line means. Raises BadEntry."""
    entry = line.strip()
    if not entry:
        raise BadEntry("Type the number of a move, or ? for help.")
    if entry.lower() in _WORDS:
        return MovePrompt(_WORDS[entry.lower()])
    if entry.removeprefix("-").isdecimal():
        return _numbered(int(entry), position)
    if entry.startswith("{"):
        return _from_json(entry, position)
    first, _, rest = entry.partition(" ")
    if first.lower() in ("rule", "rules", "r"):
        return MovePrompt(Ask.RULE, rest.strip())
    if not matching(entry, position):
        raise BadEntry(f"No move has the words {entry!r}; type moves to list them all, or ? for help.")
    return MovePrompt(Ask.MOVES, entry)


def matching(words: str, position: session_pb2.Position) -> list[tuple[int, payload_pb2.Move]]:
    """Return the moves whose sentences have all the words, each with its number."""
    wanted = words.lower().split()
    numbered = enumerate(position.legal_moves, start=1)
    return [(number, move) for number, move in numbered if all(word in move.text.lower() for word in wanted)]


def _numbered(number: int, position: session_pb2.Position) -> payload_pb2.Move:
    last = len(position.legal_moves)
    if not 1 <= number <= last:
        raise BadEntry(f"There is no move {number}: they are numbered 1 to {last}.")
    return position.legal_moves[number - 1]


def _from_json(entry: str, position: session_pb2.Position) -> payload_pb2.Move:
    """Return a move written as the API takes it, with or without the game's name around it."""
    game = position.view.WhichOneof("game")
    try:
        fields = json.loads(entry)
        whole: dict[str, Any] = fields if game in fields else {str(game): fields}
        return ParseDict(whole, payload_pb2.Move())
    except (ValueError, ParseError) as error:
        raise BadEntry(f"This is no move in JSON: {' '.join(str(error).split()).rstrip('.')}.") from None
