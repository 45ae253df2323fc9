"""The entries that one call adds to a log, with the automatic moves of chance and of random bots that follow."""

from __future__ import annotations

from typing import Any

from msgspec import Raw
from msgspec.structs import replace

from skerry_games.api import CHANCE, CHANCE_ACTS
from skerry_games.rng import SeededRng
from skerry_service.domain.clocks import Moment
from skerry_service.domain.cooperative import CooperativeTask
from skerry_service.domain.lessons.course import scripted_move
from skerry_service.domain.log import Batch, Entry, Moved, Started, pack
from skerry_service.domain.record import RANDOM
from skerry_service.domain.table import Applied, Change, Table, apply_entry, build_change, require_table


def play_to_end(change: Change) -> CooperativeTask[Change]:
    """Play a game of random bots to its end, and return the extended change. Yields after each move.

    Such a game can take a hundred milliseconds, so the caller decides when the task runs.
    """
    changes = ChangeSet(None, Moment(change.batch.time_ms, change.batch.uptime_ms))
    changes.resume(change)
    yield from changes.remaining_moves()
    return changes.build()


def move_from_seed(table: Table, actor: int) -> Any:
    """Return the next move of chance, or of a seat that plays at random.

    The move depends only on the seed and the entry's sequence, so concurrent replicas draw the same move. In the course
    of a lesson, it depends on the state alone.
    """
    if actor == CHANCE and table.record.lesson:
        scripted = scripted_move(table.game, table.state, CHANCE)
        if scripted is not None:
            return scripted
    rng = SeededRng(table.record.chance_seed, table.sequence + 1)
    if actor == CHANCE:
        return table.game.draw(table.state, rng)
    return rng.choice(table.game.legal_moves(table.state, actor))


def _automatic_actor(table: Table) -> int | None:
    """Return chance or the random bot that moves now; ``None`` if a player or a thinking bot is to act."""
    to_act = table.to_act
    if to_act == CHANCE_ACTS:
        return CHANCE
    bots = table.record.instant_bots
    return next((seat for seat in to_act if seat in bots), None) if bots else None


class ChangeSet:
    """Collects the entries of one call and applies each to the table."""

    def __init__(self, table: Table | None, now: Moment) -> None:
        self._table = table
        self._first, self._after = (table.sequence + 1, table.chained_hash) if table else (1, b"")
        self._now_ms = max(now.time_ms, table.time_ms) if table else now.time_ms
        self._uptime_ms = max(now.uptime_ms, table.uptime_ms) if table else now.uptime_ms
        self._applied: list[Applied] = []

    @property
    def table(self) -> Table:
        """The table after the entries so far."""
        return require_table(self._table)

    def resume(self, change: Change) -> None:
        """Continue a change that another change set has built."""
        self._table, self._applied = change.table, list(change.applied)
        self._first, self._after = change.batch.first, change.batch.after

    def add(self, entry: Entry, move: Any = None) -> Table:
        """Apply an entry and return the table after it. ``move``: the decoded move of a ``Moved``.

        Raises IllegalMove or MalformedMove.
        """
        table, events = apply_entry(self._table, entry, move)
        self._table = table
        self._applied.append(Applied(table.sequence, self._now_ms, entry, move, events))
        return table

    def start(self, *, fill_with_bots: bool, level: str = RANDOM) -> None:
        """Start the game. ``level``: of the bots that take open seats."""
        self.add(Started(fill_with_bots, level))
        self.run_automatic_moves()

    def start_if_complete(self) -> None:
        """Start the game if every seat has an occupant."""
        if not self.table.record.free_seats():
            self.start(fill_with_bots=False)

    def run_automatic_moves(self) -> None:
        """Add moves of chance and of random bots until a player or a thinking bot is to act.

        A game of random bots alone is left to ``play_to_end``.
        """
        table = self.table
        if table.record.has_only_bots:
            return
        while (actor := _automatic_actor(table)) is not None:
            table = self._add_move(actor)

    def remaining_moves(self) -> CooperativeTask[None]:
        """Add all automatic moves to the end of the game. Yields after each move."""
        while (actor := _automatic_actor(self.table)) is not None:
            self._add_move(actor)
            yield

    def move_for(self, seat: int) -> None:
        """Add random moves for a seat until its turn is over."""
        while (to_act := self.table.to_act) == CHANCE_ACTS or seat in to_act:
            self._add_move(seat if seat in to_act else CHANCE)

    def _add_move(self, actor: int) -> Table:
        move = move_from_seed(self.table, actor)
        return self.add(Moved(actor, Raw(pack(move)), automatic=actor != CHANCE), move)

    def build(self) -> Change:
        """Return the change with all entries."""
        table = self.table
        batch = Batch(self._first, self._now_ms, tuple([applied.entry for applied in self._applied]), self._after)
        record = table.record
        if table.clocks or record.delay is not None or record.abandonment.open_after_ms:
            batch = replace(batch, uptime_ms=self._uptime_ms)
        return build_change(table, batch, tuple(self._applied), pack(batch))
