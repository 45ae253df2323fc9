"""Sentences made from ids and parameters, as a client with the catalogues would make them."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

from google.protobuf.message import Message

from skerry.v1.sentence_pb2 import Sentence as SentenceMessage
from skerry.v1.sentence_pb2 import SentenceParameter
from skerry_games.languages.catalogues import ENGLISH, catalogue
from skerry_games.languages.translation import in_language
from skerry_games.sentences import (
    Sentence,
    capitalized,
    counted,
    fill,
    grouped,
    headed,
    joined_by,
    listed,
    made,
    phrase,
    plural,
    uncapitalized,
)

_JOINING: Mapping[str, Callable[..., Sentence]] = {
    "capitalized": capitalized,
    "counted": lambda number, thing, none: counted(number, thing, none=none),
    "grouped": lambda number: grouped(int(number)),  # a text if it is large
    "headed": lambda head, then, items, separator: headed(head, then, items, separator),  # noqa: PLW0108 - names
    "joined": lambda items, separator: joined_by(separator, items),
    "listed": listed,
    "plural": plural,
    "uncapitalized": uncapitalized,
}


def written(sent: SentenceMessage, language: str, names: tuple[str, ...]) -> str:
    """Return a sentence in a language with the players' names."""
    return fill(in_language(rebuilt(sent), language), names)


def rebuilt(sent: SentenceMessage) -> Sentence:
    """Return the sentence of a message. Its parameters are those that its English text has."""
    given = {name: _value(parameter) for name, parameter in sent.parameters.items()}
    if sent.id in _JOINING:
        return _JOINING[sent.id](**given)
    english = catalogue(ENGLISH).messages[sent.id]
    assert english.parameters == set(given), f"{sent.id} has other parameters than its English text"
    return phrase(sent.id, **given)


def _value(parameter: SentenceParameter) -> Any:
    kind = parameter.WhichOneof("value")
    assert kind is not None, "a parameter without a value"
    value = getattr(parameter, kind)
    if kind == "seat":
        return f"{{{value}}}"
    if kind == "sentence":
        return rebuilt(value)
    if kind == "list":
        return tuple(map(_value, value.items))
    return made(value, "verbatim", {"words": value}) if kind == "text" else value


class Said(NamedTuple):
    """A text of a message, and the sentence beside it."""

    place: str
    text: str
    sentence: SentenceMessage | None


_RULE = re.compile(r"[A-Z]+(-[A-Z0-9]+)+: ")


def check(message: Message, language: str, names: tuple[str, ...]) -> Counter[str]:
    """Check that each sentence of a message can be written from its id and parameters. Return how many a field has."""
    places = Counter[str]()
    for place, text, sentence in sentences_of(message):
        if not text:
            assert sentence is None, place
            continue
        assert sentence is not None, (place, text)
        assert written(sentence, language, names) == _RULE.sub("", text), place
        places[place] += 1
    return places


def sentences_of(message: Message) -> Iterator[Said]:
    """Yield each text that has a field for its sentence, inside of a message or of one in it."""
    kind = message.DESCRIPTOR
    for name in kind.fields_by_name:
        for beside in ("sentence" if name == "text" else f"{name}_sentence", f"{name}_sentences"):
            if beside in kind.fields_by_name:
                yield from _said(message, name, beside)
    for field, value in message.ListFields():
        inner = field.message_type
        if inner is None or inner.GetOptions().map_entry or inner.full_name == SentenceMessage.DESCRIPTOR.full_name:
            continue
        for one in value if field.is_repeated else (value,):
            yield from sentences_of(one)


def _said(message: Message, name: str, beside: str) -> Iterator[Said]:
    place, texts, sentences = f"{message.DESCRIPTOR.full_name}.{name}", getattr(message, name), getattr(message, beside)
    if isinstance(texts, str):
        yield Said(place, texts, sentences if message.HasField(beside) else None)
        return
    if hasattr(texts, "keys"):
        assert not sentences or set(texts) == set(sentences), place
        yield from [Said(place, text, sentences.get(key)) for key, text in texts.items()]
        return
    yield from itertools.starmap(partial(Said, place), itertools.zip_longest(texts, sentences))
