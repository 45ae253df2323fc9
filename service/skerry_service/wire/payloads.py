"""Payload messages, which have one case for each game. The codec of the game reads and writes its case."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Any, Final

from google.protobuf.descriptor import FileDescriptor

from skerry.v1 import payload_pb2, scene_pb2, session_pb2
from skerry_games.api import AnyGame, MalformedMove
from skerry_games.catalogue import all_games, supported_games
from skerry_games.languages.translation import in_language
from skerry_games.sentences import fill
from skerry_service.domain.errors import InvalidField
from skerry_service.domain.languages.phrases import phrase, verbatim
from skerry_service.wire.bounded_cache import BoundedCache
from skerry_service.wire.caller_language import Wording, caller_wording
from skerry_service.wire.codecs.game_codec import GameCodec
from skerry_service.wire.sentence_messages import asked_sentence
from skerry_service.wire.splice import message_field

Names = tuple[str, ...]
_MAX_CACHED_BYTES = 256
"""The largest message that is cached. Otherwise clients could fill the memory with moves as large as a request."""
_IN_EVENTS: Final = message_field(session_pb2.Moved, "events")
_IN_MOVE: Final = message_field(session_pb2.Moved, "move")
_IN_LEGAL_MOVES: Final = message_field(session_pb2.Position, "legal_moves")


@cache
def codec_of(game: str, ruleset: str = "") -> GameCodec:
    """Return the codec of a game, by default under its newest ruleset. Raises TypeError if it lacks a message."""
    return GameCodec(_game_of_ruleset(ruleset) if ruleset else all_games()[game], messages_of(game))


def derive_codecs() -> None:
    """Derive the codecs of all supported games, before the first call needs them. Raises TypeError."""
    for game in supported_games():
        codec_of(game.id, game.ruleset)


def numbers_of_moves() -> Mapping[str, range]:
    """Return the numbers that fields of moves can have, by the full name of the field. Others are not limited.

    Of a game with several rulesets, as editions are, from the least number of all to the greatest.
    """
    found: dict[str, range] = {}
    for game in supported_games():
        for name, numbers in codec_of(game.id, game.ruleset).numbers_of_moves.items():
            known = found.get(name, numbers)
            found[name] = range(min(known.start, numbers.start), max(known.stop, numbers.stop))
    return found


def messages_of(game: str) -> FileDescriptor:
    """Return the proto file of a game. Raises ModuleNotFoundError without one."""
    file: FileDescriptor = import_module(f"skerry.games.{game}.v1.{game}_pb2").DESCRIPTOR
    return file


def read_options(message: payload_pb2.GameOptions, game: AnyGame) -> Any:
    """Return the game's options; its defaults if the message is empty. Raises InvalidField, BadOptions."""
    case = message.WhichOneof("game")
    if case is None:
        return game.options_type()
    if case != game.id:
        raise InvalidField("options", phrase("options-of-other-game", other=verbatim(case), game=verbatim(game.id)))
    return codec_of(game.id, game.ruleset).options_from_proto(getattr(message, case))


def read_move(message: payload_pb2.Move, game: AnyGame) -> Any:
    """Return the game's move. Raises MalformedMove."""
    serialized = message.SerializeToString()
    if len(serialized) > _MAX_CACHED_BYTES:
        return _read_move(message, game)
    return _MOVES_READ[game.ruleset, serialized]


def _read_move(message: payload_pb2.Move, game: AnyGame) -> Any:
    case = message.WhichOneof("game")
    if case != game.id:
        wanted = verbatim(game.id)
        if case is None:
            raise MalformedMove(phrase("move-empty", game=wanted))
        raise MalformedMove(phrase("move-of-other-game", other=verbatim(case), game=wanted))
    return codec_of(game.id, game.ruleset).move_from_proto(getattr(message, case))


def write_options(game: AnyGame, options: Any) -> payload_pb2.GameOptions:
    """Return options as a payload."""
    return payload_pb2.GameOptions(**{game.id: codec_of(game.id, game.ruleset).options_to_proto(options)})


