"""Open tables of a game: public lobbies whose open seats tickets can take without a proposal."""

from __future__ import annotations

import asyncio
from bisect import bisect_left
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence

from skerry_games.api import AnyGame
from skerry_service.domain.index_keys import index_keys_for
from skerry_service.domain.record import Phase, Record
from skerry_service.matching.criteria import QueueKey, clock_family, places_of, time_of
from skerry_service.matching.ticket_streams import TicketRequest, TicketStream
from skerry_service.sessions.lists.session_list import read_page
from skerry_service.sessions.store_port import Store

_MAX_TABLES = 100
_MAX_JOINS = 5
"""Tables to try, if other players take their seats first."""
_Entry = tuple[int, int]
"""The time of a table's clock, and the number of the table."""


class OpenTables:
    """The open tables of a game as last read, in the order in which they should be filled."""

    def __init__(self, store: Store, game: AnyGame, now_ms: Callable[[], Awaitable[int]]) -> None:
        """``now_ms``: returns the wall-clock time in ms."""
        self._store = store
        self._game = game
        self._now_ms = now_ms
        self._tables: Sequence[Record] = ()
        self._by_queue: dict[QueueKey, list[_Entry]] = {}
        """The tables by the queue whose tickets fit them, apart from the time of the clock, by which each is sorted."""
        self._reads_begun = 0
        self._reading = asyncio.Lock()

    async def refresh(self) -> None:
        """Read the tables. Concurrent callers share the first read that begins after their call."""
        mine = self._reads_begun + 1
        async with self._reading:
            if self._reads_begun < mine:
                self._reads_begun = mine
                await self._read()

    def fitting(self, request: TicketRequest) -> Sequence[Record]:
        """Return the first tables that fit a ticket."""
        return self._all_fitting(request)[:_MAX_JOINS]

    def _all_fitting(self, request: TicketRequest) -> Sequence[Record]:
        """Return the tables that fit a ticket. A ticket for several players takes seats at no open table.

        It costs as much as the ticket has places, however many tables do not fit.
        """
        if len(request.players) > 1 or not self._tables:
            return ()
        found = set[int]()
        for place in places_of(request.criteria):
            entries = self._by_queue.get(place.queue, ())
            begin, end = bisect_left(entries, (place.least_ms, 0)), bisect_left(entries, (place.most_ms + 1, 0))
            found.update(number for _, number in entries[begin:end])
        return [self._tables[number] for number in sorted(found)]

    def assign(self, streams: Iterable[TicketStream]) -> Iterator[TicketStream]:
        """Yield the streams that should try the tables: those that have waited longest, as many as there are seats."""
        left = {record.id: len(record.open_seats()) for record in self._tables}
        for stream in sorted(streams, key=lambda one: one.ticket.since) if left else ():
            for record in self._all_fitting(stream.request):
                if left[record.id] > 0:
                    left[record.id] -= 1
                    yield stream
                    break
            if not any(count > 0 for count in left.values()):
                return

    async def _read(self) -> None:
        """Find public tables with a seat for strangers among the newest. Sort those first that need the fewest players.

        Skip games with a chosen seed and forks, whose hosts can know what is hidden from everyone else, and games with
        hints.
        """
        game = self._game

        def wanted(record: Record) -> bool:
            return (
                (record.game, record.ruleset, record.phase) == (game.id, game.ruleset, Phase.LOBBY)
                and not (record.requires_join_code or record.seeded or record.opening or record.hints)
                and any(record.seats[seat].is_for("") for seat in record.open_seats())
            )

        index_keys = index_keys_for((game.id,), Phase.LOBBY, None, "")
        page = await read_page(self._store, None, _MAX_TABLES, wanted, index_keys, await self._now_ms())
        records = [record for record, _ in page.sessions]
        self.replace(records)

    def replace(self, records: Sequence[Record]) -> None:
        """Take over what has been read."""
        self._tables = sorted(records, key=lambda record: (len(record.open_seats()), record.created_ms, record.id))
        self._by_queue = {}
        for number, record in enumerate(self._tables):
            queue = len(record.seats), record.options, clock_family(record.clock), record.rated
            self._by_queue.setdefault(queue, []).append((time_of(record.clock), number))
        for entries in self._by_queue.values():
            entries.sort()
