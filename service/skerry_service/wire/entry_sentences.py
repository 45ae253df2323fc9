"""The entries of a log as sentences, for people and language models."""

from __future__ import annotations

from skerry.v1 import session_pb2

CANCELLED = "The session is cancelled."
_SENTENCES = {
    "left": "The player of seat {seat} leaves.",
    "returned": "The player of seat {seat} returns.",
    "recovered": "The player of seat {seat} continues with a new token.",
    "away": "The player of seat {seat} is away.",
    "timed_out": "The player of seat {seat} ran out of time.",
    "resigned": "The player of seat {seat} resigns.",
    "undone": "Seat {seat} takes back a move.",
    "nudged": "The player of seat {seat} is nudged.",
    "emoted": "The player of seat {seat} says: {words}",
    "seat_opened": "The host opens seat {seat} to other players.",
    "removed": "The host removes the player of seat {seat}.",
    "started": "The game begins.",
    "cancelled": CANCELLED,
}
"""The sentence of an entry, by its kind."""
_WORDS = {
    session_pb2.EMOTE_HELLO: "Hello!",
    session_pb2.EMOTE_GOOD_LUCK: "Good luck!",
    session_pb2.EMOTE_WELL_PLAYED: "Well played!",
    session_pb2.EMOTE_THANKS: "Thanks!",
    session_pb2.EMOTE_OOPS: "Oops!",
    session_pb2.EMOTE_GOOD_GAME: "Good game!",
}


def sentences(entry: session_pb2.Entry) -> list[str]:
    """Return the sentences of an entry; none for entries that do not concern the game."""
    kind = entry.WhichOneof("kind") or ""
    if kind == "moved":
        return [event.text for event in entry.moved.events]
    if kind == "joined":
        return [f"{entry.joined.display_name} takes seat {entry.seat}."]
    words = _WORDS.get(entry.emoted.emote, "…")
    return [_SENTENCES[kind].format(seat=entry.seat, words=words)] if kind in _SENTENCES else []
