"""The summary of a tournament, one value with all results of the report, the tables and ``summary.json``."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import isnan
from typing import Final

import numpy as np
from msgspec import Struct
from msgspec.structs import astuple

from skerry_arena.play.contestant import AnswerCounts
from skerry_arena.play.record import Result
from skerry_arena.settings import Settings
from skerry_arena.statistics.cup import Cup, cup, planned
from skerry_arena.statistics.fit import differences, groups
from skerry_arena.statistics.resampling import FEWEST_BLOCKS, Interval, Resampling, excludes_zero, interval
from skerry_arena.statistics.stopping import StopDecision, Stopped
from skerry_arena.statistics.tally import Floats, Tally, complete_blocks, tally
from skerry_games.pairing.plan import seat_seed

_DIGITS: Final = 6


class Estimate(Struct, frozen=True):
    """A value with its interval. ``None``: unknown."""

    value: float | None
    interval: Interval | None = None


class Standing(Struct, frozen=True, kw_only=True):
    """The results of one player."""

    name: str
    player: str
    games: int
    """The number of seats in games that count."""
    beats: Estimate
    """The share of opponents beaten, ties as halves."""
    wins: Estimate
    """The share of games won. Several winners of a game share it."""
    score: Estimate
    """The mean score of a game."""
    rating: Estimate
    """Points above the mean of its group. Unknown for a player that is alone in its group."""
    group: int
    """The number of its group, from 0. Ratings of different groups do not compare."""
    ranks: tuple[int, ...]
    """How often it came first, second, and so on."""
    failures: dict[str, int]
    """The number of its failures, by kind."""
    answers: AnswerCounts
    """The answers of a program in all games."""


class Pair(Struct, frozen=True, kw_only=True):
    """Two players who met."""

    one: str
    other: str
    beaten: float
    """How often ``one`` has beaten ``other``, ties as halves."""
    tied: int
    met: int
    share: Estimate
    """``beaten`` divided by ``met``."""
    difference: Estimate
    """The rating of ``one`` minus that of ``other``, from the joint fit."""
    distinguished: bool
    """Whether the interval of the difference excludes 0."""


class Summary(Struct, frozen=True, kw_only=True):
    """The results of a tournament so far."""

    planned: int
    finished: int
    stopped: StopDecision | None
    """The decision of the test after an early stop."""
    blocks: int
    """The number of complete blocks. Only these count."""
    counted: int
    """The number of games that count."""
    void: int
    standings: tuple[Standing, ...]
    """The best first: by group, then by rating or, without a rating, by the share of opponents beaten."""
    groups: tuple[tuple[str, ...], ...]
    """Players with comparable ratings. No player of an earlier group was ever beaten by one of a later group."""
    pairs: tuple[Pair, ...]
    seats: tuple[Estimate, ...]
    """For each seat the share of opponents beaten from it; 0.5 if the seat makes no difference."""
    cup: Cup
    """Rounds, bracket and final places of a Swiss tournament or a knockout."""
    variance_ratio: float | None
    """The variance of a block's result, divided by that of as many independent games between the same players. Below 1,
    repeating deals saves games. ``None`` until some players have met in two blocks."""


def summarize(settings: Settings, results: Sequence[Result], stopped: Stopped | None = None) -> Summary:
    """Evaluate all complete blocks of these games, which are in the order of the plan.

    ``stopped``: the early stop, if there was one. Then there are no intervals, because they are valid only for a number
    of games that was fixed beforehand.
    """
    blocks = complete_blocks(settings, results)
    counted = tally(settings, blocks)
    resampling = Resampling(len(blocks), seat_seed(settings, 0, 0, "resampling"), valid=stopped is None)
    found = groups(counted.beaten.sum(axis=0))
    rates = _Rates(counted, resampling, found)
    standings = _standings(settings, counted, resampling, rates, found, results)
    names = [one.name for one in settings.players]
    return Summary(
        planned=planned(settings, results),
        finished=len(results),
        stopped=stopped.decision if stopped else None,
        blocks=len(blocks),
        counted=sum(map(len, blocks)),
        void=sum(not result.counts for result in results),
        standings=standings,
        groups=tuple([tuple([one.name for one in standings if one.group == at]) for at in range(len(found))]),
        pairs=_pairs(names, counted, resampling, rates),
        seats=_figures(counted.seat_shares, counted.seat_games, resampling),
        cup=cup(settings, results),
        variance_ratio=_ratio(*counted.spread),
    )


class _Rates:
    """The joint fit of the games, and of every resample."""

    def __init__(self, counted: Tally, resampling: Resampling, found: Sequence[Sequence[int]]) -> None:
        """``found``: the groups of players."""
        beaten = counted.beaten
        self.found = differences(beaten.sum(axis=0))
        self._drawn = (
            np.concatenate([differences(one) for one in resampling.sums(beaten)]) if resampling.enough else None
        )
        self._group = {one: number for number, group in enumerate(found) for one in group}
        met = beaten + beaten.swapaxes(1, 2) > 0
        players = range(beaten.shape[1])
        self._blocks = [int(met[:, one].any(axis=1).sum()) for one in players]
        self._in_group = [int(met[:, one, list(found[self._group[one]])].any(axis=1).sum()) for one in players]

    def difference(self, one: int, other: int) -> Estimate:
        """Return the rating of ``one`` minus that of ``other``."""
        drawn = self._resampled(one, other)
        return _figure(float(self.found[one, other]), None if drawn is None else interval(drawn))

    def distinguished(self, one: int, other: int) -> bool:
        """Return whether the interval of their difference excludes 0."""
        drawn = self._resampled(one, other)
        return drawn is not None and excludes_zero(drawn)

    def _resampled(self, one: int, other: int) -> Floats | None:
        """Return the resampled differences; ``None`` if there are too few blocks in which the players are compared."""
        blocks = self._in_group if self._group[one] == self._group[other] else self._blocks
        if self._drawn is None or min(blocks[one], blocks[other]) < FEWEST_BLOCKS:
            return None
        drawn: Floats = self._drawn[:, one, other]
        return drawn

    def rating(self, one: int, group: Sequence[int]) -> Estimate:
        """Return the rating within a group."""
        if len(group) == 1:
            return Estimate(None)
        enough = self._drawn is not None and self._in_group[one] >= FEWEST_BLOCKS
        between = interval(_mean(self._drawn[:, one, list(group)])) if self._drawn is not None and enough else None
        return _figure(float(self.found[one, list(group)].mean()), between)


def _mean(values: Floats) -> Floats:
    """Return the means of rows; NaN for rows with NaN or with both infinities."""
    with np.errstate(invalid="ignore"):
        means: Floats = values.mean(axis=1)
    return means


def _standings(
    settings: Settings,
    counted: Tally,
    resampling: Resampling,
    rates: _Rates,
    found: Sequence[Sequence[int]],
    results: Sequence[Result],
) -> tuple[Standing, ...]:
    met = counted.beaten + counted.beaten.swapaxes(1, 2)
    beats = _figures(counted.beaten.sum(axis=2), met.sum(axis=2), resampling)
    wins = _figures(counted.wins, counted.games, resampling)
    scores = _figures(counted.scores, counted.games, resampling)
    standings = []
    for number, group in enumerate(found):
        for one in group:
            entrant = settings.players[one]
            standing = Standing(
                name=entrant.name,
                player=entrant.player,
                games=int(counted.games[:, one].sum()),
                beats=beats[one],
                wins=wins[one],
                score=scores[one],
                rating=rates.rating(one, group),
                group=number,
                ranks=tuple(counted.ranks[one].tolist()),
                failures=_failures(entrant.name, results),
                answers=_answers(entrant.name, results),
            )
            standings.append(standing)
    return tuple(sorted(standings, key=_place))


def _place(one: Standing) -> tuple[int, float, float, str]:
    return one.group, -(one.rating.value or 0.0), -(one.beats.value or 0.0), one.name


def _failures(name: str, results: Sequence[Result]) -> dict[str, int]:
    kinds = [failure.kind for result in results for failure in result.failures if result.lineup[failure.seat] == name]
    return {str(kind): kinds.count(kind) for kind in sorted(set(kinds))}


def _answers(name: str, results: Sequence[Result]) -> AnswerCounts:
    counts = [
        astuple(counted)
        for result in results
        for player, counted in zip(result.lineup, result.answers, strict=False)  # empty without programs
        if player == name
    ]
    return AnswerCounts(*map(sum, zip(*counts, strict=True)))


def _pairs(names: Sequence[str], counted: Tally, resampling: Resampling, rates: _Rates) -> tuple[Pair, ...]:
    met = counted.beaten + counted.beaten.swapaxes(1, 2)
    couples = [(one, other) for one, other in combinations(range(len(names)), 2) if met[:, one, other].any()]
    if not couples:
        return ()
    ones, others = map(list, zip(*couples, strict=True))
    shares = _figures(counted.beaten[:, ones, others], met[:, ones, others], resampling)
    return tuple(
        [
            _pair((names[one], names[other]), (one, other), counted, share, rates)
            for (one, other), share in zip(couples, shares, strict=True)
        ]
    )


def _pair(names: tuple[str, str], couple: tuple[int, int], counted: Tally, share: Estimate, rates: _Rates) -> Pair:
    one, other = couple
    beaten, back = (float(counted.beaten[:, a, b].sum()) for a, b in ((one, other), (other, one)))
    return Pair(
        one=names[0],
        other=names[1],
        beaten=beaten,
        tied=int(counted.tied[:, one, other].sum()),
        met=int(beaten + back),
        share=share,
        difference=rates.difference(one, other),
        distinguished=rates.distinguished(one, other),
    )


def _figures(counted: Floats, of: Floats, resampling: Resampling) -> tuple[Estimate, ...]:
    values = [_ratio(float(one), float(all_)) for one, all_ in zip(counted.sum(axis=0), of.sum(axis=0), strict=True)]
    intervals = resampling.of_ratios(counted, of)
    return tuple(
        [
            Estimate(None) if value is None else _figure(value, between)
            for value, between in zip(values, intervals, strict=True)
        ]
    )


def _figure(value: float, between: Interval | None) -> Estimate:
    """Return the estimate, rounded to digits on which all machines agree. NaN means unknown."""
    if isnan(value):
        return Estimate(None)
    if between is not None:
        between = Interval(round(between.low, _DIGITS), round(between.high, _DIGITS))
    return Estimate(round(value, _DIGITS), between)


def _ratio(one: float, of: float) -> float | None:
    return one / of if of else None
