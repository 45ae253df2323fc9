"""A session as a value, and ``follow``, which alone takes it one entry further. No store, no clock, no randomness.

What a call may do (``transitions``) and replaying a log go through the same ``follow``, so a session is the fold of its
log by construction.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any

from msgspec import Struct, defstruct, msgpack
from msgspec.structs import replace

from skerry_games.api import CHANCE, OVER, AnyGame
from skerry_games.catalogue import all_games, earlier_rulesets, find_game
from skerry_service.domain import clocks as clocks_of
from skerry_service.domain.clocks import Clocks
from skerry_service.domain.cooperative import CooperativeTask, run_to_completion
from skerry_service.domain.errors import (
    GameNotFound,
    RulesetUnsupported,
)
from skerry_service.domain.log import (
    Away,
    Batch,
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
    chained_hash_of,
    pack,
    unpack_batch,
)
from skerry_service.domain.packed import Head
from skerry_service.domain.record import (
    Cause,
    Nudge,
    Occupant,
    Phase,
    Record,
    SeatRecord,
    TimeoutAction,
    unpack_record,
)
from skerry_service.domain.seating.departures import (
    end_game,
    end_reason,
    hand_over,
    is_decided,
    rank_losers_last,
    substitute,
    with_loser,
    with_open_seat,
    with_player_back,
    with_seat,
    with_webhook,
)
from skerry_service.domain.seating.seat_changes import name_bots, renumber_seat_options

BOT = SeatRecord(Occupant.BOT)
"""A bot that has yet to be named."""
OPEN = SeatRecord(Occupant.OPEN)
NonGameEntry = (
    Joined
    | Left
    | Away
    | Returned
    | TimedOut
    | Resigned
    | Nudged
    | WebhookSet
    | SeatOpened
    | Removed
    | Labelled
    | Cancelled
)
"""Entries that concern who sits at the table, or what it is called, and not the state of its game."""


class Table(Struct, frozen=True):
    """A session, decoded, as it stands after the entry ``sequence``."""

    record: Record
    game: AnyGame
    sequence: int
    state: Any = None
    """The game's state; ``None`` in the lobby, unless the game goes on from within another one."""
    open_since: tuple[int, ...] = ()
    """Per seat: the entry since which it has owed the decision that it owes now."""
    chained_hash: bytes = b""
    """Chained hash of the last whole batch: it sums up the log (``log.chained_hash_of``)."""
    time_ms: int = 0
    """Time of the last whole batch, in ms since the Unix epoch. None after it has an earlier one."""
    clocks: Clocks = ()
    """The players' clocks after the last whole batch; empty where time is not measured."""
    uptime_ms: int = 0
    """The age of the store at the last whole batch, where the session needs it."""
    turn: tuple[int, ...] = OVER
    """What the game says of its state: who is to act, though the session may not be in play. Each call asks often."""

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats that owe a decision, of players and of bots that think. Chance and the other bots move at once."""
        return self.turn if self.record.playing else OVER


class Applied(Struct, frozen=True):
    """One entry of the log with what it brought."""

    sequence: int
    time_ms: int
    entry: Entry
    move: Any = None
    """The move of a ``Moved``, decoded."""
    events: tuple[Any, ...] = ()
    """The events of a ``Moved``. Secret until each is shown to a viewer."""


class Change(Struct, frozen=True):
    """What one call does to a session: the table after it and the batch that takes it there."""

    table: Table
    batch: Batch
    applied: tuple[Applied, ...]
    packed: bytes
    """The batch as it is stored."""


def game_of(record: Record) -> AnyGame:
    """Return the game of a record, under its ruleset.

    Raises GameNotFound or RulesetUnsupported if this build does not play it.
    """
    game = all_games().get(record.game)
    if game is None:
        raise GameNotFound(record.game)
    if game.ruleset == record.ruleset:
        return game
    earlier = earlier_rulesets().get(record.ruleset)
    if earlier is None or earlier.id != record.game:
        raise RulesetUnsupported(record.ruleset, game.ruleset)
    return earlier


# ---------------------------------------------------------------- one entry


def apply_entry(table: Table | None, entry: Entry, move: Any = None) -> tuple[Table, tuple[Any, ...]]:
    """Carry out the next entry of a log. Return the table after it and the game's events.

    ``move`` is the decoded move of a ``Moved``, if the caller has it. Raises IllegalMove or MalformedMove.
    """
    if isinstance(entry, Moved):
        return _moved(require_table(table), entry, move)
    if isinstance(entry, Created):
        return _created(entry.record), ()
    table = require_table(table)
    if isinstance(entry, Started):
        return _started(table, entry), ()
    return _next(table, record=_follow_people(table, entry), clocks=_follow_time(table, entry)), ()


def _follow_time(table: Table, entry: NonGameEntry) -> Clocks:
    """Return the clocks after such an entry, but for the time that has passed: see ``packed_change``."""
    clock, clocks = table.record.clock, table.clocks
    if clock is None or not clocks:
        return clocks
    match entry:
        case Joined(seat):
            return clocks_of.resume(clock, clocks, seat, newcomer=True)
        case Returned(seat) if table.record.seats[seat].cause is not None:
            return clocks_of.resume(clock, clocks, seat, newcomer=False)
        case TimedOut(seat, Cause.OUT_OF_TIME):
            return clocks_of.expire(clocks, seat)
    return clocks


def _follow_people(table: Table, entry: NonGameEntry) -> Record:  # noqa: PLR0911 - one for each kind
    """Return the record after an entry that leaves the game's state as it is."""
    record, sequence = table.record, table.sequence + 1
    in_lobby = record.phase is Phase.LOBBY
    match entry:
        case Joined(seat, name, token, player_id):
            player = SeatRecord(Occupant.PLAYER, name, token, player_id, reserved_for=record.seats[seat].reserved_for)
            return with_seat(record, seat, player) if in_lobby else hand_over(record, seat, player, sequence)
        case Left(seat):
            return with_open_seat(record, seat) if in_lobby else substitute(record, seat, Cause.LEFT, sequence)
        case Away(seat, seen_ms):
            return with_seat(record, seat, replace(record.seats[seat], away=seen_ms))
        case Returned(seat):
            return with_player_back(record, seat, sequence)
        case Resigned(seat):
            return _lost(table, seat, Cause.RESIGNED, record.abandonment.on_resignation)
        case TimedOut(seat, cause):
            return _lapsed(table, seat, cause)
        case Nudged(seat, _, owed_ms):
            return with_seat(record, seat, replace(record.seats[seat], nudged=Nudge(table.open_since[seat], owed_ms)))
        case SeatOpened(seat):
            return with_seat(record, seat, replace(record.seats[seat], token=b"", reserved_for="", webhook=None))
        case WebhookSet(seat, webhook):
            return with_webhook(record, seat, webhook)
        case Removed(seat):
            return with_open_seat(record, seat)
        case Labelled(labels):
            return replace(record, labels=labels)
        case Cancelled():
            return replace(record, phase=Phase.CANCELLED)


