"""The entries that one call brings, with the moves of chance and of bots that follow from it."""

from __future__ import annotations

from typing import Any

from msgspec import Raw
from msgspec.structs import replace

from skerry_games.api import CHANCE, CHANCE_ACTS
from skerry_games.rng import SeededRng
from skerry_service.domain.clocks import Moment
from skerry_service.domain.cooperative import CooperativeTask
from skerry_service.domain.log import Batch, Entry, Moved, Started, pack
from skerry_service.domain.record import RANDOM
from skerry_service.domain.table import Applied, Change, Table, apply_entry, build_change, require_table


def play_to_end(change: Change) -> CooperativeTask[Change]:
    """Let a game that plays itself be played to its end, a move between two yields. Return the change with all that.

    Such a game can take a hundred milliseconds, so it is left to the caller when they pass.
    """
    draft = ChangeSet(None, Moment(change.batch.time_ms, change.batch.uptime_ms))
    draft.take_up(change)
    yield from draft.moves()
    return draft.change()


def move_from_seed(table: Table, actor: int) -> Any:
    """Return the next move of chance, or of a seat that is played for without thinking.

    It depends on the seed and the entry's sequence alone, so racing replicas draw the same.
    """
    rng = SeededRng(table.record.seed, table.sequence + 1)
    if actor == CHANCE:
        return table.game.draw(table.state, rng)
    return rng.choice(table.game.legal_moves(table.state, actor))


def _next_automatic(table: Table) -> int | None:
    """Return who moves without a decision of anybody's, if that is so now."""
    to_act = table.to_act
    if to_act == CHANCE_ACTS:
        return CHANCE
    bots = table.record.instant_bots
    return next((seat for seat in to_act if seat in bots), None) if bots else None


class ChangeSet:
    """Collects the entries of one call while carrying them out."""

    def __init__(self, table: Table | None, now: Moment) -> None:
        self._table = table
        self._first, self._after = (table.sequence + 1, table.chained_hash) if table else (1, b"")
        self._now_ms = max(now.time_ms, table.time_ms) if table else now.time_ms
        self._age_ms = max(now.uptime_ms, table.uptime_ms) if table else now.uptime_ms
        self._applied: list[Applied] = []

    @property
    def table(self) -> Table:
        """The table after what was done so far."""
        return require_table(self._table)

    def take_up(self, change: Change) -> None:
        """Go on from a change as if it had been made here."""
        self._table, self._applied = change.table, list(change.applied)
        self._first, self._after = change.batch.first, change.batch.after

    def do(self, entry: Entry, move: Any = None) -> Table:
        """Carry out one entry; return the table after it. ``move``: of a ``Moved``, decoded.

        Raises IllegalMove or MalformedMove.
        """
        table, events = apply_entry(self._table, entry, move)
        self._table = table
        self._applied.append(Applied(table.sequence, self._now_ms, entry, move, events))
        return table

    def start(self, *, fill_with_bots: bool, level: str = RANDOM) -> None:
        """Begin the game."""
        self.do(Started(fill_with_bots, level))
        self.run_on()

    def start_if_complete(self) -> None:
        """Begin the game if somebody sits on every seat."""
        if not self.table.record.free_seats():
            self.start(fill_with_bots=False)

    def run_on(self) -> None:
        """Let chance and bots that need not think move until somebody else is to act."""
        table = self.table
        if table.record.has_only_bots:
            return
        while (actor := _next_automatic(table)) is not None:
            table = self._move(actor)

    def moves(self) -> CooperativeTask[None]:
        """Make those moves, where they go on to the end of the game."""
        while (actor := _next_automatic(self.table)) is not None:
            self._move(actor)
            yield

    def move_for(self, seat: int) -> None:
        """Make those moves in the place of a player, until the seat's turn is over."""
        while (to_act := self.table.to_act) == CHANCE_ACTS or seat in to_act:
            self._move(seat if seat in to_act else CHANCE)

    def _move(self, actor: int) -> Table:
        move = move_from_seed(self.table, actor)
        return self.do(Moved(actor, Raw(pack(move)), automatic=actor != CHANCE), move)

    def change(self) -> Change:
        """Return all that was done."""
        table = self.table
        batch = Batch(self._first, self._now_ms, tuple([applied.entry for applied in self._applied]), self._after)
        if table.clocks or table.record.delay is not None:
            batch = replace(batch, uptime_ms=self._age_ms)
        return build_change(table, batch, tuple(self._applied), pack(batch))
