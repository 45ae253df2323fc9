"""The entries of a log as sentences, for people and language models."""

from __future__ import annotations

from skerry.v1 import session_pb2
from skerry_service.domain.languages.phrases import phrase, verbatim
from skerry_service.wire.caller_language import localized

CANCELLED = "The session is cancelled."
_OF_SEATS = {
    "left": "entry-left",
    "returned": "entry-returned",
    "recovered": "entry-recovered",
    "away": "entry-away",
    "timed_out": "entry-timed-out",
    "resigned": "entry-resigned",
    "undone": "entry-undone",
    "nudged": "entry-nudged",
    "seat_opened": "entry-seat-opened",
    "removed": "entry-removed",
}
"""The message of an entry about a seat, by its kind."""
_OTHERS = {"started": "The game begins.", "cancelled": CANCELLED}
_WORDS = {
    session_pb2.EMOTE_HELLO: "Hello!",
    session_pb2.EMOTE_GOOD_LUCK: "Good luck!",
    session_pb2.EMOTE_WELL_PLAYED: "Well played!",
    session_pb2.EMOTE_THANKS: "Thanks!",
    session_pb2.EMOTE_OOPS: "Oops!",
    session_pb2.EMOTE_GOOD_GAME: "Good game!",
}


def sentences(entry: session_pb2.Entry) -> list[str]:
    """Return the sentences of an entry in the language of the current call; none if it does not concern the game."""
    kind = entry.WhichOneof("kind") or ""
    if kind == "moved":
        return [event.text for event in entry.moved.events]
    return [localized(sentence)] if (sentence := _sentence(entry, kind)) else []


def _sentence(entry: session_pb2.Entry, kind: str) -> str | None:
    if kind == "joined":
        return phrase("entry-joined", name=verbatim(entry.joined.display_name), seat=entry.seat)
    if kind == "emoted":
        return phrase("entry-emoted", seat=entry.seat, words=_WORDS.get(entry.emoted.emote, "…"))
    return phrase(_OF_SEATS[kind], seat=entry.seat) if kind in _OF_SEATS else _OTHERS.get(kind)
