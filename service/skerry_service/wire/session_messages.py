"""Writes sessions as messages. What a viewer may not know is taken out here, by the game's ``view`` and ``show``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from google.protobuf.timestamp_pb2 import Timestamp

from skerry.v1 import catalogue_pb2, session_pb2
from skerry_games.api import CHANCE, CHANCE_ACTS, OVER, AnyGame, Outcome, Viewer
from skerry_service.domain.cooperative import CooperativeTask
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
    Started,
    TimedMove,
    TimedOut,
    WebhookSet,
)
from skerry_service.domain.record import (
    AbandonmentPolicy,
    Clock,
    ClockKind,
    Delay,
    Occupant,
    Phase,
    Record,
    SeatRecord,
    Substitution,
)
from skerry_service.domain.table import Applied, Table, game_of, options_of
from skerry_service.wire.payloads import legal_moves_to_wire, moved_to_wire, view_to_wire, write_board, write_options
from skerry_service.wire.splice import int_field, message_field

_DAY_MS = 86_400_000
_NAMED: Mapping[type[Entry], str] = {
    Left: "left",
    Away: "away",
    Returned: "returned",
    Resigned: "resigned",
    SeatOpened: "seat_opened",
    Removed: "removed",
}
"""The kinds of entries of which there is nothing to say but the seat."""
_IN_POSITION = message_field(session_pb2.Position, "view")
_IN_SEQUENCE, _IN_MOVED = int_field(session_pb2.Entry, "sequence"), message_field(session_pb2.Entry, "moved")
_IN_TIME, _SECONDS, _NANOS = (
    message_field(session_pb2.Entry, "time"),
    int_field(Timestamp, "seconds"),
    int_field(Timestamp, "nanos"),
)


def write_game(game: AnyGame, levels: Sequence[str], *, full: bool) -> catalogue_pb2.Game:
    """Return a game; ``levels``: how bots can decide; ``whole``: with its board and its rules."""
    message = catalogue_pb2.Game(
        name=f"games/{game.id}",
        id=game.id,
        title=game.title,
        author=game.author,
        seats=game.seats,
        ruleset=game.ruleset,
        editions=game.editions,
        default_options=write_options(game, game.options_type()),
        levels=levels,
    )
    if full:
        message.board.CopyFrom(write_board(game, game.editions[0]))
        for rule in game.rules:
            message.rules.add(id=rule.id, section=rule.section, text=rule.text)
    return message


def write_session(record: Record, sequence: int, epoch: str, *, with_player_ids: bool) -> session_pb2.Session:
    """Return what everybody may know of a session. Raises RulesetUnsupported, GameNotFound.

    ``players``: for one who may know their ids (``access.may_know_players``).
    """
    message = session_pb2.Session(
        name=f"sessions/{record.id}",
        game=record.game,
        ruleset=record.ruleset,
        options=write_options(game_of(record), options_of(record)),
        state=session_pb2.SessionState.ValueType(record.phase),
        visibility=session_pb2.Visibility.ValueType(record.visibility),
        spectating=session_pb2.Spectating.ValueType(record.spectating),
        sequence=sequence,
        epoch=epoch,
        commitment=record.commitment,
        seed=record.seed if record.over else None,
        seeded=record.seeded,
        outcome=write_outcome(record.outcome, record.substitutions()) if record.outcome else None,
        labels=dict(record.labels),
        public_player_ids=record.public_player_ids,
        join_code_required=record.requires_join_code,
        abandonment=_write_leavers(record.abandonment),
        clock=_write_clock(record.clock) if record.clock else None,
        opening=record.opening,
        delay=_write_delay(record.delay) if record.delay else None,
    )
    _set_time(message.create_time, record.created_ms)
    for seat, one in enumerate(record.seats):
        message.seats.add(
            seat=seat,
            occupant=session_pb2.Occupant.ValueType(one.occupant),
            display_name=one.name or None,
            player_id=(one.player_id or None) if with_player_ids else None,
            level=one.level if one.occupant is Occupant.BOT else None,
            substitute=_write_substitute(one),
            reserved_for=one.reserved_for or None,
            away=one.away > 0 and one.occupant is Occupant.PLAYER and record.playing,
        )
    return message


def _write_leavers(abandonment: AbandonmentPolicy) -> session_pb2.AbandonmentPolicy:
    return session_pb2.AbandonmentPolicy(
        on_resignation=session_pb2.TimeoutAction.ValueType(abandonment.on_resignation),
        level=abandonment.level,
        absence_ms=abandonment.absence_ms,
        on_absence=session_pb2.TimeoutAction.ValueType(abandonment.on_absence),
    )


def _write_clock(clock: Clock) -> session_pb2.Clock:
    message = session_pb2.Clock(on_expiry=session_pb2.TimeoutAction.ValueType(clock.on_expiry))
    match clock.kind:
        case ClockKind.PER_MOVE:
            message.per_move.time_ms = clock.grace_ms
        case ClockKind.BANK:
            message.bank.time_ms, message.bank.increment_ms = clock.bank_ms, clock.increment_ms
        case ClockKind.BANK_WITH_GRACE:
            message.bank_with_grace.time_ms, message.bank_with_grace.grace_ms = clock.bank_ms, clock.grace_ms
        case ClockKind.CORRESPONDENCE:
            message.correspondence.days = clock.grace_ms // _DAY_MS
    return message


def _write_delay(delay: Delay) -> session_pb2.SpectatorDelay:
    if delay.entries:
        return session_pb2.SpectatorDelay(entries=delay.entries)
    return session_pb2.SpectatorDelay(seconds=delay.ms // 1000)


def write_clocks(table: Table, uptime_ms: int) -> session_pb2.Clocks:
    """Return the clocks of a table, told at that age of the store."""
    clocks = session_pb2.Clocks(server_time_ms=uptime_ms)
    for one in table.clocks:
        clocks.seats.add(left_ms=one.left_ms, grace_ms=one.grace_ms, deadline_ms=one.deadline_ms)
    return clocks


def _write_substitute(one: SeatRecord) -> session_pb2.Substitute | None:
    if one.cause is None:
        return None
    cause = session_pb2.SubstituteCause.ValueType(one.cause)
    return session_pb2.Substitute(cause=cause, since=one.since, open=one.is_open_in_play)


def position_to_wire(table: Table, viewer: Viewer) -> bytes:
    """Return the game as that viewer may see it, a ``Position`` in wire format. It must have begun."""
    game, state, record = table.game, table.state, table.record
    to_act = table.turn if record.phase is Phase.LOBBY else table.to_act  # in an opening
    to_act = OVER if to_act == CHANCE_ACTS else to_act  # as in the past; chance has no seat
    message = session_pb2.Position(
        sequence=table.sequence,
        to_act=to_act,
        outcome=write_outcome(record.outcome, record.substitutions()) if record.outcome is not None else None,
        seat=viewer,
    )
    parts = [message.SerializeToString(), _IN_POSITION(view_to_wire(game, game.view(state, viewer)))]
    if viewer is not None and viewer in to_act and record.seats[viewer].cause is None:
        parts.append(legal_moves_to_wire(game, game.legal_moves(state, viewer), record.names))
    return b"".join(parts)


def entry_to_wire(table: Table, applied: Applied, viewer: Viewer) -> bytes:
    """Return an entry of the log as that viewer may see it now, when the session stands at ``table``: an ``Entry``."""
    done, begins = applied.entry, _IN_SEQUENCE(applied.sequence) + _time_to_wire(applied.time_ms)
    if isinstance(done, Moved):
        return begins + _mover_to_wire(done.actor, done.automatic) + _moved_to_wire(table, applied, viewer)
    return begins + _other(table, done).SerializeToString()


def entries_to_wire(table: Table, log: Iterable[Applied], viewer: Viewer) -> CooperativeTask[list[bytes]]:
    """Return such entries, one between two yields: a game has as many as take a tenth of a second."""
    written = []
    for applied in log:
        written.append(entry_to_wire(table, applied, viewer))
        yield
    return written


def _other(table: Table, done: Entry) -> session_pb2.Entry:
    """Return an entry that is no move, without its place and time."""
    entry = session_pb2.Entry()
    match done:
        case Created():
            entry.created.SetInParent()
        case Joined():
            entry.seat = done.seat
            entry.joined.display_name = done.name
        case Left() | Away() | Returned() | Resigned() | SeatOpened() | Removed():
            entry.seat = done.seat
            getattr(entry, _NAMED[type(done)]).SetInParent()
        case TimedOut():
            entry.seat = done.seat
            entry.timed_out.cause = session_pb2.SubstituteCause.ValueType(done.cause)
            entry.timed_out.action = session_pb2.TimeoutAction.ValueType(table.record.timeout_action(done.cause))
        case Nudged():
            entry.seat = done.seat
            entry.nudged.by, entry.nudged.owed_ms = done.by, done.owed_ms
        case WebhookSet():
            if done.seat is not None:
                entry.seat = done.seat
            entry.webhook_set.SetInParent()
        case Cancelled():
            entry.cancelled.by_operator = done.by_operator
            entry.cancelled.SetInParent()
        case Labelled():
            entry.labelled.SetInParent()
            entry.labelled.labels.update(done.labels)
        case Started():
            entry.started.fill_with_bots = done.fill_with_bots
    return entry


def visible_parts(table: Table, applied: Applied, viewer: Viewer) -> tuple[Any, tuple[Any, ...]]:
    """Return an entry's move and events as that viewer may see them now; ``None`` for a move that is hidden.

    Entries that are no moves have neither.
    """
    if table.record.over or not isinstance(applied.entry, Moved):
        return applied.move, applied.events
    game = table.game
    events = tuple([shown for event in applied.events if (shown := game.show(event, viewer)) is not None])
    return game.show_move(applied.move, applied.entry.actor, viewer), events


def _moved_to_wire(table: Table, applied: Applied, viewer: Viewer) -> bytes:
    """A move and its events are shown as the game shows them, until it is over and all is open."""
    move, events = visible_parts(table, applied, viewer)
    moved = moved_to_wire(table.game, move, events, table.record.names)
    if isinstance(done := applied.entry, TimedMove):
        time = session_pb2.MoveTime(charged_ms=done.charged_ms, allowance_ms=done.allowance_ms)
        moved += session_pb2.Moved(time=time).SerializeToString()
    return _IN_MOVED(moved)


@lru_cache(maxsize=64)
def _mover_to_wire(actor: int, automatic: bool) -> bytes:
    return b"" if actor == CHANCE else session_pb2.Entry(seat=actor, automatic=automatic).SerializeToString()


@lru_cache(maxsize=64)
def _time_to_wire(time_ms: int) -> bytes:
    """Return the time of an entry, which it has in common with those of its batch."""
    seconds, ms = divmod(time_ms, 1000)
    return _IN_TIME(_SECONDS(seconds) + _NANOS(ms * 1_000_000) if ms else _SECONDS(seconds))


def write_outcome(outcome: Outcome, substitutions: Iterable[Substitution] = ()) -> session_pb2.Outcome:
    """Return an outcome as a message, with what substitutes have played."""
    message = session_pb2.Outcome(ranks=outcome.ranks, scores=outcome.scores, reason=outcome.reason)
    for one in substitutions:
        message.substitutions.add(seat=one.seat, first=one.first, last=one.last)
    return message


def _set_time(message: Timestamp, time_ms: int) -> None:
    message.seconds, milliseconds = divmod(time_ms, 1000)
    message.nanos = milliseconds * 1_000_000
