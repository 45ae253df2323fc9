"""What the codecs of the games say about a malformed move or option, in German."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from skerry_games.api import AnyGame, BadOptions, MalformedMove
from skerry_games.catalogue import all_games
from skerry_games.languages.translation import Translator
from skerry_service.wire.payloads import codec_of, messages_of

_UNKNOWN = {str: ("", "nowhere"), int: (-999, 999), bool: (True,), float: (1.0,)}


def unknown_values(field: Any) -> tuple[Any, ...]:
    """Return values of a field that no game has."""
    if field.enum_type is not None:
        return (0, 99)
    return _UNKNOWN.get(type(field.default_value), ())


def with_one_field(kind: type[Message]) -> Iterator[Message]:
    """Yield a message without fields, and one for each unknown value of each field, also of fields inside it."""
    yield kind()
    for field in kind.DESCRIPTOR.fields:
        for value in unknown_values(field) if field.message_type is None else ():
            message = kind()
            getattr(message, field.name).append(value) if field.is_repeated else setattr(message, field.name, value)
            yield message
        nested: Any = field.message_type
        if nested is not None:
            for inner in with_one_field(GetMessageClass(nested)):
                message = kind()
                into = getattr(message, field.name)
                into.add().CopyFrom(inner) if field.is_repeated else into.CopyFrom(inner)
                yield message


def refusals(game: AnyGame) -> Iterator[MalformedMove | BadOptions]:
    """Yield what the codec of a game says about malformed moves and options."""
    codec, messages = codec_of(game.id, game.ruleset), messages_of(game.id).message_types_by_name
    for name, read in (("Move", codec.move_from_proto), ("Options", codec.options_from_proto)):
        for message in with_one_field(GetMessageClass(messages[name])):
            try:
                read(message)
            except (MalformedMove, BadOptions) as error:
                yield error


def sentence_of(error: MalformedMove | BadOptions) -> str:
    said: str = error.sentence if isinstance(error, BadOptions) else error.args[0]
    return said


@pytest.mark.parametrize("game", all_games().values(), ids=list(all_games()))
def test_malformed_moves_and_options_are_refused_in_german(game: AnyGame) -> None:
    missing, seen = list[str](), set[str]()
    translator = Translator("de", missing.append)
    for error in refusals(game):
        sentence = sentence_of(error)
        german = translator.show(sentence)
        assert german != sentence and not re.search(r"\b(the|There|Name|Choose|numbered)\b", german), german
        seen.add(german)
    assert [text for text in missing if re.search("[a-z]{2}", text)] == []
    assert len(seen) >= 8


def test_a_noun_has_its_article_and_its_case() -> None:
    said = {Translator("de").show(sentence_of(error)) for game in all_games().values() for error in refusals(game)}
    assert {"Nenne die Karte.", "Nenne den Wert des Entdeckungsplättchens.", "Das Symbol 99 gibt es nicht."} <= said
