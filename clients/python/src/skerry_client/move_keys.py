"""Hashable keys of moves, because protobuf messages cannot be keys of dictionaries or members of sets."""

from __future__ import annotations

from google.protobuf.message import Message

from skerry.v1 import payload_pb2
from skerry_client.payload import wrapped


def move_key(move: payload_pb2.Move | Message) -> bytes:
    """Return a key of a move. Two keys are equal exactly if both are the same move of the same game.

    A listed move and the game's own message for it have the same key; the sentences of a move do not matter. Keys can
    be compared, sorted and pickled. They depend on the version of the protos, so store moves instead of keys.
    """
    payload = wrapped(payload_pb2.Move, move)
    game = payload.WhichOneof("game")
    if game is None:
        raise ValueError("move: The move is empty. Pass a move of a game.")
    message: Message = getattr(payload, game)
    return b"%s:%s" % (game.encode(), message.SerializeToString(deterministic=True))
