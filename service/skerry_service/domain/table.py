"""A session as a value, and ``apply_entry``, which advances it by one log entry.

Pure: no store, no clock, no randomness. Calls (``transitions``) and replays of a log both go through ``apply_entry``,
so a session always equals the replay of its log.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any

from msgspec import Struct, msgpack
from msgspec.structs import replace

from skerry_games.api import OVER, AnyGame
from skerry_games.catalogue import all_games, find_game
from skerry_service.domain import clocks as clocks_of
from skerry_service.domain.clocks import Clocks
from skerry_service.domain.cooperative import CooperativeTask, run_to_completion
from skerry_service.domain.errors import (
    GameNotFound,
    RulesetUnsupported,
)
from skerry_service.domain.log import (
    Batch,
    Created,
    Entry,
    Moved,
    Started,
    TimedMove,
    Undone,
    chained_hash_of,
    pack,
    unpack_batch,
)
from skerry_service.domain.record import (
    Occupant,
    Phase,
    Record,
    SeatRecord,
    UndoPolicy,
)
from skerry_service.domain.seating.departures import (
    rank_losers_last,
    with_player_back,
)
from skerry_service.domain.seating.seat_changes import name_bots, renumber_seat_options
from skerry_service.domain.seating.seat_entries import clocks_after, keeps_occupants, record_after
from skerry_service.domain.undoing.undo_runs import (
    Run,
    clocks_after_undo,
    run_after_move,
    run_after_undo,
    states_of,
    undoable_moves,
)

BOT = SeatRecord(Occupant.BOT)
"""A bot without a name; ``name_bots`` names it."""
OPEN = SeatRecord(Occupant.OPEN)


class Table(Struct, frozen=True):
    """A decoded session after the log entry ``sequence``."""

    record: Record
    game: AnyGame
    sequence: int
    state: Any = None
    """The game's state. ``None`` in the lobby, except in a fork, which has a position from the beginning."""
    open_since: tuple[int, ...] = ()
    """Per seat: the entry since which it has owed its present decision."""
    chained_hash: bytes = b""
    """Chained hash of the last complete batch. It identifies the log so far (``log.chained_hash_of``)."""
    time_ms: int = 0
    """Time of the last complete batch, in ms since the Unix epoch. Later batches never have an earlier time."""
    clocks: Clocks = ()
    """The players' clocks after the last complete batch; empty in sessions without a clock."""
    uptime_ms: int = 0
    """Store uptime at the last complete batch; 0 in sessions that do not need it."""
    turn: tuple[int, ...] = OVER
    """The seats to act by the game's rules, even when the session is not in play. Calls read it often."""
    run: Run[Any] | None = None
    """The moves of a seat that may be taken back; ``None`` if the session does not allow that."""

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats that owe a decision: players and thinking bots. Chance and random bots move immediately."""
        return self.turn if self.record.playing else OVER


class Applied(Struct, frozen=True):
    """A log entry with the move and events that it produced."""

    sequence: int
    time_ms: int
    entry: Entry
    move: Any = None
    """The decoded move of a ``Moved``."""
    events: tuple[Any, ...] = ()
    """The events of a ``Moved``, unredacted. Pass them through the game's view before sending them."""


class Change(Struct, frozen=True):
    """The effect of one call on a session: the resulting table and the batch that leads to it."""

    table: Table
    batch: Batch
    applied: tuple[Applied, ...]
    packed: bytes
    """The batch, serialized for the store."""


def game_of(record: Record) -> AnyGame:
    """Return the game that a record names, under the record's ruleset. Raises GameNotFound or RulesetUnsupported."""
    game = find_game(record.game, record.ruleset)
    if game is None:
        newest = all_games().get(record.game)
        raise RulesetUnsupported(record.ruleset, newest.ruleset) if newest else GameNotFound(record.game)
    return game


# ---------------------------------------------------------------- one entry


