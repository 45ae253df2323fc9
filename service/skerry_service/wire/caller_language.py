"""The language of the current call's response, and texts in it."""

from __future__ import annotations

from contextvars import ContextVar
from functools import lru_cache

from skerry_games.languages.catalogues import ENGLISH, accepted_languages, negotiated
from skerry_games.languages.translation import in_language

ACCEPT_LANGUAGE, CONTENT_LANGUAGE = "accept-language", "content-language"
"""The headers, or metadata, of a request and of its response."""
_LONGEST_HEADER = 200
_current: ContextVar[str] = ContextVar("caller's language", default=ENGLISH)


def language_of(header: bytes) -> str:
    """Return the language for an ``Accept-Language`` header: English if the header accepts no supported language."""
    return _negotiated(header[:_LONGEST_HEADER])


@lru_cache(maxsize=256)
def _negotiated(header: bytes) -> str:
    return negotiated(tuple(accepted_languages(header.decode("latin-1")))) or ENGLISH


def enter_language(language: str) -> None:
    """Set the language of the call that the current task answers."""
    _current.set(language)


def caller_language() -> str:
    """Return the language of the current call; English outside of a call."""
    return _current.get()


def localized_reason(reason: str) -> str:
    """Return the reason for which a game ended in the language of the current call. It begins with a rule's id."""
    rule, colon, sentence = reason.partition(": ")
    return f"{rule}: {localized(sentence)}" if colon else localized(reason)


def localized(text: str) -> str:
    """Return a text of the rules or of the service in the language of the current call."""
    return in_language(text, _current.get())
