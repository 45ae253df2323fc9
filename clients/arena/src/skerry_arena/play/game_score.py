"""The score of a game, with the consequences of failures."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from skerry_arena.play.contestant import FailureKind
from skerry_arena.play.record import Failure
from skerry_arena.settings import OnFailure, Settings
from skerry_games.position import Position


class GameScore(Struct, frozen=True):
    """The end of a game, as its record has it."""

    ranks: tuple[int, ...]
    scores: tuple[int, ...]
    reason: str
    counts: bool


def is_decided(failures: Sequence[Failure], seats: int, policy: OnFailure) -> bool:
    """Return whether failures have decided the game, so that playing on would change nothing."""
    if policy is OnFailure.VOID:
        return bool(failures)
    return len(_forfeits(failures, policy)) >= seats - 1


def has_ended_early(failures: Sequence[Failure], settings: Settings) -> bool:
    """Return whether failures have ended a game of a log before its end by the rules."""
    if settings.service is not None and settings.service.hosted:
        return bool(failures)  # such a service ends a game when the time of a seat is up
    return is_decided(failures, settings.table, settings.on_failure)


def score_game(position: Position, failures: Sequence[Failure], policy: OnFailure) -> GameScore:
    """Return the score of a game that is over or decided."""
    outcome, scores = position.outcome, position.scores
    seats = len(scores)
    if outcome is None:
        alone = len(_forfeits(failures, policy)) >= seats - 1
        reason = "All others have forfeited the game." if alone else "A player has forfeited the game."
        reason = "The game is void." if policy is OnFailure.VOID else reason
        # A service that holds a tournament ends a game at a failure, and ranks the others by their public scores.
        # Elsewhere at most one seat has not forfeited the game, or the game does not count.
        higher = sorted(set(scores), reverse=True)
        played = tuple([1 if policy is OnFailure.VOID else 1 + higher.index(one) for one in scores])
    else:
        played, scores, reason = outcome.ranks, outcome.scores, outcome.reason
    if policy is not OnFailure.VOID:
        played = _with_forfeits(played, _forfeits(failures, policy))
    return GameScore(played, scores, reason, not (failures and policy is OnFailure.VOID))


def _forfeits(failures: Sequence[Failure], policy: OnFailure) -> list[Failure]:
    """Return the failures that lose the game. A player that leaves its seat loses under every policy."""
    return [one for one in failures if policy is OnFailure.FORFEIT or one.kind is FailureKind.LEFT]


def _with_forfeits(ranks: Sequence[int], failures: Sequence[Failure]) -> tuple[int, ...]:
    """Return dense ranks in which the seats that forfeited come last, the first of them at the very end."""
    out = {failure.seat: -at for at, failure in enumerate(failures)}
    places = [(1, out[seat]) if seat in out else (0, rank) for seat, rank in enumerate(ranks)]
    order = sorted(set(places))
    return tuple([order.index(place) + 1 for place in places])
