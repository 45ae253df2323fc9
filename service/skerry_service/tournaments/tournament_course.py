"""The course of a tournament: which games are next, and who stands where. Pure.

Everything follows from the tournament and the results by number. So the order in which results arrive, and a crash
between any two steps, change nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from hashlib import blake2b
from itertools import groupby
from uuid import UUID

from msgspec import Struct

from skerry_games.pairing import knockout, places, plan, rounds
from skerry_games.pairing.form import Format
from skerry_games.pairing.match import Match, share_in
from skerry_games.pairing.plan import PlannedGame
from skerry_service.sessions.request_identity import session_id
from skerry_service.tournaments.tournament_records import StoredTournament, TournamentResult

MOST_IN_PLAY = 500
"""Games of a tournament in play."""
Results = Mapping[int, TournamentResult]


class Step(Struct, frozen=True):
    """What comes next."""

    begin: tuple[PlannedGame, ...]
    """The games that begin now."""
    over: bool
    """Whether all games have results, and no other follows."""


class EntrantStanding(Struct, frozen=True):
    """Where an entrant stands."""

    player: int
    """The index of the entrant."""
    place: int
    """From 1; shared if no rule separates. 0: not known yet, in a knockout before its end."""
    games: int
    points: float
    """The sum of the shares of opponents beaten in each game, ties as halves."""
    result: float | None
    """The mean share of opponents beaten at complete tables."""
    buchholz: float | None
    """The mean result of the opponents."""


def known_games(tournament: StoredTournament, results: Results) -> list[PlannedGame]:
    """Return the games that are certain by now, in the order of the plan: of all rounds that have begun."""
    if not tournament.in_rounds:
        return list(plan.games(tournament))
    begun = rounds.begun(tournament, results)
    return [game for one in begun for games in one.games for game in games]


def next_step(tournament: StoredTournament, results: Results, in_play: Collection[int]) -> Step:
    """Return which games begin, if those are in play."""
    games = known_games(tournament, results)
    busy = Counter(player for game in games if game.number in in_play for player in set(game.lineup))
    begin: list[PlannedGame] = []
    for game in games:
        if game.number in results or game.number in in_play:
            continue
        members = set(game.lineup)
        if len(in_play) + len(begin) < MOST_IN_PLAY and all(busy[one] < tournament.at_once for one in members):
            begin.append(game)
            busy.update(members)
    return Step(tuple(begin), over=all(game.number in results for game in games))


class PlayedRounds(Struct, frozen=True):
    """The tables of all rounds that have begun. Formats without rounds have one round, of all complete tables."""

    complete: list[list[Match]]
    """Rounds and play-offs that have all their results."""
    current: list[Match]
    """The round after them, with its results so far. Empty after the last round, and for formats without rounds."""


def matches_of(tournament: StoredTournament, results: Results) -> PlayedRounds:
    """Return the tables of each round with their results."""
    if tournament.in_rounds:
        begun = rounds.begun(tournament, results)
        complete = [one.matches(tournament, results) for one in begun if one.is_over(results)]
        return PlayedRounds(complete, begun[-1].matches_so_far(tournament, results) if begun[len(complete) :] else [])
    found: list[Match] = []
    for _, block in groupby(plan.games(tournament), key=lambda game: game.block):
        games = list(block)
        if all(game.number in results for game in games):
            table = tuple(sorted(set(games[0].lineup)))
            played = [results[game.number] for game in games]
            shares = [share_in(played, tournament.entrants[one].name) for one in table]
            found.append(Match(table, tuple(shares)))
    return PlayedRounds([found], [])


def standings(tournament: StoredTournament, results: Results, played: PlayedRounds) -> list[EntrantStanding]:
    """Return where each entrant stands, the best first. In a knockout, places are known at the end.

    ``played``: from ``matches_of``.
    """
    if tournament.format is Format.KNOCKOUT:
        found = places.of_knockout(tournament, played.complete)
        found = found or [places.Placing(one, 0) for one in range(len(tournament.entrants))]
    else:
        every = [match for one in played.complete for match in one]
        found = places.of_swiss(tournament, every, [results[number] for number in sorted(results)])
    games, points = Counter[str](), dict.fromkeys((one.name for one in tournament.entrants), 0.0)
    for result in results.values():
        for name in set(result.lineup) if result.counts else ():
            games[name] += 1
            points[name] += share_in([result], name) or 0.0
    return [
        EntrantStanding(one.player, one.place, games[name], points[name], one.result, one.buchholz)
        for one in found
        for name in [tournament.entrants[one.player].name]
    ]


def advancing(tournament: StoredTournament, played: PlayedRounds) -> list[list[int | None]]:
    """Return the player that advances from each table of each complete round.

    ``None``: the table is not decided, belongs to a play-off, or the tournament is no knockout.
    """
    is_knockout = tournament.format is Format.KNOCKOUT
    stages = iter(knockout.stages(tournament, played.complete) if is_knockout else ())
    return [
        [table.best[0] if table.by else None for table in next(stages).tables]
        if is_knockout and not matches[0].playoff
        else [None] * len(matches)
        for matches in played.complete
    ]


def creation_of(tournament: StoredTournament, number: int) -> bytes:
    """Return the request id that creates the session of a game: a random (version 4) UUID."""
    drawn = blake2b(b"%d" % number, digest_size=16, key=tournament.salt, person=b"session").digest()
    return UUID(bytes=drawn, version=4).bytes


def session_of_game(tournament: StoredTournament, number: int) -> str:
    """Return the id of the session of a game."""
    return session_id(creation_of(tournament, number), tournament.cell)
