"""The clocks of players, as values: what a decision costs, when time is up. Nothing here knows what time it is.

All times are in ms of the age of the store. A seat's time runs while it owes a decision that a player is to make. A
*turn* is all that it decides until somebody else is to decide; chance in between does not end it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from skerry_games.api import CHANCE_ACTS
from skerry_service.domain.record import Cause, Clock, Occupant, Record, SeatRecord

MAX_ALLOWANCE_MS = 300
"""What is allowed for the network at most, for each decision."""
_NO_TURN = -1


class Moment(Struct, frozen=True):
    """Now, as far as it matters to a session."""

    time_ms: int
    """Since the Unix epoch. Serialized into the log for people to read."""
    uptime_ms: int = 0
    """The age of the store, by which all else is measured."""


class Arrival(Struct, frozen=True):
    """When a move was received, and when its sender says that it was sent."""

    received_ms: int
    sent_ms: int | None = None


class SeatClock(Struct, frozen=True, array_like=True):
    """The clock of a seat as it stood when its present decision, if it owes one, was stored."""

    left_ms: int
    """In its bank."""
    grace_ms: int
    """What its turn may still take before it draws on the bank."""
    since_ms: int = _NO_TURN
    """When its present decision was stored, if it has a turn."""

    @property
    def has_turn(self) -> bool:
        """Whether its time runs."""
        return self.since_ms != _NO_TURN

    @property
    def deadline_ms(self) -> int | None:
        """When its time is up; ``None``: it does not run."""
        return self.since_ms + self.grace_ms + self.left_ms if self.has_turn else None

    def spend(self, charged_ms: int) -> SeatClock:
        """Return the clock after a decision that costs so much: of its grace first."""
        over = max(0, charged_ms - self.grace_ms)
        return replace(self, left_ms=max(0, self.left_ms - over), grace_ms=max(0, self.grace_ms - charged_ms))


Clocks = tuple[SeatClock, ...]
"""By seat; empty where time is not measured."""


def initial_clocks(clock: Clock | None, seats: int) -> Clocks:
    """Return the clocks at the start of a game."""
    return () if clock is None else (SeatClock(clock.bank_ms, clock.grace_ms),) * seats


def allowance(passed_ms: int, arrival: Arrival) -> int:
    """Return how much of the time that has passed was the network's."""
    if arrival.sent_ms is None:
        return 0
    return max(0, min(arrival.received_ms - arrival.sent_ms, MAX_ALLOWANCE_MS, passed_ms))


def after_move(
    clock: Clock, clocks: Clocks, actor: int, charged_ms: int, to_act: Sequence[int], players: Collection[int]
) -> Clocks:
    """Return the clocks after a move of an actor, when those are to act. Turns of players that are over end."""
    if actor >= 0:
        clocks = _with_clock(clocks, actor, clocks[actor].spend(charged_ms))
    if to_act == CHANCE_ACTS:
        return clocks
    return tuple(
        [
            SeatClock(one.left_ms + clock.increment_ms, clock.grace_ms)
            if one.has_turn and seat in players and seat not in to_act
            else one
            for seat, one in enumerate(clocks)
        ]
    )


def after_commit(
    clock: Clock, clocks: Clocks, running: Collection[int], decided: Collection[int], uptime_ms: int
) -> Clocks:
    """Return the clocks as a batch leaves them that was stored at that age.

    ``running``: the seats whose players owe a decision now. ``decided``: those that owe another than before.
    """
    return tuple(
        [_seat_after_commit(clock, one, seat in running, seat in decided, uptime_ms) for seat, one in enumerate(clocks)]
    )


def _seat_after_commit(clock: Clock, one: SeatClock, running: bool, decided: bool, uptime_ms: int) -> SeatClock:
    if running:
        if not one.has_turn:
            return SeatClock(one.left_ms, clock.grace_ms, uptime_ms)
        return replace(one, since_ms=uptime_ms) if decided else one
    if not one.has_turn:
        return one
    # Whoever goes in the middle of a turn has used what has passed of it.
    return SeatClock(one.spend(uptime_ms - one.since_ms).left_ms, clock.grace_ms)


def expire(clocks: Clocks, seat: int) -> Clocks:
    """Return the clocks when a seat's time is up."""
    return _with_clock(clocks, seat, replace(clocks[seat], left_ms=0, grace_ms=0))


def resume(clock: Clock, clocks: Clocks, seat: int, *, newcomer: bool) -> Clocks:
    """Return the clocks when a player sits down after a substitute.

    The owner has what was left, and at least what the end of a turn brings. A newcomer begins with a bank of their own.
    """
    left = clock.bank_ms if newcomer else max(clocks[seat].left_ms, clock.increment_ms)
    return _with_clock(clocks, seat, SeatClock(left, clock.grace_ms))


def could_move_in_time(clock: Clock, one: SeatClock) -> bool:
    """Whether the owner of a seat could do anything in time, on returning to it."""
    return max(one.left_ms, clock.increment_ms) + clock.grace_ms > 0


def has_expired(one: SeatClock, uptime_ms: int) -> bool:
    """Whether a seat's time is up at that age, and no move that is on its way can have been in time."""
    return one.deadline_ms is not None and uptime_ms > one.deadline_ms + MAX_ALLOWANCE_MS


def next_deadlines(record: Record, clocks: Clocks, uptime_ms: int) -> Iterator[int]:
    """Yield, for each seat that has or may have a player, an age before which its time is not up, whatever happens.

    A seat's deadline is never before the one that it would have if its turn began now: so whoever looks again then is
    not late, and nothing needs to be noted when somebody moves.
    """
    clock = record.clock
    if clock is None:
        return
    for one, seat in zip(clocks, record.seats, strict=True):
        deadline = one.deadline_ms
        if deadline is None and (least_ms := _minimum_ms(clock, one, seat)) is not None:
            deadline = uptime_ms + least_ms
        if deadline is not None:
            yield deadline + MAX_ALLOWANCE_MS + 1


def _minimum_ms(clock: Clock, one: SeatClock, seat: SeatRecord) -> int | None:
    """Return what a seat whose time does not run has at least when it does; ``None``: it never will.

    A player may begin a turn with nothing; whoever sits down after a substitute may not.
    """
    if seat.occupant is Occupant.PLAYER:
        return one.left_ms + clock.grace_ms
    if seat.cause in (None, Cause.RESIGNED):
        return None
    least_ms = clock.bank_ms  # of a newcomer: the seat can be opened at any time
    if seat.token and could_move_in_time(clock, one):
        least_ms = min(least_ms, max(one.left_ms, clock.increment_ms))
    return least_ms + clock.grace_ms


def _with_clock(clocks: Clocks, seat: int, one: SeatClock) -> Clocks:
    return (*clocks[:seat], one, *clocks[seat + 1 :])
