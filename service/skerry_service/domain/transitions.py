"""What each call does to a table: whether it may, and the entries that follow from it, as one change.

Chance and the bots that follow an entry are part of its change, but for a game that plays itself: ``draft.play_on``.
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
from skerry_service.domain.limits import (
    MAX_ENTRIES_BEFORE_START,
    MAX_ENTRIES_FOR_PRESENCE,
    MAX_ENTRIES_FOR_SETTINGS,
    MAX_RETURNS,
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
from skerry_service.domain.seating.reservations import choose_seat
from skerry_service.domain.seating.seat_changes import name_bots, require_name_available
from skerry_service.domain.table import Change, Table, game_of, options_of


def create(record: Record, now: Moment, players: Sequence[Joined] = ()) -> Change:
    """Begin a session, name its bots and seat players. Without an open seat the game starts at once.

    Raises BadOptions.
    """
    game_of(record).setup(options_of(record), len(record.seats))
    draft = ChangeSet(None, now)
    draft.do(Created(replace(record, seats=name_bots(record.seats))))
    for one in players:
        draft.do(one)
    draft.start_if_complete()
    return draft.change()


def fork(record: Record, moves: Sequence[tuple[int, Any]], now: Moment) -> CooperativeTask[Change]:
    """Begin a session with moves that were made in another game, each with its actor, one between two yields.

    Without an open seat the game goes on at once. Raises GameOver if it was over with them.
    """
    draft = ChangeSet(None, now)
    draft.do(Created(replace(record, seats=name_bots(record.seats), opening=1 + len(moves))))
    for actor, move in moves:
        draft.do(Moved(actor, Raw(pack(move))), move)
        yield
    _require_not_over(draft.table)
    draft.start_if_complete()
    return draft.change()


def join(
    table: Table,
    name: str,
    token: bytes,
    wanted: int | None,
    now: Moment,
    *,
    player_id: str = "",
    bot: str = "",
) -> Change:
    """Take a seat; the last one starts the game. In play: the seat of a leaver that the host has opened.

    ``bot``: the fingerprint of a named bot. Raises AlreadyStarted, GameOver, InvalidField, SeatTaken, SeatReserved,
    NameTaken, LimitReached.
    """
    record, in_lobby = table.record, table.record.phase is Phase.LOBBY
    seats = record.open_seats()
    if record.over:
        raise (
            AlreadyStarted if record.seats_at_start else GameOver
        )  # of a late one: that it is over may not be shown yet
    if not seats:
        raise SeatTaken(wanted or 0) if in_lobby else AlreadyStarted
    if in_lobby:
        _require_log_room(table, MAX_ENTRIES_BEFORE_START)
    _require_seat_exists(seats[0] if wanted is None else wanted, table)
    seat = choose_seat(record, wanted, bot)
    if not in_lobby:
        _require_return_allowed(record, seat)
    require_name_available((*record.seats[:seat], *record.seats[seat + 1 :]), name)
    draft = ChangeSet(table, now)
    draft.do(Joined(seat, name, token, player_id))
    if in_lobby:
        draft.start_if_complete()
    else:
        draft.run_on()  # the game may have rested
    return draft.change()


def take_kept_seat(table: Table, seat: int, token: bytes, now: Moment) -> Change:
    """Take the seat that is kept for the caller; the last one starts the game.

    Raises AlreadyStarted, GameOver, NotAllowed.
    """
    _require_lobby(table)
    one = table.record.seats[seat]
    if one.occupant is not Occupant.KEPT:
        raise NotAllowed("Your seat is kept for you no longer. Join as everybody does, if there is one.")
    draft = ChangeSet(table, now)
    draft.do(Joined(seat, one.name, token, one.player_id))
    draft.start_if_complete()
    return draft.change()


def start(table: Table, *, fill_with_bots: bool, level: str = RANDOM, now: Moment) -> Change:
    """Begin the game before every seat is taken. Raises AlreadyStarted, TooFewSeats, SeatOpen, BadOptions.

    ``level``: of the bots that take open seats.
    """
    _require_lobby(table)
    record = table.record
    seats = len(record.seats) - (0 if fill_with_bots else len(record.free_seats()))
    playable = (len(record.seats),) if record.opening else table.game.seats
    if seats not in playable:
        raise TooFewSeats(seats, playable)
    draft = ChangeSet(table, now)
    draft.start(fill_with_bots=fill_with_bots, level=level)
    return draft.change()


def leave(table: Table, seat: int, now: Moment) -> Change:
    """Leave a seat; in play a substitute takes over. Raises GameOver."""
    _require_not_over(table)
    draft = ChangeSet(table, now)
    draft.do(Left(seat))
    draft.run_on()
    return draft.change()


def return_to_seat(table: Table, seat: int, now: Moment) -> Change:
    """Take the seat back from its substitute. Raises NotStarted, GameOver, NotAllowed, LimitReached."""
    _require_playing(table)
    if table.record.seats[seat].cause is Cause.RESIGNED:
        raise NotAllowed("You have resigned.")
    if table.record.seats[seat].cause is not None:
        _require_return_allowed(table.record, seat)
        clock = table.record.clock
        if clock is not None and not clocks.could_move_in_time(clock, table.clocks[seat]):
            raise NotAllowed("Your time is used up.")
    draft = ChangeSet(table, now)
    draft.do(Returned(seat))
    draft.run_on()
    return draft.change()


def mark_away(table: Table, seat: int, last_seen_ms: int, now: Moment) -> Change:
    """Note that a player has not been seen since then. Raises NotStarted, GameOver, LimitReached."""
    _require_playing(table)
    _require_log_room(table, MAX_ENTRIES_FOR_PRESENCE)
    draft = ChangeSet(table, now)
    draft.do(Away(seat, last_seen_ms))
    return draft.change()


def time_out(table: Table, seat: int, cause: Cause, now: Moment) -> Change:
    """Do what the session does for a seat whose player does nothing. Raises NotStarted, GameOver."""
    _require_playing(table)
    draft = ChangeSet(table, now)
    draft.do(TimedOut(seat, cause))
    if table.record.timeout_action(cause) is TimeoutAction.MOVE:
        draft.move_for(seat)
    draft.run_on()
    return draft.change()


def resign(table: Table, seat: int, now: Moment) -> Change:
    """Give the game up. Raises NotStarted, GameOver."""
    _require_playing(table)
    draft = ChangeSet(table, now)
    draft.do(Resigned(seat))
    draft.run_on()
    return draft.change()


def nudge(table: Table, seat: int, by: int, owed_ms: int, now: Moment) -> Change:
    """Remind a player of the decision that the seat owes, and has owed for that long.

    Raises NotStarted, GameOver, InvalidField, NoPlayer, NotToAct, LimitReached.
    """
    _require_playing(table)
    _require_seat_exists(seat, table)
    if seat == by:
        raise InvalidField("seat", "This is your own seat; name that of another player.")
    if table.record.seats[seat].occupant is not Occupant.PLAYER:
        raise NoPlayer(seat)
    if seat not in table.to_act:
        raise NotToAct(seat, table.record.names[seat])
    require_nudge_due(table, seat, owed_ms)
    _require_log_room(table, MAX_ENTRIES_FOR_PRESENCE)
    draft = ChangeSet(table, now)
    draft.do(Nudged(seat, by, owed_ms))
    return draft.change()


def open_seat(table: Table, seat: int, now: Moment) -> Change:
    """Open the seat of a leaver to others. Raises NotStarted, GameOver, InvalidField, SeatTaken."""
    _require_playing(table)
    _require_seat_exists(seat, table)
    one = table.record.seats[seat]
    if one.cause in (None, Cause.RESIGNED) or one.is_open_in_play:
        raise SeatTaken(seat)
    draft = ChangeSet(table, now)
    draft.do(SeatOpened(seat))
    return draft.change()


def cancel(table: Table, now: Moment) -> Change:
    """Call the session off. Raises InPlay, GameOver."""
    _require_not_over(table)
    players = table.record.players()
    if players and table.record.phase is Phase.PLAYING:
        raise InPlay(players, table.record.names)
    draft = ChangeSet(table, now)
    draft.do(Cancelled())
    return draft.change()


def end_by_operator(table: Table, now: Moment) -> Change:
    """Call the session off, whoever sits at it. Raises GameOver."""
    _require_not_over(table)
    draft = ChangeSet(table, now)
    draft.do(Cancelled(by_operator=True))
    return draft.change()


def remove_player(table: Table, seat: int, now: Moment) -> Change:
    """Remove a player in the lobby, or give up a seat that is kept for one.

    Raises AlreadyStarted, InvalidField, NoPlayer.
    """
    _require_lobby(table)
    _require_seat_exists(seat, table)
    if table.record.seats[seat].occupant not in (Occupant.PLAYER, Occupant.KEPT):
        raise NoPlayer(seat)
    draft = ChangeSet(table, now)
    draft.do(Removed(seat))
    return draft.change()


def set_webhook(table: Table, seat: int | None, webhook: Webhook | None, now: Moment) -> Change:
    """Change where a player, or the host, is told what happens. Raises GameOver, LimitReached."""
    return _append_setting(table, WebhookSet(seat, webhook), now)


def replace_labels(table: Table, labels: Labels, now: Moment) -> Change:
    """Replace the labels. Raises GameOver, LimitReached."""
    return _append_setting(table, Labelled(labels), now)


def _append_setting(table: Table, entry: Entry, now: Moment) -> Change:
    _require_not_over(table)
    _require_log_room(
        table, MAX_ENTRIES_BEFORE_START if table.record.phase is Phase.LOBBY else MAX_ENTRIES_FOR_SETTINGS
    )
    draft = ChangeSet(table, now)
    draft.do(entry)
    return draft.change()


def act(
    table: Table, seat: int, move: Any, expected_sequence: int, now: Moment, arrival: Arrival | None = None
) -> Change:
    """Make one move, of a player or of a bot that thought about it. ``arrival``: if it is known; else it is now.

    Raises NotStarted, GameOver, SequenceAhead, StaleSequence, NotYourTurn, TimeUp, and the rules' own refusals.
    """
    _require_playing(table)
    if expected_sequence > table.sequence:
        raise SequenceAhead(expected_sequence, table.sequence)
    to_act = table.to_act
    if expected_sequence < (table.open_since[seat] if seat in to_act else table.sequence):
        raise StaleSequence(expected_sequence, table.sequence)
    if seat not in to_act:
        raise NotYourTurn(to_act, table.record.names)
    draft = ChangeSet(table, now)
    try:
        draft.do(_moved(table, seat, move, arrival or Arrival(now.uptime_ms)), move)
    except IllegalMove as refused:
        raise IllegalMove(refused.rule, fill(refused.sentence, table.record.names)) from None
    draft.run_on()
    return draft.change()


def _moved(table: Table, seat: int, move: Any, arrival: Arrival) -> Moved:
    """Return the entry of a move, with what it costs its seat. Raises TimeUp."""
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


def _require_return_allowed(record: Record, seat: int) -> None:
    if sum(one.seat == seat for one in record.substituted) >= MAX_RETURNS:
        raise LimitReached(
            "returns",
            f"Players have taken seat {seat} from substitutes {MAX_RETURNS} times, which is as often as they can.",
            retry_after=None,
        )


def _require_seat_exists(seat: int, table: Table) -> None:
    if not 0 <= seat < len(table.record.seats):
        raise InvalidField("seat", f"This session has the seats 0 to {len(table.record.seats) - 1}.")


def _require_log_room(table: Table, most: int) -> None:
    """What anybody can do again and again must not make the log longer for ever: it is read as a whole."""
    if (entries := table.sequence - table.record.opening) >= most:
        raise LimitReached(
            "entries",
            f"This session has {entries} entries already, of {most} that it may have at this point.",
            retry_after=None,
        )
