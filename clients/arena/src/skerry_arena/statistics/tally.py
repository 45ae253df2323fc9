"""The tally of results, block by block. A player beats another with the better rank; a tie counts half."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from skerry_arena.play.record import Result
from skerry_arena.settings import Settings
from skerry_games.pairing.match import beaten

Floats = NDArray[np.float64]


class Tally(Struct, frozen=True, eq=False):
    """The results of each block (the first axis). Two seats of the same player do not count against each other."""

    beaten: Floats
    """[block, player, player]: how often the first has beaten the second, ties as halves."""
    tied: Floats
    """[block, player, player]: how often they tied."""
    games: Floats
    """[block, player]: the number of the player's seats."""
    scores: Floats
    """[block, player]: the total score."""
    wins: Floats
    """[block, player]: games won. Several winners of a game share it."""
    seat_shares: Floats
    """[block, seat]: the share of opponents beaten from the seat, summed over games."""
    seat_games: Floats
    """[block, seat]: games in which the seat had an opponent."""
    ranks: NDArray[np.int64]
    """[player, rank from 0]: the number of games over all blocks."""
    spread: tuple[float, float]
    """The variance of the blocks' results, and its value if all games were independent (``_spread``)."""


def complete_blocks(settings: Settings, results: Sequence[Result]) -> list[list[Result]]:
    """Return the blocks whose games are all finished, without games that do not count."""
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


def _share(lineup: Sequence[int], ranks: Sequence[int], seat: int) -> float | None:
    """Return the share of opponents that a seat has beaten; ``None`` if one player has all seats."""
    won = [beaten(ranks[seat], rank) for rank, player in zip(ranks, lineup, strict=True) if player != lineup[seat]]
    return sum(won) / len(won) if won else None


Shares = dict[tuple[int, tuple[int, ...]], list[list[float]]]
"""For each player and line-up, the shares of opponents beaten, block by block."""


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
    """Return the sum of squared deviations of blocks, and its expected value if all games were independent.

    Each player has a separate mean for each line-up, because the line-ups are part of the plan and not of the results.
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
