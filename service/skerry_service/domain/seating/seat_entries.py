"""What an entry changes that is no move: the seats, the settings and the clocks of a session."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from skerry_service.domain import clocks as clocks_of
from skerry_service.domain.clocks import Clocks
from skerry_service.domain.log import (
    Away,
    Cancelled,
    Emoted,
    Joined,
    Labelled,
    Left,
    Nudged,
    Recovered,
    Removed,
    Resigned,
    Returned,
    SeatOpened,
    TimedOut,
    WebhookSet,
)
from skerry_service.domain.record import Cause, Emotes, Nudge, Occupant, Phase, Record, SeatRecord, TimeoutAction
from skerry_service.domain.seating.departures import (
    end_game,
    end_reason,
    hand_over,
    is_decided,
    substitute,
    with_loser,
    with_open_seat,
    with_player_back,
    with_seat,
    with_webhook,
)

Scores = Callable[[], tuple[int, ...]]
"""Returns the points of each seat."""
NonGameEntry = (
    Joined
    | Left
    | Away
    | Returned
    | Recovered
    | TimedOut
    | Resigned
    | Nudged
    | Emoted
    | WebhookSet
    | SeatOpened
    | Removed
    | Labelled
    | Cancelled
)
"""Entries that change seats or settings of the session and leave the state of its game as it is."""


def keeps_occupants(before: Record, after: Record, entry: NonGameEntry) -> bool:
    """Return whether the same players and bots play on, so that moves of before can still be taken back."""
    if before is after or isinstance(entry, Recovered):  # the same player, with a new token
        return True
    same = [(one.occupant, one.token, one.cause) for one in before.seats]
    return after.playing and same == [(one.occupant, one.token, one.cause) for one in after.seats]


def clocks_after(record: Record, clocks: Clocks, entry: NonGameEntry) -> Clocks:
    """Return the clocks after an entry. ``build_change`` accounts for the time that has passed."""
    clock = record.clock
    if clock is None or not clocks:
        return clocks
    match entry:
        case Joined(seat):
            return clocks_of.resume(clock, clocks, seat, newcomer=True, paused=record.is_paused)
        case Returned(seat) if record.seats[seat].cause is not None:
            return clocks_of.resume(clock, clocks, seat, newcomer=False, paused=record.is_paused)
        case TimedOut(seat, Cause.OUT_OF_TIME):
            return clocks_of.expire(clocks, seat)
    return clocks


def record_after(  # noqa: PLR0911 - one return per entry type
    record: Record, entry: NonGameEntry, sequence: int, open_since: Sequence[int], scores: Scores
) -> Record:
    """Return the record after an entry that does not change the game's state.

    ``sequence``: of the entry; ``open_since``: for each seat, the entry since which it owes a decision.
    """
    in_lobby = record.phase is Phase.LOBBY
    match entry:
        case Joined(seat, name, token, player_id, entropy):
            one = record.seats[seat]
            player = SeatRecord(
                Occupant.PLAYER, name, token, player_id, reserved_for=one.reserved_for, entropy=entropy or one.entropy
            )
            return with_seat(record, seat, player) if in_lobby else hand_over(record, seat, player, sequence)
        case Left(seat):
            return with_open_seat(record, seat) if in_lobby else substitute(record, seat, Cause.LEFT, sequence)
        case Away(seat, seen_ms):
            return with_seat(record, seat, replace(record.seats[seat], away=seen_ms))
        case Returned(seat):
            return with_player_back(record, seat, sequence)
        case Resigned(seat):
            return _after_loss(record, seat, Cause.RESIGNED, record.abandonment.on_resignation, sequence, scores)
        case TimedOut(seat, cause):
            return _after_timeout(record, seat, cause, sequence, scores)
        case Nudged() | Emoted():
            return with_seat(record, entry.seat, _seat_after_message(record, entry, open_since))
        case SeatOpened() | Recovered():
            return _with_other_token(record, entry, sequence)
        case WebhookSet(seat, webhook):
            return with_webhook(record, seat, webhook)
        case Removed(seat):
            return with_open_seat(record, seat)
        case Labelled(labels):
            return replace(record, labels=labels)
        case Cancelled():
            return replace(record, phase=Phase.CANCELLED)


def _with_other_token(record: Record, entry: SeatOpened | Recovered, sequence: int) -> Record:
    """Return the record with a new token of the seat, or with none and a substitute that any player can replace.

    The webhook ends with the token that set it.
    """
    seat = entry.seat
    if isinstance(entry, Recovered):
        return with_seat(record, seat, replace(record.seats[seat], token=entry.token, webhook=None))
    if record.seats[seat].occupant is Occupant.PLAYER:
        record = substitute(record, seat, Cause.ABSENT, sequence)
    return with_seat(record, seat, replace(record.seats[seat], token=b"", reserved_for="", webhook=None))


def _seat_after_message(record: Record, entry: Nudged | Emoted, open_since: Sequence[int]) -> SeatRecord:
    """Return the seat that was nudged or sent an emote, with what limits the next one."""
    one = record.seats[entry.seat]
    if isinstance(entry, Nudged):
        return replace(one, nudged=Nudge(open_since[entry.seat], entry.owed_ms))
    return replace(one, emotes=Emotes(1 if one.emotes is None else one.emotes.count + 1, entry.uptime_ms))


def _after_timeout(record: Record, seat: int, cause: Cause, sequence: int, scores: Scores) -> Record:
    match record.timeout_action(cause):
        case TimeoutAction.MOVE:
            return record
        case TimeoutAction.END:
            return _after_loss(record, seat, cause, TimeoutAction.END, sequence, scores)
        case TimeoutAction.SUBSTITUTE:
            return substitute(record, seat, cause, sequence)


def _after_loss(
    record: Record, seat: int, cause: Cause, action: TimeoutAction, sequence: int, scores: Scores
) -> Record:
    lost = with_loser(record, seat)
    if action is TimeoutAction.END or is_decided(lost):
        return end_game(lost, scores(), end_reason(cause, lost.names[seat]))
    return substitute(lost, seat, cause, sequence)
