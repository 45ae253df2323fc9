"""The sessions of a tournament's games, and their results."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

from skerry_service.domain.record import Phase, Record
from skerry_service.domain.seating.display_names import MAX_NAME_LENGTH, look_alike
from skerry_service.domain.table import Table, unpack_options
from skerry_service.domain.tokens import Role, new_token
from skerry_service.ladders.game_results import ranked
from skerry_service.sessions.actions.paired_session import PairedPlayer, PairedSession, begin
from skerry_service.sessions.commits import Committer
from skerry_service.tournaments.tournament_course import creation_of, session_of_game
from skerry_service.tournaments.tournament_records import BegunGame, StoredTournament, TournamentResult

LABEL = "tournament"
"""The label of a tournament's sessions. Its value is the tournament's id."""


def game_token(tournament: StoredTournament, number: int, seat: int) -> str:
    """Return the token of a seat of a game. It follows from the tournament, so every call returns the same."""
    return new_token(Role.SEAT, tournament.salt, b"game %d %d" % (number, seat))


async def create_session(
    committer: Committer, name: str, tournament: StoredTournament, number: int, game: BegunGame
) -> Table:
    """Create the session of a game, or return its table if it exists. Raises RulesetUnsupported."""
    wanted = PairedSession(
        tournament.game,
        tournament.ruleset,
        unpack_options(tournament.game, tournament.options),
        tournament.clock,
        ((LABEL, name),),
        players(tournament, number, game.lineup),
        applications=tournament.applications,
        cell=tournament.cell,
    )
    return await begin(committer, wanted, creation_of(tournament, number), _salt(tournament, number))


def result_of(
    tournament: StoredTournament, number: int, begun: BegunGame, record: Record | None, now_ms: int
) -> TournamentResult:
    """Return the result of a session that is over. ``None``: it is damaged. Without an outcome, it does not count."""
    session = session_of_game(tournament, number)
    lineup = tuple([tournament.entrants[one].name for one in begun.lineup])
    if record is None or record.phase is not Phase.FINISHED or record.outcome is None:
        equal, nothing = (1,) * len(lineup), (0,) * len(lineup)
        none = ("",) * len(lineup)
        return TournamentResult(session, lineup, equal, nothing, none, "", begun.started_ms, now_ms, counts=False)
    outcome, ranks, failures = ranked(record)
    names = [one.name for one in players(tournament, number, begun.lineup)]  # others if a person was erased since
    reason = with_names(outcome.reason, record.names, names)
    return TournamentResult(session, lineup, ranks, outcome.scores, failures, reason, begun.started_ms, now_ms)


def with_names(reason: str, before: Sequence[str], after: Sequence[str]) -> str:
    """Return the reason of a game's end with other names of the players, which are by seat."""
    fitting = [seat for seat, name in enumerate(before) if name and reason.startswith(f"{name} ")]
    if not fitting:
        return reason
    seat = max(fitting, key=lambda one: len(before[one]))  # a name can begin with another one
    return after[seat] + reason[len(before[seat]) :]


def _salt(tournament: StoredTournament, number: int) -> bytes:
    return creation_of(tournament, -1 - number)  # as secret as the request id


def players(tournament: StoredTournament, number: int, lineup: Sequence[int]) -> Sequence[PairedPlayer]:
    """Return the players by seat. An entrant with several seats has a number behind its name from the second on.

    Numbers that would give it the name of another player are left out.
    """
    taken = [tournament.entrants[player].name for player in lineup]
    found: list[PairedPlayer] = []
    for seat, player in enumerate(lineup):
        entrant = tournament.entrants[player]
        name = entrant.name
        if player in lineup[:seat]:
            numbered = (f"{entrant.name[: MAX_NAME_LENGTH - 3]} {number}" for number in count(2))
            name = next(one for one in numbered if not any(look_alike(one, other) for other in taken))
            taken.append(name)
        token = game_token(tournament, number, seat)
        found.append(PairedPlayer(name, token, entrant.bot or entrant.player_id))
    return found
