"""Turns the log of a finished session into the record of a game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from skerry.v1 import session_pb2
from skerry_arena.plan import Game
from skerry_arena.play.contestant import FailureKind
from skerry_arena.play.game_score import is_decided, score_game
from skerry_arena.play.record import Failure, Record
from skerry_arena.remote.codecs import codec_of
from skerry_arena.reports.verification import difference
from skerry_arena.settings import Settings
from skerry_games.api import CHANCE, GameError
from skerry_games.position import Position


class InvalidReplay(Exception):
    """A log that does not follow from its seed by the rules that are carried here. The message is a sentence."""


class SeatFailed(Exception):
    """A seat's player has failed, and the service plays on for it."""

    def __init__(self, seat: int, kind: FailureKind, detail: str, sequence: int) -> None:
        """``sequence``: the newest entry that it knew of."""
        super().__init__(detail)
        self.seat = seat
        self.kind = kind
        self.detail = detail
        self.sequence = sequence


class _ReplayedGame(Struct):
    """What the log says of the game."""

    position: Position
    choices: list[int]
    actors: list[int]
    draws: list[int]
    at: list[int]
    """The entry of each choice."""


def record_of(
    settings: Settings,
    game: Game,
    replay: session_pb2.Replay,
    failed: Sequence[SeatFailed],
    seconds: Sequence[float],
) -> Record:
    """Return the game as it stands in the log of its session, which is over. Raises InvalidReplay."""
    told = _replayed(settings, replay)
    failures = tuple(
        [Failure(one.seat, sum(at <= one.sequence for at in told.at), one.kind, one.detail) for one in failed]
    )
    if is_decided(failures, settings.table, settings.on_failure):
        # What was played after that was played by nobody.
        told = _replayed(settings, replay, failures[-1].decision)
    end = score_game(told.position, failures, settings.on_failure)
    record = Record(
        game=game.number,
        block=game.block,
        lineup=tuple([settings.players[one].name for one in game.lineup]),
        ranks=end.ranks,
        scores=end.scores,
        reason=end.reason,
        counts=end.counts,
        failures=failures,
        choices=tuple(told.choices),
        actors=tuple(told.actors),
        draws=tuple(told.draws),
        seed=replay.session.seed.hex(),
        seconds=tuple([round(one, 3) for one in seconds]),
    )
    if (wrong := difference(settings, record)) is not None:
        raise InvalidReplay(f"{replay.session.name}: {wrong}")
    return record


def _replayed(settings: Settings, replay: session_pb2.Replay, most: int | None = None) -> _ReplayedGame:
    """Return the game after so many choices, or after all."""
    rules = settings.rules
    codec = codec_of(rules.id)
    told = _ReplayedGame(Position(rules, rules.setup(settings.game_options, settings.table)), [], [], [], [])
    for entry in replay.entries:
        if not entry.HasField("moved"):
            continue
        if entry.HasField("seat") and len(told.choices) == most:
            break
        try:
            _follow(told, entry, codec.move_from_proto(getattr(entry.moved.move, rules.id)))
        except (GameError, ValueError) as error:
            raise InvalidReplay(f"{replay.session.name}, entry {entry.sequence}: {error}") from None
    return told


def _follow(told: _ReplayedGame, entry: session_pb2.Entry, move: Any) -> None:
    actor = entry.seat if entry.HasField("seat") else CHANCE
    if actor == CHANCE:
        told.draws.append(entry.sequence)
    else:
        told.choices.append(tuple(told.position.legal_moves(actor)).index(move))
        told.actors.append(actor)
        told.at.append(entry.sequence)
    told.position = told.position.play(move, actor)
