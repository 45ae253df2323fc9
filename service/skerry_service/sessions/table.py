"""A session as a value, and the pure functions that change it. No store, no clock, no randomness of its own.

Each change is one or more *deeds* that ``follow`` carries out one by one. Replaying a log calls the same ``follow``,
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
    NotStarted,
    NotYourTurn,
    RulesetNotCarried,
    SeatTaken,
    SequenceAhead,
    StaleSequence,
    TooFewSeats,
)
from skerry_service.sessions.log import (
    Batch,
    Created,
    Deed,
    Joined,
    Labelled,
    Left,
    Moved,
    Started,
    mark_of,
    pack,
    unpack_batch,
)
from skerry_service.sessions.port import Head
from skerry_service.sessions.record import RANDOM, Labels, Occupant, Phase, Record, SeatRecord, unpack_record
from skerry_service.sessions.seating import follow_seats, name_bots, require_free_name

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
    mark: bytes = b""
    """Mark of the last whole batch: it sums up the log (``log.mark_of``)."""

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats that owe a decision, of players and of bots that think. Chance and the other bots move at once."""
        return OVER if self.state is None else self.game.to_act(self.state)


class Told(Struct, frozen=True):
    """One entry of the log with what it brought."""

    sequence: int
    time_ms: int
    deed: Deed
    move: Any = None
    """The move of a ``Moved``, decoded."""
    events: tuple[Any, ...] = ()
    """The events of a ``Moved``. Secret until each is shown to a viewer."""


class Change(Struct, frozen=True):
    """What one call does to a session: the table after it and the batch that takes it there."""

    table: Table
    batch: Batch
    told: tuple[Told, ...]
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


# ---------------------------------------------------------------- one deed


def follow(table: Table | None, deed: Deed, move: Any = None) -> tuple[Table, tuple[Any, ...]]:
    """Carry out the next deed of a log. Return the table after it and the game's events.

    ``move`` is the decoded move of a ``Moved``, if the caller has it. Raises IllegalMove or MalformedMove.
    """
    if isinstance(deed, Moved):
        return _moved(_there(table), deed, move)
    if isinstance(deed, Created):
        return Table(record=deed.record, game=carried(deed.record), sequence=1), ()
    table = _there(table)
    record = table.record
    if isinstance(deed, Joined):
        seat = SeatRecord(Occupant.PLAYER, deed.name, deed.token, deed.player_id)
        return _next(table, record=_seated(record, deed.seat, seat)), ()
    if isinstance(deed, Left):
        bot = replace(record.seats[deed.seat], occupant=Occupant.BOT, token=b"", level=RANDOM)
        seat = OPEN if record.phase is Phase.LOBBY else bot
        return _next(table, record=_seated(record, deed.seat, seat)), ()
    if isinstance(deed, Labelled):
        return _next(table, record=replace(record, labels=deed.labels)), ()
    return _started(table, deed), ()


def _there(table: Table | None) -> Table:
    if table is None:
        raise ValueError("a log begins with Created")
    return table


def _next(table: Table, **changes: Any) -> Table:
    return replace(table, sequence=table.sequence + 1, **changes)


def _seated(record: Record, seat: int, one: SeatRecord) -> Record:
    return replace(record, seats=(*record.seats[:seat], one, *record.seats[seat + 1 :]))


def _started(table: Table, deed: Started) -> Table:
    before, game = table.record, table.game
    left = [seat for seat, one in enumerate(before.seats) if deed.fill_with_bots or one.occupant is not Occupant.OPEN]
    seats = tuple([BOT if (one := before.seats[seat]).occupant is Occupant.OPEN else one for seat in left])
    options = follow_seats(options_of(before), game.seat_options, left)
    record = replace(before, seats=name_bots(seats), options=pack(options), phase=Phase.PLAYING)
    state = game.setup(options, len(seats))
    return _next(table, record=record, state=state, open_since=(table.sequence + 1,) * len(seats))


def _moved(table: Table, deed: Moved, move: Any) -> tuple[Table, tuple[Any, ...]]:
    game, before = table.game, table.state
    if move is None:
        move = _move_decoder(game.id).decode(deed.move)
    state, events = game.apply(before, deed.actor, move)
    sequence = table.sequence + 1
    open_since = _open_since(table.open_since, game.to_act(before), deed.actor, sequence)
    record = table.record
    if game.to_act(state) == OVER:
        record = replace(record, phase=Phase.FINISHED, outcome=game.outcome(state))
    return Table(record, game, sequence, state, open_since, table.mark), events


def _open_since(before: tuple[int, ...], owed: tuple[int, ...], actor: int, sequence: int) -> tuple[int, ...]:
    """Who owed a decision beside the actor owes it still; whatever the others owe now, they owe since now."""
    if owed == (actor,):
        return (sequence,) * len(before)
    return tuple(since if seat in owed and seat != actor else sequence for seat, since in enumerate(before))


# ---------------------------------------------------------------- what callers may do


def create(record: Record, now_ms: int) -> Change:
    """Begin a session and name its bots. Without an open seat the game starts at once. Raises BadOptions."""
    carried(record).setup(options_of(record), len(record.seats))
    draft = _Draft(None, now_ms)
    draft.do(Created(replace(record, seats=name_bots(record.seats))))
    if not record.open_seats():
        draft.start(fill_with_bots=False)
    return draft.change()


