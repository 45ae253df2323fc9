"""The record of a game from the log of its finished session."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from skerry.v1 import session_pb2
from skerry_arena.play.contestant import AnswerCounts, FailureKind
from skerry_arena.play.game_score import has_ended_early, score_game
from skerry_arena.play.record import Failure, Record, answers_of
from skerry_arena.remote.codecs import codec_of
from skerry_arena.reports.verification import difference
from skerry_arena.settings import Settings
from skerry_games.api import CHANCE, GameError
from skerry_games.pairing.plan import PlannedGame
from skerry_games.position import Position


class InvalidReplay(Exception):
    """A replay that does not follow from its seed by the rules of this version. The message is a sentence."""


class SeatFailed(Exception):
    """A seat's player has failed, and the service's substitute plays on."""

    def __init__(self, seat: int, kind: FailureKind, detail: str, sequence: int) -> None:
        """``sequence``: the newest entry that the player knew."""
        super().__init__(detail)
        self.seat = seat
        self.kind = kind
        self.detail = detail
        self.sequence = sequence


class _ReplayedGame(Struct):
    """A game, replayed from its log."""

    position: Position
    choices: list[int]
    actors: list[int]
    draws: list[int]
    choice_entries: list[int]
    """The entry of each choice."""


def record_of(
    settings: Settings,
    game: PlannedGame,
    replay: session_pb2.Replay,
    failed: Sequence[SeatFailed],
    seconds: Sequence[float],
    counts: Sequence[AnswerCounts] = (),
) -> Record:
    """Return the record of a game from its finished session. Raises InvalidReplay."""
    replayed = _replayed(settings, replay)
    failures = tuple(
        [
            Failure(one.seat, sum(entry <= one.sequence for entry in replayed.choice_entries), one.kind, one.detail)
            for one in failed
        ]
    )
    if has_ended_early(failures, settings):
        # After that, substitutes played all seats.
        replayed = _replayed(settings, replay, failures[-1].decision)
    end = score_game(replayed.position, failures, settings.on_failure)
    record = Record(
        game=game.number,
        block=game.block,
        lineup=tuple([settings.players[one].name for one in game.lineup]),
        ranks=end.ranks,
        scores=end.scores,
        reason=end.reason,
        counts=end.counts,
        failures=failures,
        choices=tuple(replayed.choices),
        actors=tuple(replayed.actors),
        draws=tuple(replayed.draws),
        seed=replay.session.seed.hex(),
        seconds=tuple([round(one, 3) for one in seconds]),
        answers=answers_of(counts),
    )
    if (wrong := difference(settings, record)) is not None:
        raise InvalidReplay(f"{replay.session.name}: {wrong}")
    return record


def _replayed(settings: Settings, replay: session_pb2.Replay, most: int | None = None) -> _ReplayedGame:
    """Replay the game, up to ``most`` choices or to its end."""
    rules = settings.rules
    codec = codec_of(rules)
    replayed = _ReplayedGame(Position(rules, rules.setup(settings.game_options, settings.table)), [], [], [], [])
    for entry in replay.entries:
        if not entry.HasField("moved"):
            continue
        if entry.HasField("seat") and len(replayed.choices) == most:
            break
        try:
            _follow(replayed, entry, codec.move_from_proto(getattr(entry.moved.move, rules.id)))
        except (GameError, ValueError) as error:
            raise InvalidReplay(f"{replay.session.name}, entry {entry.sequence}: {error}") from None
    return replayed


def _follow(replayed: _ReplayedGame, entry: session_pb2.Entry, move: Any) -> None:
    actor = entry.seat if entry.HasField("seat") else CHANCE
    if actor == CHANCE:
        replayed.draws.append(entry.sequence)
    else:
        replayed.choices.append(tuple(replayed.position.legal_moves(actor)).index(move))
        replayed.actors.append(actor)
        replayed.choice_entries.append(entry.sequence)
    replayed.position = replayed.position.play(move, actor)
