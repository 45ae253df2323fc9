"""Tournaments in rounds, where the tables of a round depend on earlier results. Other formats have one round.

The result at a table is the share of opponents beaten over all its games (see ``pairing``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count, cycle, islice
from math import ceil, log2
from typing import Final

from msgspec import Struct

from skerry_games.pairing import knockout, plan, swiss
from skerry_games.pairing.form import Format, TournamentForm
from skerry_games.pairing.match import FinishedGame, Match, Players, share_in
from skerry_games.pairing.plan import PlannedGame, lineups, rotations, shuffled

IN_ROUNDS: Final = (Format.SWISS, Format.KNOCKOUT)


class Round(Struct, frozen=True):
    """The tables of a round, and the games at each of them."""

    tables: tuple[Players, ...]
    games: tuple[tuple[PlannedGame, ...], ...]
    playoff: int
    """The number of the play-off, from 1; 0 for a round itself."""

    def matches(self, settings: TournamentForm, finished: Mapping[int, FinishedGame]) -> list[Match]:
        """Return the results of the tables. All their games must be finished."""
        if not self.is_over(finished):
            raise ValueError("Games of the round are not finished.")
        return self.matches_so_far(settings, finished)

    def matches_so_far(self, settings: TournamentForm, finished: Mapping[int, FinishedGame]) -> list[Match]:
        """Return the results of the tables, of those games that are finished."""
        found = []
        for table, games in zip(self.tables, self.games, strict=True):
            results = [finished[game.number] for game in games if game.number in finished]
            shares = [share_in(results, settings.players[one].name) for one in table]
            found.append(Match(table, tuple(shares), self.playoff))
        return found

    def is_over(self, finished: Mapping[int, FinishedGame]) -> bool:
        """Return whether all games of the round are finished."""
        return all(game.number in finished for games in self.games for game in games)


def games(settings: TournamentForm, finished: Mapping[int, FinishedGame]) -> Iterator[Iterable[PlannedGame]]:
    """Yield the games of each round. Before the next round, ``finished`` must have all games of the earlier ones."""
    if settings.format not in IN_ROUNDS:
        yield plan.games(settings)
        return
    for one in rounds(settings, finished):
        yield [game for games in one.games for game in games]


def rounds(settings: TournamentForm, finished: Mapping[int, FinishedGame]) -> Iterator[Round]:
    """Yield the rounds of a tournament with rounds. ``finished`` is as for ``games``."""
    numbers, blocks, played = count(), count(), list[list[Match]]()
    while True:
        tables, playoff = _next_tables(settings, played)
        if not tables:
            return
        at_tables = [tuple(_games(settings, table, numbers, blocks, playoff=playoff > 0)) for table in tables]
        one = Round(tables, tuple(at_tables), playoff)
        yield one
        played.append(one.matches(settings, finished))


def begun(settings: TournamentForm, finished: Mapping[int, FinishedGame]) -> list[Round]:
    """Return the rounds that have begun: those that are over and the one after them. Empty without rounds."""
    found: list[Round] = []
    if settings.format in IN_ROUNDS:
        for one in rounds(settings, finished):
            found.append(one)
            if not one.is_over(finished):
                break
    return found


def total(settings: TournamentForm, so_far: Iterable[Round] = ()) -> int:
    """Return the number of games, with the play-offs among the rounds so far. Later ones can follow."""
    if settings.format not in IN_ROUNDS:
        return plan.total(settings)
    players, seats = len(settings.players), settings.table
    if settings.format is Format.SWISS:
        tables = rounds_of_swiss(settings) * (players // seats)
    else:
        tables = 0
        while players > 1:
            at_tables = max(1, players // seats)
            tables += at_tables
            players = 1 if players < seats else at_tables + players % seats
    return tables * plan.total(settings) + sum(len(games) for one in so_far if one.playoff for games in one.games)


def rounds_of_swiss(settings: TournamentForm) -> int:
    """Return the number of rounds of a Swiss tournament."""
    return settings.rounds or ceil(log2(len(settings.players)))


def _games(
    settings: TournamentForm, table: Players, numbers: Iterator[int], blocks: Iterator[int], *, playoff: bool
) -> Iterator[PlannedGame]:
    """Yield the games at a table, block by block, with every choice of players in turn; in a play-off, once."""
    choices = lineups(Format.ROUND_ROBIN, len(table), settings.table)
    for choice in choices if playoff else islice(cycle(choices), plan.blocks(settings)):
        block = next(blocks)
        lineup = shuffled(settings, "places", block, [table[one] for one in choice])
        for rotation in rotations(lineup):
            yield PlannedGame(next(numbers), block, rotation, plan.block_seed(settings, block))


def _next_tables(settings: TournamentForm, played: Sequence[Sequence[Match]]) -> tuple[tuple[Players, ...], int]:
    """Return the next tables, none after the end, and the number of their play-off."""
    if settings.format is Format.KNOCKOUT:
        return knockout.next_tables(settings, played)
    if len(played) == rounds_of_swiss(settings):
        return (), 0
    return swiss.next_tables(settings, [match for one in played for match in one], len(played)), 0
