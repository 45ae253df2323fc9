"""What sessions need of a store. ``skerry_service.store`` keeps them in Redis, ``memory`` in this process.

A session is a log of *batches*: one batch for each commit, packed, with the log entries that one call brought
(a move, then the chance and bot moves that followed from it). Beside the log stands its *head*: the record and a
snapshot of the game, both derived from the log and kept to save replaying it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from msgspec import Struct

from skerry_service.domain.errors import SessionDamaged
from skerry_service.domain.packed import Head, Request

REQUEST_WINDOW = 32
"""How many of a session's last requests are remembered at the least."""


class Summary(Struct, frozen=True):
    """What is told of a session in a list: its packed record and the sequence that it belongs to."""

    sequence: int
    record: bytes


class Tip(Struct, frozen=True):
    """Where a session stands: two equal tips have the same log behind them."""

    sequence: int
    chained_hash: bytes


class Commit(Struct, frozen=True):
    """One atomic write: the batch that takes a session from ``base`` to ``head.sequence``."""

    base: int
    batch: bytes
    head: Head
    record_changed: bool
    """Whether ``head.record`` differs from what is stored; if not it need not be written."""
    request: Request | None
    lifetime_ms: int | None
    """New time to live of the session, or ``None`` to leave it as it is."""
    base_hash: bytes = b""
    """The chained hash of the head that was decided on."""
    enters: frozenset[bytes] = frozenset()
    """Facets that a listed session is found under from before the commit on, whatever becomes of that."""
    leaves: frozenset[bytes] = frozenset()
    """Those that it is found under no longer once this is stored, or soon after."""


class Stored(Struct, frozen=True):
    """The commit is in the log."""


class Conflict(Struct, frozen=True):
    """Nothing was written: the session does not stand at ``base``, or stands there with another log behind it."""

    sequence: int


class Duplicate(Struct, frozen=True):
    """Nothing was written: a commit with this request id is in the log already, in the batch ending at ``last``."""

    last: int
    payload: bytes


class Gone(Struct, frozen=True):
    """Nothing was written: there is no such session."""


class Damaged(Struct, frozen=True):
    """Nothing was written: the log is not there, or does not end where the head says."""


CommitResult = Stored | Conflict | Duplicate | Gone | Damaged


class Register(Struct, frozen=True):
    """Something small that replicas know of together, and each change from what it was."""

    version: bytes
    """Another one whenever it was written."""
    value: bytes


Listener = Callable[[bytes | None], None]
"""Called in the event loop with each batch stored from now on (packed), or with ``None`` when some may have been
missed. It may be called for batches that the listener knows already, and must return at once."""


class DeliveryIndex(Protocol):
    """What is still to be told outside: at which sessions to look for it and when, and how far it has come.

    Raises as ``Store`` does. Time is the age of the store.
    """

    async def schedule(self, session: str, after_ms: int) -> None:
        """Have the session looked at after that time, or when it was to be if that is earlier."""

    async def due(self, most: int, again_ms: int) -> Sequence[tuple[str, int]]:
        """Return up to so many sessions to look at now, each with a lease, and put each off by that time."""

    async def release(self, session: str, lease: int, after_ms: int | None) -> None:
        """Have the session looked at after that time; ``None``: not again. Nothing if others have said when since."""

    async def states(self, session: str, places: Sequence[str]) -> Sequence[bytes]:
        """Return what was marked at those places of the session; empty where nothing was."""

    async def set_state(self, session: str, place: str, before: bytes, after: bytes) -> bool:
        """Mark something in place of what was there before. Return whether that was there, and the session is."""


class ArchivedData(Struct, frozen=True):
    """A finished session as it is read back: what a store has of it, and never changes again."""

    head: Head
    batches: tuple[bytes, ...]
    requests: Sequence[tuple[bytes, Duplicate]]
    """The last requests that were carried out at it, by their ids."""


class ArchivePort(Protocol):
    """Where finished sessions go that leave the store."""

    async def find(self, session: str, seconds: float | None = None) -> ArchivedData | None:
        """Return a session, or ``None`` if it is certain that there is none of that id.

        ``seconds``: after which an answer is not waited for any more, if other than usual. Raises StoreUnavailable if
        the archive does not answer, SessionDamaged, GameNotFound, RulesetUnsupported.
        """


class FinishedIndex(Protocol):
    """Sessions that are over and are to leave the store for an archive: at which to look and when, and how they leave.

    Raises as ``Store`` does. Time is the age of the store.
    """

    async def schedule(self, session: str, after_ms: int) -> None:
        """Have the session looked at after that time, unless it has been noted already."""

    async def due(self, most: int, again_ms: int) -> Sequence[str]:
        """Return up to so many sessions to look at now, and put each off by that time: others look at others."""

    async def reschedule(self, session: str, after_ms: int) -> None:
        """Have a session that was noted looked at after that time."""

    async def unschedule(self, session: str) -> None:
        """Look at the session no more."""

    async def read(self, session: str) -> ArchivedData | None:
        """Return what the store has of a session, or ``None`` if it has none of that id."""

    async def delete(self, session: str, tip: Tip) -> bool:
        """Delete the session if it stands there. Return whether the store does not have it any more."""

    async def archive_id(self) -> bytes | None:
        """Return the id of the archive to which sessions move, if one has been named."""

    async def set_archive_id(self, archive: bytes) -> None:
        """Name the archive to which sessions move from now on, unless one has been named."""


