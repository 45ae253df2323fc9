"""Messages of sessions, positions and entries. The game's ``view`` and ``show`` remove hidden information here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from google.protobuf.timestamp_pb2 import Timestamp

from skerry.v1 import catalogue_pb2, session_pb2
from skerry.v1.sentence_pb2 import Sentence as SentenceMessage
from skerry_games.api import CHANCE, CHANCE_ACTS, OVER, AnyGame, Outcome, Viewer
from skerry_games.catalogue import all_games, rules_in
from skerry_games.editions import edition_names
from skerry_games.rng import commitment
from skerry_games.sentences import player
from skerry_service.domain.cooperative import CooperativeTask
from skerry_service.domain.languages.phrases import phrase, verbatim
from skerry_service.domain.lessons.course import Course, course_of
from skerry_service.domain.log import (
    Away,
    Cancelled,
    Created,
    Emoted,
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
    Started,
    TimedMove,
    TimedOut,
    Undone,
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
from skerry_service.domain.seating.departures import read_end_reason, reason_in
from skerry_service.domain.table import Applied, Table, game_of, options_of, undoable
from skerry_service.wire.caller_language import caller_language, localized
from skerry_service.wire.payloads import legal_moves_to_wire, moved_to_wire, view_to_wire, write_board, write_options
from skerry_service.wire.scene_messages import symbols_of
from skerry_service.wire.sentence_messages import asked_sentence, asked_sentences
from skerry_service.wire.splice import int_field, message_field

_DAY_MS = 86_400_000
_SEAT_ENTRIES: Mapping[type[Entry], str] = {
    Left: "left",
    Away: "away",
    Returned: "returned",
    Recovered: "recovered",
    Resigned: "resigned",
    SeatOpened: "seat_opened",
    Removed: "removed",
}
"""The kinds of entries whose only content is the seat."""
WriteMoved = Callable[[AnyGame, Any | None, Iterable[Any], tuple[str, ...]], bytes]
"""Serializes a move and its events with the names of the players: ``payloads.moved_to_wire``."""
IN_VIEW = message_field(session_pb2.Position, "view")
_IN_SEQUENCE, _IN_MOVED = int_field(session_pb2.Entry, "sequence"), message_field(session_pb2.Entry, "moved")
_IN_UNDONE = message_field(session_pb2.Entry, "undone")
_IN_TIME, _SECONDS, _NANOS = (
    message_field(session_pb2.Entry, "time"),
    int_field(Timestamp, "seconds"),
    int_field(Timestamp, "nanos"),
)


def write_game(game: AnyGame, levels: Sequence[str], *, full: bool) -> catalogue_pb2.Game:
    """Return a game. ``levels``: the levels of bots. ``full``: include the board and the rules."""
    message = catalogue_pb2.Game(
        name=f"games/{game.id}",
        id=game.id,
        title=game.title,
        author=game.author,
        seats=game.seats,
        ruleset=game.ruleset,
        editions=edition_names(all_games()[game.id]),
        default_options=write_options(game, game.options_type()),
        levels=levels,
    )
    if (course := course_of(game)) is not None:
        message.lesson.CopyFrom(_write_lesson(game, course, full=full))
    if full:
        message.board.CopyFrom(write_board(game, game.editions[0]))
        board_text = game.board_text(game.boards[0])
        message.board_text = localized(board_text)
        message.MergeFrom(catalogue_pb2.Game(board_text_sentence=asked_sentence(board_text)))
        message.symbols.extend(symbols_of(game))
        for rule in rules_in(game, caller_language()):
            message.rules.add(id=rule.id, section=rule.section, text=rule.text)
    return message


def _write_lesson(game: AnyGame, course: Course, *, full: bool) -> catalogue_pb2.Lesson:
    """Return a game's lesson. ``full``: include the steps."""
    message = catalogue_pb2.Lesson(seats=course.lesson.seats, seat=course.lesson.seat)
    names = tuple(["you" if seat == course.lesson.seat else f"seat {seat}" for seat in range(course.lesson.seats)])
    for placed in course.steps if full else ():
        step = placed.step
        allowed = session_pb2.Position.FromString(legal_moves_to_wire(game, step.moves, names))
        message.steps.add(
            sequence=placed.sequence,
            text=localized(step.text),
            more=localized(step.more),
            marks=step.marks,
            moves=allowed.legal_moves,
            answers={thing: localized(answer) for thing, answer in step.wrong.items()},
            sentence=asked_sentence(step.text),
            more_sentence=asked_sentence(step.more),
            answers_sentences=dict(zip(step.wrong, asked_sentences(step.wrong.values()), strict=False)),
        )
    return message


