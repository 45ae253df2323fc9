"""All that is said of a tournament, as one value: what the report, the tables and ``summary.json`` show."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import isnan
from typing import Final

import numpy as np
from msgspec import Struct

from skerry_arena import rounds
from skerry_arena.plan import seat_seed
from skerry_arena.play.record import Result
from skerry_arena.settings import Settings
from skerry_arena.statistics.fit import differences, groups
from skerry_arena.statistics.resampling import Interval, Resampling, excludes_zero, interval
from skerry_arena.statistics.stopping import StopDecision, Stopped
from skerry_arena.statistics.tally import Floats, Tally, complete_blocks, tally

_DIGITS: Final = 6


class Estimate(Struct, frozen=True):
    """A number, and how surely it is known. ``None``: it is not known."""

    value: float | None
    interval: Interval | None = None


class Standing(Struct, frozen=True, kw_only=True):
    """One player."""

    name: str
    player: str
    games: int
    """Seats in games that count."""
    beats: Estimate
    """The share of opponents beaten, ties as halves."""
    wins: Estimate
    """The share of games won; of several first each has a part."""
    score: Estimate
    """Points in a game."""
    rating: Estimate
    """Points over the mean of its group. Not known for whoever is alone in one."""
    group: int
    """The number of its group, from 0: players of different groups cannot be compared by ratings."""
    ranks: tuple[int, ...]
    """How often it came first, second, and so on."""
    failures: dict[str, int]
    """How often it failed, by kind."""


class Pair(Struct, frozen=True, kw_only=True):
    """Two players who met."""

    one: str
    other: str
    beaten: float
    """How often the one has beaten the other, ties as halves."""
    tied: int
    met: int
    share: Estimate
    """``beaten`` of ``met``."""
    difference: Estimate
    """Points by which the one is rated higher, from the joint fit."""
    told_apart: bool
    """Whether the interval of that difference leaves 0 out."""


class RoundTable(Struct, frozen=True):
    """A table of a round."""

    players: tuple[str, ...]
    shares: tuple[float | None, ...]
    """The share of opponents that each has beaten there."""


class Summary(Struct, frozen=True, kw_only=True):
    """A tournament as far as it has been played."""

    planned: int
    finished: int
    stopped: StopDecision | None
    """What was decided if it was enough before all games were played."""
    blocks: int
    """Complete blocks: what is counted."""
    counted: int
    """Games that count."""
    void: int
    standings: tuple[Standing, ...]
    """The best first: by group, then by rating or, where there is none, by share beaten."""
    groups: tuple[tuple[str, ...], ...]
    """Those who can be rated together. Whoever is in an earlier group was never beaten by one of a later."""
    pairs: tuple[Pair, ...]
    seats: tuple[Estimate, ...]
    """For each seat the share of opponents beaten from there: 0.5 if it makes no difference."""
    rounds: tuple[tuple[RoundTable, ...], ...]
    """The rounds that are complete, of a tournament that has them."""
    winner: str | None
    """Of a knockout that is over."""
    variance_ratio: float | None
    """Variance of what a block tells, by that of as many games that do not depend on each other, all between the same
    players: below 1, duplicate deals save. ``None`` until some players have met in two blocks."""


def summarize(settings: Settings, results: Sequence[Result], stopped: Stopped | None = None) -> Summary:
    """Count all complete blocks of these games, which are in the order of the plan.

    ``stopped``: why there are no more. Then there are no intervals: they are right for a number of games that was
    fixed beforehand.
    """
    blocks = complete_blocks(settings, results)
    counted = tally(settings, blocks)
    resampling = Resampling(len(blocks), seat_seed(settings, 0, 0, "resampling"), given=stopped is None)
    found = groups(counted.beaten.sum(axis=0))
    rates = _Rates(counted, resampling)
    standings = _standings(settings, counted, resampling, rates, found, results)
    names = [one.name for one in settings.players]
    played = _rounds(settings, results)
    won = rounds.winner(settings, played)
    return Summary(
        planned=rounds.total(settings),
        finished=len(results),
        stopped=stopped.decision if stopped else None,
        blocks=len(blocks),
        counted=sum(map(len, blocks)),
        void=sum(not result.counts for result in results),
        standings=standings,
        groups=tuple([tuple([one.name for one in standings if one.group == at]) for at in range(len(found))]),
        pairs=_pairs(names, counted, resampling, rates),
        seats=_figures(counted.seat_shares, counted.seat_games, resampling),
        rounds=tuple([tuple([_meeting(names, match) for match in matches]) for matches in played]),
        winner=None if won is None else names[won],
        variance_ratio=_ratio(*counted.spread),
    )


def _rounds(settings: Settings, results: Sequence[Result]) -> list[list[rounds.Match]]:
    """Return how the tables of all complete rounds ended, if there are rounds."""
    played: list[list[rounds.Match]] = []
    finished = {result.game: result for result in results}
    if settings.format in rounds.IN_ROUNDS:
        for one in rounds.rounds(settings, finished):
            if not all(game.number in finished for games in one.games for game in games):
                break
            played.append(one.matches(settings, finished))
    return played


def _meeting(names: Sequence[str], match: rounds.Match) -> RoundTable:
    shares = [None if share is None else round(share, _DIGITS) for share in match.shares]
    return RoundTable(tuple([names[one] for one in match.table]), tuple(shares))


class _Rates:
    """The joint fit, and the same of every resample."""

    def __init__(self, counted: Tally, resampling: Resampling) -> None:
        self.found = differences(counted.beaten.sum(axis=0))
        self._drawn = (
            np.concatenate([differences(one) for one in resampling.sums(counted.beaten)]) if resampling.enough else None
        )

    def difference(self, one: int, other: int) -> Estimate:
        """Return by how much the one is rated higher."""
        between = None if self._drawn is None else interval(self._drawn[:, one, other])
        return _figure(float(self.found[one, other]), between)

    def told_apart(self, one: int, other: int) -> bool:
        """Return whether it is sure enough which of them is the stronger one."""
        return self._drawn is not None and excludes_zero(self._drawn[:, one, other])

    def rating(self, one: int, group: Sequence[int]) -> Estimate:
        """Return the rating within a group."""
        if len(group) == 1:
            return Estimate(None)
        between = None if self._drawn is None else interval(_mean(self._drawn[:, one, list(group)]))
        return _figure(float(self.found[one, list(group)].mean()), between)


def _mean(values: Floats) -> Floats:
    """Return the means of rows: not a number where something is infinite both ways, or not known."""
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
            )
            standings.append(standing)
    return tuple(sorted(standings, key=_place))


def _place(one: Standing) -> tuple[int, float, float, str]:
    return one.group, -(one.rating.value or 0.0), -(one.beats.value or 0.0), one.name


def _failures(name: str, results: Sequence[Result]) -> dict[str, int]:
    kinds = [failure.kind for result in results for failure in result.failures if result.lineup[failure.seat] == name]
    return {str(kind): kinds.count(kind) for kind in sorted(set(kinds))}


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
        told_apart=rates.told_apart(one, other),
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
    """Return the figure, with as many digits as machines agree on. What is not a number is not known."""
    if isnan(value):
        return Estimate(None)
    if between is not None:
        between = Interval(round(between.low, _DIGITS), round(between.high, _DIGITS))
    return Estimate(round(value, _DIGITS), between)


def _ratio(one: float, of: float) -> float | None:
    return one / of if of else None
