"""The clocks of players, as values: the cost of a decision, and when time is up. Pure: the time is an argument.

All times are in ms of store uptime. A seat's clock runs while its player owes a decision. A *turn* is the run of
decisions that a seat makes until another seat is to decide. Chance in between does not end it.

The time of a decision goes on while a substitute thinks about it, so no player gains time by leaving and returning.
Only a paused game measures no time: the time of such a decision stands still, and the player whose return ends the
pause begins the turn afresh.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from skerry_games.api import CHANCE_ACTS
from skerry_service.domain.record import Cause, Clock, Occupant, Record, SeatRecord

MAX_ALLOWANCE_MS = 300
"""Maximum network allowance of a decision."""
_NO_TURN = -1


class Moment(Struct, frozen=True):
    """The present time, by both clocks that sessions use."""

    time_ms: int
    """Wall clock, in ms since the Unix epoch. The log keeps it for people to read."""
    uptime_ms: int = 0
    """Store uptime in ms, which measures everything else."""


class Arrival(Struct, frozen=True):
    """When the server received a move, and when the client says that it sent it; in ms of store uptime."""

    received_ms: int
    sent_ms: int | None = None


class SeatClock(Struct, frozen=True, array_like=True):
    """The clock of a seat at the start of its present decision, or of its next one."""

    left_ms: int
    """Time left in the bank."""
    grace_ms: int
    """Time that the turn may still take before it uses the bank."""
    since_ms: int = _NO_TURN
    """When its present decision began, or its player left during it; if it has a turn and the game is not paused."""
    suspended: bool = False
    """Whether a substitute makes the present decision. Its time goes on, because the player may return."""

    @property
    def has_turn(self) -> bool:
        """Whether the seat owes a decision that is timed."""
        return self.since_ms != _NO_TURN or self.suspended

    @property
    def deadline_ms(self) -> int | None:
        """When the player's time is up; ``None`` while no player owes a decision."""
        return self.since_ms + self.grace_ms + self.left_ms if self.has_turn and not self.suspended else None

    @property
    def return_until_ms(self) -> int | None:
        """When the time of a decision is up that a substitute makes; ``None`` without one, or while it stands still."""
        if not self.suspended or self.since_ms == _NO_TURN:
            return None
        return self.since_ms + self.grace_ms + self.left_ms

    def spend(self, charged_ms: int) -> SeatClock:
        """Return the clock after a decision of this cost. The grace period pays first, then the bank."""
        over = max(0, charged_ms - self.grace_ms)
        return replace(self, left_ms=max(0, self.left_ms - over), grace_ms=max(0, self.grace_ms - charged_ms))


Clocks = tuple[SeatClock, ...]
"""The clocks by seat; empty in sessions without a clock."""


def initial_clocks(clock: Clock | None, seats: int) -> Clocks:
    """Return the clocks at the start of a game; none without a clock."""
    return () if clock is None else (SeatClock(clock.bank_ms, clock.grace_ms),) * seats


def allowance(passed_ms: int, arrival: Arrival) -> int:
    """Return the network allowance: the part of the passed time that is not charged to the seat."""
    if arrival.sent_ms is None:
        return 0
    return max(0, min(arrival.received_ms - arrival.sent_ms, MAX_ALLOWANCE_MS, passed_ms))


def after_move(
    clock: Clock, clocks: Clocks, actor: int, charged_ms: int, to_act: Sequence[int], players: Collection[int]
) -> Clocks:
    """Return the clocks after a move. Players whose turn has ended get the increment and a new grace period.

    A turn that a substitute has finished brings no increment.

    ``to_act``: the seats to act after the move; ``players``: the seats of players.
    """
    if actor >= 0:
        clocks = _with_clock(clocks, actor, clocks[actor].spend(charged_ms))
    if to_act == CHANCE_ACTS:
        return clocks
    return tuple(
        [
            _after_turn(clock, one, seat in players) if one.has_turn and seat not in to_act else one
            for seat, one in enumerate(clocks)
        ]
    )


def _after_turn(clock: Clock, one: SeatClock, has_player: bool) -> SeatClock:
    if has_player:
        return SeatClock(one.left_ms + clock.increment_ms, clock.grace_ms)
    # The clock of a player who left in this batch still has to pay for the time until then (``after_commit``).
    return SeatClock(one.left_ms, clock.grace_ms) if one.suspended else one