def write_session(record: Record, sequence: int, epoch: str, *, with_player_ids: bool) -> session_pb2.Session:
    """Return the public part of a session. Raises RulesetUnsupported, GameNotFound.

    ``with_player_ids``: include the players' ids, for callers that may see them (``tokens.may_see_player_ids``).
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
        outcome=write_outcome(record.outcome, record.names, record.substitutions()) if record.outcome else None,
        labels=dict(record.labels),
        public_player_ids=record.public_player_ids,
        join_code_required=record.requires_join_code,
        abandonment=_write_abandonment(record.abandonment),
        clock=write_clock(record.clock) if record.clock else None,
        opening=record.opening,
        delay=_write_delay(record.delay) if record.delay else None,
        lesson=record.lesson,
        hints=record.hints,
        undo=session_pb2.UndoPolicy.ValueType(record.undo),
        rated=record.rated,
    )
    _set_time(message.create_time, record.created_ms)
    for number, seat in enumerate(record.seats):
        message.seats.add(
            seat=number,
            occupant=session_pb2.Occupant.ValueType(seat.occupant),
            display_name=seat.name or None,
            player_id=(seat.player_id or None) if with_player_ids else None,
            level=seat.level if seat.occupant is Occupant.BOT else None,
            substitute=_write_substitute(seat),
            reserved_for=seat.reserved_for or None,
            away=seat.away > 0 and seat.occupant is Occupant.PLAYER and record.playing,
            entropy_hash=commitment(seat.entropy, record.id) if seat.entropy else None,
            entropy=seat.entropy if record.over else None,
        )
    return message


def _write_abandonment(abandonment: AbandonmentPolicy) -> session_pb2.AbandonmentPolicy:
    return session_pb2.AbandonmentPolicy(
        on_resignation=session_pb2.TimeoutAction.ValueType(abandonment.on_resignation),
        level=abandonment.level,
        absence_ms=abandonment.absence_ms,
        on_absence=session_pb2.TimeoutAction.ValueType(abandonment.on_absence),
        open_after_ms=abandonment.open_after_ms,
    )


def write_clock(clock: Clock) -> session_pb2.Clock:
    """Return the message of a clock."""
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
    """Return the clocks of a table at a time of the store clock."""
    clocks = session_pb2.Clocks(server_time_ms=uptime_ms)
    for clock in table.clocks:
        clocks.seats.add(left_ms=clock.left_ms, grace_ms=clock.grace_ms, deadline_ms=clock.deadline_ms)
    return clocks


def _write_substitute(seat: SeatRecord) -> session_pb2.Substitute | None:
    if seat.cause is None:
        return None
    cause = session_pb2.SubstituteCause.ValueType(seat.cause)
    return session_pb2.Substitute(cause=cause, since=seat.since, open=seat.is_open_in_play)


def position_to_wire(table: Table, viewer: Viewer) -> bytes:
    """Return the position as the viewer may see it, as a serialized ``Position``. The game must have begun."""
    game, state = table.game, table.state
    head, chooser = position_head(table, viewer)
    parts = [head, IN_VIEW(view_to_wire(game, game.view(state, viewer)))]
    if chooser is not None:
        parts.append(legal_moves_to_wire(game, game.legal_moves(state, chooser), table.record.names))
    return b"".join(parts)


def position_head(table: Table, viewer: Viewer) -> tuple[bytes, int | None]:
    """Return a serialized ``Position`` without view and legal moves, and the viewer's seat if it owes a decision."""
    record = table.record
    to_act = table.turn if record.phase is Phase.LOBBY else table.to_act  # the lobby of a fork has a position, too
    to_act = OVER if to_act == CHANCE_ACTS else to_act  # chance has no seat
    message = session_pb2.Position(
        sequence=table.sequence,
        undoable=0 if viewer is None else undoable(table, viewer),
        to_act=to_act,
        outcome=write_outcome(record.outcome, record.names, record.substitutions()) if record.outcome else None,
        seat=viewer,
    )
    chooses = viewer is not None and viewer in to_act and record.seats[viewer].cause is None
    return message.SerializeToString(), viewer if chooses else None


def entry_to_wire(
    table: Table, applied: Applied, viewer: Viewer, write_moved: WriteMoved = moved_to_wire, frames: bytes = b""
) -> bytes:
    """Return an entry of the log as the viewer may see it now, as a serialized ``Entry``. ``table``: the newest one.

    ``frames``: a further part of a serialized ``Moved`` or ``Undone``.
    """
    entry, head = applied.entry, _IN_SEQUENCE(applied.sequence) + _time_to_wire(applied.time_ms)
    if isinstance(entry, Moved):
        moved = _moved_to_wire(table, applied, viewer, write_moved) + frames
        return head + _mover_to_wire(entry.actor, entry.automatic) + _IN_MOVED(moved)
    if isinstance(entry, Undone):
        undone = session_pb2.Undone(first=entry.first, charged_ms=entry.charged_ms).SerializeToString() + frames
        return head + _mover_to_wire(entry.seat, automatic=False) + _IN_UNDONE(undone)
    return head + _write_other_entry(table, entry).SerializeToString()


def entries_to_wire(table: Table, log: Iterable[Applied], viewer: Viewer) -> CooperativeTask[list[bytes]]:
    """Return serialized entries; yield after each one, because those of a whole game take a tenth of a second."""
    serialized = []
    for applied in log:
        serialized.append(entry_to_wire(table, applied, viewer))
        yield
    return serialized