def _lapsed(table: Table, seat: int, cause: Cause) -> Record:
    record = table.record
    match record.timeout_action(cause):
        case TimeoutAction.MOVE:
            return record
        case TimeoutAction.END:
            return _lost(table, seat, cause, TimeoutAction.END)
        case TimeoutAction.SUBSTITUTE:
            return substitute(record, seat, cause, table.sequence + 1)


def _lost(table: Table, seat: int, cause: Cause, remedy: TimeoutAction) -> Record:
    record = with_loser(table.record, seat)
    if remedy is TimeoutAction.END or is_decided(record):
        return end_game(record, table.game.scores(table.state), end_reason(cause, record.names[seat]))
    return substitute(record, seat, cause, table.sequence + 1)


def require_table(table: Table | None) -> Table:
    """Return the table that a log's first entry has made. Raises ValueError before that."""
    if table is None:
        raise ValueError("a log begins with Created")
    return table


def _next(table: Table, **changes: Any) -> Table:
    return replace(table, sequence=table.sequence + 1, **changes)


def _created(record: Record) -> Table:
    """Return the table to begin with; for an opening it is set up at once."""
    game = game_of(record)
    if not record.opening:
        return Table(record, game, sequence=1)
    state = game.setup(options_of(record), len(record.seats))
    return Table(record, game, sequence=1, state=state, turn=game.to_act(state))


def _started(table: Table, entry: Started) -> Table:
    before, game = table.record, table.game
    left = [seat for seat, one in enumerate(before.seats) if entry.fill_with_bots or not one.is_free]
    bot = SeatRecord(Occupant.BOT, level=entry.level)
    seats = tuple([bot if (one := before.seats[seat]).is_free else one for seat in left])
    options = renumber_seat_options(options_of(before), game.seat_options, left)
    record = replace(before, seats=name_bots(seats), options=pack(options), phase=Phase.PLAYING)
    if record.delay is not None:
        record = replace(record, seats_at_start=record.seats)
    state = table.state if before.opening else game.setup(options, len(seats))
    clocks, turn = clocks_of.initial_clocks(record.clock, len(seats)), game.to_act(state)
    since = (table.sequence + 1,) * len(seats)
    return _next(table, record=record, state=state, open_since=since, clocks=clocks, turn=turn)


def _moved(table: Table, entry: Moved, move: Any) -> tuple[Table, tuple[Any, ...]]:
    game = table.game
    if move is None:
        move = move_of(table, entry)
    state, events = game.apply(table.state, entry.actor, move)
    sequence, turn = table.sequence + 1, game.to_act(state)
    open_since = _open_since(table.open_since, table.turn, entry.actor, sequence)
    record = table.record
    if not entry.automatic and entry.actor != CHANCE and record.seats[entry.actor].away:
        record = with_player_back(record, entry.actor, sequence)
    if turn == OVER:
        record = replace(record, phase=Phase.FINISHED, outcome=rank_losers_last(game.outcome(state), record.lost))
    clocks = table.clocks
    if record.clock is not None and clocks:
        charged = entry.charged_ms if isinstance(entry, TimedMove) else 0
        clocks = clocks_of.after_move(record.clock, clocks, entry.actor, charged, turn, record.players())
    after = Table(record, game, sequence, state, open_since, table.chained_hash, clocks=clocks, turn=turn)
    return after, events


