"""The transitions of a table: each function checks whether a call is permitted and returns its entries as one change.

The change includes the moves of chance and of random bots that follow. A game of random bots alone is the exception:
see ``change_set.play_to_end``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Raw
from msgspec.structs import replace

from skerry_games.api import IllegalMove
from skerry_games.sentences import fill
from skerry_service.domain import clocks
from skerry_service.domain.change_set import ChangeSet
from skerry_service.domain.clocks import Arrival, Moment
from skerry_service.domain.cooperative import CooperativeTask
from skerry_service.domain.errors import (
    AlreadyStarted,
    GameOver,
    InPlay,
    InvalidField,
    LimitReached,
    NoPlayer,
    NotAllowed,
    NotStarted,
    NotToAct,
    NotYourTurn,
    SeatTaken,
    SequenceAhead,
    StaleSequence,
    TimeUp,
    TooFewSeats,
)
from skerry_service.domain.languages.phrases import phrase
from skerry_service.domain.limits import (
    MAX_ENTRIES_BEFORE_START,
    MAX_ENTRIES_FOR_PRESENCE,
    MAX_ENTRIES_FOR_SETTINGS,
)
from skerry_service.domain.log import (
    Away,
    Cancelled,
    Created,
    Entry,
    Joined,
    Labelled,
    Left,
    Moved,
    Nudged,
    Recovered,
    Removed,
    Resigned,
    Returned,
    SeatOpened,
    TimedMove,
    TimedOut,
    WebhookSet,
    pack,
)
from skerry_service.domain.record import RANDOM, Cause, Labels, Occupant, Phase, Record, TimeoutAction, Webhook
from skerry_service.domain.seating.nudges import require_nudge_due
from skerry_service.domain.seating.openings import require_may_open
from skerry_service.domain.seating.reservations import choose_seat, require_all_answered
from skerry_service.domain.seating.returns import require_may_return, require_may_take_over
from skerry_service.domain.seating.seat_changes import name_bots, require_name_available
from skerry_service.domain.table import Change, Table, game_of, options_of


def create(record: Record, now: Moment, players: Sequence[Joined] = ()) -> Change:
    """Create a session, name its bots and seat ``players``. Without an open seat the game starts immediately.

    Raises BadOptions.
    """
    game_of(record).setup(options_of(record), len(record.seats))
    changes = ChangeSet(None, now)
    changes.add(Created(replace(record, seats=name_bots(record.seats))))
    for one in players:
        changes.add(one)
    changes.start_if_complete()
    return changes.build()


def fork(record: Record, moves: Sequence[tuple[int, Any]], now: Moment) -> CooperativeTask[Change]:
    """Create a session from the moves of another game, each with its actor. Yields after each move.

    Without an open seat the game starts immediately. Raises GameOver if the moves end the game.
    """
    changes = ChangeSet(None, now)
    changes.add(Created(replace(record, seats=name_bots(record.seats), opening=1 + len(moves))))
    for actor, move in moves:
        changes.add(Moved(actor, Raw(pack(move))), move)
        yield
    _require_not_over(changes.table)
    changes.start_if_complete()
    return changes.build()


def join(  # noqa: PLR0913 - one for each field of the request
    table: Table,
    name: str,
    token: bytes,
    wanted: int | None,
    now: Moment,
    *,
    player_id: str = "",
    bot: str = "",
    entropy: bytes = b"",
) -> Change:
    """Take a seat. In the lobby the last seat starts the game; in play the seat must be one that the host has opened.

    ``wanted``: the seat, or ``None`` for any. ``bot``: the proven fingerprint of a named bot, or empty. ``entropy``: 32
    bytes that the player adds to the seed, or empty; not in play, when the seed is fixed.

    Raises AlreadyStarted, GameOver, InvalidField, SeatTaken, SeatReserved, NameTaken, LimitReached.
    """
    record, in_lobby = table.record, table.record.phase is Phase.LOBBY
    seats = record.open_seats()
    if record.over:
        # In a delayed session, the error must not reveal that the game is over.
        raise AlreadyStarted if record.seats_at_start else GameOver
    if not seats:
        raise SeatTaken(wanted or 0) if in_lobby else AlreadyStarted
    if in_lobby:
        _require_log_room(table, MAX_ENTRIES_BEFORE_START)
    _require_seat_exists(seats[0] if wanted is None else wanted, table)
    if entropy and not in_lobby:
        raise InvalidField("entropy", "The game has begun, and its seed is fixed. Join without entropy.")
    if entropy and record.lesson:
        raise InvalidField("entropy", "The seed of a lesson is fixed. Join without entropy.")
    seat = choose_seat(record, wanted, bot)
    if not in_lobby:
        require_may_take_over(table, seat)
    require_name_available((*record.seats[:seat], *record.seats[seat + 1 :]), name)
    changes = ChangeSet(table, now)
    changes.add(Joined(seat, name, token, player_id, entropy))
    if in_lobby:
        changes.start_if_complete()
    else:
        changes.run_automatic_moves()  # the game may have been paused
    return changes.build()


def take_kept_seat(table: Table, seat: int, token: bytes, now: Moment, *, entropy: bytes = b"") -> Change:
    """Take the seat of a rematch that is kept for the caller. The last seat starts the game. ``entropy``: see ``join``.

    Raises AlreadyStarted, GameOver, NotAllowed.
    """
    _require_lobby(table)
    one = table.record.seats[seat]
    if one.occupant is not Occupant.KEPT:
        raise NotAllowed("This seat is no longer kept for you. Join the session like any other player.")
    changes = ChangeSet(table, now)
    changes.add(Joined(seat, one.name, token, one.player_id, entropy))
    changes.start_if_complete()
    return changes.build()


def start(table: Table, *, fill_with_bots: bool, level: str = RANDOM, now: Moment) -> Change:
    """Start the game before every seat is taken.

    ``level``: of the bots that take open seats. Raises AlreadyStarted, TooFewSeats, SeatOpen, BadOptions, LimitReached.
    """
    _require_lobby(table)
    require_all_answered(table.record, now)
    record = table.record
    seats = len(record.seats) - (0 if fill_with_bots else len(record.free_seats()))
    playable = (len(record.seats),) if record.opening else table.game.seats
    if seats not in playable:
        raise TooFewSeats(seats, playable)
    changes = ChangeSet(table, now)
    changes.start(fill_with_bots=fill_with_bots, level=level)
    return changes.build()


def leave(table: Table, seat: int, now: Moment) -> Change:
    """Leave a seat. In play a substitute takes over. Raises GameOver."""
    _require_not_over(table)
    changes = ChangeSet(table, now)
    changes.add(Left(seat))
    changes.run_automatic_moves()
    return changes.build()


def return_to_seat(table: Table, seat: int, now: Moment) -> Change:
    """Return to a seat that a substitute plays. Raises NotStarted, GameOver, NotAllowed, TimeUp, LimitReached."""
    _require_playing(table)
    require_may_return(table, seat, now)
    changes = ChangeSet(table, now)
    changes.add(Returned(seat))
    changes.run_automatic_moves()
    return changes.build()


def recover_seat(table: Table, seat: int, token: bytes, now: Moment) -> Change:
    """Give the player of a seat a new token. Raises GameOver, LimitReached."""
    _require_not_over(table)
    _require_log_room(table, MAX_ENTRIES_FOR_PRESENCE if table.record.playing else MAX_ENTRIES_BEFORE_START)
    changes = ChangeSet(table, now)
    changes.add(Recovered(seat, token))
    return changes.build()


def mark_away(table: Table, seat: int, last_seen_ms: int, now: Moment) -> Change:
    """Mark a player as absent since ``last_seen_ms``. Raises NotStarted, GameOver, LimitReached."""
    _require_playing(table)
    _require_log_room(table, MAX_ENTRIES_FOR_PRESENCE)
    changes = ChangeSet(table, now)
    changes.add(Away(seat, last_seen_ms))
    return changes.build()


def time_out(table: Table, seat: int, cause: Cause, now: Moment) -> Change:
    """Carry out the timeout action for a seat. Raises NotStarted, GameOver."""
    _require_playing(table)
    changes = ChangeSet(table, now)
    changes.add(TimedOut(seat, cause))
    if table.record.timeout_action(cause) is TimeoutAction.MOVE:
        changes.move_for(seat)
    changes.run_automatic_moves()
    return changes.build()


def resign(table: Table, seat: int, now: Moment) -> Change:
    """Resign. Raises NotStarted, GameOver."""
    _require_playing(table)
    changes = ChangeSet(table, now)
    changes.add(Resigned(seat))
    changes.run_automatic_moves()
    return changes.build()


def nudge(table: Table, seat: int, by: int, owed_ms: int, now: Moment) -> Change:
    """Nudge the player of a seat that has owed its decision for ``owed_ms``.

    Raises NotStarted, GameOver, InvalidField, NoPlayer, NotToAct, LimitReached.
    """
    _require_playing(table)
    _require_seat_exists(seat, table)
    if seat == by:
        raise InvalidField("seat", "This is your own seat. Name the seat of another player.")
    if table.record.seats[seat].occupant is not Occupant.PLAYER:
        raise NoPlayer(seat)
    if seat not in table.to_act:
        raise NotToAct(seat, table.record.names[seat])
    require_nudge_due(table, seat, owed_ms)
    _require_log_room(table, MAX_ENTRIES_FOR_PRESENCE)
    changes = ChangeSet(table, now)
    changes.add(Nudged(seat, by, owed_ms))
    return changes.build()


def open_seat(table: Table, seat: int, unresponsive_since_ms: int | None, now: Moment) -> Change:
    """Open a seat to new players: an abandoned one, or that of a player who has not responded for long enough.

    ``unresponsive_since_ms``: see ``openings.unresponsive_since``.
    Raises NotStarted, GameOver, InvalidField, SeatTaken.
    """
    _require_playing(table)
    _require_seat_exists(seat, table)
    one = table.record.seats[seat]
    if one.occupant is Occupant.PLAYER:
        require_may_open(table, seat, unresponsive_since_ms, now)
    elif one.cause in (None, Cause.RESIGNED) or one.is_open_in_play:
        raise SeatTaken(seat)
    changes = ChangeSet(table, now)
    changes.add(SeatOpened(seat))
    changes.run_automatic_moves()
    return changes.build()


def cancel(table: Table, now: Moment) -> Change:
    """Cancel the session as its host. Raises InPlay, GameOver, LimitReached."""
    _require_not_over(table)
    require_all_answered(table.record, now)
    players = table.record.players()
    if players and table.record.phase is Phase.PLAYING:
        raise InPlay(players, table.record.names)
    changes = ChangeSet(table, now)
    changes.add(Cancelled())
    return changes.build()


def end_by_operator(table: Table, now: Moment) -> Change:
    """Cancel the session as the operator, even with players in it. Raises GameOver."""
    _require_not_over(table)
    changes = ChangeSet(table, now)
    changes.add(Cancelled(by_operator=True))
    return changes.build()


def remove_player(table: Table, seat: int, now: Moment) -> Change:
    """Remove a player from the lobby, or open a seat that is kept for one.

    Raises AlreadyStarted, InvalidField, NoPlayer, LimitReached.
    """
    _require_lobby(table)
    _require_seat_exists(seat, table)
    require_all_answered(table.record, now)
    if table.record.seats[seat].occupant not in (Occupant.PLAYER, Occupant.KEPT):
        raise NoPlayer(seat)
    changes = ChangeSet(table, now)
    changes.add(Removed(seat))
    return changes.build()


def set_webhook(table: Table, seat: int | None, webhook: Webhook | None, now: Moment) -> Change:
    """Set or remove the webhook of a seat, or of the host (``None``). Raises GameOver, LimitReached."""
    return _append_setting(table, WebhookSet(seat, webhook), now)


def replace_labels(table: Table, labels: Labels, now: Moment) -> Change:
    """Replace the labels. Raises GameOver, LimitReached."""
    return _append_setting(table, Labelled(labels), now)


def _append_setting(table: Table, entry: Entry, now: Moment) -> Change:
    _require_not_over(table)
    _require_log_room(
        table, MAX_ENTRIES_BEFORE_START if table.record.phase is Phase.LOBBY else MAX_ENTRIES_FOR_SETTINGS
    )
    changes = ChangeSet(table, now)
    changes.add(entry)
    return changes.build()


def act(
    table: Table, seat: int, move: Any, expected_sequence: int, now: Moment, arrival: Arrival | None = None
) -> Change:
    """Make a move of a player or of a thinking bot. ``arrival``: when it arrived; ``None`` means now.

    Raises NotStarted, GameOver, SequenceAhead, StaleSequence, NotYourTurn, TimeUp, and errors of the game's rules.
    """
    _require_playing(table)
    if expected_sequence > table.sequence:
        raise SequenceAhead(expected_sequence, table.sequence)
    to_act = table.to_act
    if expected_sequence < (table.open_since[seat] if seat in to_act else table.sequence):
        raise StaleSequence(expected_sequence, table.sequence)
    if seat not in to_act:
        raise NotYourTurn(to_act, table.record.names)
    changes = ChangeSet(table, now)
    try:
        changes.add(_moved(table, seat, move, arrival or Arrival(now.uptime_ms)), move)
    except IllegalMove as refused:
        names = table.record.names
        raise IllegalMove(refused.rule, fill(refused.sentence, names), refused.sentence, names) from None
    changes.run_automatic_moves()
    return changes.build()


def _moved(table: Table, seat: int, move: Any, arrival: Arrival) -> Moved:
    """Return the entry of a move, with the time charged to the seat. Raises TimeUp."""
    packed, thinks = Raw(pack(move)), table.record.seats[seat].thinks
    if thinks or not table.clocks:
        return Moved(seat, packed, automatic=thinks)
    clock = table.clocks[seat]
    passed = max(0, arrival.received_ms - clock.since_ms)
    allowed = clocks.allowance(passed, arrival)
    if passed - allowed > clock.grace_ms + clock.left_ms:
        raise TimeUp
    return TimedMove(seat, packed, charged_ms=passed - allowed, allowance_ms=allowed)


def _require_lobby(table: Table) -> None:
    if table.record.phase is Phase.CANCELLED:
        raise GameOver
    if table.record.phase is not Phase.LOBBY:
        raise AlreadyStarted


def _require_playing(table: Table) -> None:
    if not table.record.playing:
        _require_not_over(table)
        raise NotStarted


def _require_not_over(table: Table) -> None:
    if table.record.over:
        raise GameOver


def _require_seat_exists(seat: int, table: Table) -> None:
    if not 0 <= seat < len(table.record.seats):
        raise InvalidField("seat", phrase("error-seats", last=len(table.record.seats) - 1))


def _require_log_room(table: Table, most: int) -> None:
    """Raise LimitReached if the log has too many entries: logs are read whole, so repeatable calls must be limited."""
    if (entries := table.sequence - table.record.opening) >= most:
        raise LimitReached(
            "entries",
            phrase("limit-entries", entries=entries, most=most),
            retry_after=None,
        )
