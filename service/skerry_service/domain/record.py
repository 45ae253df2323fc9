"""The record of a session: everything but the state of its game. The store keeps it serialized beside the log."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum

from msgspec import Struct, msgpack

from skerry_games.api import Outcome
from skerry_games.lazy import lazy_property
from skerry_games.rng import chance_seed, commitment


class Occupant(IntEnum):
    """The kind of occupant of a seat. The numbers are stored and equal those of the API."""

    OPEN = 1
    PLAYER = 2
    BOT = 3
    KEPT = 24


class Phase(IntEnum):
    """The phase of a session. The numbers are stored and equal those of the API."""

    LOBBY = 1
    PLAYING = 2
    FINISHED = 3
    CANCELLED = 4


class Visibility(IntEnum):
    """Whether lists of sessions contain the session."""

    PUBLIC = 1
    UNLISTED = 2


class Spectating(IntEnum):
    """The callers without a seat that may view the game. INVITED: holders of the spectator or host token."""

    ANYONE = 1
    INVITED = 2
    NOBODY = 3


class Cause(IntEnum):
    """Why a substitute plays a seat. The numbers are stored and equal those of the API."""

    LEFT = 1
    RESIGNED = 2
    ABSENT = 3
    OUT_OF_TIME = 4


class TimeoutAction(IntEnum):
    """The action after a player's timeout or resignation. The numbers are stored and equal those of the API."""

    SUBSTITUTE = 1
    END = 2
    MOVE = 3


class UndoPolicy(IntEnum):
    """Which moves a player can take back. The numbers are stored and equal those of the API."""

    NONE = 1
    OWN_MOVES = 2


MAX_SEATS = 16
"""Maximum number of seats of a session."""
LESSON = "lesson"
"""The level of the bots of a lesson. They make the lesson's moves (``lessons.course``), and otherwise think."""
FREE_PLAY = "easy"
"""The level of the bots of a lesson outside of its course, and of its rematch."""
RANDOM = "random"
"""The level of bots that move immediately and at random, from the session's seed. Bots of all other levels think
(``bot_decisions``)."""


class Emote(IntEnum):
    """What a player can say to the table. The numbers are stored and equal those of the API."""

    HELLO = 1
    GOOD_LUCK = 2
    WELL_PLAYED = 3
    THANKS = 4
    OOPS = 5
    GOOD_GAME = 6


class WebhookEvent(IntEnum):
    """An event that a webhook can report. The numbers are stored and equal those of the API."""

    TURN = 1
    NUDGE = 2
    DEADLINE = 3
    END = 4
    REMATCH = 5
    CREATE = 6
    JOIN = 7
    START = 8
    MOVE = 9

    @property
    def type(self) -> str:
        """The type in requests, such as ``seat.turn``."""
        return f"{'session' if self in _OF_SESSION else 'seat'}.{self.name.lower()}"


_OF_SESSION = (WebhookEvent.END, WebhookEvent.REMATCH, WebhookEvent.CREATE, WebhookEvent.START)
SESSION_WEBHOOK_EVENTS = tuple([event for event in WebhookEvent if event <= WebhookEvent.REMATCH])
"""The events of the webhooks of seats and hosts. Endpoints of applications have all events."""


class Webhook(Struct, frozen=True, array_like=True):
    """A webhook of a player or of the host. The server never reveals its URL or key."""

    url: str
    events: tuple[WebhookEvent, ...]
    key: bytes
    """Input of the signing secret, with the salt of the record (``webhook_events.secret_of``)."""


class Nudge(Struct, frozen=True, array_like=True):
    """The last nudge of a seat's player."""

    since: int
    """The entry since which the seat owed the decision."""
    owed_ms: int
    """How long the seat had owed it at the time of the nudge."""


class Emotes(Struct, frozen=True, array_like=True):
    """The emotes that a seat's player has sent in this session."""

    count: int
    last_ms: int
    """Store uptime of the latest one."""


def fingerprint_in(handle: str) -> str:
    """Return the fingerprint in a bot's handle; empty for an empty handle."""
    return handle.rpartition("~")[2]


