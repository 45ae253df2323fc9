"""Ladders and tournaments as operators see them: ``GetCompetitions``. They are read when an operator asks."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from skerry.admin.v1 import competitions_pb2 as pb
from skerry_service.api.ladder_rendering import write_ladder, write_standing
from skerry_service.api.tournaments.tournament_rendering import write_tournament, write_tournament_standing
from skerry_service.domain.errors import RulesetUnsupported, TournamentNotFound
from skerry_service.ladders.ladder_readings import LadderStanding, StandingsTable
from skerry_service.ladders.ladder_records import RegisteredEntry
from skerry_service.sessions.service import Sessions
from skerry_service.tournaments.tournament_records import StoredTournament

_LEADERS = 3
_TOURNAMENTS = 10
_MOST_RESTING = 100


class CompetitionReading:
    """Reads ladders and tournaments for operators."""

    def __init__(self, sessions: Sessions) -> None:
        self._ladders = sessions.ladders.readings
        self._tournaments = sessions.tournaments

    async def read(self) -> pb.GetCompetitionsResponse:
        """Return all ladders and the first tournaments. Raises StoreUnavailable."""
        response, resting = pb.GetCompetitionsResponse(), list[pb.RestingBot]()
        for name, (ladder, playing, waiting) in (await self._ladders.all()).items():
            table = await self._ladders.standings(name, 0)
            response.ladders.add(
                ladder=write_ladder(name, ladder, playing, waiting),
                leaders=[write_standing(row, people=ladder.people) for row in table.rows[:_LEADERS]],
                entrants=len(table.rows),
                games=table.games,
            )
            resting += _resting(name, table)
        resting.sort(key=lambda one: one.rest.time.ToMilliseconds(), reverse=True)
        response.resting.extend(resting[:_MOST_RESTING])
        found, response.more_tournaments = await self._tournaments.all(0, _TOURNAMENTS)
        for tournament in found:
            response.tournaments.append(await self._status(*tournament))
        return response

    async def _status(self, name: str, tournament: StoredTournament) -> pb.TournamentStatus:
        status = pb.TournamentStatus(tournament=write_tournament(name, tournament))
        with suppress(TournamentNotFound, RulesetUnsupported):  # it was removed meanwhile, or is of another build
            course = await self._tournaments.course(name)
            status.games_finished, status.games_playing = len(course.results), len(course.in_play)
            if course.tournament.started_ms:
                rows = (await self._tournaments.table(name, course)).rows[:_LEADERS]
                status.leaders.extend(write_tournament_standing(course.tournament, row) for row in rows)
        return status


def _resting(ladder: str, table: StandingsTable) -> Iterator[pb.RestingBot]:
    """Yield the bots of a ladder whose newest versions rest."""
    for row in table.rows:
        if row.rests and row.bot is not None and row.entrant.endswith(f"/{row.bot.hash}"):
            yield _resting_bot(ladder, row, row.bot)


def _resting_bot(ladder: str, row: LadderStanding, bot: RegisteredEntry) -> pb.RestingBot:
    standing = write_standing(row, people=False)
    return pb.RestingBot(
        bot=standing.bot, ladder=f"ladders/{ladder}", rest=standing.rest, key=bot.key, contact=bot.contact
    )
