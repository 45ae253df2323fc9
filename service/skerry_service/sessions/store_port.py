"""The ports of the session store and the archive. ``skerry_service.store`` implements them over Redis.

The log of a session is a list of *batches*. Each commit appends one packed batch: the log entries of one call, such as
a move with the chance and bot moves that follow it. The *head* of a session holds its record and a snapshot of the
game. Both derive from the log; the store keeps them so that nothing has to replay it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from msgspec import Struct

from skerry_service.domain.errors import SessionDamaged
from skerry_service.domain.packed import Head, Request
from skerry_service.sessions.lists.player_index_port import PlayerIndex
from skerry_service.sessions.match_port import MatchStore
from skerry_service.sessions.resources.resource_port import ResourceStore
from skerry_service.sessions.schedule_port import Schedule

REQUEST_WINDOW = 32
"""How many of its last requests the store remembers for each session, at least."""


class Summary(Struct, frozen=True):
    """The part of a session that lists show: its packed record, and the sequence that the record belongs to."""

    sequence: int
    record: bytes


class Tip(Struct, frozen=True):
    """The end of a session's log. Two sessions with equal tips have equal logs."""

    sequence: int
    chained_hash: bytes


class Commit(Struct, frozen=True):
    """One atomic write: the batch that takes a session from ``base`` to ``head.sequence``."""

    base: int
    batch: bytes
    head: Head
    record_changed: bool
    """Whether ``head.record`` differs from the stored record. If not, the store need not write it."""
    request: Request | None
    lifetime_ms: int | None
    """New time to live of the session; ``None`` leaves it as it is."""
    base_hash: bytes = b""
    """Chained hash of the head that the caller decided on."""
    added_keys: frozenset[bytes] = frozenset()
    """Index keys to add to a listed session. The store adds them before the commit, and keeps them if it fails."""
    created_ms: int = 0
    """Time of creation of the session, by which players' sessions are indexed."""
    seated: frozenset[str] = frozenset()
    """Players to add to the index of players, before the commit."""
    ended: frozenset[str] = frozenset()
    """Players for whom the session is over, marked once the commit is stored, or soon after."""
    removed_keys: frozenset[bytes] = frozenset()
    """Index keys to remove from it once the commit is stored, or soon after."""


class Stored(Struct, frozen=True):
    """The commit is in the log."""


class Conflict(Struct, frozen=True):
    """Nothing was written: the session is not at ``base``, or has another log up to there."""

    sequence: int


class Duplicate(Struct, frozen=True):
    """Nothing was written: the log already has a commit with this request id, in the batch that ends at ``last``."""

    last: int
    payload: bytes


class Gone(Struct, frozen=True):
    """Nothing was written: the session does not exist."""


class Damaged(Struct, frozen=True):
    """Nothing was written: the log is missing, or does not end where the head says."""


CommitResult = Stored | Conflict | Duplicate | Gone | Damaged


Listener = Callable[[bytes | None], None]
"""Receives each batch (packed) that is stored from now on, or ``None`` when some may have been missed.

The store calls it in the event loop. It may repeat a batch that the listener knows. It must return at once.
"""


class DeliveryStates(Protocol):
    """The state of each webhook delivery of a session. Raises as ``Store`` does."""

    async def read(self, session: str, slots: Sequence[str]) -> Sequence[bytes]:
        """Return the state of the deliveries in those slots of the session; empty bytes where none is stored."""

    async def change(self, session: str, slot: str, expected: bytes, value: bytes) -> bool:
        """Store the state of a delivery if it is ``expected`` now. Return whether it was, and the session exists."""


class ArchivedData(Struct, frozen=True):
    """Everything that is stored of a finished session. It no longer changes."""

    head: Head
    batches: tuple[bytes, ...]
    requests: Sequence[tuple[bytes, Duplicate]]
    """The session's last requests, by id."""


class ArchivePort(Protocol):
    """The archive, to which finished sessions move from the store."""

    async def find(self, session: str, seconds: float | None = None) -> ArchivedData | None:
        """Return a session, or ``None`` if the archive certainly has none of that id.

        ``seconds``: how long to wait for the archive, if other than usual. Raises StoreUnavailable if it does not
        respond in time, SessionDamaged, GameNotFound, RulesetUnsupported.
        """