class SeatRecord(Struct, frozen=True, array_like=True):
    """One seat: its occupant, and the digest of the token that plays it."""

    occupant: Occupant
    name: str = ""
    token: bytes = b""
    player_id: str = ""
    """The frontend's id of the player. Only some callers may see it (``tokens.may_see_player_ids``)."""
    level: str = RANDOM
    """The level of the bot on this seat. It does not change while the same bot sits here."""
    cause: Cause | None = None
    """Why a substitute plays here; ``None`` without a substitute."""
    since: int = 0
    """The entry with which the substitute took over."""
    away: int = 0
    """Store uptime in ms at which an absent player was last seen; 0 if the player is present."""
    nudged: Nudge | None = None
    reserved_for: str = ""
    """Handle of the only bot that may take the seat; empty if any caller may (``seating.reservations``)."""

    def is_for(self, bot: str) -> bool:
        """Return whether a bot with this proven fingerprint may take the seat. Empty: a caller that proved none."""
        return fingerprint_in(self.reserved_for) == bot

    webhook: Webhook | None = None
    """The player's webhook. Whatever voids the player's token also removes it."""
    entropy: bytes = b""
    """32 bytes that the player added to the seed, secret until the game is over. They stay when the seat changes hands
    in play."""
    emotes: Emotes | None = None

    @property
    def is_free(self) -> bool:
        """Whether the seat is open, or kept for a player of the game before."""
        return self.occupant in (Occupant.OPEN, Occupant.KEPT)

    @property
    def moves_instantly(self) -> bool:
        """Whether the occupant is a random bot, whose moves follow from the seed."""
        return self.occupant is Occupant.BOT and self.level == RANDOM

    @property
    def thinks(self) -> bool:
        """Whether the occupant is a thinking bot, whose decisions a bot worker makes."""
        return self.occupant is Occupant.BOT and self.level != RANDOM

    @property
    def is_open_in_play(self) -> bool:
        """Whether a new player may take the seat over from its substitute."""
        return self.cause is not None and not self.token


Labels = tuple[tuple[str, str], ...]
"""A session's labels: pairs of key and value, sorted by key."""


