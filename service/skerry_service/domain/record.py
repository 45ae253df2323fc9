"""The record of a session: all that is not the game itself. Stored packed beside the log."""

from __future__ import annotations

from enum import IntEnum
from hashlib import sha256

from msgspec import Struct, msgpack

from skerry_games.api import Outcome
from skerry_games.lazy import lazy_property


class Occupant(IntEnum):
    """Who sits on a seat. The numbers are stored, and equal those of the API."""

    OPEN = 1
    PLAYER = 2
    BOT = 3
    KEPT = 24


class Phase(IntEnum):
    """Where a session is in its life. The numbers are stored, and equal those of the API."""

    LOBBY = 1
    PLAYING = 2
    FINISHED = 3
    CANCELLED = 4


class Visibility(IntEnum):
    """Who finds the session in a listing."""

    PUBLIC = 1
    UNLISTED = 2


class Spectating(IntEnum):
    """Who may look on without a seat."""

    ANYONE = 1
    INVITED = 2
    NOBODY = 3


class Cause(IntEnum):
    """Why a substitute plays a seat. The numbers are stored, and equal those of the API."""

    LEFT = 1
    RESIGNED = 2
    ABSENT = 3
    OUT_OF_TIME = 4


class TimeoutAction(IntEnum):
    """What is done for a seat whose player does nothing. The numbers are stored, and equal those of the API."""

    SUBSTITUTE = 1
    END = 2
    MOVE = 3


MAX_SEATS = 16
"""No session has more."""
RANDOM = "random"
"""The level of bots that move at once, with the seed alone to decide. All others think (``sessions.thinking``)."""


class WebhookEvent(IntEnum):
    """What a webhook is told of. The numbers are stored, and equal those of the API."""

    TURN = 1
    NUDGE = 2
    DEADLINE = 3
    END = 4


class Webhook(Struct, frozen=True, array_like=True):
    """Where a player, or the host, is told what happens. Neither address nor key are told to anybody."""

    url: str
    events: tuple[WebhookEvent, ...]
    key: bytes
    """What its secret is derived from, with the salt of the record (``webhooks.secret_of``)."""


class Nudge(Struct, frozen=True, array_like=True):
    """The last time that a seat's player was reminded of a decision."""

    since: int
    """The entry since which that decision is owed."""
    owed_ms: int
    """For how long it had been by then."""


def fingerprint_in(handle: str) -> str:
    """Return the part of a bot's handle that a token proves; of no handle nothing."""
    return handle.rpartition("~")[2]


class SeatRecord(Struct, frozen=True, array_like=True):
    """One seat: who sits there, and the digest of the token that plays it."""

    occupant: Occupant
    name: str = ""
    token: bytes = b""
    player_id: str = ""
    """What the frontend knows the player by. Applied to those alone who may know it (``access.may_know_players``)."""
    level: str = RANDOM
    """How a bot decides here, whenever one sits here. Never changes while one does."""
    cause: Cause | None = None
    """Why a substitute plays here; ``None``: none does."""
    since: int = 0
    """The entry with which the substitute began."""
    away: int = 0
    """The age of the store, in ms, at which the player was last seen, where that is too long ago; 0: not away."""
    nudged: Nudge | None = None
    reserved_for: str = ""
    """The handle of the bot that alone may take the seat; empty: it is for anybody (``sessions.reserving``)."""

    def is_for(self, bot: str) -> bool:
        """Whether somebody may take the seat who has proved to be that bot: its fingerprint; empty: is nobody known."""
        return fingerprint_in(self.reserved_for) == bot

    webhook: Webhook | None = None
    """The player's; it goes with the player's token."""

    @property
    def is_free(self) -> bool:
        """Whether nobody sits here, nor did."""
        return self.occupant in (Occupant.OPEN, Occupant.KEPT)

    @property
    def moves_instantly(self) -> bool:
        """Whether a bot sits here whose moves follow from the seed."""
        return self.occupant is Occupant.BOT and self.level == RANDOM

    @property
    def thinks(self) -> bool:
        """Whether a bot sits here whose decisions fall due, for somebody to make."""
        return self.occupant is Occupant.BOT and self.level != RANDOM

    @property
    def is_open_in_play(self) -> bool:
        """Whether whoever joins may have the seat from its substitute."""
        return self.cause is not None and not self.token


Labels = tuple[tuple[str, str], ...]
"""A session's labels: pairs of key and value, by key."""


class AbandonmentPolicy(Struct, frozen=True, array_like=True):
    """What a session does when players go."""

    on_resignation: TimeoutAction = TimeoutAction.SUBSTITUTE
    level: str = RANDOM
    """How substitutes decide."""
    absence_ms: int = 0
    """After how long a seat counts as abandoned; 0: never, and nobody looks who is there."""
    on_absence: TimeoutAction = TimeoutAction.SUBSTITUTE


class ClockKind(IntEnum):
    """How a clock was asked for. The numbers are stored, and equal those of the API's cases."""

    PER_MOVE = 1
    BANK = 2
    BANK_WITH_GRACE = 3
    CORRESPONDENCE = 4


class Clock(Struct, frozen=True, array_like=True):
    """How the time of players is measured, in ms. Of each kind the parts that it does not have are 0."""

    kind: ClockKind
    bank_ms: int = 0
    """For the whole game."""
    increment_ms: int = 0
    """What the end of each turn adds to the bank."""
    grace_ms: int = 0
    """What each turn may take before it draws on the bank."""
    on_expiry: TimeoutAction = TimeoutAction.SUBSTITUTE


