"""The log of a session: what was done, in order. Truth; everything else is a fold of it (``table.follow``)."""

from __future__ import annotations

from hashlib import blake2b

from msgspec import Raw, Struct, msgpack

from skerry_service.domain.record import RANDOM, Cause, Labels, Record, Webhook


class Created(Struct, frozen=True, array_like=True, tag="c"):
    """The session came to be. Always the first entry, and nowhere else."""

    record: Record


class Joined(Struct, frozen=True, array_like=True, tag="j"):
    """A player took a seat: in the lobby, or in play one that the host had opened."""

    seat: int
    name: str
    token: bytes
    """Digest of the seat's token."""
    player_id: str = ""


class Left(Struct, frozen=True, array_like=True, tag="l"):
    """A player left a seat: open again in the lobby, a substitute's in play."""

    seat: int


class Returned(Struct, frozen=True, array_like=True, tag="b"):
    """The seat's owner took it back from its substitute, or is no longer away."""

    seat: int


class Resigned(Struct, frozen=True, array_like=True, tag="g"):
    """A player gave the game up: the seat has lost."""

    seat: int


class SeatOpened(Struct, frozen=True, array_like=True, tag="o"):
    """The host opened the seat of a leaver: whoever joins has it."""

    seat: int


class Away(Struct, frozen=True, array_like=True, tag="a"):
    """The seat's player has not been seen for a while."""

    seat: int
    last_seen_ms: int
    """The age of the store at which the player was last seen."""


class TimedOut(Struct, frozen=True, array_like=True, tag="t"):
    """The seat's player did nothing for too long. What is done then, the record says."""

    seat: int
    cause: Cause


class Cancelled(Struct, frozen=True, array_like=True, tag="x"):
    """The session was called off."""

    by_operator: bool = False
    """Whether whoever runs the service did so; else the host."""


class Nudged(Struct, frozen=True, array_like=True, tag="k"):
    """A player was reminded, by another one, of the decision that the seat owes."""

    seat: int
    by: int
    owed_ms: int
    """For how long the decision had been owed."""


class WebhookSet(Struct, frozen=True, array_like=True, tag="w"):
    """A player, or the host, changed where they are told what happens."""

    seat: int | None
    """``None``: the host."""
    webhook: Webhook | None


class Removed(Struct, frozen=True, array_like=True, tag="r"):
    """The host removed a player in the lobby: the seat is open again."""

    seat: int


class Labelled(Struct, frozen=True, array_like=True, tag="n"):
    """The host named the labels that the session has from now on."""

    labels: Labels


class Started(Struct, frozen=True, array_like=True, tag="s"):
    """The game began; open seats went to bots, or away."""

    fill_with_bots: bool
    level: str = RANDOM
    """How the bots decide that took open seats."""


class Moved(Struct, frozen=True, array_like=True, tag="m"):
    """A seat or chance moved."""

    actor: int
    move: Raw
    """The game's move, packed."""
    automatic: bool = False
    """Whether a bot sat there. Its move follows from the seed if its seat's level is ``record.RANDOM``."""


class TimedMove(Moved, frozen=True, array_like=True, tag="u"):
    """A player moved whose time is measured."""

    charged_ms: int = 0
    """What was charged to the seat."""
    allowance_ms: int = 0
    """What was allowed for the network: the rest of the time from the turn to the arrival of the move."""


PresenceEntry = Left | Away | Returned | TimedOut
HostEntry = SeatOpened | Removed | Labelled | Started | Cancelled
Entry = Created | Joined | PresenceEntry | Resigned | Nudged | WebhookSet | HostEntry | Moved | TimedMove
"""One entry of the log. Its sequence follows from its place."""


class Batch(Struct, frozen=True, array_like=True):
    """The entries of one commit, stored together."""

    first: int
    """Sequence of the first entry, from 1; the others follow without a gap."""
    time_ms: int
    """Milliseconds since the Unix epoch."""
    entries: tuple[Entry, ...]
    after: bytes
    """Chained hash of the batch before, empty in the first one."""
    uptime_ms: int = 0
    """The age of the store when it was stored, where the time of players is measured or the game is shown late."""

    @property
    def last(self) -> int:
        """Sequence of the last entry."""
        return self.first + len(self.entries) - 1


def chained_hash_of(packed: bytes) -> bytes:
    """Return the chained hash of a packed batch: as that holds the one of the batch before, it sums up the log."""
    return blake2b(packed, digest_size=8).digest()


pack = msgpack.Encoder().encode
unpack_batch = msgpack.Decoder(Batch).decode
