"""What a game means for a ladder: ranks, failures, and results between pairs. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import combinations

from msgspec.structs import replace

from skerry_games.api import Outcome
from skerry_service.domain.record import Cause, Record
from skerry_service.domain.seating.departures import end_reason, rank_losers_last
from skerry_service.ladders.ladder_records import EntrantRecord, GameRow, OpenGame, PairRecord, RestRecord

FAILURES_TO_REST = 3
"""Failures in succession after which an entrant rests."""
_FAILURES = {
    Cause.OUT_OF_TIME: "ran out of time",
    Cause.ABSENT: "stayed away",
    Cause.LEFT: "left the game",
}


def row_of(game: OpenGame, record: Record, now_ms: int) -> GameRow:
    """Return the result of a finished session. Seats that failed rank behind all others."""
    outcome, ranks, failures = ranked(record)
    return GameRow(
        game.session,
        game.seats,
        ranks,
        outcome.scores,
        failures,
        outcome.reason,
        game.started_ms,
        now_ms,
        game.block,
    )


def ranked(record: Record) -> tuple[Outcome, tuple[int, ...], tuple[str, ...]]:
    """Return the outcome of a finished session, its ranks with seats that failed last, and what each seat failed at."""
    outcome = record.outcome
    assert outcome is not None
    failures = tuple([_failure_of(record, outcome, seat) for seat in range(len(record.seats))])
    failed = [seat for seat, failure in enumerate(failures) if failure]
    lost = tuple(dict.fromkeys((*failed, *record.lost)))
    return outcome, rank_losers_last(outcome, lost).ranks, failures


def _failure_of(record: Record, outcome: Outcome, seat: int) -> str:
    """Return what the player of a seat failed at, as a predicate; empty for nothing, and for a resignation."""
    name = record.names[seat]
    for cause, words in _FAILURES.items():
        if record.seats[seat].cause is cause:
            return words
        if seat in record.lost and cause is not Cause.LEFT and outcome.reason == end_reason(cause, name):
            return words
    return "had a substitute" if any(one.seat == seat for one in record.substituted) else ""


def pair_results(row: GameRow, lost: Collection[int]) -> Iterator[tuple[tuple[str, str], PairRecord]]:
    """Yield the result between each two entrants of a game. The first of each pair is the smaller by name.

    ``lost``: the seats that lost before the game ended by its rules. With any, only their pairs count, because the
    ranks of the others say nothing yet.
    """
    for one, other in combinations(range(len(row.seats)), 2):
        if lost and one not in lost and other not in lost:
            continue
        first, second = sorted((one, other), key=lambda seat: row.seats[seat].entrant)
        gain = (row.ranks[first] < row.ranks[second]) - (row.ranks[first] > row.ranks[second])
        names = row.seats[first].entrant, row.seats[second].entrant
        yield names, PairRecord(int(gain > 0), int(gain == 0), int(gain < 0))


def plus(one: PairRecord, other: PairRecord) -> PairRecord:
    """Return the sum of results."""
    return PairRecord(one.wins + other.wins, one.ties + other.ties, one.losses + other.losses)


def counted(before: EntrantRecord, row: GameRow, seat: int, *, completes_block: bool, woken: int) -> EntrantRecord:
    """Return an entrant after a game. ``woken``: see ``RegisteredEntry.woken``."""
    failed = bool(row.failures[seat])
    failing = before.failing + 1 if failed else 0
    rest = before.rest if failed else None
    if rest is not None and rest.woken != woken:
        failing, rest = 1, None  # the bot was woken since
    if failing >= FAILURES_TO_REST and rest is None:
        rest = RestRecord(f"{row.seats[seat].name} {row.failures[seat]}.", row.session, row.ended_ms, woken)
    return replace(
        before,
        name=row.seats[seat].name,
        games=before.games + 1,
        blocks=before.blocks + completes_block,
        points=before.points + points_of(row.ranks, seat),
        failures=before.failures + failed,
        failing=failing,
        seen_ms=before.seen_ms if failed else max(before.seen_ms, row.ended_ms),
        rest=rest,
        opponents=tuple([one.entrant for at, one in enumerate(row.seats) if at != seat]),
    )


def points_of(ranks: Sequence[int], seat: int) -> float:
    """Return the share of opponents that a seat beat, ties as halves."""
    others = [rank for at, rank in enumerate(ranks) if at != seat]
    return sum((rank > ranks[seat]) + (rank == ranks[seat]) / 2 for rank in others) / max(1, len(others))