class Delay(Struct, frozen=True, array_like=True):
    """How late whoever has no seat is shown the game. One of them is 0."""

    entries: int = 0
    """By so many entries of the log, until the game is over."""
    ms: int = 0
    """By so long, as the store's age has it."""


class Substitution(Struct, frozen=True, array_like=True):
    """Entries in which a substitute played a seat."""

    seat: int
    first: int
    last: int | None
    """``None``: it played to the end."""


class Record(Struct, frozen=True, array_like=True, dict=True):
    """Everything about a session beside its game. A move leaves it as it is: what each move asks is worked out once."""

    id: str
    game: str
    ruleset: str
    options: bytes
    """The game's options, packed. A seat that they name follows who sits there when seats close up."""
    phase: Phase
    seats: tuple[SeatRecord, ...]
    visibility: Visibility
    spectating: Spectating
    seed: bytes
    """Secret until the game is over."""
    seeded: bool
    """Whether the creator chose the seed."""
    salt: bytes
    """Key under which tokens are derived from request ids. Secret for ever."""
    host_token: bytes
    spectator_token: bytes
    created_ms: int
    request: bytes
    """Hash of what was asked when it was created, by which a repeat is told from another request."""
    outcome: Outcome | None = None
    labels: Labels = ()
    public_player_ids: bool = False
    requires_join_code: bool = False
    """Whether whoever takes a seat must know ``access.join_code_of``."""
    abandonment: AbandonmentPolicy = AbandonmentPolicy()
    clock: Clock | None = None
    lost: tuple[int, ...] = ()
    """The seats that lost before the rules ended the game, in that order."""
    substituted: tuple[Substitution, ...] = ()
    """Where players have sat down again since. ``substitutions`` tells all."""
    opening: int = 0
    """The last of the entries that were taken from another game; 0: this one begins from the set-up."""
    delay: Delay | None = None
    seats_at_start: tuple[SeatRecord, ...] = ()
    """The seats as they were when the game began, where it is shown late."""
    webhook: Webhook | None = None
    """The host's."""

    def timeout_action(self, cause: Cause) -> TimeoutAction:
        """What is done for a seat whose player did nothing for too long."""
        if cause is Cause.OUT_OF_TIME and self.clock is not None:
            return self.clock.on_expiry
        return self.abandonment.on_absence

    @lazy_property
    def has_webhooks(self) -> bool:
        """Whether anybody is told by a webhook what happens."""
        return self.webhook is not None or any(one.webhook is not None for one in self.seats)

    @lazy_property
    def playing(self) -> bool:
        """Whether its game is under way."""
        return self.phase is Phase.PLAYING

    @lazy_property
    def over(self) -> bool:
        """Whether nothing happens at this table any more."""
        return self.phase in (Phase.FINISHED, Phase.CANCELLED)

    @lazy_property
    def instant_bots(self) -> frozenset[int]:
        """The seats of bots whose moves follow from the seed, while they move: not while the game rests."""
        return (
            frozenset() if self.is_paused else frozenset(at for at, one in enumerate(self.seats) if one.moves_instantly)
        )

    @lazy_property
    def has_only_bots(self) -> bool:
        """Whether the game is under way and nobody but bots that move at once takes part in it."""
        return self.playing and len(self.instant_bots) == len(self.seats)

    @lazy_property
    def is_paused(self) -> bool:
        """Whether no bot moves, because no player is left and somebody may come back who has not left on purpose."""
        return any(self._awaits(one) for one in self.seats) and not self.players()

    def _awaits(self, one: SeatRecord) -> bool:
        """Whether a substitute plays for somebody who may come back without having said that they go."""
        if one.cause is Cause.OUT_OF_TIME:  # whose turns have no time of their own does not (``clocks.has_time``)
            return self.clock is not None and self.clock.increment_ms + self.clock.grace_ms > 0
        return one.cause is Cause.ABSENT

    @property
    def commitment(self) -> bytes:
        """What binds the server to the seed before anything is drawn."""
        return commitment(self.seed, self.id)

    @lazy_property
    def names(self) -> tuple[str, ...]:
        """What the players are called, by seat. Nobody's name is empty, nor a seat's that nobody has taken."""
        return tuple([one.name or f"seat {seat}" for seat, one in enumerate(self.seats)])

    def open_seats(self) -> tuple[int, ...]:
        """The seats that can be joined."""
        if self.phase is Phase.PLAYING:
            return tuple(seat for seat, one in enumerate(self.seats) if one.is_open_in_play)
        return tuple(seat for seat, one in enumerate(self.seats) if one.occupant is Occupant.OPEN)

    def free_seats(self) -> tuple[int, ...]:
        """The seats on which nobody sits yet: open, or kept for somebody."""
        return tuple(seat for seat, one in enumerate(self.seats) if one.is_free)

    def players(self) -> tuple[int, ...]:
        """The seats that players sit on."""
        return tuple(seat for seat, one in enumerate(self.seats) if one.occupant is Occupant.PLAYER)

    def substitutions(self) -> tuple[Substitution, ...]:
        """What substitutes have played, in the order in which they began."""
        going_on = [Substitution(seat, one.since, None) for seat, one in enumerate(self.seats) if one.cause]
        return tuple(sorted((*self.substituted, *going_on), key=lambda one: one.first))


def commitment(seed: bytes, session: str) -> bytes:
    """Return SHA-256 over the seed and the session's id in ASCII (docs/explanation/randomness.md)."""
    return sha256(seed + session.encode("ascii")).digest()


unpack_record = msgpack.Decoder(Record).decode
