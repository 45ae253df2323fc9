"""The format of an archived session: one object, gzip of MessagePack, from which the API serves the whole session.

The log has commitments in place of names (``redaction.py``), and its hashes are chained over those. The object holds no
record and no snapshot, because both derive from the log.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable, Collection
from datetime import UTC, datetime

from msgspec import MsgspecError, Struct, msgpack
from msgspec.structs import replace

from skerry_service.archive.redaction import RedactedText, Texts, rewritten, shown, without
from skerry_service.domain.log import Batch, Created, chained_hash_of, pack, unpack_batch
from skerry_service.domain.record import Record
from skerry_service.sessions.store_port import ArchivedData, Duplicate

FORM = 1
MAGIC = b"\x1f\x8b"
"""The first bytes of an object: those of gzip."""
_MOST_BYTES = 64 * 2**20
"""Limit of an unpacked object. The longest log has far fewer bytes."""
_GZIP = 31
"""zlib's number for the format gzip."""


class ArchivedSession(Struct, frozen=True, array_like=True):
    """One session in the archive."""

    form: int
    session: str
    game: str
    ended_ms: int
    """When the game ended, in ms since the Unix epoch."""
    texts: tuple[RedactedText, ...]
    batches: tuple[bytes, ...]
    tip: bytes
    """Chained hash of the last batch of the archived log. It never changes."""
    origin: bytes
    """Chained hash of the log in the store; empty once a name is erased, because the hash covers the names."""
    requests: tuple[tuple[bytes, int, bytes], ...]
    """The last requests: id, the last sequence of their batch, and the hash of their payload."""


_decode = msgpack.Decoder(ArchivedSession).decode


def archived_from(record: Record, archived: ArchivedData) -> ArchivedSession:
    """Return the archived form of a finished session. Raises MsgspecError if its log cannot be read."""
    texts, batches, tip, ended_ms = Texts(), [], b"", 0
    for packed in archived.batches:
        batch = unpack_batch(packed)
        entries = tuple([rewritten(entry, texts.hide) for entry in batch.entries])
        batches.append(pack(replace(batch, entries=entries, after=tip)))
        tip, ended_ms = chained_hash_of(batches[-1]), batch.time_ms
    origin = archived.head.chained_hash
    requests = tuple([(request_id, found.last, found.payload) for request_id, found in archived.requests])
    return ArchivedSession(FORM, record.id, record.game, ended_ms, texts.all(), tuple(batches), tip, origin, requests)


def pack_session(kept: ArchivedSession) -> bytes:
    """Return the object of an archived session."""
    return gzip.compress(pack(kept), mtime=0)


def unpack_session(data: bytes) -> ArchivedSession:
    """Return the session of an object. Raises ValueError if it is damaged, or of an unknown form."""
    unzip = zlib.decompressobj(_GZIP)
    try:
        plain = unzip.decompress(data, _MOST_BYTES)
        if not unzip.eof:
            raise ValueError("it is cut off, or longer than any session")
        kept = _decode(plain)
    except (zlib.error, MsgspecError, RecursionError) as error:
        raise ValueError(f"it cannot be read: {error}") from None
    if kept.form != FORM:
        raise ValueError(f"it has form {kept.form}, which this version does not support")
    return kept


def restored(kept: ArchivedSession, *, nameless: bool = False) -> tuple[bytes, ...]:
    """Return the log in the form that a store has, with all names that are not erased; ``nameless``: with none.

    It equals the log that was archived byte for byte, except for webhooks, a spectator delay, and the names of a
    rematch. Raises ValueError if the log is damaged.
    """
    show, delay_ms, tip, after = shown(kept.texts), 0, b"", b""
    if nameless:
        show = _no_name
    batches: list[bytes] = []
    try:
        read = [unpack_batch(packed) for packed in kept.batches]
        if read and isinstance(read[0].entries[0], Created) and (delay := read[0].entries[0].record.delay):
            delay_ms = delay.ms + read[-1].uptime_ms
        for packed, batch in zip(kept.batches, read, strict=True):
            if batch.after != tip:
                raise ValueError(f"the chain of its log is broken before entry {batch.first}")
            tip = chained_hash_of(packed)
            batches.append(pack(_restored(batch, after, delay_ms, show)))
            after = chained_hash_of(batches[-1])
    except (MsgspecError, IndexError, RecursionError) as error:
        raise ValueError(f"its log cannot be read: {error}") from None
    if not tip:
        raise ValueError("it has no log")
    if tip != kept.tip:
        raise ValueError("its log is not the one that was archived")
    return tuple(batches)


def _no_name(commitment: str, is_id: bool) -> str:
    return ""


def _restored(batch: Batch, after: bytes, delay_ms: int, show: Callable[[str, bool], str]) -> Batch:
    """Return a batch with its names. The uptime of a delayed session is moved back, so that all of it is visible.

    The archive can outlive the store, so later uptimes cannot be compared with those of the log.
    """
    entries = tuple([rewritten(entry, show) for entry in batch.entries])
    return replace(batch, entries=entries, after=after, uptime_ms=batch.uptime_ms - delay_ms)


def requests_of(kept: ArchivedSession) -> tuple[tuple[bytes, Duplicate], ...]:
    """Return the last requests, in the form that a store has."""
    return tuple([(request_id, Duplicate(last, payload)) for request_id, last, payload in kept.requests])


def is_same(one: ArchivedSession, other: ArchivedSession) -> bool:
    """Whether both have the same log. Names may be erased in one of them, and salts always differ."""
    if _identity(one) != _identity(other):
        return False
    return not (one.origin and other.origin) or one.origin == other.origin


def _identity(kept: ArchivedSession) -> tuple[object, ...]:
    """Return the values that identify a session. The salt of its tokens is random."""
    created = unpack_batch(kept.batches[0]).entries[0]
    salt = created.record.salt if isinstance(created, Created) else b""
    return kept.session, salt, kept.ended_ms, len(kept.batches)


def forget(kept: ArchivedSession, texts: Collection[str]) -> ArchivedSession:
    """Return the session without those names and ids. Its log and the chain of hashes do not change.

    The unsalted hashes that cover names are removed too, because they would confirm a guess at a name.
    """
    left = without(kept.texts, texts)
    return kept if left == kept.texts else replace(kept, texts=left, origin=b"", requests=())


def day_of(kept: ArchivedSession) -> str:
    """Return the day on which the game ended (UTC), as YYYY-MM-DD."""
    return datetime.fromtimestamp(kept.ended_ms / 1000, UTC).date().isoformat()
