"""Moves that a person or a language model enters: some words of a legal move, or the JSON form of any move."""

from __future__ import annotations

from skerry.v1 import payload_pb2, session_pb2
from skerry_service.api.error_table import UnknownField
from skerry_service.domain.errors import InvalidField
from skerry_service.wire.json_reader import fill, parse_json


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
    game, move = str(position.view.WhichOneof("game")), payload_pb2.Move()
    try:
        fields = parse_json(text.encode("utf-8", "surrogatepass"))
        fill(move, fields if game in fields else {game: fields})
    except (InvalidField, UnknownField) as error:
        raise UnreadableMove(f"This is not a move in JSON: {error}") from None
    return move
