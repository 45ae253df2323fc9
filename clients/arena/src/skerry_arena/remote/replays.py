"""Games of a log as replays in the service's format, for ``skerry verify`` and the web page."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from google.protobuf.json_format import MessageToJson

from skerry.v1 import payload_pb2, session_pb2
from skerry.v1.service_pb2 import GetReplayResponse
from skerry_arena.play.game_run import FIRST_DRAW, GameRun, Step
from skerry_arena.play.record import Record
from skerry_arena.remote.codecs import codec_of
from skerry_arena.running import tournament_folder as folders
from skerry_arena.running.log import DamagedLog
from skerry_arena.settings import Settings
from skerry_games.api import CHANCE, AnyGame
from skerry_games.sentences import fill


class UnfinishedGame(Exception):
    """A game that was not played to its end, because players failed. The message is a sentence."""


def replay_in(folder: Path, settings: Settings, record: Record) -> bytes:
    """Return the replay of a game in a tournament's folder. A game on a service has the replay of that service.

    Raises UnfinishedGame, DamagedLog, OSError.
    """
    if settings.service is not None:
        return folders.replay_of(folder, record.game).read_bytes()
    return replay_of(settings, record).encode()


def replay_of(settings: Settings, record: Record) -> str:
    """Return the replay as protobuf JSON, in the format of the service. Raises UnfinishedGame, DamagedLog."""
    return MessageToJson(GetReplayResponse(replay=_replay(settings, record))) + "\n"


def _replay(settings: Settings, record: Record) -> session_pb2.Replay:
    course = GameRun(settings.rules, settings.game_options, settings.table, bytes.fromhex(record.seed))
    for number, choice in enumerate(record.choices):
        try:
            course.choose(choice)
        except IndexError:
            raise DamagedLog(f"Game {record.game} has no move {choice} at choice {number}.") from None
    if not course.over:
        raise UnfinishedGame(f"Game {record.game} was not played to its end: {record.reason}")
    entries = [
        session_pb2.Entry(sequence=1, created=session_pb2.Created()),
        session_pb2.Entry(sequence=2, started=session_pb2.Started()),
    ]
    writer = _EntryWriter(settings.rules, record.lineup)
    entries += [writer.entry(number, step) for number, step in enumerate(course.steps, start=FIRST_DRAW)]
    return session_pb2.Replay(session=_session(settings, record, course, len(entries)), entries=entries)


def _session(settings: Settings, record: Record, course: GameRun, sequence: int) -> session_pb2.Session:
    rules, seed = settings.rules, bytes.fromhex(record.seed)
    name = f"{settings.seed[:8]}-{record.game}"
    outcome = course.position.outcome
    assert outcome is not None
    options = codec_of(rules).options_to_proto(settings.game_options)
    return session_pb2.Session(
        name=f"sessions/{name}",
        game=rules.id,
        ruleset=rules.ruleset,
        options=payload_pb2.GameOptions(**{rules.id: options}),
        state=session_pb2.SESSION_STATE_FINISHED,
        seats=[
            session_pb2.Seat(seat=seat, occupant=session_pb2.OCCUPANT_PLAYER, display_name=player)
            for seat, player in enumerate(record.lineup)
        ],
        sequence=sequence,
        commitment=sha256(seed + name.encode("ascii")).digest(),
        seed=seed,
        seeded=True,
        outcome=session_pb2.Outcome(ranks=outcome.ranks, scores=outcome.scores, reason=outcome.reason),
    )


class _EntryWriter:
    """Makes the entries of one game, with the names of its players."""

    def __init__(self, rules: AnyGame, names: Sequence[str]) -> None:
        self._rules = rules
        self._codec = codec_of(rules)
        self._names = names

    def entry(self, sequence: int, step: Step) -> session_pb2.Entry:
        """Return the entry of a move of a player or of chance."""
        rules, codec = self._rules, self._codec
        move = payload_pb2.Move(**self._words(rules.say_move(step.move)), **{rules.id: codec.move_to_proto(step.move)})
        events = []
        for event in step.events:
            case: dict[str, Any] = {rules.id: codec.event_to_proto(event)}
            events.append(payload_pb2.Event(**self._words(rules.say(event)), **case))
        moved = session_pb2.Moved(move=move, events=events)
        return session_pb2.Entry(sequence=sequence, seat=None if step.actor == CHANCE else step.actor, moved=moved)

    def _words(self, sentence: str) -> dict[str, Any]:
        """Return the text of a sentence, and its template if it names players."""
        return {"template": sentence, "text": fill(sentence, self._names)} if "{" in sentence else {"text": sentence}
