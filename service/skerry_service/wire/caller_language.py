"""The wording of the current call's response: its language, and whether texts come with what they are made of."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, lru_cache
from typing import Final

from skerry_games.languages.catalogues import ENGLISH, accepted_languages, languages, negotiated
from skerry_games.languages.translation import in_language

ACCEPT_LANGUAGE, CONTENT_LANGUAGE = "accept-language", "content-language"
"""The headers, or metadata, of a request and of its response."""
SENTENCES = "skerry-sentences"
"""The header, or metadata, of a request for what sentences are made of. Any value but ``true`` leaves them out."""
_LONGEST_HEADER = 200


class Wording:
    """A language, and whether texts come with what they are made of. Equal ones are the same object (``_wording``)."""

    __slots__ = ("language", "sentences")

    def __init__(self, language: str, *, sentences: bool) -> None:
        self.language = language
        self.sentences = sentences


@cache
def _wording(language: str, *, sentences: bool) -> Wording:
    return Wording(language, sentences=sentences)


_DEFAULT: Final = _wording(ENGLISH, sentences=False)
_current: ContextVar[Wording] = ContextVar("caller's wording", default=_DEFAULT)
language_report: ContextVar[Callable[[str], object]] = ContextVar("report of the language", default=len)
"""Called with the language of the response when the request names one. Transports set it that have sent none yet."""


def language_of(header: bytes) -> str:
    """Return the language for an ``Accept-Language`` header: English if the header accepts no supported language."""
    return _negotiated(header[:_LONGEST_HEADER])


@lru_cache(maxsize=256)
def _negotiated(header: bytes) -> str:
    return negotiated(tuple(accepted_languages(header.decode("latin-1")))) or ENGLISH


def enter_wording(accept_language: bytes | None, sentences: bytes | None) -> None:
    """Set the wording of the call that the current task answers, by its headers; ``None``: without that header."""
    language = ENGLISH if accept_language is None else language_of(accept_language)
    _current.set(_wording(language, sentences=sentences == b"true"))


def enter_language(tag: str) -> None:
    """Set the language of the current call as its request names it, in place of that of its headers."""
    wording = _wording(language_of(tag.encode()), sentences=_current.get().sentences)
    _current.set(wording)
    language_report.get()(wording.language)


def wordings() -> tuple[Wording, ...]:
    """Return all wordings, English without messages first."""
    return tuple(_wording(language, sentences=sentences) for sentences in (False, True) for language in languages())


@contextmanager
def worded(wording: Wording) -> Iterator[None]:
    """Set the wording, and restore that of the current call at the end, which can be in another context."""
    before = _current.get()
    _current.set(wording)
    try:
        yield
    finally:
        _current.set(before)


def caller_wording() -> Wording:
    """Return the wording of the current call, as a key of caches; English without more outside of a call."""
    return _current.get()


def caller_language() -> str:
    """Return the language of the current call; English outside of a call."""
    return _current.get().language


def says_language(*, accepts: bool) -> bool:
    """Return whether the response says its language. ``accepts``: whether the headers accept languages."""
    return accepts or caller_language() != ENGLISH


def localized(text: str) -> str:
    """Return a text of the rules or of the service in the language of the current call."""
    return in_language(text, caller_language())
