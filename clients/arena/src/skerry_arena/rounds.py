"""Tournaments in rounds, where the tables of a round depend on earlier results. Other formats have one round.

In a Swiss tournament, players with similar results meet (see ``pairing``). In a knockout, the
best player of each table advances. The result at a table is the share of opponents beaten over all its games. Among
several best players, and if no game counts, the first one in the settings advances.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count, cycle, islice
from math import ceil, log2
from typing import Final

from msgspec import Struct

from skerry_arena import plan
from skerry_arena.pairing.match import Match, Players
from skerry_arena.pairing.swiss import next_tables
from skerry_arena.plan import Game, lineups, rotations, shuffled
from skerry_arena.play.record import Result
from skerry_arena.settings import Format, Settings
from skerry_arena.statistics.stopping import share_in

IN_ROUNDS: Final = (Format.SWISS, Format.KNOCKOUT)


class Round(Struct, frozen=True):
    """The tables of a round, and the games at each of them."""

    tables: tuple[Players, ...]
    games: tuple[tuple[Game, ...], ...]

    def matches(self, settings: Settings, finished: Mapping[int, Result]) -> list[Match]:
        """Return the results of the tables. All their games must be finished."""
        found = []
        for table, games in zip(self.tables, self.games, strict=True):
            results = [finished[game.number] for game in games]
            shares = [share_in(results, settings.players[one].name) for one in table]
            found.append(Match(table, tuple(shares)))
        return found


def games(settings: Settings, finished: Mapping[int, Result]) -> Iterator[Iterable[Game]]:
    """Yield the games of each round. Before the next round, ``finished`` must have all games of the earlier ones."""
    if settings.format not in IN_ROUNDS:
        yield plan.games(settings)
        return
    for one in rounds(settings, finished):
        yield [game for games in one.games for game in games]


def rounds(settings: Settings, finished: Mapping[int, Result]) -> Iterator[Round]:
    """Yield the rounds of a tournament with rounds. ``finished`` is as for ``games``."""
    numbers, blocks, played = count(), count(), list[list[Match]]()
    while tables := _next_tables(settings, played):
        one = Round(tables, tuple([tuple(_games(settings, table, numbers, blocks)) for table in tables]))
        yield one
        played.append(one.matches(settings, finished))


def total(settings: Settings) -> int:
    """Return the number of games."""
    if settings.format not in IN_ROUNDS:
        return plan.total(settings)
    players, seats = len(settings.players), settings.table
    if settings.format is Format.SWISS:
        tables = _rounds_of_swiss(settings) * (players // seats)
    else:
        tables = 0
        while players > 1:
            at_tables = max(1, players // seats)
            tables += at_tables
            players = 1 if players < seats else at_tables + players % seats
    return tables * plan.total(settings)


def winner(settings: Settings, played: Sequence[Sequence[Match]]) -> int | None:
    """Return the winner of a knockout; ``None`` before its end and for other formats."""
    if settings.format is not Format.KNOCKOUT:
        return None
    left = _left(settings, played)
    return left[0] if len(left) == 1 else None


def _games(settings: Settings, table: Players, numbers: Iterator[int], blocks: Iterator[int]) -> Iterator[Game]:
    """Yield the games at a table, block by block, with every choice of players in turn."""
    choices = cycle(lineups(Format.ROUND_ROBIN, len(table), settings.table))
    for choice in islice(choices, plan.blocks(settings)):
        block = next(blocks)
        lineup = shuffled(settings, "places", block, [table[one] for one in choice])
        for rotation in rotations(lineup):
            yield Game(next(numbers), block, rotation, plan.block_seed(settings, block))


def _next_tables(settings: Settings, played: Sequence[Sequence[Match]]) -> tuple[Players, ...]:
    if settings.format is Format.KNOCKOUT:
        left, seats = _left(settings, played), settings.table
        if len(left) == 1:
            return ()
        return tuple([tuple(table) for table in _tables_of(left, seats)])
    if len(played) == _rounds_of_swiss(settings):
        return ()
    return next_tables(settings, [match for one in played for match in one], len(played))


def _rounds_of_swiss(settings: Settings) -> int:
    return settings.rounds or ceil(log2(len(settings.players)))


def _left(settings: Settings, played: Sequence[Sequence[Match]]) -> list[int]:
    """Return the players left in a knockout. Players without a table in the last round come first."""
    left = list(shuffled(settings, "knockout", 0, range(len(settings.players))))
    for matches in played:
        met = {one for match in matches for one in match.table}
        left = [one for one in left if one not in met] + [_best(match) for match in matches]
    return left


def _tables_of(left: Sequence[int], seats: int) -> list[Sequence[int]]:
    """Return as many full tables as possible; one table of all players if they are too few."""
    if len(left) < seats:
        return [left]
    return [left[at : at + seats] for at in range(0, len(left) - seats + 1, seats)]


def _best(match: Match) -> int:
    return max(zip(match.table, match.shares, strict=True), key=lambda one: (_known(one[1]), -one[0]))[0]


def _known(share: float | None) -> float:
    return -1.0 if share is None else share
