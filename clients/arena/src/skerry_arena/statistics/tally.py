"""Counts block by block who has beaten whom. To beat is to have the better rank; a tie is half of it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from skerry_arena.play.record import Result
from skerry_arena.settings import Settings

Floats = NDArray[np.float64]


class Tally(Struct, frozen=True, eq=False):
    """For each block (first axis) what happened in it. Two seats of the same player are not compared."""

    beaten: Floats
    """[block, player, player]: how often the first has beaten the second, ties as halves."""
    tied: Floats
    """[block, player, player]: how often they tied."""
    games: Floats
    """[block, player]: in how many seats the player sat."""
    scores: Floats
    """[block, player]: points, summed."""
    wins: Floats
    """[block, player]: games won; of several first each has a part."""
    seat_shares: Floats
    """[block, seat]: the share of opponents beaten from there, summed over games."""
    seat_games: Floats
    """[block, seat]: games in which the seat had an opponent."""
    ranks: NDArray[np.int64]
    """[player, rank from 0]: over all blocks."""
    spread: tuple[float, float]
    """Variance of what blocks tell, and what it would be if their games were independent (``_spread``)."""


def complete_blocks(settings: Settings, results: Sequence[Result]) -> list[list[Result]]:
    """Return the blocks of which all games are finished, without games that do not count."""
    grouped = [list(block) for _, block in groupby(results, key=lambda result: result.block)]
    whole = [block for block in grouped if len(block) == settings.table]
    return [[result for result in block if result.counts] for block in whole]


def tally(settings: Settings, blocks: Sequence[Sequence[Result]]) -> Tally:
    """Count these blocks."""
    places = {one.name: place for place, one in enumerate(settings.players)}
    lineups = [[[places[name] for name in result.lineup] for result in block] for block in blocks]
    many, players, seats = len(blocks), len(places), settings.table
    counted = Tally(
        beaten=np.zeros((many, players, players)),
        tied=np.zeros((many, players, players)),
        games=np.zeros((many, players)),
        scores=np.zeros((many, players)),
        wins=np.zeros((many, players)),
        seat_shares=np.zeros((many, seats)),
        seat_games=np.zeros((many, seats)),
        ranks=np.zeros((players, seats), dtype=np.int64),
        spread=_spread(_shares(lineups, blocks)),
    )
    for number, (block, seated) in enumerate(zip(blocks, lineups, strict=True)):
        for result, lineup in zip(block, seated, strict=True):
            _count(counted, number, lineup, result)
            _count_pairs(counted, number, lineup, result.ranks)
    return counted


def _count(counted: Tally, block: int, lineup: Sequence[int], result: Result) -> None:
    first = result.ranks.count(1)
    for player, rank, score in zip(lineup, result.ranks, result.scores, strict=True):
        counted.games[block, player] += 1
        counted.scores[block, player] += score
        counted.wins[block, player] += (rank == 1) / first
        counted.ranks[player, rank - 1] += 1


def _count_pairs(counted: Tally, block: int, lineup: Sequence[int], ranks: Sequence[int]) -> None:
    for seat, player in enumerate(lineup):
        for other, opponent in enumerate(lineup):
            if opponent != player:
                counted.beaten[block, player, opponent] += beaten(ranks[seat], ranks[other])
                counted.tied[block, player, opponent] += ranks[seat] == ranks[other]
        share = _share(lineup, ranks, seat)
        if share is not None:
            counted.seat_shares[block, seat] += share
            counted.seat_games[block, seat] += 1


def beaten(rank: int, other: int) -> float:
    """Return 1 for the better rank, 0.5 for a tie, else 0."""
    return ((rank < other) + (rank <= other)) / 2


def _share(lineup: Sequence[int], ranks: Sequence[int], seat: int) -> float | None:
    """Return the share of opponents that a seat has beaten; ``None`` if all seats are the same player's."""
    won = [beaten(ranks[seat], rank) for rank, player in zip(ranks, lineup, strict=True) if player != lineup[seat]]
    return sum(won) / len(won) if won else None


Shares = dict[tuple[int, tuple[int, ...]], list[list[float]]]
"""For each player in each company the shares that it has beaten, block by block."""


def _shares(lineups: Sequence[Sequence[Sequence[int]]], blocks: Sequence[Sequence[Result]]) -> Shares:
    found: Shares = {}
    for seated, block in zip(lineups, blocks, strict=True):
        fresh: Shares = {}
        for lineup, result in zip(seated, block, strict=True):
            for seat, player in enumerate(lineup):
                if (share := _share(lineup, result.ranks, seat)) is not None:
                    fresh.setdefault((player, tuple(sorted(lineup))), [[]])[0].append(share)
        for key, of_block in fresh.items():
            found.setdefault(key, []).extend(of_block)
    return found


def _spread(shares: Shares) -> tuple[float, float]:
    """Return how far blocks are from the mean, and how far they would be if their games were independent, in squares.

    Each player in each company has a mean of its own: who meets whom is part of the plan, not of what it tells.
    """
    found = expected = 0.0
    for blocks in shares.values():
        games = [share for block in blocks for share in block]
        if len(blocks) > 1 and all(len(block) == len(blocks[0]) for block in blocks):
            mean = sum(games) / len(games)
            found += sum([(sum(block) - mean * len(block)) ** 2 for block in blocks])
            variance = sum([(share - mean) ** 2 for share in games]) / (len(games) - 1)
            expected += variance * len(blocks[0]) * (len(blocks) - 1)
    return found, expected