class Store(Protocol):
    """Where sessions live. Every method but ``epoch`` can raise ``StoreUnavailable``; what it was about to write is
    then written whole or not at all, and repeating the call with the same request is safe. ``create`` and ``commit``
    can raise ``StoreFull``, with nothing written; what reads or writes one session, ``SessionDamaged``."""

    @property
    def deliveries(self) -> DeliveryIndex:
        """What is still to be told outside."""

    @property
    def epoch(self) -> str:
        """Opaque; changes only when stored entries may have been lost (see ``Session.epoch``)."""

    async def create(
        self, session: str, commit: Commit, public_since_ms: int | None, index_keys: Iterable[bytes] = ()
    ) -> Head | None:
        """Store a new session, if there is none of that id. Return the head of the one that is there already.

        ``commit.base`` is 0; ``commit.batch`` is empty when no entry exists yet. A session with
        ``public_since_ms`` is listed under that time, and found there under those index_keys, 8 bytes each.
        """

    async def load(self, session: str) -> Head | None:
        """Return the head of a session, or ``None`` if there is no such session."""

    async def tip(self, session: str) -> Tip | None:
        """Return the session's sequence and chained hash, cheaply."""

    async def commit(self, session: str, commit: Commit) -> CommitResult:
        """Append the batch, write the head, remember the request and tell listeners, all at once or not at all."""

    async def find_request(self, session: str, request: Request) -> Duplicate | None:
        """Return where that request id was carried out, if it is among those remembered."""

    async def batches(self, session: str, after: int) -> Sequence[bytes]:
        """Return, in order, the packed batches that hold entries with a sequence greater than ``after``.

        The first of them may begin at or before ``after``."""

    async def public(
        self, before: tuple[int, str] | None, count: int, index_keys: Sequence[bytes] | None = None
    ) -> Sequence[tuple[int, str]]:
        """Return up to ``count`` listed sessions as (listed since ms, id), the newest first.

        ``before``: only those that stand behind that pair in this order; ``index_keys``: only those found under one of
        them. Some may have ended their lifetime. What it takes does not depend on how many others are listed.
        """

    async def summaries(self, sessions: Sequence[str]) -> Sequence[Summary | SessionDamaged | None]:
        """Return what lists tell of each of those sessions; ``None`` for one that is not there."""

    async def relist(self, session: str, sequence: int, enters: Iterable[bytes], leaves: Iterable[bytes]) -> None:
        """Have a listed session found under more index_keys, and under others no longer.

        ``sequence``: of the session, as of which that is so. Facets are left only if none was entered as of a later
        one. Nothing happens to a session that is not listed.
        """

    async def unlist(self, sessions: Sequence[str]) -> None:
        """Take sessions off the list, whatever they are found under."""

    async def schedule(self, session: str, after_ms: int = 0) -> None:
        """Have the session looked at after that time, or when it was to be if that is earlier.

        And again and again until it is forgotten about. See ``reminders``.
        """

    async def due_sessions(self, most: int, again_ms: int) -> Sequence[str]:
        """Return up to so many sessions whose turn it is to be looked at, and put each off by that time.

        Each is returned to one caller, or now and then to several who ask at once. Time is measured as lifetimes are.
        """

    async def reschedule(self, session: str, after_ms: int) -> None:
        """Have a session that is to be looked at looked at after that time, and not before."""

    async def unschedule(self, session: str) -> None:
        """Forget about it, and about who was seen there."""

    async def read_register(self, name: str) -> Register | None:
        """Return the note of that name, if there is one."""

    async def write_register(self, name: str, value: bytes, keep_ms: int, version: bytes | None = None) -> bool:
        """Write a note, to be kept for at least about so long. Return whether it was written.

        ``version``: only in place of this one; empty: only if there is none; ``None``: whatever is there. An empty
        value takes the note away.
        """

    async def uptime_ms(self) -> int:
        """Return the age of the store: ms for which it has been served. Lifetimes are measured in it."""

    async def record_seen(self, seats: Sequence[tuple[str, int]]) -> None:
        """Note that the players of those seats, each of a session, have been seen now."""

    async def last_seen(self, session: str, seats: int) -> Sequence[int]:
        """Return the ages of the store at which the players of a session's seats were last seen; 0: never."""

    async def listen(self, session: str, listener: Listener) -> None:
        """Call the listener for each batch of the session that is stored from now on, by whatever replica."""

    async def unlisten(self, session: str, listener: Listener) -> None:
        """Stop calling it."""
