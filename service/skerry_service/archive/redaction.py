"""What a log says of people, apart from the log: in it stands a commitment, and the text beside it can be taken away.

A commitment is ``blake2b`` over the text, keyed with a salt of its own. The chained hashes of an archived log are taken
over commitments, so they stay true when a text and its salt are gone; and without the salt no guess can be tried.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from hashlib import blake2b
from secrets import token_bytes

from msgspec import Struct
from msgspec.structs import replace

from skerry_service.domain.log import Created, Entry, Joined, WebhookSet
from skerry_service.domain.record import Record, SeatRecord

_BYTES = 16


class RedactedText(Struct, frozen=True, array_like=True):
    """A display name, or the id by which a frontend knows a player."""

    commitment: str
    """What stands in its place in the log: 32 hexadecimal digits."""
    is_id: bool
    salt: bytes
    """Empty once the text is forgotten."""
    text: str
    """Likewise."""


class Texts:
    """The texts of a log, while it is being written."""

    def __init__(self, salt: Callable[[int], bytes] = token_bytes) -> None:
        self._salt = salt
        self._texts: dict[tuple[str, bool], RedactedText] = {}

    def hide(self, text: str, is_id: bool) -> str:
        """Return the commitment to a text; an empty one is none."""
        if not text:
            return ""
        found = self._texts.get((text, is_id))
        if found is None:
            salt = self._salt(_BYTES)
            found = self._texts[text, is_id] = RedactedText(commitment_to(text, salt), is_id, salt, text)
        return found.commitment

    def all(self) -> tuple[RedactedText, ...]:
        """Return all of them, in the order in which they were met."""
        return tuple(self._texts.values())


def commitment_to(text: str, salt: bytes) -> str:
    """Return what stands for a text in an archived log."""
    return blake2b(text.encode(), digest_size=_BYTES, key=salt).hexdigest()


def shown(texts: Iterable[RedactedText]) -> Callable[[str, bool], str]:
    """Return what shows the text that a commitment stands for. Raises ValueError for one that does not fit its text.

    Who is forgotten is called "Forgotten 1", "Forgotten 2" and so on, and has no id.
    """
    found, names = {"": ""}, 0
    for one in texts:
        names += not one.is_id
        if one.salt and commitment_to(one.text, one.salt) != one.commitment:
            raise ValueError("a name is not the one that its log commits to")
        found[one.commitment] = one.text if one.salt else "" if one.is_id else f"Forgotten {names}"

    def show(commitment: str, is_id: bool) -> str:
        if commitment not in found:
            raise ValueError("its log commits to a name that is not there")
        return found[commitment]

    return show


def without(texts: Iterable[RedactedText], forgotten: Collection[str]) -> tuple[RedactedText, ...]:
    """Return the texts, those taken away that are to be forgotten. What stood for them stays."""
    return tuple([replace(one, salt=b"", text="") if one.text in forgotten else one for one in texts])


def _names_somebody(record: Record) -> bool:
    """Whether somebody's name stood in a session when it was created, as in a rematch."""
    return any(one.name or one.player_id for one in record.seats)


def rewritten(entry: Entry, write: Callable[[str, bool], str]) -> Entry:
    """Return an entry with another text for each one about a person. Webhooks are left out: nobody needs them again."""
    match entry:
        case Created(record):
            return Created(_record(record, write))
        case Joined():
            return replace(entry, name=write(entry.name, False), player_id=write(entry.player_id, True))
        case WebhookSet():
            return replace(entry, webhook=None)
    return entry


def _record(record: Record, write: Callable[[str, bool], str]) -> Record:
    seats = tuple([_seat(one, write) for one in record.seats])
    seats_at_start = tuple([_seat(one, write) for one in record.seats_at_start])
    # The hash of what was asked for is without salt: of a rematch it would tell whether a guess at its names is right.
    request = b"" if _names_somebody(record) else record.request
    return replace(record, seats=seats, seats_at_start=seats_at_start, webhook=None, request=request)


def _seat(one: SeatRecord, write: Callable[[str, bool], str]) -> SeatRecord:
    return replace(one, name=write(one.name, False), player_id=write(one.player_id, True), webhook=None)


def without_what_is_left_out(record: Record) -> Record:
    """Return a record without what an archived log does not lead to."""
    return replace(_record(record, lambda text, is_id: text), request=b"")