def level_of_substitutes(seats: Sequence[SeatRecord], levels: Sequence[str]) -> str:
    """Return the usual level of substitutes: that of the strongest bot, or the middle one at a table without bots.

    ``levels``: all levels offered, from weak to strong.
    """
    bots = [levels.index(seat.level) for seat in seats if seat.occupant is Occupant.BOT]
    return levels[max(bots, default=len(levels) // 2)]


class AbandonmentPolicy(Struct, frozen=True, array_like=True):
    """What a session does when a player resigns or abandons a seat."""

    on_resignation: TimeoutAction = TimeoutAction.SUBSTITUTE
    level: str = RANDOM
    """The level of substitutes."""
    absence_ms: int = 0
    """How long a player may be absent before the seat counts as abandoned, in ms. 0: without limit, and presence is not
    tracked."""
    on_absence: TimeoutAction = TimeoutAction.SUBSTITUTE
    open_after_ms: int = 0
    """How long a player must not respond before the host can open the seat, in ms (``seating.openings``). 0: the host
    can open abandoned seats only."""


class ClockKind(IntEnum):
    """The kind of a clock. The numbers are stored and equal the field numbers of the API's cases."""

    PER_MOVE = 1
    BANK = 2
    BANK_WITH_GRACE = 3
    CORRESPONDENCE = 4


class Clock(Struct, frozen=True, array_like=True):
    """The time control of a session, in ms. Parts that the kind does not have are 0."""

    kind: ClockKind
    bank_ms: int = 0
    """Time for the whole game."""
    increment_ms: int = 0
    """Time added to the bank at the end of each turn."""
    grace_ms: int = 0
    """Time that each turn may take before it uses the bank."""
    on_expiry: TimeoutAction = TimeoutAction.SUBSTITUTE


class Delay(Struct, frozen=True, array_like=True):
    """The delay of delayed spectating. Either ``entries`` or ``ms`` is 0."""

    entries: int = 0
    """Number of log entries that are held back until the game is over."""
    ms: int = 0
    """Time for which entries are held back, measured as store uptime."""


class Substitution(Struct, frozen=True, array_like=True):
    """A range of entries in which a substitute played a seat."""

    seat: int
    first: int
    last: int | None
    """``None`` if the substitute still plays, or played to the end."""


class Record(Struct, frozen=True, array_like=True, dict=True):
    """Everything about a session but the state of its game.

    Moves do not change it, so properties that each move needs are computed once per record (``lazy_property``).
    """

    id: str
    game: str
    ruleset: str
    options: bytes
    """The game's options, serialized. Seats that they name are renumbered when the start removes open seats."""
    phase: Phase
    seats: tuple[SeatRecord, ...]
    visibility: Visibility
    spectating: Spectating
    seed: bytes
    """Secret until the game is over."""
    seeded: bool
    """Whether the creator chose the seed."""
    salt: bytes
    """Key that derives tokens from request ids. Always secret."""
    host_token: bytes
    spectator_token: bytes
    created_ms: int
    request: bytes
    """Hash of the creating request's content. It distinguishes a repeat from another request with the same id."""
    outcome: Outcome | None = None
    labels: Labels = ()
    public_player_ids: bool = False
    requires_join_code: bool = False
    """Whether joining needs the join code (``tokens.join_code_of``)."""
    abandonment: AbandonmentPolicy = AbandonmentPolicy()
    clock: Clock | None = None
    lost: tuple[int, ...] = ()
    """The seats that lost before the rules ended the game, in that order."""
    substituted: tuple[Substitution, ...] = ()
    """The substitutions that have ended. ``substitutions`` returns also those that still go on."""
    opening: int = 0
    """Of a fork: the last entry that comes from the source game. 0: the game begins from its set-up."""
    delay: Delay | None = None
    seats_at_start: tuple[SeatRecord, ...] = ()
    """The seats at the start of the game, in sessions with a spectator delay."""
    webhook: Webhook | None = None
    """The host's webhook."""
    kept_until: int = 0
    """Of a rematch: store uptime in ms until which the host cannot cancel it, start it or remove players while a player
    of the finished game has not answered."""
    share: int = 0
    """The share of its creator, by which thinking bots are divided (``access.caller_shares``); 0: not known."""
    lesson: bool = False
    """Whether the session is the lesson of its game (``lessons``)."""
    hints: bool = False
    """Whether players can ask for hints (``actions.move_hints``)."""
    undo: UndoPolicy = UndoPolicy.NONE
    """Which moves players can take back."""
    rated: bool = False
    """Whether the result counts for a ladder."""
    applications: tuple[str, ...] = ()
    """The names of the API keys that created the session or its tournament, or found it. Their webhook endpoints get
    its events."""

    def timeout_action(self, cause: Cause) -> TimeoutAction:
        """Return the action after a timeout with this cause."""
        if cause is Cause.OUT_OF_TIME and self.clock is not None:
            return self.clock.on_expiry
        return self.abandonment.on_absence

    @lazy_property
    def has_webhooks(self) -> bool:
        """Whether the host or a seat has a webhook."""
        return self.webhook is not None or any(one.webhook is not None for one in self.seats)

    @lazy_property
    def may_notify(self) -> bool:
        """Whether the session has webhooks, or an application whose endpoints may get its events."""
        return self.has_webhooks or bool(self.applications)

    @lazy_property
    def playing(self) -> bool:
        """Whether the game is in play."""
        return self.phase is Phase.PLAYING

    @lazy_property
    def over(self) -> bool:
        """Whether the session is finished or cancelled."""
        return self.phase in (Phase.FINISHED, Phase.CANCELLED)

    @lazy_property
    def instant_bots(self) -> frozenset[int]:
        """The seats of random bots that move now: none while the game is paused."""
        if self.is_paused:
            return frozenset()
        return frozenset(seat for seat, one in enumerate(self.seats) if one.moves_instantly)

    @lazy_property
    def has_only_bots(self) -> bool:
        """Whether the game is in play and every seat has a random bot."""
        return self.playing and len(self.instant_bots) == len(self.seats)

    @lazy_property
    def is_paused(self) -> bool:
        """Whether all bots wait: no player is left, and a player who did not leave on purpose may return."""
        return any(self._awaits_return(one) for one in self.seats) and not self.players()

    @property
    def is_left(self) -> bool:
        """Whether all players have left, so that bots and substitutes play on alone."""
        return not self.players() and any(one.cause is not None for one in self.seats)

    def _awaits_return(self, one: SeatRecord) -> bool:
        """Return whether a substitute plays for a player who timed out and may return."""
        if one.cause is Cause.OUT_OF_TIME:  # without time per turn the player could not move (could_move_in_time)
            return self.clock is not None and self.clock.increment_ms + self.clock.grace_ms > 0
        return one.cause is Cause.ABSENT

    @property
    def commitment(self) -> bytes:
        """The commitment to the seed, published before the first draw."""
        return commitment(self.seed, self.id)

    @lazy_property
    def chance_seed(self) -> bytes:
        """The seed of all draws. From the start of the game on, it does not change."""
        return chance_seed(self.seed, [one.entropy for one in self.seats])

    @lazy_property
    def names(self) -> tuple[str, ...]:
        """The display names by seat. A seat without a name is called "seat N"."""
        return tuple([one.name or f"seat {seat}" for seat, one in enumerate(self.seats)])

    def open_seats(self) -> tuple[int, ...]:
        """Return the seats that a player can join."""
        if self.phase is Phase.PLAYING:
            return tuple(seat for seat, one in enumerate(self.seats) if one.is_open_in_play)
        return tuple(seat for seat, one in enumerate(self.seats) if one.occupant is Occupant.OPEN)

    def free_seats(self) -> tuple[int, ...]:
        """Return the seats without an occupant: open or kept."""
        return tuple(seat for seat, one in enumerate(self.seats) if one.is_free)

    def players(self) -> tuple[int, ...]:
        """Return the seats of players."""
        return tuple(seat for seat, one in enumerate(self.seats) if one.occupant is Occupant.PLAYER)

    def substitutions(self) -> tuple[Substitution, ...]:
        """Return all substitutions, ordered by their first entry."""
        ongoing = [Substitution(seat, one.since, None) for seat, one in enumerate(self.seats) if one.cause]
        return tuple(sorted((*self.substituted, *ongoing), key=lambda one: one.first))


unpack_record = msgpack.Decoder(Record).decode
