"""When a player can take a seat from a substitute: its owner, or a newcomer if the host has opened it."""

from __future__ import annotations

from skerry_service.domain import clocks
from skerry_service.domain.clocks import Moment
from skerry_service.domain.errors import LimitReached, NotAllowed, SeatTaken, TimeUp
from skerry_service.domain.languages.phrases import phrase
from skerry_service.domain.limits import MAX_RETURNS
from skerry_service.domain.record import Cause, Record
from skerry_service.domain.table import Table


def require_may_return(table: Table, seat: int, now: Moment) -> None:
    """Raise NotAllowed, LimitReached or TimeUp if the owner of a seat cannot return to it.

    A paused game measures no time.
    """
    record, clock = table.record, table.record.clock
    if record.seats[seat].cause is Cause.RESIGNED:
        raise NotAllowed("You have resigned and cannot return.")
    if record.seats[seat].cause is None:
        return
    _require_few_returns(record, seat)
    if clock is None:
        return
    if not clocks.could_move_in_time(clock, table.clocks[seat]):
        raise NotAllowed("You have no time left and cannot return.")
    until_ms = table.clocks[seat].return_until_ms
    if until_ms is not None and now.uptime_ms >= until_ms and not record.is_paused:
        raise TimeUp("Your time for this turn is up. Return when the bot has finished the turn.")


def require_may_take_over(table: Table, seat: int) -> None:
    """Raise LimitReached or SeatTaken if a newcomer cannot take an open seat in play now."""
    _require_few_returns(table.record, seat)
    if table.clocks and table.clocks[seat].suspended and not table.record.is_paused:
        raise SeatTaken(seat, phrase("error-bot-turn", seat=seat))


def _require_few_returns(record: Record, seat: int) -> None:
    if sum(one.seat == seat for one in record.substituted) >= MAX_RETURNS:
        raise LimitReached(
            "returns",
            phrase("limit-returns", seat=seat, most=MAX_RETURNS),
            retry_after=None,
        )
