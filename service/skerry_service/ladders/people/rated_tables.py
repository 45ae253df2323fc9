"""Rated tables of people: how a ladder of people finds them, and who played.

Players create these sessions, so the ladder receives no notification. Its leader reads the index of rated sessions of
its game again and again. A session that is found twice counts once: its name is a field of the change that records it.
"""

from __future__ import annotations

from hashlib import blake2b

from skerry_service.domain.index_keys import has_distinct_player_ids, rated_index_keys
from skerry_service.domain.record import Phase, Record
from skerry_service.ladders import ladder_records as stored
from skerry_service.ladders.ladder_records import LadderSeatRecord, OpenGame, StoredLadder
from skerry_service.ladders.ladder_store import LadderData
from skerry_service.sessions.lists.session_list import Cursor, read_page
from skerry_service.sessions.resources.field_values import replacing
from skerry_service.sessions.store_port import Store

MOST_FOUND = 200
"""Sessions that one look reads of the newest, and of the others."""
MOST_SHOWN = 200
"""Games in play that a ladder of people takes in. It takes in others once they are over."""
MOST_PEOPLE = 5_000
"""People in a season. Later games with others do not count."""
_MOST_KNOWN = 10_000


class RatedTables:
    """The rated tables that a ladder of people takes in."""

    def __init__(self, name: str, store: Store, data: LadderData) -> None:
        self._name = name
        self._store = store
        self._data = data
        self._known: set[str] = set()
        """Sessions that were looked at. The store decides what counts; this saves work."""
        self._next: Cursor | None = None
        """Where the walk through the older sessions continues."""

    async def take_in(self, ladder: StoredLadder, now_ms: int, uptime_ms: int) -> None:
        """Store new rated tables of a ladder among its games in play.

        Each look reads the newest tables and a page of the others, so that many tables of one caller delay others only.
        """
        if len(self._known) > _MOST_KNOWN:
            self._known.clear()
        found, following = await self._look(ladder, None, now_ms)
        older: list[Record] = []
        if (start := self._next or following) is not None:
            older, self._next = await self._look(ladder, start, now_ms)
        fresh = {one.id: one for one in (*found, *older)}
        if not fresh:
            return
        room = MOST_SHOWN - len(await self._data.games(self._name))
        for record in fresh.values():
            if record.phase is Phase.PLAYING and room <= 0:
                continue
            game = _game_of(ladder, record, uptime_ms)
            if await self._has_room_for(record, game.season) and not await self._data.is_recorded(self._name, game):
                await self._data.change(self._name, [replacing(stored.GAMES, record.id, None, game)])
                room -= 1
            self._known.add(record.id)

    async def _look(
        self, ladder: StoredLadder, start: Cursor | None, now_ms: int
    ) -> tuple[list[Record], Cursor | None]:
        """Return new rated tables of a page of the index, and where the next page begins."""

        def wanted(record: Record) -> bool:
            return record.id not in self._known and _fits(ladder, record)

        page = await read_page(self._store, start, MOST_FOUND, wanted, rated_index_keys(ladder.game), now_ms)
        return [record for record, _ in page.sessions], page.next

    async def _has_room_for(self, record: Record, season: int) -> bool:
        """Return whether a season has the people of a table, or room for them."""
        seats = seats_of_people(record) or ()
        present = await self._data.entrants(self._name, season, [one.entrant for one in seats])
        return len(present) == len(seats) or len(await self._data.entrants(self._name, season)) < MOST_PEOPLE


def entrant_of_person(player_id: str) -> str:
    """Return the entrant of a person: a hash, so that no ladder has ids of players."""
    return blake2b(player_id.encode(), digest_size=12, person=b"skerry rated").hexdigest()


def seats_of_people(record: Record) -> tuple[LadderSeatRecord, ...] | None:
    """Return the players of a finished session; ``None`` unless each seat has one with an id of its own."""
    if not has_distinct_player_ids(record):
        return None
    return tuple([LadderSeatRecord(entrant_of_person(one.player_id), one.name) for one in record.seats])


def _fits(ladder: StoredLadder, record: Record) -> bool:
    season = _season_of(ladder, record)
    return (
        record.rated
        and has_distinct_player_ids(record)
        and record.phase in (Phase.PLAYING, Phase.FINISHED)
        and season > 0
        and (record.game, len(record.seats), record.options) == (ladder.game, ladder.seats, ladder.options)
        and record.ruleset == ladder.seasons[season - 1].ruleset
    )


def _season_of(ladder: StoredLadder, record: Record) -> int:
    """Return the season in which a session was created; 0 if it is older than the ladder."""
    return sum(season.started_ms <= record.created_ms for season in ladder.seasons)


def _game_of(ladder: StoredLadder, record: Record, uptime_ms: int) -> OpenGame:
    seats = tuple([LadderSeatRecord("", one.name) for one in record.seats])
    return OpenGame(record.id, _season_of(ladder, record), seats, record.created_ms, uptime_ms, "")