def write_board(game: AnyGame, edition: str) -> payload_pb2.Board:
    """Return a board as a payload."""
    return payload_pb2.Board(**{game.id: codec_of(game.id, game.ruleset).board_to_proto(edition)})


def view_to_wire(game: AnyGame, view: Any) -> bytes:
    """Return a view as a serialized payload."""
    return message_field(payload_pb2.View, game.id)(codec_of(game.id, game.ruleset).view_to_wire(view))


def moved_to_wire(game: AnyGame, move: Any | None, events: Iterable[Any], names: Names) -> bytes:
    """Return a move and its events, as a viewer may see them, as a serialized ``Moved``.

    ``names``: the players' display names, by seat.
    """
    ruleset = game.ruleset
    wording = caller_wording()
    parts = []
    if move is not None:
        parts.append(_MOVE_PARTS[ruleset, move, (), wording] or _MOVE_PARTS[ruleset, move, names, wording])
    for event in events:
        parts.append(_EVENT_PARTS[ruleset, event, (), wording] or _EVENT_PARTS[ruleset, event, names, wording])
    return b"".join(parts)


def legal_moves_to_wire(game: AnyGame, moves: Sequence[Any], names: Names) -> bytes:
    """Return a serialized ``Position`` with only these legal moves."""
    ruleset, wording = game.ruleset, caller_wording()
    parts = _LEGAL_MOVE_PARTS
    return b"".join([parts[ruleset, move, (), wording] or parts[ruleset, move, names, wording] for move in moves])


def moved_with_effects_to_wire(game: AnyGame, move: Any | None, events: Iterable[Any], names: Names) -> bytes:
    """Return what ``moved_to_wire`` does, and in each event what it touches and what it is worth."""
    ruleset, wording = game.ruleset, caller_wording()
    parts = [moved_to_wire(game, move, (), names)]
    for event in events:
        parts.append(_EFFECT_PARTS[ruleset, event, (), wording] or _EFFECT_PARTS[ruleset, event, names, wording])
    return b"".join(parts)


def choices_to_wire(game: AnyGame, moves: Sequence[Any], view: Any, names: Names) -> bytes:
    """Return what ``legal_moves_to_wire`` does, and in each move how to offer it to the viewer with this view."""
    guide, ruleset, wording = game.guide, game.ruleset, caller_wording()
    if guide is None:
        return legal_moves_to_wire(game, moves, names)
    parts = []
    for move in moves:
        sentence, payload = _MOVES[ruleset, move]
        text = _text(payload_pb2.Move, sentence, names, wording) or b""
        parts.append(_IN_LEGAL_MOVES(text + payload + _CHOICES[ruleset, move, guide.paths(move, view), wording]))
    return b"".join(parts)


def _game_of_ruleset(ruleset: str) -> AnyGame:
    return next(game for game in supported_games() if game.ruleset == ruleset)


def _make_move(ruleset: str, serialized: bytes) -> Any:
    return _read_move(payload_pb2.Move.FromString(serialized), _game_of_ruleset(ruleset))


def _write_event(ruleset: str, event: Any) -> tuple[str, bytes]:
    """Return an event's sentence in English, and its serialized payload without it."""
    game = _game_of_ruleset(ruleset)
    case = message_field(payload_pb2.Event, game.id)
    return game.say(event), case(codec_of(game.id, ruleset).event_to_wire(event))


def _write_move(ruleset: str, move: Any) -> tuple[str, bytes]:
    """Return a move's sentence, and its serialized payload without it."""
    game = _game_of_ruleset(ruleset)
    case = message_field(payload_pb2.Move, game.id)
    return game.say_move(move), case(codec_of(game.id, ruleset).move_to_wire(move))


