"""Changes of a record when players leave, return or lose: substitutes, new owners of seats, webhooks and outcomes."""

from __future__ import annotations

from typing import overload

from msgspec.structs import replace

from skerry_games.api import Outcome
from skerry_games.languages.translation import in_language
from skerry_service.domain.languages.phrases import phrase, verbatim
from skerry_service.domain.record import Cause, Occupant, Phase, Record, SeatRecord, Substitution, Webhook

_REASONS = {Cause.RESIGNED: "end-resigned", Cause.ABSENT: "end-absent", Cause.OUT_OF_TIME: "end-out-of-time"}


def with_seat(record: Record, seat: int, one: SeatRecord) -> Record:
    """Return the record with another content of one seat."""
    return replace(record, seats=(*record.seats[:seat], one, *record.seats[seat + 1 :]))


def with_open_seat(record: Record, seat: int) -> Record:
    """Return the record with the seat open. A reservation of the seat stays."""
    return with_seat(record, seat, SeatRecord(Occupant.OPEN, reserved_for=record.seats[seat].reserved_for))


def with_webhook(record: Record, seat: int | None, webhook: Webhook | None) -> Record:
    """Return the record with the webhook of a seat, or of the host (``None``), replaced."""
    if seat is None:
        return replace(record, webhook=webhook)
    return with_seat(record, seat, replace(record.seats[seat], webhook=webhook))


def substitute(record: Record, seat: int, cause: Cause, sequence: int) -> Record:
    """Return the record with a substitute on the seat from that entry on.

    The seat keeps the player's name and token, so the player can return.
    """
    player = record.seats[seat]
    level = record.abandonment.level
    return with_seat(record, seat, replace(player, occupant=Occupant.BOT, level=level, cause=cause, since=sequence))


def hand_over(record: Record, seat: int, player: SeatRecord, sequence: int) -> Record:
    """Return the record with a player in place of the substitute from that entry on."""
    played = Substitution(seat, record.seats[seat].since, sequence - 1)
    player = replace(player, occupant=Occupant.PLAYER, cause=None, since=0, away=0)
    return with_seat(replace(record, substituted=(*record.substituted, played)), seat, player)


def with_player_back(record: Record, seat: int, sequence: int) -> Record:
    """Return the record with the seat's owner present again from that entry on."""
    one = record.seats[seat]
    return (
        with_seat(record, seat, replace(one, away=0)) if one.cause is None else hand_over(record, seat, one, sequence)
    )


def with_loser(record: Record, seat: int) -> Record:
    """Return the record with the seat added to those that have lost."""
    return replace(record, lost=(*record.lost, seat))


def is_decided(record: Record) -> bool:
    """Return whether at most one seat has not lost."""
    return len(record.seats) - len(record.lost) <= 1


def end_game(record: Record, scores: tuple[int, ...], reason: str) -> Record:
    """Return the record of a game that ends before its rules end it."""
    return replace(record, phase=Phase.FINISHED, outcome=early_outcome(scores, record.lost, reason))


def end_reason(cause: Cause, name: str) -> str:
    """Return the reason of an early end, as a sentence about the player who lost."""
    return str(phrase(_REASONS[cause], player=verbatim(name)))


def read_end_reason(reason: str) -> tuple[str, str] | None:
    """Return the id of the message that ``end_reason`` used, and the name; ``None`` for a reason of the rules."""
    for id_ in _REASONS.values():
        if reason.endswith(predicate := phrase(id_, player="")):
            return id_, reason.removesuffix(predicate)
    return None


def reason_in(reason: str, language: str) -> str:
    """Return the reason for which a game ended in a language. The rule's id before it and names stay as they are."""
    if early := read_end_reason(reason):
        id_, name = early
        return str(in_language(phrase(id_, player=verbatim(name)), language))
    rule, colon, sentence = reason.partition(": ") if ": " in reason else ("", "", reason)
    return f"{rule}{colon}{in_language(sentence, language)}"


def early_outcome(scores: tuple[int, ...], lost: tuple[int, ...], reason: str) -> Outcome:
    """Return the outcome of a game that ended early. Seats rank by their public scores; seats that lost rank last."""
    higher = sorted(set(scores), reverse=True)
    ranks = tuple([1 + higher.index(score) for score in scores])
    return rank_losers_last(Outcome(ranks, scores, reason), lost)


@overload
def rank_losers_last(outcome: Outcome, lost: tuple[int, ...]) -> Outcome: ...


@overload
def rank_losers_last(outcome: Outcome | None, lost: tuple[int, ...]) -> Outcome | None: ...


def rank_losers_last(outcome: Outcome | None, lost: tuple[int, ...]) -> Outcome | None:
    """Return the outcome with the seats of ``lost`` ranked behind all others. The first to lose ranks last."""
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
