"""Moves as keys of dictionaries and members of sets: protobuf messages can be neither."""

from __future__ import annotations

from google.protobuf.message import Message

from skerry.v1 import payload_pb2
from skerry_client.payload import wrapped


def move_key(move: payload_pb2.Move | Message) -> bytes:
    """Return a key that moves have in common exactly if they are the same move of the same game.

    A move as it is listed, the same one listed later, and the game's own message for it have one key; the sentences
    that come with a move do not count. Keys can be compared, sorted and pickled. They are those of this version of
    the protos: for what is kept for years, keep the moves themselves.
    """
    payload = wrapped(payload_pb2.Move, move)
    game = payload.WhichOneof("game")
    if game is None:
        raise ValueError("move: The move is empty; it is no move of any game.")
    kind: Message = getattr(payload, game)
    return b"%s:%s" % (game.encode(), kind.SerializeToString(deterministic=True))
