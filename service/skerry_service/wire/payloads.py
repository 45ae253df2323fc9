"""Payload messages, which have one case for each game. The codec of the game reads and writes its case."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Protocol, TypeVar, cast

from google.protobuf.message import Message

from skerry.v1 import payload_pb2, session_pb2
from skerry_games.api import AnyGame, MalformedMove
from skerry_games.catalogue import all_games, earlier_rulesets
from skerry_games.sentences import fill
from skerry_service.domain.errors import InvalidField
from skerry_service.wire import games
from skerry_service.wire.splice import message_field

Worded = TypeVar("Worded", payload_pb2.Move, payload_pb2.Event)
Names = tuple[str, ...]
_MAX_CACHED_BYTES = 256
"""The largest message that is cached. Otherwise clients could fill the memory with moves as large as a request."""


class Codec(Protocol):
    """The functions of each module in ``wire.games``. They convert between a game's values and its messages."""

    def options_from_proto(self, message: Any) -> Any:
        """Read options. Raises BadOptions."""

    def options_to_proto(self, options: Any) -> Message:
        """Write options with all defaults filled in."""

    def board_to_proto(self, edition: str) -> Message:
        """Write the board of an edition."""

    def view_to_wire(self, view: Any) -> bytes:
        """Return a serialized view."""

    def move_from_proto(self, message: Any) -> Any:
        """Read a move. Raises MalformedMove."""

    def move_to_proto(self, move: Any) -> Message:
        """Write a move."""

    def event_to_proto(self, event: Any) -> Message:
        """Write an event."""


@cache
def codec_of(game: str, ruleset: str = "") -> Codec:
    """Return the codec of a game. A ruleset can have its own codec: ``kreta-1`` in ``wire/games/kreta_1.py``."""
    for name in (ruleset.replace("-", "_"), game):
        if name and find_spec(f"{games.__name__}.{name}") is not None:
            return cast(Codec, import_module(f"{games.__name__}.{name}"))
    raise ModuleNotFoundError(f"{games.__name__} has no codec for {game}")


def read_options(message: payload_pb2.GameOptions, game: AnyGame) -> Any:
    """Return the game's options; its defaults if the message is empty. Raises InvalidField, BadOptions."""
    case = message.WhichOneof("game")
    if case is None:
        return game.options_type()
    if case != game.id:
        raise InvalidField("options", f"These are options of {case}. Send options of {game.id}.")
    return codec_of(game.id, game.ruleset).options_from_proto(getattr(message, case))


def read_move(message: payload_pb2.Move, game: AnyGame) -> Any:
    """Return the game's move. Raises MalformedMove."""
    serialized = message.SerializeToString()
    if len(serialized) > _MAX_CACHED_BYTES:
        return _read_move(message, game)
    return _read_move_cached(game.ruleset, serialized)


def _read_move(message: payload_pb2.Move, game: AnyGame) -> Any:
    case = message.WhichOneof("game")
    if case != game.id:
        problem = "is empty" if case is None else f"is a move of {case}"
        raise MalformedMove(f"The move {problem}. Send a move of {game.id}.")
    return codec_of(game.id, game.ruleset).move_from_proto(getattr(message, case))


def write_options(game: AnyGame, options: Any) -> payload_pb2.GameOptions:
    """Return options as a payload."""
    return payload_pb2.GameOptions(**{game.id: codec_of(game.id, game.ruleset).options_to_proto(options)})  # type: ignore[arg-type]


def write_board(game: AnyGame, edition: str) -> payload_pb2.Board:
    """Return a board as a payload."""
    return payload_pb2.Board(**{game.id: codec_of(game.id, game.ruleset).board_to_proto(edition)})  # type: ignore[arg-type]


def view_to_wire(game: AnyGame, view: Any) -> bytes:
    """Return a view as a serialized payload."""
    return message_field(payload_pb2.View, game.id)(codec_of(game.id, game.ruleset).view_to_wire(view))


def moved_to_wire(game: AnyGame, move: Any | None, events: Iterable[Any], names: Names) -> bytes:
    """Return a move and its events, as a viewer may see them, as a serialized ``Moved``.

    ``names``: the players' display names, by seat.
    """
    ruleset = game.ruleset
    parts = [] if move is None else [_move_part(ruleset, move, ()) or _move_part(ruleset, move, names)]
    parts += [_event_part(ruleset, event, ()) or _event_part(ruleset, event, names) for event in events]
    return b"".join(parts)


def legal_moves_to_wire(game: AnyGame, moves: Sequence[Any], names: Names) -> bytes:
    """Return a serialized ``Position`` with only these legal moves."""
    ruleset = game.ruleset
    return b"".join([_legal_move_part(ruleset, move, ()) or _legal_move_part(ruleset, move, names) for move in moves])


def _game_of_ruleset(ruleset: str) -> AnyGame:
    supported = (*all_games().values(), *earlier_rulesets().values())
    return next(game for game in supported if game.ruleset == ruleset)


# Moves and events repeat from game to game. Making a message takes ten times as long as finding it in a cache.
@lru_cache(maxsize=8192)
def _read_move_cached(ruleset: str, serialized: bytes) -> Any:
    return _read_move(payload_pb2.Move.FromString(serialized), _game_of_ruleset(ruleset))


@lru_cache(maxsize=8192)
def _write_event(ruleset: str, event: Any) -> payload_pb2.Event:
    game = _game_of_ruleset(ruleset)
    case = {game.id: codec_of(game.id, ruleset).event_to_proto(event)}
    return payload_pb2.Event(**_text_field(game.say(event)), **case)  # type: ignore[arg-type]


@lru_cache(maxsize=8192)
def _write_move(ruleset: str, move: Any) -> payload_pb2.Move:
    game = _game_of_ruleset(ruleset)
    case = {game.id: codec_of(game.id, ruleset).move_to_proto(move)}
    return payload_pb2.Move(**_text_field(game.say_move(move)), **case)  # type: ignore[arg-type]


# Serialized messages with one field each, which concatenate into one message (``splice``). Callers first ask without
# names, because most sentences contain none. The result is empty if the sentence needs names.
@lru_cache(maxsize=8192)
def _event_part(ruleset: str, event: Any, names: Names) -> bytes:
    message = _with_text(_write_event(ruleset, event), names)
    return session_pb2.Moved(events=[message]).SerializeToString() if message else b""


@lru_cache(maxsize=8192)
def _move_part(ruleset: str, move: Any, names: Names) -> bytes:
    message = _with_text(_write_move(ruleset, move), names)
    return session_pb2.Moved(move=message).SerializeToString() if message else b""


@lru_cache(maxsize=8192)
def _legal_move_part(ruleset: str, move: Any, names: Names) -> bytes:
    message = _with_text(_write_move(ruleset, move), names)
    return session_pb2.Position(legal_moves=[message]).SerializeToString() if message else b""


def _with_text(message: Worded, names: Names) -> Worded | None:
    """Return the message with its complete text. ``None`` if the text needs names and there are none."""
    if not message.HasField("template"):
        return message
    if not names:
        return None
    named = type(message)()
    named.CopyFrom(message)
    named.text = fill(message.template, names)
    return named


def _text_field(sentence: str) -> dict[str, str]:
    """Return the field for a sentence: ``template`` if it contains placeholders for names, otherwise ``text``."""
    return {"template" if "{" in sentence else "text": sentence}
