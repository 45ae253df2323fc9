"""The entries that a person can type at the prompt, and their meaning."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from skerry.v1 import payload_pb2, session_pb2
from skerry_service.wire.entered_moves import UnreadableMove, matching, move_from_json

HELP = (
    ("12", "Make move 12 of the list."),
    ("word", "List the moves whose sentences contain this word. Several words must all occur."),
    ("moves", "List all moves again."),
    ("position", "Show the whole position again."),
    ("board", "Show what is printed on the board, the cards and the tiles."),
    ("rule ID", "Print the rules whose ids begin like this, for example rule KRETA-ABBOT."),
    ('{"halt": {}}', "Make a move in the JSON form of the API. If it is illegal, the violated rule is printed."),
    ("undo", "Take back your latest move, until something is revealed or another player moves."),
    ("? or help", "Print this help."),
    ("q or quit", "Leave the game."),
)


class CommandKind(Enum):
    """The commands at the prompt."""

    HELP = auto()
    MOVES = auto()
    POSITION = auto()
    BOARD = auto()
    RULE = auto()
    UNDO = auto()
    QUIT = auto()


@dataclass(frozen=True)
class Command:
    """An entry that is not a move."""

    kind: CommandKind
    argument: str = ""
    """For MOVES, the words that the moves must contain; for RULE, the beginning of the id."""


class BadEntry(Exception):
    """The entry is neither a move nor a command. The message is a sentence for the person."""


_COMMANDS = {
    "?": CommandKind.HELP,
    "h": CommandKind.HELP,
    "help": CommandKind.HELP,
    "p": CommandKind.POSITION,
    "position": CommandKind.POSITION,
    "b": CommandKind.BOARD,
    "board": CommandKind.BOARD,
    "m": CommandKind.MOVES,
    "moves": CommandKind.MOVES,
    "u": CommandKind.UNDO,
    "undo": CommandKind.UNDO,
    "q": CommandKind.QUIT,
    "quit": CommandKind.QUIT,
    "exit": CommandKind.QUIT,
}


def parse_entry(line: str, position: session_pb2.Position) -> payload_pb2.Move | Command:
    """Return the move or command of a typed line. Raises BadEntry."""
    entry = line.strip()
    if not entry:
        raise BadEntry("Type the number of a move, or ? for help.")
    if entry.lower() in _COMMANDS:
        return Command(_COMMANDS[entry.lower()])
    if entry.removeprefix("-").isdecimal():
        return _numbered(int(entry), position)
    if entry.startswith("{"):
        return _from_json(entry, position)
    first, _, rest = entry.partition(" ")
    if first.lower() in ("rule", "rules", "r"):
        return Command(CommandKind.RULE, rest.strip())
    if not matching(entry, position):
        raise BadEntry(f"No move contains {entry!r}. Type `moves` to list all moves, or ? for help.")
    return Command(CommandKind.MOVES, entry)


def _numbered(number: int, position: session_pb2.Position) -> payload_pb2.Move:
    last = len(position.legal_moves)
    if not 1 <= number <= last:
        raise BadEntry(f"Move {number} does not exist. The moves are numbered 1 to {last}.")
    return position.legal_moves[number - 1]


def _from_json(entry: str, position: session_pb2.Position) -> payload_pb2.Move:
    try:
        return move_from_json(entry, position)
    except UnreadableMove as error:
        raise BadEntry(str(error)) from None