def _open_since(before: tuple[int, ...], owed: tuple[int, ...], actor: int, sequence: int) -> tuple[int, ...]:
    """Who owed a decision beside the actor owes it still; whatever the others owe now, they owe since now."""
    if owed == (actor,):
        return (sequence,) * len(before)
    return tuple(since if seat in owed and seat != actor else sequence for seat, since in enumerate(before))


def build_change(table: Table, batch: Batch, applied: tuple[Applied, ...], packed: bytes) -> Change:
    """Return the change that a batch is, with the table as it stands after the whole batch."""
    after = replace(table, chained_hash=chained_hash_of(packed), time_ms=batch.time_ms, uptime_ms=batch.uptime_ms)
    if table.clocks and table.record.clock is not None:
        players = table.record.players()
        running = [seat for seat in table.to_act if seat in players]
        decided = [seat for seat in running if table.open_since[seat] >= batch.first]
        clocks = clocks_of.after_commit(table.record.clock, table.clocks, running, decided, batch.uptime_ms)
        after = replace(after, clocks=clocks)
    return Change(after, batch, applied, packed)


# ---------------------------------------------------------------- packing


def head_of(table: Table, *, pack_record: bool = True) -> Head:
    """Pack a table as the store keeps it; without its record if that need not be written."""
    record = pack(table.record) if pack_record else b""
    return Head(table.sequence, record, _pack_snapshot(table), table.chained_hash)


def _pack_snapshot(table: Table) -> bytes:
    clocked = (table.clocks, table.uptime_ms) if table.clocks or table.uptime_ms else ()
    return pack((table.open_since, table.state, table.time_ms, *clocked))


def unpack_head(head: Head) -> Table:
    """Decode a stored table. Raises GameNotFound or RulesetUnsupported."""
    record = unpack_record(head.record)
    game = game_of(record)
    one = _snapshot_decoder(game.id, game.ruleset).decode(head.snapshot)
    stored = one.open_since, head.chained_hash, one.time_ms, one.clocks, one.uptime_ms
    turn = OVER if one.state is None else game.to_act(one.state)
    return Table(record, game, head.sequence, one.state, *stored, turn)


def replay_batches(table: Table | None, batches: Iterable[bytes]) -> Iterator[Change]:
    """Replay packed batches on top of a table (``None``: from the beginning of the log)."""
    for packed in batches:
        change = run_to_completion(replay_batch(table, packed))
        table = change.table
        yield change


def replay_batch(table: Table | None, packed: bytes) -> CooperativeTask[Change]:
    """Replay one batch on top of a table, an entry between two yields."""
    batch = unpack_batch(packed)
    applied = []
    for entry in batch.entries:
        move = move_of(require_table(table), entry) if isinstance(entry, Moved) else None
        table, events = apply_entry(table, entry, move)
        applied.append(Applied(table.sequence, batch.time_ms, entry, move, events))
        yield
    return build_change(require_table(table), batch, tuple(applied), packed)


def table_at(changes: Sequence[Change], sequence: int) -> CooperativeTask[Table]:
    """Return the table as it stood after an entry of a log that has been replayed, also in the middle of a batch."""
    place = bisect_left(changes, sequence, key=lambda change: change.batch.last)
    table = changes[place - 1].table if place else None
    for entry in changes[place].batch.entries[: sequence - changes[place].batch.first + 1]:
        table, _ = apply_entry(table, entry)
        yield
    return require_table(table)


def move_of(table: Table, entry: Moved) -> Any:
    """Return an entry's move, decoded. Raises ValidationError of msgspec."""
    return _move_decoder(table.game.id, table.game.ruleset).decode(entry.move)


def options_of(record: Record) -> Any:
    """Return the game's options, decoded."""
    return _options_decoder(record.game, record.ruleset).decode(record.options)


def unpack_options(game: str, packed: bytes) -> Any:
    """Return options of a game under the ruleset that new sessions begin with, decoded."""
    return _options_decoder(game, all_games()[game].ruleset).decode(packed)


def _known(game: str, ruleset: str) -> AnyGame:
    found = find_game(game, ruleset)
    if found is None:
        raise ValueError(f"{game} under {ruleset} is not carried")
    return found


@cache
def _move_decoder(game: str, ruleset: str) -> msgpack.Decoder[Any]:
    return msgpack.Decoder(_known(game, ruleset).move_type)


@cache
def _snapshot_decoder(game: str, ruleset: str) -> msgpack.Decoder[Any]:
    fields: list[tuple[str, Any] | tuple[str, Any, Any]] = [
        ("open_since", tuple[int, ...]),
        ("state", _known(game, ruleset).state_type | None),
        ("time_ms", int),
        ("clocks", Clocks, ()),
        ("uptime_ms", int, 0),
    ]
    return msgpack.Decoder(defstruct("Snapshot", fields, frozen=True, array_like=True))


@cache
def _options_decoder(game: str, ruleset: str) -> msgpack.Decoder[Any]:
    return msgpack.Decoder(_known(game, ruleset).options_type)
