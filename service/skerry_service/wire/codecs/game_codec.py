"""The codec of a game: it converts between the game's values and its messages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from google.protobuf import message_factory
from google.protobuf.descriptor import Descriptor, FileDescriptor

from skerry_games.api import AnyGame
from skerry_service.wire.codecs.matching import match_struct, match_union, numbers_in
from skerry_service.wire.codecs.reading import options_reader, union_reader
from skerry_service.wire.codecs.writing import message_writer, union_writer


class GameCodec:
    """The codec of a game, derived from its structs and from the messages Options, Board, View, Move and Event."""

    def __init__(self, game: AnyGame, messages: FileDescriptor) -> None:
        """``messages``: the proto file of the game. Raises TypeError if a struct and its message differ."""
        kinds: Mapping[str, Descriptor] = messages.message_types_by_name
        options = match_struct(game.options_type, kinds["Options"])
        moves = match_union(game.move_type, kinds["Move"])
        events = match_union(game.event_type, kinds["Event"])
        self._boards = {board.edition: board for board in game.boards}
        self._classes = {name: message_factory.GetMessageClass(kind) for name, kind in kinds.items()}
        self._write_options = message_writer(options)
        self._write_boards = {
            edition: message_writer(match_struct(type(board), kinds["Board"]))
            for edition, board in self._boards.items()
        }
        self.options_from_proto = options_reader(options)
        """Return the options of a message. Raises BadOptions."""
        self.view_to_wire = message_writer(match_struct(game.view_type, kinds["View"]))
        """Return a serialized view."""
        self.move_from_proto = union_reader(moves)
        """Return the move of a message. Raises MalformedMove."""
        self.numbers_of_moves = {name: found for _, plan in moves.values() for name, found in numbers_in(plan)}
        """The numbers that fields of moves can have, by the full name of the field, where they are limited."""
        self.move_to_wire = union_writer(moves, kinds["Move"])
        """Return a serialized move."""
        self.event_to_wire = union_writer(events, kinds["Event"])
        """Return a serialized event."""

    def options_to_proto(self, options: Any) -> Any:
        """Return options as a message that has all defaults."""
        return self._message("Options", self._write_options(options))

    def board_to_proto(self, edition: str) -> Any:
        """Return the board of an edition. Raises KeyError for an unknown edition."""
        return self._message("Board", self._write_boards[edition](self._boards[edition]))

    def move_to_proto(self, move: Any) -> Any:
        """Return a move as a message."""
        return self._message("Move", self.move_to_wire(move))

    def event_to_proto(self, event: Any) -> Any:
        """Return an event as a message."""
        return self._message("Event", self.event_to_wire(event))

    def _message(self, name: str, serialized: bytes) -> Any:
        return self._classes[name].FromString(serialized)