def _write_effect(ruleset: str, event: Any, wording: Wording) -> bytes:
    """Return what an event touches and is worth, as a serialized ``Event``; empty without a guide of the game."""
    guide = _game_of_ruleset(ruleset).guide
    if guide is None:
        return b""
    gains = [
        scene_pb2.Gain(
            seat=one.seat,
            points=one.points,
            source=in_language(one.source, wording.language),
            source_sentence=asked_sentence(one.source, wording),
        )
        for one in guide.gains(event)
    ]
    effect = scene_pb2.Effect(touched=guide.touched(event), gains=gains)
    return payload_pb2.Event(effect=effect).SerializeToString(deterministic=True)


def _write_choice(ruleset: str, move: Any, paths: tuple[tuple[str, ...], ...], wording: Wording) -> bytes:
    """Return how to offer a legal move, as a serialized ``Move``; empty without a guide of the game."""
    guide = _game_of_ruleset(ruleset).guide
    if guide is None:
        return b""
    heading, ways = guide.heading(move), [scene_pb2.MovePath(ids=path) for path in paths]
    choice = scene_pb2.Choice(
        heading=in_language(heading.text, wording.language),
        confirm=heading.confirm,
        paths=ways,
        heading_sentence=asked_sentence(heading.text, wording),
    )
    return payload_pb2.Move(choice=choice).SerializeToString(deterministic=True)


def _part(
    kind: type[payload_pb2.Event | payload_pb2.Move],
    written: Mapping[tuple[str, Any], tuple[str, bytes]],
    frame: Callable[[bytes], bytes],
    more: Mapping[tuple[str, Any, Wording], bytes] | None = None,
) -> Callable[[str, Any, Names, Wording], bytes]:
    """Return a function that serializes a move or an event as a field of its message, with its sentence.

    ``more``: what follows the payload, by ruleset, value and wording.
    """

    def part(ruleset: str, value: Any, names: Names, wording: Wording) -> bytes:
        sentence, payload = written[ruleset, value]
        text = _text(kind, sentence, names, wording)
        if text is None:
            return b""
        return frame(text + payload if more is None else text + payload + more[ruleset, value, wording])

    return part


def _size(written: tuple[str, bytes]) -> int:
    return len(written[0]) + len(written[1])


# Moves and events repeat from game to game. Making a message takes ten times as long as finding it in a cache.
_MOVES_READ: BoundedCache[Any] = BoundedCache("moves_read", 4 << 20, _make_move)
_EVENTS = BoundedCache("events", 4 << 20, _write_event, _size)
_MOVES = BoundedCache("moves", 4 << 20, _write_move, _size)
# Serialized messages with one field each, which concatenate into one message (``splice``). Callers first ask without
# names, because most sentences contain none. The result is empty if the sentence needs names.
_EVENT_PARTS = BoundedCache("event_parts", 4 << 20, _part(payload_pb2.Event, _EVENTS, _IN_EVENTS), len)
_MOVE_PARTS = BoundedCache("move_parts", 4 << 20, _part(payload_pb2.Move, _MOVES, _IN_MOVE), len)
_EFFECTS = BoundedCache("effects", 4 << 20, _write_effect, len)
_EFFECT_PARTS = BoundedCache("effect_parts", 4 << 20, _part(payload_pb2.Event, _EVENTS, _IN_EVENTS, _EFFECTS), len)
_CHOICES = BoundedCache("choices", 4 << 20, _write_choice, len)
_LEGAL_MOVE_PARTS = BoundedCache("legal_move_parts", 8 << 20, _part(payload_pb2.Move, _MOVES, _IN_LEGAL_MOVES), len)


def _text(
    kind: type[payload_pb2.Event | payload_pb2.Move], sentence: str, names: Names, wording: Wording
) -> bytes | None:
    """Return the serialized fields of a sentence. ``None`` if it has placeholders for names and there are none."""
    template = in_language(sentence, wording.language)
    if "{" not in template:
        message = kind(text=template, sentence=asked_sentence(sentence, wording))
    elif names:
        text = fill(template, names)
        message = kind(template=template, text=text, sentence=asked_sentence(sentence, wording))
    else:
        return None
    return message.SerializeToString(deterministic=True)
