"""When the host can open the seat of a player who does not respond, although nothing marks the player as absent."""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil

from skerry_service.domain.clocks import Moment
from skerry_service.domain.cooperative import CooperativeTask
from skerry_service.domain.errors import SeatTaken
from skerry_service.domain.languages.phrases import phrase
from skerry_service.domain.log import (
    Emoted,
    Entry,
    Joined,
    Moved,
    Nudged,
    Recovered,
    Returned,
    TimedOut,
    Undone,
    WebhookSet,
    unpack_batch,
)
from skerry_service.domain.record import Cause, Occupant, TimeoutAction
from skerry_service.domain.table import Table


def first_entry_for_opening(table: Table, seat: int) -> int | None:
    """Return the entry from which on the log says since when a seat's player does not respond.

    ``None`` if the log does not matter: nobody plays there, the seat owes no decision, a clock ends its turn anyway, or
    the session does not open such seats.
    """
    record = table.record
    if not record.playing or not record.abandonment.open_after_ms or not 0 <= seat < len(record.seats):
        return None
    if record.seats[seat].occupant is not Occupant.PLAYER:
        return None
    if record.clock is not None:
        return 1 if record.clock.on_expiry is TimeoutAction.MOVE else None
    return table.open_since[seat] if seat in table.to_act else None


def unresponsive_since(table: Table, seat: int, batches: Iterable[bytes]) -> CooperativeTask[int | None]:
    """Return the store uptime in ms since which a seat's player does not respond; ``None`` if the log has none.

    Without a clock, the time counts since the seat owes its decision. If the server moves for players whose time is up,
    it counts since the first such move. Each sign of the player in the log begins it anew. Yields after each batch.

    ``batches``: serialized, from ``first_entry_for_opening`` on.
    """
    since: int | None = None
    timed = table.record.clock is not None
    for packed in batches:
        batch = unpack_batch(packed)
        if any(_is_sign_of(seat, entry) for entry in batch.entries):
            since = None
        if since is None and (not timed or TimedOut(seat, Cause.OUT_OF_TIME) in batch.entries):
            since = batch.uptime_ms or None  # 0: a replica of an earlier version has stored the batch
        yield
    return since


def _is_sign_of(seat: int, entry: Entry) -> bool:
    """Return whether a seat's player has made this entry."""
    match entry:
        case Moved(actor, _, automatic):
            return actor == seat and not automatic
        case Nudged(_, by, _):
            return by == seat
        case Joined() | Returned() | Recovered() | Emoted() | Undone() | WebhookSet():
            return entry.seat == seat
    return False


def require_may_open(table: Table, seat: int, since_ms: int | None, now: Moment) -> None:
    """Raise SeatTaken unless a seat's player has not responded for long enough. ``since_ms``: in store uptime."""
    if since_ms is None:
        raise SeatTaken(seat)
    passed_ms = max(0, now.uptime_ms - since_ms)  # the count of another replica can be ahead
    left = (table.record.abandonment.open_after_ms - passed_ms) / 1000
    if left > 0:
        raise SeatTaken(
            seat,
            phrase("error-seat-kept", seat=seat, seconds=f"{ceil(left):,}"),
            retry_after=left,
        )
