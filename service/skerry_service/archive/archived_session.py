"""What the archive keeps of a session: one object, gzip of MessagePack, from which all is told that was told before.

The log is kept with commitments in place of names (``people``) and chained anew over that. Record and snapshot are
not kept: they are the fold of the log.
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
"""Of gzip: what an object begins with."""
_MOST_BYTES = 64 * 2**20
"""Of an object when it is unpacked. The longest log has far less."""
_GZIP = 31
"""What zlib calls that format."""


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
    """Chained hash of the last batch as it is kept here. It never changes."""
    origin: bytes
    """Chained hash of the log as it was in the store; empty once somebody is forgotten, as names went into it."""
    requests: tuple[tuple[bytes, int, bytes], ...]
    """The last requests: id, the entry with which their batch ends, hash of what they asked."""


_decode = msgpack.Decoder(ArchivedSession).decode


def kept_of(record: Record, archived: ArchivedData) -> ArchivedSession:
    """Return what is kept of a finished session. Raises MsgspecError if its log cannot be read."""
    texts, batches, tip, ended_ms = Texts(), [], b"", 0
    for packed in archived.batches:
        batch = unpack_batch(packed)
        entries = tuple([rewritten(entry, texts.hide) for entry in batch.entries])
        batches.append(pack(replace(batch, entries=entries, after=tip)))
        tip, ended_ms = chained_hash_of(batches[-1]), batch.time_ms
    origin = archived.head.chained_hash
    requests = tuple([(one, done.last, done.payload) for one, done in archived.requests])
    return ArchivedSession(FORM, record.id, record.game, ended_ms, texts.all(), tuple(batches), tip, origin, requests)


def pack_kept(kept: ArchivedSession) -> bytes:
    """Return a session as the archive keeps it."""
    return gzip.compress(pack(kept), mtime=0)


def unpack_kept(data: bytes) -> ArchivedSession:
    """Return the session that an object holds. Raises ValueError if it is damaged, or of a form not known here."""
    unzip = zlib.decompressobj(_GZIP)
    try:
        plain = unzip.decompress(data, _MOST_BYTES)
        if not unzip.eof:
            raise ValueError("it is cut off, or longer than any session")
        kept = _decode(plain)
    except (zlib.error, MsgspecError, RecursionError) as error:
        raise ValueError(f"it cannot be read: {error}") from None
    if kept.form != FORM:
        raise ValueError(f"it is of form {kept.form}, of which this build knows nothing")
    return kept


def restored(kept: ArchivedSession, *, nameless: bool = False) -> tuple[bytes, ...]:
    """Return the log as a store has it, with every name that is not forgotten, or with none at all.

    Raises ValueError if it is damaged.

    It is the very log that was archived, byte for byte, but where there was a webhook in it or a delay, or it was of a
    rematch.
    """
    show, delay_ms, tip, after = shown(kept.texts), 0, b"", b""
    if nameless:
        show = _show_nothing
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


def _show_nothing(commitment: str, is_id: bool) -> str:
    return ""


def _restored(batch: Batch, after: bytes, delay_ms: int, show: Callable[[str, bool], str]) -> Batch:
    """Return a batch as it was. Where a session was shown late its age is such that all is shown by now.

    An archive can outlive the store whose age it was.
    """
    entries = tuple([rewritten(entry, show) for entry in batch.entries])
    return replace(batch, entries=entries, after=after, uptime_ms=batch.uptime_ms - delay_ms)


def requests_of(kept: ArchivedSession) -> tuple[tuple[bytes, Duplicate], ...]:
    """Return the last requests, as a store has them."""
    return tuple([(one, Duplicate(last, payload)) for one, last, payload in kept.requests])


def is_same(one: ArchivedSession, other: ArchivedSession) -> bool:
    """Whether both are of the same log, though names may be forgotten in one, and salts are never the same."""
    if _what_it_is(one) != _what_it_is(other):
        return False
    return not (one.origin and other.origin) or one.origin == other.origin


def _what_it_is(kept: ArchivedSession) -> tuple[object, ...]:
    """Return what tells a session from all others: nobody draws the salt of its tokens a second time."""
    created = unpack_batch(kept.batches[0]).entries[0]
    salt = created.record.salt if isinstance(created, Created) else b""
    return kept.session, salt, kept.ended_ms, len(kept.batches)


def forget(kept: ArchivedSession, texts: Collection[str]) -> ArchivedSession:
    """Return the session without those names and ids. Its log, and the chain of its hashes, stay as they are.

    What is taken away with them would tell whether a guess at a name is right: hashes that it went into, without salt.
    """
    left = without(kept.texts, texts)
    return kept if left == kept.texts else replace(kept, texts=left, origin=b"", requests=())


def day_of(kept: ArchivedSession) -> str:
    """Return the day on which the game ended, UTC."""
    return datetime.fromtimestamp(kept.ended_ms / 1000, UTC).date().isoformat()
