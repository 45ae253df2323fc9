"""The bridge to each game's ``codec``: payload messages hold one case for each game, named by the game's id."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from importlib import import_module
from typing import Any, Protocol, TypeVar, cast

from google.protobuf.message import Message

import skerry_games
from skerry.v1 import payload_pb2, session_pb2
from skerry_games.api import AnyGame, MalformedMove
from skerry_games.catalogue import all_games
from skerry_games.sentences import fill
from skerry_service.sessions.errors import InvalidField

Worded = TypeVar("Worded", payload_pb2.Move, payload_pb2.Event)


class Codec(Protocol):
    """What ``skerry_games.<game>.codec`` offers: between the game's values and its own messages."""

    def options_from_proto(self, message: Any) -> Any:
        """Read options. Raises BadOptions."""

    def options_to_proto(self, options: Any) -> Message:
        """Write options, every default filled in."""

    def board_to_proto(self, edition: str) -> Message:
        """Write the board of an edition."""

    def view_to_proto(self, view: Any) -> Message:
        """Write a view."""

    def move_from_proto(self, message: Any) -> Any:
        """Read a move. Raises MalformedMove."""

    def move_to_proto(self, move: Any) -> Message:
        """Write a move."""

    def event_to_proto(self, event: Any) -> Message:
        """Write an event."""


@cache
def codec_of(game: str) -> Codec:
    """Return the codec of a game."""
    return cast(Codec, import_module(f"{skerry_games.__name__}.{game}.codec"))


def read_options(message: payload_pb2.GameOptions, game: AnyGame) -> Any:
    """Return the game's options; its defaults if the message is empty. Raises InvalidField, BadOptions."""
    case = message.WhichOneof("game")
    if case is None:
        return game.options_type()
    if case != game.id:
        raise InvalidField("options", f"These are options of {case}; your game is {game.id}.")
    return codec_of(game.id).options_from_proto(getattr(message, case))


def read_move(message: payload_pb2.Move, game: AnyGame) -> Any:
    """Return the game's move. Raises MalformedMove."""
    case = message.WhichOneof("game")
    if case != game.id:
        wrong = "is empty" if case is None else f"is one of {case}"
        raise MalformedMove(f"Your move {wrong}; this session plays {game.id}.")
    return codec_of(game.id).move_from_proto(getattr(message, case))


def write_options(game: AnyGame, options: Any) -> payload_pb2.GameOptions:
    """Return options as a payload."""
    return payload_pb2.GameOptions(**{game.id: codec_of(game.id).options_to_proto(options)})  # type: ignore[arg-type]


def write_board(game: AnyGame, edition: str) -> payload_pb2.Board:
    """Return a board as a payload."""
    return payload_pb2.Board(**{game.id: codec_of(game.id).board_to_proto(edition)})  # type: ignore[arg-type]


def fill_view(message: payload_pb2.View, game: AnyGame, view: Any) -> None:
    """Write a view into a payload."""
    getattr(message, game.id).CopyFrom(codec_of(game.id).view_to_proto(view))


def write_event(game: AnyGame, event: Any, names: Sequence[str]) -> payload_pb2.Event:
    """Return an event, as its viewer may see it, as a payload; ``names``: of the players, by seat.

    The message can be shared: it must not be changed.
    """
    return _named(_write_event(game.id, event), names)


def write_move(game: AnyGame, move: Any, names: Sequence[str]) -> payload_pb2.Move:
    """Return a move as a payload, likewise."""
    return _named(_write_move(game.id, move), names)


def fill_legal_moves(message: session_pb2.Position, game: AnyGame, moves: Sequence[Any], names: Sequence[str]) -> None:
    """Add moves to those of a position, likewise."""
    parts = [_legal_move(game.id, move) or _as_legal(write_move(game, move, names)) for move in moves]
    message.MergeFromString(b"".join(parts))


def _named(message: Worded, names: Sequence[str]) -> Worded:
    """Return the message; if its sentence names players, a copy in which they are called by their names."""
    if not message.HasField("template"):
        return message
    named = type(message)()
    named.CopyFrom(message)
    named.text = fill(message.template, names)
    return named


# Games go through the same moves and events over and over; making a message takes ten times as long as finding it.
@lru_cache(maxsize=8192)
def _write_event(game_id: str, event: Any) -> payload_pb2.Event:
    game = all_games()[game_id]
    case = {game_id: codec_of(game_id).event_to_proto(event)}
    return payload_pb2.Event(**_words(game.say(event)), **case)  # type: ignore[arg-type]


@lru_cache(maxsize=8192)
def _write_move(game_id: str, move: Any) -> payload_pb2.Move:
    game = all_games()[game_id]
    case = {game_id: codec_of(game_id).move_to_proto(move)}
    return payload_pb2.Move(**_words(game.say_move(move)), **case)  # type: ignore[arg-type]


@lru_cache(maxsize=8192)
def _legal_move(game_id: str, move: Any) -> bytes | None:
    """Return a position's part with that move, unless its sentence waits for names."""
    written = _write_move(game_id, move)
    return None if written.HasField("template") else _as_legal(written)


def _as_legal(move: payload_pb2.Move) -> bytes:
    """Return a position with nothing but that legal move, in wire format: such parts merge into one with all."""
    return session_pb2.Position(legal_moves=[move]).SerializeToString()


def _words(template: str) -> dict[str, str]:
    """Return a sentence as the field that it goes into: one that names players waits for their names."""
    return {"template" if "{" in template else "text": template}
