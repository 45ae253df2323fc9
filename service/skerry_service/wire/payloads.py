"""Payload messages, which hold one case for each game: each is read and written by the codec of its game."""

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
_LARGEST_KEPT = 256
"""Bytes of a message. Nobody fills the memory with moves as large as requests can be."""


class Codec(Protocol):
    """What a module of ``wire.games`` offers: a game's values to its own messages, and back."""

    def options_from_proto(self, message: Any) -> Any:
        """Read options. Raises BadOptions."""

    def options_to_proto(self, options: Any) -> Message:
        """Write options, every default filled in."""

    def board_to_proto(self, edition: str) -> Message:
        """Write the board of an edition."""

    def view_to_wire(self, view: Any) -> bytes:
        """Write a view, in wire format."""

    def move_from_proto(self, message: Any) -> Any:
        """Read a move. Raises MalformedMove."""

    def move_to_proto(self, move: Any) -> Message:
        """Write a move."""

    def event_to_proto(self, event: Any) -> Message:
        """Write an event."""


@cache
def codec_of(game: str, ruleset: str = "") -> Codec:
    """Return the codec of a game. A ruleset may have a codec of its own: ``kreta-1`` in ``wire/games/kreta_1.py``."""
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
        raise InvalidField("options", f"These are options of {case}; your game is {game.id}.")
    return codec_of(game.id, game.ruleset).options_from_proto(getattr(message, case))


def read_move(message: payload_pb2.Move, game: AnyGame) -> Any:
    """Return the game's move. Raises MalformedMove."""
    written = message.SerializeToString()
    return _move_kept(game.ruleset, written) if len(written) <= _LARGEST_KEPT else _move_read(message, game)


def _move_read(message: payload_pb2.Move, game: AnyGame) -> Any:
    case = message.WhichOneof("game")
    if case != game.id:
        wrong = "is empty" if case is None else f"is one of {case}"
        raise MalformedMove(f"Your move {wrong}; this session plays {game.id}.")
    return codec_of(game.id, game.ruleset).move_from_proto(getattr(message, case))


def write_options(game: AnyGame, options: Any) -> payload_pb2.GameOptions:
    """Return options as a payload."""
    return payload_pb2.GameOptions(**{game.id: codec_of(game.id, game.ruleset).options_to_proto(options)})  # type: ignore[arg-type]


def write_board(game: AnyGame, edition: str) -> payload_pb2.Board:
    """Return a board as a payload."""
    return payload_pb2.Board(**{game.id: codec_of(game.id, game.ruleset).board_to_proto(edition)})  # type: ignore[arg-type]


def view_to_wire(game: AnyGame, view: Any) -> bytes:
    """Return a view as a payload in wire format."""
    return message_field(payload_pb2.View, game.id)(codec_of(game.id, game.ruleset).view_to_wire(view))


def moved_to_wire(game: AnyGame, move: Any | None, events: Iterable[Any], names: Names) -> bytes:
    """Return a move and its events, as their viewer may see them, as a ``Moved`` in wire format.

    ``names``: of the players, by seat.
    """
    ruleset = game.ruleset
    parts = [] if move is None else [_move_told(ruleset, move, ()) or _move_told(ruleset, move, names)]
    parts += [_event_told(ruleset, event, ()) or _event_told(ruleset, event, names) for event in events]
    return b"".join(parts)


def legal_moves_to_wire(game: AnyGame, moves: Sequence[Any], names: Names) -> bytes:
    """Return a position with these moves alone, in wire format."""
    ruleset = game.ruleset
    return b"".join([_legal_move(ruleset, move, ()) or _legal_move(ruleset, move, names) for move in moves])


def _game_under(ruleset: str) -> AnyGame:
    carried = (*all_games().values(), *earlier_rulesets().values())
    return next(game for game in carried if game.ruleset == ruleset)


# Games go through the same moves and events over and over; making a message takes ten times as long as finding it.
@lru_cache(maxsize=8192)
def _move_kept(ruleset: str, written: bytes) -> Any:
    return _move_read(payload_pb2.Move.FromString(written), _game_under(ruleset))


@lru_cache(maxsize=8192)
def _write_event(ruleset: str, event: Any) -> payload_pb2.Event:
    game = _game_under(ruleset)
    case = {game.id: codec_of(game.id, ruleset).event_to_proto(event)}
    return payload_pb2.Event(**_words(game.say(event)), **case)  # type: ignore[arg-type]


@lru_cache(maxsize=8192)
def _write_move(ruleset: str, move: Any) -> payload_pb2.Move:
    game = _game_under(ruleset)
    case = {game.id: codec_of(game.id, ruleset).move_to_proto(move)}
    return payload_pb2.Move(**_words(game.say_move(move)), **case)  # type: ignore[arg-type]


# So does parsing what was written once, next to putting it together: these are parts of messages in wire format, such
# as merge into one. They are asked for without names first, as most sentences have none, and are empty if names are
# needed.
@lru_cache(maxsize=8192)
def _event_told(ruleset: str, event: Any, names: Names) -> bytes:
    written = _worded(_write_event(ruleset, event), names)
    return session_pb2.Moved(events=[written]).SerializeToString() if written else b""


@lru_cache(maxsize=8192)
def _move_told(ruleset: str, move: Any, names: Names) -> bytes:
    written = _worded(_write_move(ruleset, move), names)
    return session_pb2.Moved(move=written).SerializeToString() if written else b""


@lru_cache(maxsize=8192)
def _legal_move(ruleset: str, move: Any, names: Names) -> bytes:
    written = _worded(_write_move(ruleset, move), names)
    return session_pb2.Position(legal_moves=[written]).SerializeToString() if written else b""


def _worded(written: Worded, names: Names) -> Worded | None:
    """Return the message with its sentence in words; ``None`` if that waits for names, and there are none."""
    if not written.HasField("template"):
        return written
    if not names:
        return None
    named = type(written)()
    named.CopyFrom(written)
    named.text = fill(written.template, names)
    return named


def _words(template: str) -> dict[str, str]:
    """Return a sentence as the field that it goes into: one that names players waits for their names."""
    return {"template" if "{" in template else "text": template}
