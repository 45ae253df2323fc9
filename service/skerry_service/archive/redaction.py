"""Redaction of personal texts. An archived log holds a commitment for each text; the text itself can be erased.

A commitment is ``blake2b`` of the text with a salt as its key. The chained hashes of an archived log cover commitments,
so they stay valid when a text and its salt are erased. Without the salt, a guess at the text cannot be checked.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from hashlib import blake2b
from secrets import token_bytes

from msgspec import Struct
from msgspec.structs import replace

from skerry_service.domain.log import Created, Entry, Joined, WebhookSet
from skerry_service.domain.record import Record, SeatRecord
from skerry_service.domain.seating.display_names import FORGOTTEN

_BYTES = 16


class RedactedText(Struct, frozen=True, array_like=True):
    """A display name, or the id of a player in a frontend."""

    commitment: str
    """The value in its place in the log: 32 hexadecimal digits."""
    is_id: bool
    salt: bytes
    """Empty once the text is erased."""
    text: str
    """Empty once it is erased."""


class Texts:
    """Collects the texts of a log while it is archived."""

    def __init__(self, salt: Callable[[int], bytes] = token_bytes) -> None:
        self._salt = salt
        self._texts: dict[tuple[str, bool], RedactedText] = {}

    def hide(self, text: str, is_id: bool) -> str:
        """Return the commitment to a text; empty for an empty text."""
        if not text:
            return ""
        found = self._texts.get((text, is_id))
        if found is None:
            salt = self._salt(_BYTES)
            found = self._texts[text, is_id] = RedactedText(commitment_to(text, salt), is_id, salt, text)
        return found.commitment

    def all(self) -> tuple[RedactedText, ...]:
        """Return all texts, in the order of their first use."""
        return tuple(self._texts.values())


def commitment_to(text: str, salt: bytes) -> str:
    """Return the commitment to a text, as 32 hexadecimal digits."""
    return blake2b(text.encode(), digest_size=_BYTES, key=salt).hexdigest()


def shown(texts: Iterable[RedactedText]) -> Callable[[str, bool], str]:
    """Return a function from commitment to text. Raises ValueError if a commitment does not match its text.

    Erased names read "Forgotten 1", "Forgotten 2" and so on; erased ids are empty.
    """
    found, names = {"": ""}, 0
    for one in texts:
        names += not one.is_id
        if one.salt and commitment_to(one.text, one.salt) != one.commitment:
            raise ValueError("a name does not match its commitment in the log")
        found[one.commitment] = one.text if one.salt else "" if one.is_id else f"{FORGOTTEN} {names}"

    def show(commitment: str, is_id: bool) -> str:
        if commitment not in found:
            raise ValueError("its log has a commitment without a name")
        return found[commitment]

    return show


def without(texts: Iterable[RedactedText], forgotten: Collection[str]) -> tuple[RedactedText, ...]:
    """Return the texts with the ``forgotten`` ones erased. Their commitments stay."""
    return tuple([replace(one, salt=b"", text="") if one.text in forgotten else one for one in texts])


def _has_names(record: Record) -> bool:
    """Whether a session had a name at its creation, as a rematch has."""
    return any(one.name or one.player_id for one in record.seats)


def rewritten(entry: Entry, write: Callable[[str, bool], str]) -> Entry:
    """Return an entry with each personal text replaced by ``write(text, is_id)``, and without webhooks."""
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
    # The hash of the request has no salt. For a rematch it would confirm a guess at its names.
    request = b"" if _has_names(record) else record.request
    return replace(record, seats=seats, seats_at_start=seats_at_start, webhook=None, request=request)


def _seat(one: SeatRecord, write: Callable[[str, bool], str]) -> SeatRecord:
    return replace(one, name=write(one.name, False), player_id=write(one.player_id, True), webhook=None)


def as_archived(record: Record) -> Record:
    """Return a record without the values that an archived log does not reproduce."""
    return replace(_record(record, lambda text, is_id: text), request=b"")