def join(table: Table, name: str, token: bytes, wanted: int | None, now_ms: int, *, player_id: str = "") -> Change:
    """Take a seat; the last one starts the game. Raises AlreadyStarted, InvalidField, SeatTaken, NameTaken."""
    _require_lobby(table)
    seats = table.record.open_seats()
    seat = seats[0] if wanted is None else wanted
    if not 0 <= seat < len(table.record.seats):
        raise InvalidField("seat", f"This session has the seats 0 to {len(table.record.seats) - 1}.")
    if seat not in seats:
        raise SeatTaken(seat)
    require_free_name(table.record.seats, name)
    draft = _Draft(table, now_ms)
    draft.do(Joined(seat, name, token, player_id))
    if len(seats) == 1:
        draft.start(fill_with_bots=False)
    return draft.change()


def start(table: Table, *, fill_with_bots: bool, now_ms: int) -> Change:
    """Begin the game before every seat is taken. Raises AlreadyStarted, TooFewSeats, SeatOpen, BadOptions."""
    _require_lobby(table)
    seats = len(table.record.seats) - (0 if fill_with_bots else len(table.record.open_seats()))
    if seats not in table.game.seats:
        raise TooFewSeats(seats, table.game.seats)
    draft = _Draft(table, now_ms)
    draft.start(fill_with_bots=fill_with_bots)
    return draft.change()


def leave(table: Table, seat: int, now_ms: int) -> Change:
    """Leave a seat; in play a bot of the level ``RANDOM`` takes over. Raises GameOver."""
    if table.record.phase is Phase.FINISHED:
        raise GameOver
    draft = _Draft(table, now_ms)
    draft.do(Left(seat))
    draft.run_on()
    return draft.change()


def label(table: Table, labels: Labels, now_ms: int) -> Change:
    """Replace the labels. Raises GameOver."""
    if table.record.phase is Phase.FINISHED:
        raise GameOver
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


class _Draft:
    """Collects the deeds of one call while carrying them out."""

    def __init__(self, table: Table | None, now_ms: int) -> None:
        self._table = table
        self._first, self._after = (table.sequence + 1, table.mark) if table else (1, b"")
        self._now_ms = now_ms
        self._told: list[Told] = []

    def do(self, deed: Deed, move: Any = None) -> None:
        self._table, events = follow(self._table, deed, move)
        self._told.append(Told(self._table.sequence, self._now_ms, deed, move, events))

    def start(self, *, fill_with_bots: bool) -> None:
        self.do(Started(fill_with_bots))
        self.run_on()

    def run_on(self) -> None:
        """Let chance and bots that need not think move until somebody else is to act.

        What they do depends on the seed and the entry's sequence alone, so racing replicas draw the same.
        """
        while (actor := self._next_automatic()) is not None:
            table = _there(self._table)
            rng = SeededRng(table.record.seed, table.sequence + 1)
            if actor == CHANCE:
                move = table.game.draw(table.state, rng)
            else:
                move = rng.choice(table.game.legal_moves(table.state, actor))
            self.do(Moved(actor, Raw(pack(move)), automatic=actor != CHANCE), move)

    def _next_automatic(self) -> int | None:
        table = _there(self._table)
        to_act = table.to_act
        if to_act == CHANCE_ACTS:
            return CHANCE
        return next((seat for seat in to_act if table.record.seats[seat].moves_at_once), None)

    def change(self) -> Change:
        batch = Batch(self._first, self._now_ms, tuple(told.deed for told in self._told), self._after)
        return _change(_there(self._table), batch, tuple(self._told), pack(batch))


def _change(table: Table, batch: Batch, told: tuple[Told, ...], packed: bytes) -> Change:
    return Change(replace(table, mark=mark_of(packed)), batch, told, packed)


# ---------------------------------------------------------------- packing


def head_of(table: Table, *, pack_record: bool = True) -> Head:
    """Pack a table as the store keeps it; without its record if that need not be written."""
    record = pack(table.record) if pack_record else b""
    return Head(table.sequence, record, pack((table.open_since, table.state)), table.mark)


def unpack_head(head: Head) -> Table:
    """Decode a stored table. Raises GameNotFound or RulesetNotCarried."""
    record = unpack_record(head.record)
    game = carried(record)
    open_since, state = _snapshot_decoder(game.id).decode(head.snapshot)
    return Table(record, game, head.sequence, state, open_since, head.mark)


def fold(table: Table | None, batches: Iterable[bytes]) -> Iterator[Change]:
    """Replay packed batches on top of a table (``None``: from the beginning of the log)."""
    for packed in batches:
        batch = unpack_batch(packed)
        told = []
        for deed in batch.deeds:
            move = _move_decoder(_there(table).game.id).decode(deed.move) if isinstance(deed, Moved) else None
            table, events = follow(table, deed, move)
            told.append(Told(table.sequence, batch.time_ms, deed, move, events))
        change = _change(_there(table), batch, tuple(told), packed)
        table = change.table
        yield change


def options_of(record: Record) -> Any:
    """Return the game's options, decoded."""
    return _options_decoder(record.game).decode(record.options)


@cache
def _move_decoder(game: str) -> msgpack.Decoder[Any]:
    return msgpack.Decoder(all_games()[game].move_type)


@cache
def _snapshot_decoder(game: str) -> msgpack.Decoder[tuple[tuple[int, ...], Any]]:
    return msgpack.Decoder(tuple[tuple[int, ...], all_games()[game].state_type | None])  # type: ignore[misc]


@cache
def _options_decoder(game: str) -> msgpack.Decoder[Any]:
    return msgpack.Decoder(all_games()[game].options_type)
