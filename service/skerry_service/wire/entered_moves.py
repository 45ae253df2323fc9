"""Moves that a person or a language model enters: some words of a legal move, or the JSON form of any move."""

from __future__ import annotations

import json
from typing import Any

from google.protobuf.json_format import ParseDict, ParseError

from skerry.v1 import payload_pb2, session_pb2


class UnreadableMove(Exception):
    """The text is not a move in JSON. The message is a sentence."""


def matching(words: str, position: session_pb2.Position) -> list[tuple[int, payload_pb2.Move]]:
    """Return the legal moves whose sentences contain all the words, each with its number from 1."""
    lower_words = words.lower().split()
    numbered = enumerate(position.legal_moves, start=1)
    return [(number, move) for number, move in numbered if all(word in move.text.lower() for word in lower_words)]


def move_from_json(text: str, position: session_pb2.Position) -> payload_pb2.Move:
    """Return a move in the JSON form of the API, with or without the enclosing field of the game.

    Raises UnreadableMove.
    """
    game = position.view.WhichOneof("game")
    try:
        fields = json.loads(text)
        message: dict[str, Any] = fields if game in fields else {str(game): fields}
        return ParseDict(message, payload_pb2.Move())
    except (ValueError, ParseError, RecursionError) as error:
        raise UnreadableMove(f"This is not a move in JSON: {' '.join(str(error).split()).rstrip('.')}.") from None