def after_commit(
    clock: Clock,
    clocks: Clocks,
    running: Collection[int],
    decided: Collection[int],
    uptime_ms: int,
    substituted: Collection[int] = (),
    *,
    paused: bool = False,
) -> Clocks:
    """Return the clocks after a batch that was committed at ``uptime_ms``.

    ``running``: the seats whose players owe a decision now. ``substituted``: the seats whose substitutes owe one.
    ``decided``: those of both with a new decision. ``paused``: whether the game is paused now.
    """
    return tuple(
        [
            _running(clock, one, seat in decided, uptime_ms)
            if seat in running
            else _substituted(clock, one, seat in decided, uptime_ms, paused)
            if seat in substituted
            else _without_turn(clock, one, uptime_ms)
            for seat, one in enumerate(clocks)
        ]
    )


def _running(clock: Clock, one: SeatClock, decided: bool, uptime_ms: int) -> SeatClock:
    if not one.has_turn:
        return SeatClock(one.left_ms, clock.grace_ms, uptime_ms)
    return replace(one, since_ms=uptime_ms) if decided else one


def _substituted(clock: Clock, one: SeatClock, decided: bool, uptime_ms: int, paused: bool) -> SeatClock:
    if not one.has_turn:  # a player who returns has at least one increment
        one = SeatClock(max(one.left_ms, clock.increment_ms), clock.grace_ms, uptime_ms)
    if one.since_ms != _NO_TURN and (paused or not one.suspended):
        one = one.spend(uptime_ms - one.since_ms)
        decided = True  # the time until now has been paid
    begins = decided or one.since_ms == _NO_TURN
    return replace(one, since_ms=_NO_TURN if paused else uptime_ms if begins else one.since_ms, suspended=True)


def _without_turn(clock: Clock, one: SeatClock, uptime_ms: int) -> SeatClock:
    if not one.has_turn:
        return one
    # A player who leaves during a turn has used the time that has passed of it.
    left = one if one.suspended else one.spend(uptime_ms - one.since_ms)
    return SeatClock(left.left_ms, clock.grace_ms)


def expire(clocks: Clocks, seat: int) -> Clocks:
    """Return the clocks after a seat's time is up."""
    return _with_clock(clocks, seat, replace(clocks[seat], left_ms=0, grace_ms=0))


def resume(clock: Clock, clocks: Clocks, seat: int, *, newcomer: bool, paused: bool) -> Clocks:
    """Return the clocks after a player takes a seat from a substitute. ``paused``: whether the game was paused.

    The time of a decision that the substitute was making goes on. Otherwise the owner has the time that was left, or
    one increment if that is more, and a newcomer starts with a full bank.
    """
    one = clocks[seat]
    if one.suspended and not paused and not newcomer:
        return _with_clock(clocks, seat, replace(one, suspended=False))
    left = clock.bank_ms if newcomer else max(one.left_ms, clock.increment_ms)
    return _with_clock(clocks, seat, SeatClock(left, clock.grace_ms))


def could_move_in_time(clock: Clock, one: SeatClock) -> bool:
    """Return whether a seat's owner would have any time left after returning."""
    return max(one.left_ms, clock.increment_ms) + clock.grace_ms > 0


def has_expired(one: SeatClock, uptime_ms: int) -> bool:
    """Return whether a seat's time is up, beyond the network allowance of a move that is still on its way."""
    return one.deadline_ms is not None and uptime_ms > one.deadline_ms + MAX_ALLOWANCE_MS


def next_deadlines(record: Record, clocks: Clocks, uptime_ms: int) -> Iterator[int]:
    """Yield the earliest possible expiry of each seat that has or may get a player, in ms of store uptime.

    A clock that does not run expires no earlier than if its turn began now. So a check at these times is never late,
    and moves need not schedule anything.
    """
    clock = record.clock
    if clock is None:
        return
    for one, seat in zip(clocks, record.seats, strict=True):
        deadlines = [one.deadline_ms, one.return_until_ms]
        if one.deadline_ms is None and (least_ms := _minimum_ms(clock, one, seat)) is not None:
            deadlines.append(uptime_ms + least_ms)
        yield from (deadline + MAX_ALLOWANCE_MS + 1 for deadline in deadlines if deadline is not None)


def _minimum_ms(clock: Clock, one: SeatClock, seat: SeatRecord) -> int | None:
    """Return the least time that a seat can have when its clock starts; ``None`` if it never starts.

    A player may start a turn without any time left. A player who takes a seat from a substitute may not.
    """
    if seat.occupant is Occupant.PLAYER:
        return one.left_ms + clock.grace_ms
    if seat.cause in (None, Cause.RESIGNED):
        return None
    least_ms = clock.bank_ms  # a newcomer's: the host can open the seat at any time
    if seat.token and could_move_in_time(clock, one):
        least_ms = min(least_ms, max(one.left_ms, clock.increment_ms))
    return least_ms + clock.grace_ms


def _with_clock(clocks: Clocks, seat: int, one: SeatClock) -> Clocks:
    return (*clocks[:seat], one, *clocks[seat + 1 :])