def apply_entry(table: Table | None, entry: Entry, move: Any = None) -> tuple[Table, tuple[Any, ...]]:
    """Apply the next entry of a log. Return the table after it and the game's events.

    ``move``: the decoded move of a ``Moved``; ``None`` decodes it here. Raises IllegalMove or MalformedMove.
    """
    if isinstance(entry, Moved):
        return _moved(require_table(table), entry, move)
    if isinstance(entry, Created):
        return _created(entry.record), ()
    table = require_table(table)
    if isinstance(entry, Undone):
        return _undone(table, entry), ()
    if isinstance(entry, Started):
        return _started(table, entry), ()
    record = record_after(
        table.record, entry, table.sequence + 1, table.open_since, lambda: table.game.scores(table.state)
    )
    run = table.run if keeps_occupants(table.record, record, entry) else None
    return _next(table, record=record, clocks=clocks_after(table.record, table.clocks, entry), run=run), ()


def require_table(table: Table | None) -> Table:
    """Return the table. Raises ValueError for ``None``: a log must begin with ``Created``."""
    if table is None:
        raise ValueError("a log must begin with Created")
    return table


def _next(table: Table, **changes: Any) -> Table:
    return replace(table, sequence=table.sequence + 1, **changes)


def _created(record: Record) -> Table:
    """Return the first table. A fork sets up its game now, because its opening moves come before the start."""
    game = game_of(record)
    if not record.opening:
        return Table(record, game, sequence=1)
    state = game.setup(options_of(record), len(record.seats))
    return Table(record, game, sequence=1, state=state, turn=game.to_act(state))


def _started(table: Table, entry: Started) -> Table:
    before, game = table.record, table.game
    kept = [number for number, seat in enumerate(before.seats) if entry.fill_with_bots or not seat.is_free]
    bot = SeatRecord(Occupant.BOT, level=entry.level)
    seats = tuple([bot if before.seats[number].is_free else before.seats[number] for number in kept])
    options = renumber_seat_options(options_of(before), game.seat_options, kept)
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
    if not entry.automatic and entry.by_seat and record.seats[entry.actor].away:
        record = with_player_back(record, entry.actor, sequence)
    if turn == OVER:
        record = replace(record, phase=Phase.FINISHED, outcome=rank_losers_last(game.outcome(state), record.lost))
    clocks = table.clocks
    if record.clock is not None and clocks:
        charged = entry.charged_ms if isinstance(entry, TimedMove) else 0
        clocks = clocks_of.after_move(record.clock, clocks, entry.actor, charged, turn, record.players())
    run = None
    if record.undo is UndoPolicy.OWN_MOVES and record.playing and entry.by_seat and not entry.automatic:
        run = run_after_move(table.run, entry.actor, (table.state, table.clocks), sequence, bytes(entry.move))
    after = Table(record, game, sequence, state, open_since, table.chained_hash, clocks=clocks, turn=turn, run=run)
    return after, events


def _undone(table: Table, entry: Undone) -> Table:
    """Return the table after a seat has taken back its last move. Raises ValueError if it has none."""
    run, game, sequence = table.run, table.game, table.sequence + 1
    if run is None or run.seat != entry.seat or not run.moves or run.moves[-1][0] != entry.first:
        raise ValueError(f"entry {sequence} takes back entry {entry.first}, which is not the last move of its seat")
    state = states_of(game, run, _move_decoder(game.id, game.ruleset).decode)[-2]
    turn = game.to_act(state)
    # Other seats that decide at the same time still owe the decision that they owed.
    open_since = tuple(
        since if seat != run.seat and seat in turn and seat in table.turn else sequence
        for seat, since in enumerate(table.open_since)
    )
    return _next(
        table,
        state=state,
        turn=turn,
        open_since=open_since,
        clocks=clocks_after_undo(run, entry.charged_ms),
        run=run_after_undo(run, sequence),
    )


def undoable(table: Table, seat: int) -> int:
    """Return how many moves a seat can take back now, one after the other."""
    if table.run is None or not table.record.playing:
        return 0
    return undoable_moves(table.game, table.run, seat, _move_decoder(table.game.id, table.game.ruleset).decode)


