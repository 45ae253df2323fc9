"""The move that an agent means: by its number, in words, or in the JSON form of the API."""

from __future__ import annotations

from skerry.v1 import payload_pb2, session_pb2
from skerry_service.wire.entered_moves import UnreadableMove, matching, move_from_json

_SHOWN = 80
_MAX_MATCHES = 10


class NoSuchMove(Exception):
    """The text means none of the legal moves, or several. The message is a sentence."""


def chosen_move(text: str, position: session_pb2.Position) -> payload_pb2.Move:
    """Return the move that the text means in this position. Only the JSON form can be an illegal move.

    Raises NoSuchMove.
    """
    entry = text.strip()
    if entry.startswith("{"):
        try:
            return move_from_json(entry, position)
        except UnreadableMove as error:
            raise NoSuchMove(str(error)) from None
    count = len(position.legal_moves)
    if not count:
        raise NoSuchMove("Your seat owes no decision at this sequence, so it has no legal moves.")
    digits = entry.rstrip(".")
    if digits.isascii() and digits.isdecimal():
        number = digits.lstrip("0") or "0"
        if not 1 <= int(number[:_SHOWN]) <= count:
            raise NoSuchMove(f"Move {number[:_SHOWN]} does not exist. The moves are numbered 1 to {count}.")
        return position.legal_moves[int(number) - 1]
    return _in_words(entry, position)


def _in_words(entry: str, position: session_pb2.Position) -> payload_pb2.Move:
    words = entry.rstrip(".")
    exact = [move for move in position.legal_moves if move.text.lower() == words.lower()]
    found = matching(words, position) if words else []
    if len(exact) == 1 or len(found) == 1:
        return exact[0] if exact else found[0][1]
    if not found:
        raise NoSuchMove(f"{entry[:_SHOWN]!r} is not a legal move.")
    listed = "; ".join(f"{number}. {move.text}" for number, move in found[:_MAX_MATCHES])
    more = f"; and {len(found) - _MAX_MATCHES} more" if len(found) > _MAX_MATCHES else ""
    raise NoSuchMove(f"{entry[:_SHOWN]!r} means {len(found)} legal moves: {listed}{more}. Send the number of one.")
