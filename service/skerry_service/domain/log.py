"""The log of a session: its entries in order. It is the source of truth; ``table.apply_entry`` derives all else."""

from __future__ import annotations

from hashlib import blake2b

from msgspec import Raw, Struct, msgpack

from skerry_games.api import CHANCE
from skerry_service.domain.record import RANDOM, Cause, Emote, Labels, Record, Webhook


class Created(Struct, frozen=True, array_like=True, tag="c"):
    """The session was created. Always the first entry, and only the first."""

    record: Record


class Joined(Struct, frozen=True, array_like=True, tag="j"):
    """A player took a seat: in the lobby, or in play a seat that the host had opened."""

    seat: int
    name: str
    token: bytes
    """Digest of the seat's token."""
    player_id: str = ""
    entropy: bytes = b""
    """See ``SeatRecord.entropy``. Empty in play."""


class Left(Struct, frozen=True, array_like=True, tag="l"):
    """A player left a seat. In the lobby the seat is open again; in play a substitute takes over."""

    seat: int


class Returned(Struct, frozen=True, array_like=True, tag="b"):
    """The seat's owner took it back from the substitute, or is no longer away."""

    seat: int


class Recovered(Struct, frozen=True, array_like=True, tag="v"):
    """The seat's player has proved to be the same, and got a new token. The old token is void."""

    seat: int
    token: bytes
    """Digest of the new token."""


class Resigned(Struct, frozen=True, array_like=True, tag="g"):
    """A player resigned: the seat has lost."""

    seat: int


class SeatOpened(Struct, frozen=True, array_like=True, tag="o"):
    """The host opened a seat to new players: an abandoned one, or that of a player who did not respond."""

    seat: int


class Away(Struct, frozen=True, array_like=True, tag="a"):
    """The seat's player has become absent."""

    seat: int
    last_seen_ms: int
    """Store uptime at which the player was last seen."""


class TimedOut(Struct, frozen=True, array_like=True, tag="t"):
    """The seat's player timed out. ``Record.timeout_action`` says what follows."""

    seat: int
    cause: Cause


class Cancelled(Struct, frozen=True, array_like=True, tag="x"):
    """The session was cancelled."""

    by_operator: bool = False
    """Whether the operator cancelled it; otherwise the host did."""


class Nudged(Struct, frozen=True, array_like=True, tag="k"):
    """A player nudged another one, whose seat owes a decision."""

    seat: int
    by: int
    owed_ms: int
    """How long the seat had owed the decision."""


class Emoted(Struct, frozen=True, array_like=True, tag="e"):
    """A player sent an emote to the table."""

    seat: int
    emote: Emote
    uptime_ms: int
    """Store uptime at the call, by which the next emote is limited."""


class WebhookSet(Struct, frozen=True, array_like=True, tag="w"):
    """A player or the host set, replaced or removed a webhook."""

    seat: int | None
    """``None`` for the host."""
    webhook: Webhook | None


class Removed(Struct, frozen=True, array_like=True, tag="r"):
    """The host removed a player in the lobby: the seat is open again."""

    seat: int


class Labelled(Struct, frozen=True, array_like=True, tag="n"):
    """The host replaced the labels of the session."""

    labels: Labels


class Started(Struct, frozen=True, array_like=True, tag="s"):
    """The game began. Bots took the open seats, or the session removed those seats."""

    fill_with_bots: bool
    level: str = RANDOM
    """The level of the bots that took open seats."""


class Moved(Struct, frozen=True, array_like=True, tag="m"):
    """A seat or chance moved."""

    actor: int
    move: Raw
    """The game's move, serialized."""
    automatic: bool = False
    """Whether a bot moved. The move follows from the seed if the seat's level is ``record.RANDOM``."""

    @property
    def by_seat(self) -> bool:
        """Whether a seat moved, not chance."""
        return self.actor != CHANCE


class TimedMove(Moved, frozen=True, array_like=True, tag="u"):
    """A player's move in a session with a clock."""

    charged_ms: int = 0
    """The time charged to the seat."""
    allowance_ms: int = 0
    """The network allowance: the rest of the time from the start of the turn to the arrival of the move."""


class Undone(Struct, frozen=True, array_like=True, tag="z"):
    """A seat took back its latest move. The state of the game is the one before that move."""

    seat: int
    first: int
    """Sequence of the move."""
    charged_ms: int = 0
    """In a session with a clock: the time since the seat's first move of the run was owed, all charged to the seat."""


PresenceEntry = Left | Away | Returned | TimedOut | Recovered
HostEntry = SeatOpened | Removed | Labelled | Started | Cancelled
Entry = (
    Created | Joined | PresenceEntry | Resigned | Nudged | Emoted | WebhookSet | HostEntry | Moved | TimedMove | Undone
)
"""One entry of the log. Its sequence follows from its position in the log."""


class Batch(Struct, frozen=True, array_like=True):
    """The entries of one commit, stored together."""

    first: int
    """Sequence of the first entry, counted from 1. The other entries follow without a gap."""
    time_ms: int
    """Milliseconds since the Unix epoch."""
    entries: tuple[Entry, ...]
    after: bytes
    """Chained hash of the previous batch; empty in the first one."""
    uptime_ms: int = 0
    """Store uptime at the commit, in sessions with a clock, a spectator delay, or seats that the host can open because
    their players do not respond; otherwise 0."""

    @property
    def last(self) -> int:
        """Sequence of the last entry."""
        return self.first + len(self.entries) - 1


def chained_hash_of(packed: bytes) -> bytes:
    """Return the chained hash of a serialized batch. The batch holds its predecessor's hash, so this covers the log."""
    return blake2b(packed, digest_size=8).digest()


pack = msgpack.Encoder().encode
unpack_batch = msgpack.Decoder(Batch).decode