class FinishedSessions(Protocol):
    """Whole sessions: how the store gives finished ones to the archive, and how a log is written anew.

    Raises as ``Store`` does.
    """

    async def read(self, session: str) -> ArchivedData | None:
        """Return everything that the store has of a session, or ``None`` if it does not exist."""

    async def delete(self, session: str, tip: Tip) -> bool:
        """Delete the session if that is its tip. Return whether the store no longer has the session."""

    async def replace(self, session: str, tip: Tip, data: ArchivedData) -> bool:
        """Write log, head and requests of a session anew if that is its tip. Return whether it was.

        The new log has as many entries, and batches that end with the same ones. Listeners read it again.
        """

    async def archive_id(self) -> bytes | None:
        """Return the id of the archive to which the store's sessions move, if one is set."""

    async def set_archive_id(self, archive: bytes) -> None:
        """Set the id of the archive to which sessions move, unless one is set already."""


class Store(Protocol):
    """The store of sessions.

    Every method but ``epoch`` can raise ``StoreUnavailable``. The write under way is then made whole or not at all,
    and the caller can safely repeat the call with the same request. ``create`` and ``commit`` can raise ``StoreFull``,
    with nothing written. Methods that read or write one session can raise ``SessionDamaged``.
    """

    @property
    def schedule(self) -> Schedule:
        """When which session is to be checked."""

    @property
    def deliveries(self) -> DeliveryStates:
        """The states of webhook deliveries."""

    @property
    def matching(self) -> MatchStore:
        """What the matchmaker stores."""

    @property
    def players(self) -> PlayerIndex:
        """The sessions of each vouched player."""

    @property
    def resources(self) -> ResourceStore:
        """Ladders and bots."""

    @property
    def epoch(self) -> str:
        """An opaque word that changes only when stored entries may have been lost (see ``Session.epoch``)."""

    async def create(
        self, session: str, commit: Commit, public_since_ms: int | None, index_keys: Iterable[bytes] = ()
    ) -> Head | None:
        """Store a new session. If one of that id exists, change nothing and return its head.

        ``commit.base`` is 0; ``commit.batch`` is empty if no entry exists yet. A session with ``public_since_ms`` is
        listed under that time, and under those index keys of 8 bytes each.
        """

    async def load(self, session: str) -> Head | None:
        """Return the head of a session, or ``None`` if it does not exist."""

    async def tip(self, session: str) -> Tip | None:
        """Return the session's sequence and chained hash, cheaply."""

    async def commit(self, session: str, commit: Commit) -> CommitResult:
        """Append the batch, write the head, remember the request and notify listeners: all at once or not at all."""

    async def find_request(self, session: str, request: Request) -> Duplicate | None:
        """Return where the log has that request id, if the store remembers it."""

    async def batches(self, session: str, after: int) -> Sequence[bytes]:
        """Return, in order, the packed batches that hold entries with a sequence greater than ``after``.

        The first of them may begin at or before ``after``.
        """

    async def list_sessions(
        self, before: tuple[int, str] | None, count: int, index_keys: Sequence[bytes] | None = None
    ) -> Sequence[tuple[int, str]]:
        """Return up to ``count`` listed sessions as (listed since ms, id), the newest first.

        ``before`` restricts the page to those that follow this pair in that order; ``index_keys`` to those listed
        under at least one of the keys. Some may have expired. The cost does not depend on how many others are listed.
        """

    async def summaries(self, sessions: Sequence[str]) -> Sequence[Summary | SessionDamaged | None]:
        """Return the summary of each of those sessions; ``None`` for one that does not exist."""

    async def relist(self, session: str, sequence: int, added: Iterable[bytes], removed: Iterable[bytes]) -> None:
        """Add and remove index keys of a listed session; do nothing for a session that is not listed.

        ``sequence``: the session's sequence as of which the change holds. If keys were added as of a later one,
        ``removed`` is ignored.
        """

    async def unlist(self, sessions: Sequence[str]) -> None:
        """Remove sessions from the list, with all their index keys."""

    async def uptime_ms(self) -> int:
        """Return the store's accumulated uptime in ms. Lifetimes, due times and presence are measured by it."""

    async def record_seen(self, seats: Sequence[tuple[str, int]]) -> None:
        """Record that the players of those seats, each as (session, seat), are present now."""

    async def last_seen(self, session: str, seats: int) -> Sequence[int]:
        """Return, for each of the session's seats, the uptime when its player was last present; 0: never."""

    async def forget_seen(self, session: str) -> None:
        """Remove what is recorded of the presence of the session's players."""

    async def walk(self, place: str, count: int) -> tuple[Sequence[str], str]:
        """Return about ``count`` sessions of a walk through all, and the place at which it goes on.

        An empty place is the beginning and the end. A session that exists during the whole walk comes at least once.
        Raises ValueError for a text that is no place.
        """

    async def listen(self, session: str, listener: Listener) -> None:
        """Call the listener for each batch of the session that any replica stores from now on."""

    async def unlisten(self, session: str, listener: Listener) -> None:
        """Stop calling the listener."""