def _write_other_entry(table: Table, entry: Entry) -> session_pb2.Entry:
    """Return an entry that is not a move, without its sequence and time."""
    message = session_pb2.Entry()
    match entry:
        case Created():
            message.created.SetInParent()
        case Joined():
            message.seat = entry.seat
            message.joined.display_name = entry.name
            if entry.entropy:
                message.joined.entropy_hash = commitment(entry.entropy, table.record.id)
        case Left() | Away() | Returned() | Recovered() | Resigned() | SeatOpened() | Removed():
            message.seat = entry.seat
            getattr(message, _SEAT_ENTRIES[type(entry)]).SetInParent()
        case TimedOut():
            message.seat = entry.seat
            message.timed_out.cause = session_pb2.SubstituteCause.ValueType(entry.cause)
            message.timed_out.action = session_pb2.TimeoutAction.ValueType(table.record.timeout_action(entry.cause))
        case Nudged():
            message.seat = entry.seat
            message.nudged.by, message.nudged.owed_ms = entry.by, entry.owed_ms
        case Emoted():
            message.seat = entry.seat
            message.emoted.emote = session_pb2.Emote.ValueType(entry.emote)
        case WebhookSet():
            if entry.seat is not None:
                message.seat = entry.seat
            message.webhook_set.SetInParent()
        case Cancelled():
            message.cancelled.by_operator = entry.by_operator
            message.cancelled.SetInParent()
        case Labelled():
            message.labelled.SetInParent()
            message.labelled.labels.update(entry.labels)
        case Started():
            message.started.fill_with_bots = entry.fill_with_bots
    return message


def visible_parts(table: Table, applied: Applied, viewer: Viewer) -> tuple[Any, tuple[Any, ...]]:
    """Return the move and the events of an entry, as far as the viewer may see them now.

    The move is ``None`` if it is hidden, or if the entry is not a move.
    """
    if table.record.over or not isinstance(applied.entry, Moved):
        return applied.move, applied.events
    move = table.game.show_move(applied.move, applied.entry.actor, viewer)
    return move, visible_events(table, applied.events, viewer)


def visible_events(table: Table, events: tuple[Any, ...], viewer: Viewer) -> tuple[Any, ...]:
    """Return those of the events that the viewer may see now, as far as it may see them."""
    if table.record.over:
        return events
    return tuple([shown for event in events if (shown := table.game.show(event, viewer)) is not None])


def _moved_to_wire(table: Table, applied: Applied, viewer: Viewer, write_moved: WriteMoved) -> bytes:
    """Return a serialized ``Moved`` with the move and its events, as the viewer may see them."""
    move, events = visible_parts(table, applied, viewer)
    moved = write_moved(table.game, move, events, table.record.names)
    if isinstance(entry := applied.entry, TimedMove):
        time = session_pb2.MoveTime(charged_ms=entry.charged_ms, allowance_ms=entry.allowance_ms)
        moved += session_pb2.Moved(time=time).SerializeToString()
    return moved


@lru_cache(maxsize=64)
def _mover_to_wire(actor: int, automatic: bool) -> bytes:
    return b"" if actor == CHANCE else session_pb2.Entry(seat=actor, automatic=automatic).SerializeToString()


@lru_cache(maxsize=64)
def _time_to_wire(time_ms: int) -> bytes:
    """Return the time of an entry as a serialized ``Entry``. All entries of a batch share it."""
    seconds, ms = divmod(time_ms, 1000)
    return _IN_TIME(_SECONDS(seconds) + _NANOS(ms * 1_000_000) if ms else _SECONDS(seconds))


def write_outcome(
    outcome: Outcome, names: Sequence[str] = (), substitutions: Iterable[Substitution] = ()
) -> session_pb2.Outcome:
    """Return an outcome as a message. ``substitutions``: the periods in which substitutes played."""
    reason, sentence = write_reason(outcome.reason, names)
    message = session_pb2.Outcome(ranks=outcome.ranks, scores=outcome.scores, reason=reason, reason_sentence=sentence)
    for period in substitutions:
        message.substitutions.add(seat=period.seat, first=period.first, last=period.last)
    return message


def write_reason(reason: str, names: Sequence[str]) -> tuple[str, SentenceMessage | None]:
    """Return the reason for which a game ended in the language of the current call, and its message if that asks.

    ``names``: those of the players, by seat. The message names the seat of a player who lost by leaving.
    """
    text, early = reason_in(reason, caller_language()), read_end_reason(reason)
    if early is None:
        return text, asked_sentence(reason.partition(": ")[2] or reason)
    id_, name = early
    named = player(names.index(name)) if name in names else verbatim(name)
    return text, asked_sentence(phrase(id_, player=named))


def _set_time(message: Timestamp, time_ms: int) -> None:
    message.seconds, milliseconds = divmod(time_ms, 1000)
    message.nanos = milliseconds * 1_000_000