def _open_since(before: tuple[int, ...], owed: tuple[int, ...], actor: int, sequence: int) -> tuple[int, ...]:
    """Return ``open_since`` after a move. Other seats that already owed a decision keep theirs; the rest start now."""
    if owed == (actor,):
        return (sequence,) * len(before)
    return tuple(since if seat in owed and seat != actor else sequence for seat, since in enumerate(before))


def build_change(table: Table, batch: Batch, applied: tuple[Applied, ...], packed: bytes) -> Change:
    """Return the change for a complete batch. Its table has the batch's hash, times and running clocks."""
    after = replace(table, chained_hash=chained_hash_of(packed), time_ms=batch.time_ms, uptime_ms=batch.uptime_ms)
    if table.clocks and table.record.clock is not None:
        players = table.record.players()
        running = [seat for seat in table.to_act if seat in players]
        substituted = [seat for seat in table.to_act if seat >= 0 and table.record.seats[seat].cause is not None]
        decided = [seat for seat in (*running, *substituted) if table.open_since[seat] >= batch.first]
        paused = table.record.is_paused
        clocks = clocks_of.after_commit(
            table.record.clock, table.clocks, running, decided, batch.uptime_ms, substituted, paused=paused
        )
        after = replace(after, clocks=clocks)
    return Change(after, batch, applied, packed)


# ---------------------------------------------------------------- replaying


def replay_batches(table: Table | None, batches: Iterable[bytes]) -> Iterator[Change]:
    """Replay serialized batches on top of a table (``None``: from the beginning of the log)."""
    for packed in batches:
        change = run_to_completion(replay_batch(table, packed))
        table = change.table
        yield change


def replay_batch(table: Table | None, packed: bytes) -> CooperativeTask[Change]:
    """Replay one batch on top of a table. Yields after each entry."""
    batch = unpack_batch(packed)
    applied = []
    for entry in batch.entries:
        move = move_of(require_table(table), entry) if isinstance(entry, Moved) else None
        table, events = apply_entry(table, entry, move)
        applied.append(Applied(table.sequence, batch.time_ms, entry, move, events))
        yield
    return build_change(require_table(table), batch, tuple(applied), packed)


def table_at(changes: Sequence[Change], sequence: int) -> CooperativeTask[Table]:
    """Return the table after the entry ``sequence`` of a replayed log, also within a batch. Yields after each entry."""
    index = bisect_left(changes, sequence, key=lambda change: change.batch.last)
    batch = changes[index].batch
    table = changes[index - 1].table if index else None
    for entry in batch.entries[: sequence - batch.first + 1]:
        table, _ = apply_entry(table, entry)
        yield
    return require_table(table)


def move_of(table: Table, entry: Moved) -> Any:
    """Decode an entry's move. Raises ``msgspec.ValidationError``."""
    return _move_decoder(table.game.id, table.game.ruleset).decode(entry.move)


def options_of(record: Record) -> Any:
    """Decode the options of a record's game."""
    return _options_decoder(record.game, record.ruleset).decode(record.options)


def unpack_options(game: str, packed: bytes, ruleset: str = "") -> Any:
    """Decode options of a game, by default under its current ruleset, which new sessions use."""
    return _options_decoder(game, ruleset or all_games()[game].ruleset).decode(packed)


def supported_game(game: str, ruleset: str) -> AnyGame:
    """Return a game by its id and ruleset. Raises ValueError if this build does not support it."""
    found = find_game(game, ruleset)
    if found is None:
        raise ValueError(f"game {game} has no supported ruleset {ruleset}")
    return found


@cache
def _move_decoder(game: str, ruleset: str) -> msgpack.Decoder[Any]:
    return msgpack.Decoder(supported_game(game, ruleset).move_type)


@cache
def _options_decoder(game: str, ruleset: str) -> msgpack.Decoder[Any]:
    return msgpack.Decoder(supported_game(game, ruleset).options_type)
