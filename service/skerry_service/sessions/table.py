"""A session as a value, and the pure functions that change it. No store, no clock, no randomness of its own.

Each change is one or more *entries* that ``follow`` carries out one by one. Replaying a log calls the same ``follow``,
so a session is the fold of its log by construction.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from msgspec import Raw, Struct, msgpack
from msgspec.structs import replace

from skerry_games.api import CHANCE, CHANCE_ACTS, OVER, AnyGame, IllegalMove
from skerry_games.catalogue import all_games
from skerry_games.rng import SeededRng
from skerry_games.sentences import fill
from skerry_service.sessions.errors import (
    AlreadyStarted,
    GameNotFound,
    GameOver,
    InvalidField,
    LimitReached,
    NoPlayer,
    NotStarted,
    NotYourTurn,
    RulesetNotCarried,
    SeatTaken,
    SequenceAhead,
    StaleSequence,
    TooFewSeats,
)
from skerry_service.sessions.limits import MOST_ENTRIES_BEFORE_START, MOST_ENTRIES_TO_LABEL
from skerry_service.sessions.log import (
    Batch,
    Created,
    Entry,
    Joined,
    Labelled,
    Left,
    Moved,
    Removed,
    Started,
    chained_hash_of,
    pack,
    unpack_batch,
)
from skerry_service.sessions.port import Head
from skerry_service.sessions.record import RANDOM, Labels, Occupant, Phase, Record, SeatRecord, unpack_record
from skerry_service.sessions.seating import follow_seats, name_bots, require_free_name
from skerry_service.sessions.slices import Steps, at_once

BOT = SeatRecord(Occupant.BOT)
"""A bot that has yet to be named."""
OPEN = SeatRecord(Occupant.OPEN)


class Table(Struct, frozen=True):
    """A session, decoded, as it stands after the entry ``sequence``."""

    record: Record
    game: AnyGame
    sequence: int
    state: Any = None
    """The game's state; ``None`` in the lobby."""
    open_since: tuple[int, ...] = ()
    """Per seat: the entry since which it has owed the decision that it owes now."""
    chained_hash: bytes = b""
    """Chained hash of the last whole batch: it sums up the log (``log.chained_hash_of``)."""
    time_ms: int = 0
    """Time of the last whole batch, in ms since the Unix epoch. None after it has an earlier one."""

    @property
    def plays_itself(self) -> bool:
        """Whether the game is under way and nobody but bots that move at once takes part in it."""
        record = self.record
        return record.phase is Phase.PLAYING and all(seat.moves_at_once for seat in record.seats)

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats that owe a decision, of players and of bots that think. Chance and the other bots move at once."""
        return OVER if self.state is None else self.game.to_act(self.state)


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


def carried(record: Record) -> AnyGame:
    """Return the game of a record. Raises GameNotFound or RulesetNotCarried if this build does not play it."""
    game = all_games().get(record.game)
    if game is None:
        raise GameNotFound(record.game)
    if game.ruleset != record.ruleset:
        raise RulesetNotCarried(record.ruleset, game.ruleset)
    return game


# ---------------------------------------------------------------- one entry


def follow(table: Table | None, entry: Entry, move: Any = None) -> tuple[Table, tuple[Any, ...]]:
    """Carry out the next entry of a log. Return the table after it and the game's events.

    ``move`` is the decoded move of a ``Moved``, if the caller has it. Raises IllegalMove or MalformedMove.
    """
    if isinstance(entry, Moved):
        return _moved(_there(table), entry, move)
    if isinstance(entry, Created):
        return Table(record=entry.record, game=carried(entry.record), sequence=1), ()
    table = _there(table)
    record = table.record
    if isinstance(entry, Joined):
        seat = SeatRecord(Occupant.PLAYER, entry.name, entry.token, entry.player_id)
        return _next(table, record=_seated(record, entry.seat, seat)), ()
    if isinstance(entry, Left):
        bot = replace(record.seats[entry.seat], occupant=Occupant.BOT, token=b"", level=RANDOM)
        seat = OPEN if record.phase is Phase.LOBBY else bot
        return _next(table, record=_seated(record, entry.seat, seat)), ()
    if isinstance(entry, Removed):
        return _next(table, record=_seated(record, entry.seat, OPEN)), ()
    if isinstance(entry, Labelled):
        return _next(table, record=replace(record, labels=entry.labels)), ()
    return _started(table, entry), ()


def _there(table: Table | None) -> Table:
    if table is None:
        raise ValueError("a log begins with Created")
    return table


def _next(table: Table, **changes: Any) -> Table:
    return replace(table, sequence=table.sequence + 1, **changes)


def _seated(record: Record, seat: int, one: SeatRecord) -> Record:
    return replace(record, seats=(*record.seats[:seat], one, *record.seats[seat + 1 :]))


def _started(table: Table, entry: Started) -> Table:
    before, game = table.record, table.game
    left = [seat for seat, one in enumerate(before.seats) if entry.fill_with_bots or one.occupant is not Occupant.OPEN]
    bot = SeatRecord(Occupant.BOT, level=entry.level)
    seats = tuple([bot if (one := before.seats[seat]).occupant is Occupant.OPEN else one for seat in left])
    options = follow_seats(options_of(before), game.seat_options, left)
    record = replace(before, seats=name_bots(seats), options=pack(options), phase=Phase.PLAYING)
    state = game.setup(options, len(seats))
    return _next(table, record=record, state=state, open_since=(table.sequence + 1,) * len(seats))


def _moved(table: Table, entry: Moved, move: Any) -> tuple[Table, tuple[Any, ...]]:
    game, before = table.game, table.state
    if move is None:
        move = _move_decoder(game.id).decode(entry.move)
    state, events = game.apply(before, entry.actor, move)
    sequence = table.sequence + 1
    open_since = _open_since(table.open_since, game.to_act(before), entry.actor, sequence)
    record = table.record
    if game.to_act(state) == OVER:
        record = replace(record, phase=Phase.FINISHED, outcome=game.outcome(state))
    return Table(record, game, sequence, state, open_since, table.chained_hash), events


def _open_since(before: tuple[int, ...], owed: tuple[int, ...], actor: int, sequence: int) -> tuple[int, ...]:
    """Who owed a decision beside the actor owes it still; whatever the others owe now, they owe since now."""
    if owed == (actor,):
        return (sequence,) * len(before)
    return tuple(since if seat in owed and seat != actor else sequence for seat, since in enumerate(before))


# ---------------------------------------------------------------- what callers may do
#
# Chance and the bots that follow an entry are part of its change, but for a game that plays itself: ``play_on``.


def create(record: Record, now_ms: int) -> Change:
    """Begin a session and name its bots. Without an open seat the game starts at once. Raises BadOptions."""
    carried(record).setup(options_of(record), len(record.seats))
    draft = _Draft(None, now_ms)
    draft.do(Created(replace(record, seats=name_bots(record.seats))))
    if not record.open_seats():
        draft.start(fill_with_bots=False)
    return draft.change()


def join(table: Table, name: str, token: bytes, wanted: int | None, now_ms: int, *, player_id: str = "") -> Change:
    """Take a seat; the last one starts the game.

    Raises AlreadyStarted, InvalidField, SeatTaken, NameTaken, LimitReached.
    """
    _require_lobby(table)
    _require_room(table, MOST_ENTRIES_BEFORE_START)
    seats = table.record.open_seats()
    seat = seats[0] if wanted is None else wanted
    _require_there_is(seat, table)
    if seat not in seats:
        raise SeatTaken(seat)
    require_free_name(table.record.seats, name)
    draft = _Draft(table, now_ms)
    draft.do(Joined(seat, name, token, player_id))
    if len(seats) == 1:
        draft.start(fill_with_bots=False)
    return draft.change()


def start(table: Table, *, fill_with_bots: bool, level: str = RANDOM, now_ms: int) -> Change:
    """Begin the game before every seat is taken. Raises AlreadyStarted, TooFewSeats, SeatOpen, BadOptions.

    ``level``: of the bots that take open seats.
    """
    _require_lobby(table)
    seats = len(table.record.seats) - (0 if fill_with_bots else len(table.record.open_seats()))
    if seats not in table.game.seats:
        raise TooFewSeats(seats, table.game.seats)
    draft = _Draft(table, now_ms)
    draft.start(fill_with_bots=fill_with_bots, level=level)
    return draft.change()


def leave(table: Table, seat: int, now_ms: int) -> Change:
    """Leave a seat; in play a bot of the level ``RANDOM`` takes over. Raises GameOver."""
    if table.record.phase is Phase.FINISHED:
        raise GameOver
    draft = _Draft(table, now_ms)
    draft.do(Left(seat))
    draft.run_on()
    return draft.change()


def remove(table: Table, seat: int, now_ms: int) -> Change:
    """Remove a player in the lobby. Raises AlreadyStarted, InvalidField, NoPlayer."""
    _require_lobby(table)
    _require_there_is(seat, table)
    if table.record.seats[seat].occupant is not Occupant.PLAYER:
        raise NoPlayer(seat)
    draft = _Draft(table, now_ms)
    draft.do(Removed(seat))
    return draft.change()


def label(table: Table, labels: Labels, now_ms: int) -> Change:
    """Replace the labels. Raises GameOver, LimitReached."""
    if table.record.phase is Phase.FINISHED:
        raise GameOver
    _require_room(table, MOST_ENTRIES_BEFORE_START if table.record.phase is Phase.LOBBY else MOST_ENTRIES_TO_LABEL)
    draft = _Draft(table, now_ms)
    draft.do(Labelled(labels))
    return draft.change()


def act(table: Table, seat: int, move: Any, expected_sequence: int, now_ms: int) -> Change:
    """Make one move, of a player or of a bot that thought about it.

    Raises NotStarted, GameOver, SequenceAhead, StaleSequence, NotYourTurn, and the rules' own refusals.
    """
    if table.record.phase is Phase.LOBBY:
        raise NotStarted
    if table.record.phase is Phase.FINISHED:
        raise GameOver
    if expected_sequence > table.sequence:
        raise SequenceAhead(expected_sequence, table.sequence)
    to_act = table.to_act
    if expected_sequence < (table.open_since[seat] if seat in to_act else table.sequence):
        raise StaleSequence(expected_sequence, table.sequence)
    if seat not in to_act:
        raise NotYourTurn(to_act, table.record.names)
    draft = _Draft(table, now_ms)
    try:
        draft.do(Moved(seat, Raw(pack(move)), automatic=table.record.seats[seat].thinks), move)
    except IllegalMove as refused:
        raise IllegalMove(refused.rule, fill(refused.sentence, table.record.names)) from None
    draft.run_on()
    return draft.change()


def _require_lobby(table: Table) -> None:
    if table.record.phase is not Phase.LOBBY:
        raise AlreadyStarted


def _require_there_is(seat: int, table: Table) -> None:
    if not 0 <= seat < len(table.record.seats):
        raise InvalidField("seat", f"This session has the seats 0 to {len(table.record.seats) - 1}.")


def _require_room(table: Table, most: int) -> None:
    """What anybody can do again and again must not make the log longer for ever: it is read as a whole."""
    if table.sequence >= most:
        raise LimitReached(
            "entries",
            f"This session has {table.sequence} entries already, of {most} that it may have at this point.",
            retry_after=None,
        )


def play_on(change: Change) -> Steps[Change]:
    """Let a game that plays itself be played to its end, a move between two yields. Return the change with all that.

    Such a game can take a hundred milliseconds, so it is left to the caller when they pass.
    """
    draft = _Draft(None, change.batch.time_ms)
    draft.take_up(change)
    yield from draft.moves()
    return draft.change()


class _Draft:
    """Collects the entries of one call while carrying them out."""

    def __init__(self, table: Table | None, now_ms: int) -> None:
        self._table = table
        self._first, self._after = (table.sequence + 1, table.chained_hash) if table else (1, b"")
        self._now_ms = max(now_ms, table.time_ms) if table else now_ms
        self._applied: list[Applied] = []

    def take_up(self, change: Change) -> None:
        self._table, self._applied = change.table, list(change.applied)
        self._first, self._after = change.batch.first, change.batch.after

    def do(self, entry: Entry, move: Any = None) -> None:
        self._table, events = follow(self._table, entry, move)
        self._applied.append(Applied(self._table.sequence, self._now_ms, entry, move, events))

    def start(self, *, fill_with_bots: bool, level: str = RANDOM) -> None:
        self.do(Started(fill_with_bots, level))
        self.run_on()

    def run_on(self) -> None:
        """Let chance and bots that need not think move until somebody else is to act."""
        if not _there(self._table).plays_itself:
            at_once(self.moves())

    def moves(self) -> Steps[None]:
        """Make those moves.

        What they are depends on the seed and the entry's sequence alone, so racing replicas draw the same.
        """
        while (actor := self._next_automatic()) is not None:
            table = _there(self._table)
            rng = SeededRng(table.record.seed, table.sequence + 1)
            if actor == CHANCE:
                move = table.game.draw(table.state, rng)
            else:
                move = rng.choice(table.game.legal_moves(table.state, actor))
            self.do(Moved(actor, Raw(pack(move)), automatic=actor != CHANCE), move)
            yield

    def _next_automatic(self) -> int | None:
        table = _there(self._table)
        to_act = table.to_act
        if to_act == CHANCE_ACTS:
            return CHANCE
        return next((seat for seat in to_act if table.record.seats[seat].moves_at_once), None)

    def change(self) -> Change:
        batch = Batch(self._first, self._now_ms, tuple(applied.entry for applied in self._applied), self._after)
        return _change(_there(self._table), batch, tuple(self._applied), pack(batch))


def _change(table: Table, batch: Batch, applied: tuple[Applied, ...], packed: bytes) -> Change:
    return Change(replace(table, chained_hash=chained_hash_of(packed), time_ms=batch.time_ms), batch, applied, packed)


# ---------------------------------------------------------------- packing


def head_of(table: Table, *, pack_record: bool = True) -> Head:
    """Pack a table as the store keeps it; without its record if that need not be written."""
    record = pack(table.record) if pack_record else b""
    return Head(table.sequence, record, pack((table.open_since, table.state, table.time_ms)), table.chained_hash)


def unpack_head(head: Head) -> Table:
    """Decode a stored table. Raises GameNotFound or RulesetNotCarried."""
    record = unpack_record(head.record)
    game = carried(record)
    open_since, state, time_ms = _snapshot_decoder(game.id).decode(head.snapshot)
    return Table(record, game, head.sequence, state, open_since, head.chained_hash, time_ms)


def fold(table: Table | None, batches: Iterable[bytes]) -> Iterator[Change]:
    """Replay packed batches on top of a table (``None``: from the beginning of the log)."""
    for packed in batches:
        change = at_once(unfold(table, packed))
        table = change.table
        yield change


def unfold(table: Table | None, packed: bytes) -> Steps[Change]:
    """Replay one batch on top of a table, an entry between two yields."""
    batch = unpack_batch(packed)
    applied = []
    for entry in batch.entries:
        move = _move_decoder(_there(table).game.id).decode(entry.move) if isinstance(entry, Moved) else None
        table, events = follow(table, entry, move)
        applied.append(Applied(table.sequence, batch.time_ms, entry, move, events))
        yield
    return _change(_there(table), batch, tuple(applied), packed)


def options_of(record: Record) -> Any:
    """Return the game's options, decoded."""
    return _options_decoder(record.game).decode(record.options)


@cache
def _move_decoder(game: str) -> msgpack.Decoder[Any]:
    return msgpack.Decoder(all_games()[game].move_type)


@cache
def _snapshot_decoder(game: str) -> msgpack.Decoder[tuple[tuple[int, ...], Any, int]]:
    return msgpack.Decoder(tuple[tuple[int, ...], all_games()[game].state_type | None, int])  # type: ignore[misc]


@cache
def _options_decoder(game: str) -> msgpack.Decoder[Any]:
    return msgpack.Decoder(all_games()[game].options_type)
