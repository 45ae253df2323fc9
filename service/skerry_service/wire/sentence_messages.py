"""Sentences as messages with parameters, for callers that write sentences of their own."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import Any, Final

from skerry.v1.sentence_pb2 import Sentence as SentenceMessage
from skerry.v1.sentence_pb2 import SentenceParameter, SentenceParameterList
from skerry_games.languages.catalogues import ENGLISH, all_terms, catalogue, key_of, static_ids
from skerry_games.sentences import Sentence
from skerry_service.wire.caller_language import Wording, caller_wording

_SEAT: Final = re.compile(r"\{(\d+)\}")
_INT32: Final = range(-(1 << 31), 1 << 31)


def asked_sentence(text: str, wording: Wording | None = None) -> SentenceMessage | None:
    """Return ``write_sentence`` of a text if a wording has messages; by default, that of the current call.

    ``None`` for an empty text.
    """
    return write_sentence(text) if text and (wording or caller_wording()).sentences else None


def asked_sentences(texts: Iterable[str]) -> list[SentenceMessage]:
    """Return ``write_sentence`` of texts if the current call asks for messages; none otherwise."""
    return list(map(write_sentence, texts)) if caller_wording().sentences else []


def write_sentence(text: str) -> SentenceMessage:
    """Return what a text of the rules or of the service is made of. Words that are no message become one."""
    parameter = _parameter(text)
    if parameter.HasField("sentence"):
        return parameter.sentence
    return SentenceMessage(id="words", parameters={"words": parameter})


def _parameter(value: Any) -> SentenceParameter:
    if type(value) is Sentence:
        if value.id == "verbatim":
            return SentenceParameter(text=value.parameters["words"])
        return SentenceParameter(sentence=_message(value))
    if isinstance(value, tuple):
        return SentenceParameter(list=SentenceParameterList(items=map(_parameter, value)))
    if isinstance(value, int) and value in _INT32:
        return SentenceParameter(number=value)
    text = str(value)
    if seat := _SEAT.fullmatch(text):
        return SentenceParameter(seat=int(seat[1]))
    if id_ := static_ids().get(text):
        return SentenceParameter(sentence=SentenceMessage(id=id_))
    return SentenceParameter(term=text) if key_of(text) in all_terms() else SentenceParameter(text=text)


def _message(sentence: Sentence) -> SentenceMessage:
    """Return a sentence with the parameters that its English text uses, so that it shows no more than the text."""
    used, given = _used(sentence.id), sentence.parameters
    parameters = {name: _parameter(value) for name, value in given.items() if used is None or name in used}
    return SentenceMessage(id=sentence.id, parameters=parameters)


@cache
def _used(id_: str) -> frozenset[str] | None:
    """Return the parameters of a message of the catalogue; ``None`` for a message that joins others."""
    message = catalogue(ENGLISH).messages.get(id_)
    return None if message is None else message.parameters
