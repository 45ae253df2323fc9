"""Recording results: each game counts once, however many replicas record it."""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping

from msgspec.structs import replace

from skerry_service.domain.log import pack
from skerry_service.domain.record import Phase, Record
from skerry_service.ladders import ladder_records as stored
from skerry_service.ladders.game_results import counted, pair_results, plus, row_of
from skerry_service.ladders.ladder_records import EntrantRecord, GameRow, OpenBlock, OpenGame, PairRecord
from skerry_service.ladders.ladder_store import LadderData
from skerry_service.ladders.people.rated_tables import seats_of_people
from skerry_service.sessions.resources.field_values import replacing
from skerry_service.sessions.resources.resource_port import FieldChange

NEXT_GAME_MS = 20_000
"""How long the members of a block are kept for its next game."""
_ATTEMPTS = 10
_log = logging.getLogger(__name__)


class ResultRecorder:
    """Moves games from those in play to the results.

    One atomic change removes the game, appends the row, and updates entrants and pairs. The game's own field is part of
    what the change expects, so a game that someone else has recorded is never counted again.
    """

    def __init__(self, data: LadderData) -> None:
        self._data = data

    async def record(self, ladder: str, game: OpenGame, record: Record, now_ms: int, uptime_ms: int) -> None:
        """Record a game whose session is over, unless that has happened. Raises StoreUnavailable, StoreFull."""
        if record.phase is not Phase.FINISHED or record.outcome is None:
            await self.void(ladder, game)
            return
        played = game
        if not game.creation:
            if (seats := seats_of_people(record)) is None:
                recorded = FieldChange(stored.recorded_part(game.season), game.session.encode(), b"")
                await self._data.change(ladder, [replacing(stored.GAMES, game.session, game, None), recorded])
                return
            played = replace(game, seats=seats)
        row = row_of(played, record, now_ms)
        for _ in range(_ATTEMPTS):
            if await self._data.change(ladder, await self._changes(ladder, game, row, uptime_ms, record.lost)):
                return
            if game.session not in await self._data.games(ladder):
                return
        _log.warning("cannot record sessions/%s in ladders/%s yet", game.session, ladder)

    async def void(self, ladder: str, game: OpenGame) -> None:
        """Forget a game that has no result."""
        _log.warning("sessions/%s of ladders/%s ended without a result", game.session, ladder)
        await self._data.change(ladder, [replacing(stored.GAMES, game.session, game, None)])

    async def _changes(
        self, ladder: str, game: OpenGame, row: GameRow, uptime_ms: int, lost: Collection[int]
    ) -> list[FieldChange]:
        season = game.season
        results = {"|".join(names): result for names, result in pair_results(row, lost)}
        entrants_part, pairs_part = stored.entrants_part(season), stored.pairs_part(season)
        entrants = await self._data.packed(ladder, entrants_part, [one.entrant for one in row.seats])
        pairs = await self._data.packed(ladder, pairs_part, list(results))
        number = await self._data.count(ladder, season)
        woken = {} if not game.creation else await self._woken(row)
        changes = [
            replacing(stored.GAMES, game.session, game, None),
            _count_change(season, number),
            _row_change(season, number, row),
        ]
        if not game.creation:
            changes.append(FieldChange(stored.recorded_part(season), game.session.encode(), b""))
        failed = any(row.failures)
        completes = not game.creation or (game.number == len(row.seats) - 1 and not failed)
        for seat, (one, packed) in enumerate(zip(row.seats, entrants, strict=True)):
            before = stored.read_entrant(packed) if packed else None  # a damaged one begins anew
            count = woken.get(one.entrant, 0)
            after = counted(before or EntrantRecord(one.name), row, seat, completes_block=completes, woken=count)
            changes.append(FieldChange(entrants_part, one.entrant.encode(), pack(after), packed))
        for (field, result), packed in zip(results.items(), pairs, strict=True):
            earlier = stored.read_pair(packed) if packed else None
            changes.append(FieldChange(pairs_part, field.encode(), pack(plus(earlier or PairRecord(), result)), packed))
        if game.creation and not failed and game.number < len(row.seats) - 1:
            seats = (game.seats[-1], *game.seats[:-1])
            block = OpenBlock(seats, game.number + 1, uptime_ms + NEXT_GAME_MS, number)
            changes.append(replacing(stored.BLOCKS, game.block, None, block))
        return changes

    async def _woken(self, row: GameRow) -> Mapping[str, int]:
        bots = await self._data.bots([stored.bot_of_entrant(one.entrant) for one in row.seats])
        entrants = [one.entrant for one in row.seats]
        return {one: bots[bot].woken for one in entrants if (bot := stored.bot_of_entrant(one)) in bots}


def _count_change(season: int, number: int) -> FieldChange:
    before = b"%d" % number if number else None
    return FieldChange(stored.COUNTS, b"%d" % season, b"%d" % (number + 1), before)


def _row_change(season: int, number: int, row: GameRow) -> FieldChange:
    part = stored.rows_part(season, number // stored.ROWS_OF_A_CHUNK)
    return FieldChange(part, b"%d" % number, pack(row))
