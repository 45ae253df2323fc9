"""What becomes of a record when players go: substitutes, seats that change hands and their webhooks, who has lost."""

from __future__ import annotations

from typing import overload

from msgspec.structs import replace

from skerry_games.api import Outcome
from skerry_service.domain.record import Cause, Occupant, Phase, Record, SeatRecord, Substitution, Webhook

_REASONS = {
    Cause.RESIGNED: "{} resigned.",
    Cause.ABSENT: "{} was away for too long.",
    Cause.OUT_OF_TIME: "{} ran out of time.",
}


def with_seat(record: Record, seat: int, one: SeatRecord) -> Record:
    """Return the record with that on a seat."""
    return replace(record, seats=(*record.seats[:seat], one, *record.seats[seat + 1 :]))


def with_open_seat(record: Record, seat: int) -> Record:
    """Return the record with that seat open, to whom it was open before."""
    return with_seat(record, seat, SeatRecord(Occupant.OPEN, reserved_for=record.seats[seat].reserved_for))


def with_webhook(record: Record, seat: int | None, webhook: Webhook | None) -> Record:
    """Return the record with that webhook for a seat, or for the host."""
    if seat is None:
        return replace(record, webhook=webhook)
    return with_seat(record, seat, replace(record.seats[seat], webhook=webhook))


def substitute(record: Record, seat: int, cause: Cause, sequence: int) -> Record:
    """Let a bot play the seat on from that entry. It keeps the player's name, and the token for the way back."""
    player = record.seats[seat]
    level = record.abandonment.level
    return with_seat(record, seat, replace(player, occupant=Occupant.BOT, level=level, cause=cause, since=sequence))


def hand_over(record: Record, seat: int, player: SeatRecord, sequence: int) -> Record:
    """Let a player play the seat on from that entry, where a substitute did."""
    played = Substitution(seat, record.seats[seat].since, sequence - 1)
    player = replace(player, occupant=Occupant.PLAYER, cause=None, since=0, away=0)
    return with_seat(replace(record, substituted=(*record.substituted, played)), seat, player)


def with_player_back(record: Record, seat: int, sequence: int) -> Record:
    """Let the seat's owner be there again, from that entry on."""
    one = record.seats[seat]
    return (
        with_seat(record, seat, replace(one, away=0)) if one.cause is None else hand_over(record, seat, one, sequence)
    )


def with_loser(record: Record, seat: int) -> Record:
    """Note that the seat has lost."""
    return replace(record, lost=(*record.lost, seat))


def is_decided(record: Record) -> bool:
    """Whether a single seat is left that has not lost."""
    return len(record.seats) - len(record.lost) <= 1


def end_game(record: Record, scores: tuple[int, ...], reason: str) -> Record:
    """End the game before its rules do."""
    return replace(record, phase=Phase.FINISHED, outcome=early_outcome(scores, record.lost, reason))


def end_reason(cause: Cause, name: str) -> str:
    """Return why a game ended, in a sentence about the player who lost it."""
    return _REASONS[cause].format(name)


def early_outcome(scores: tuple[int, ...], lost: tuple[int, ...], reason: str) -> Outcome:
    """Return the outcome of a game that ended because one player lost it.

    Who has more points, as everybody can see them, ranks before the others, and those who lost behind all.
    """
    higher = sorted(set(scores), reverse=True)
    ranks = tuple([1 + higher.index(score) for score in scores])
    return rank_losers_last(Outcome(ranks, scores, reason), lost)


@overload
def rank_losers_last(outcome: Outcome, lost: tuple[int, ...]) -> Outcome: ...


@overload
def rank_losers_last(outcome: Outcome | None, lost: tuple[int, ...]) -> Outcome | None: ...


def rank_losers_last(outcome: Outcome | None, lost: tuple[int, ...]) -> Outcome | None:
    """Return an outcome in which the seats that lost before the end rank behind all others, the first to lose last."""
    if outcome is None or not lost:
        return outcome
    others = sorted({rank for seat, rank in enumerate(outcome.ranks) if seat not in lost})
    behind = len(others) + len(lost)
    ranks = tuple(
        [
            behind - lost.index(seat) if seat in lost else 1 + others.index(rank)
            for seat, rank in enumerate(outcome.ranks)
        ]
    )
    return replace(outcome, ranks=ranks)
