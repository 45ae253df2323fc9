"""The stages of a move in one process: each alone, and whole moves with a store, without a transport."""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable, Coroutine, Iterator, Sequence
from typing import Any

import msgspec
import uvloop
from google.protobuf.json_format import MessageToJson
from msgspec import Struct

from skerry.v1 import service_pb2 as pb
from skerry_games.catalogue import all_games
from skerry_service.api.endpoint import sessions_endpoint
from skerry_service.api.rendering import Renderer
from skerry_service.api.requests.request_checks import request_id_of, require_known_fields
from skerry_service.domain import transitions
from skerry_service.domain.clocks import Moment
from skerry_service.domain.packed import Request, head_of
from skerry_service.domain.table import OPEN, Change, Table
from skerry_service.domain.tokens import Caller, Role
from skerry_service.sessions.actions.new_session import NewSession
from skerry_service.sessions.memory_store import MemoryStore
from skerry_service.sessions.request_identity import identify
from skerry_service.sessions.service import Sessions
from skerry_service.sessions.store_port import Store
from skerry_service.store.redis_store import RedisStore
from skerry_service.watching.streams import Update
from skerry_service.wire import json_reader, json_writer
from skerry_service.wire.payloads import read_move
from skerry_service.wire.serialized import Serialized
from skerry_service.wire.session_messages import entry_to_wire
from skerry_service.wire.splice import message_field

from .callers import GAME
from .processes import end_with_parent
from .recorded import Recording, Step, record

_SEATS = 3
_TABLES = 40
_LOOPS, _REPEATS = 200, 40
_NOW = Moment(1_700_000_000_000, 0)
_TOKEN = "t" * 32


class Stage(Struct, frozen=True):
    """One stage."""

    what: str
    seconds: float


class _Tables:
    """Concurrent sessions that repeat a recording."""

    def __init__(self, store: Store, recording: Recording) -> None:
        self.sessions = Sessions(store, clock_ms=lambda: time.time_ns() // 1_000_000)
        self._endpoint = sessions_endpoint(self.sessions)
        self._recording = recording
        self._ids: list[str] = []
        self._seated: list[tuple[bytes, Sequence[str]]] = []

    async def seat(self) -> None:
        """Start a session."""
        game = all_games()[self._recording.game]
        new = NewSession(game, game.options_type(), (OPEN,) * self._recording.seats, seed=self._recording.seed)
        session = (await self.sessions.create(new, None))[0].record.id
        seats = range(self._recording.seats)
        tokens = [(await self.sessions.players.join(session, f"Player {seat}", seat, None))[2] for seat in seats]
        self._ids.append(session)
        self._seated.append((pb.ActRequest(name=f"sessions/{session}").SerializeToString(), tokens))

    async def table(self, number: int) -> Table:
        """Return the current table of a session."""
        return (await self.sessions.get(self._ids[number], None))[0]

    async def act(self, number: int, step: Step) -> float:
        """Make a move from the bytes of a request. Return the processor time of this thread."""
        name, tokens = self._seated[number]
        sent, token = name + step.request, tokens[step.seat]
        began = time.thread_time()
        done = await self._endpoint.answer("Act", lambda: (pb.ActRequest.FromString(sent), token))
        done.serialized()
        return time.thread_time() - began


async def _handled(store: Store, recording: Recording) -> float:
    """Return the processor time of a whole move: the tenth percentile of many, one after the other."""
    tables = _Tables(store, recording)
    for _ in range(_TABLES):
        await tables.seat()
    gc.collect()
    gc.freeze()  # as the server does
    taken = [await tables.act(number, step) for step in recording.steps for number in range(_TABLES)]
    return sorted(taken)[len(taken) // 10]


def _best(work: Callable[[], object]) -> float:
    """Return the processor time of undisturbed work: the least of many loops."""
    best = float("inf")
    for _ in range(_REPEATS):
        began = time.thread_time()
        for _ in range(_LOOPS):
            work()
        best = min(best, (time.thread_time() - began) / _LOOPS)
    return best


async def _middle(recording: Recording) -> tuple[Sessions, Table, Step]:
    """Return the table in the middle of a game, and the move that is made there."""
    tables = _Tables(MemoryStore(), recording)
    await tables.seat()
    middle = len(recording.steps) // 2
    for step in recording.steps[:middle]:
        await tables.act(0, step)
    return tables.sessions, await tables.table(0), recording.steps[middle]


def _deciding(table: Table, step: Step) -> Iterator[Stage]:
    request, game = pb.ActRequest.FromString(step.request), table.game
    move = read_move(request.move, game)

    def parse() -> Any:
        parsed = pb.ActRequest.FromString(step.request)
        require_known_fields(parsed)
        return read_move(parsed.move, game)

    def fingerprint() -> Request | None:
        request_id = request_id_of(request.request_id)
        return identify(request_id, _TOKEN, "act", step.expected, move) if request_id else None

    def decide() -> Change:
        return transitions.act(table, step.seat, move, step.expected, _NOW)

    rules, after = _best(lambda: game.apply(table.state, step.seat, move)), decide().table
    yield Stage("parse the request and its move", _best(parse))
    yield Stage("fingerprint the request, to recognise repeats", _best(fingerprint))
    yield Stage("rules: apply the move", rules)
    yield Stage("decide: authorization, next seat, log entry", _best(decide) - rules)
    yield Stage("commit: pack the table", _best(lambda: head_of(after, pack_record=False)))


def _rendering(sessions: Sessions, change: Change, seat: int) -> Iterator[Stage]:
    renderer, caller = Renderer(sessions), Caller(Role.SEAT, seat)
    in_entries = message_field(pb.ActResponse, "entries")

    def respond() -> bytes:
        reached = pb.ActResponse(sequence=change.table.sequence, epoch="durable").SerializeToString()
        return reached + b"".join([in_entries(entry_to_wire(change.table, one, seat)) for one in change.applied])

    def render(memo: dict[Any, Any]) -> bytes:
        update = Update(change.table, change.applied, False, False, "durable", memo, None)
        return _at_once(renderer.render_update(update, caller, pb.POSITION_VIEW_NONE)).serialized()

    memo: dict[Any, Any] = {}
    render(memo)
    response = pb.ActResponse.FromString(respond())
    yield Stage("translate: the response", _best(respond))
    yield Stage("translate: an update, for its first viewer", _best(lambda: render({})))
    yield Stage("translate: the same for another viewer", _best(lambda: render(memo)))
    yield Stage("JSON: write the response", _best(lambda: json_writer.to_json(response)))


def _reading(step: Step) -> Iterator[Stage]:
    sent = MessageToJson(pb.ActRequest.FromString(step.request), indent=None).encode()
    read = _best(lambda: json_reader.fill(pb.ActRequest(), json_reader.parse_json(sent)))
    yield Stage("JSON: read the request", read)


def _at_once(rendering: Coroutine[Any, Any, Serialized[Any]]) -> Serialized[Any]:
    """Run a rendering that never suspends; return its result."""
    try:
        rendering.send(None)
    except StopIteration as ended:
        result: Serialized[Any] = ended.value
        return result
    raise RuntimeError("the rendering must not suspend")


async def _stages(url: str) -> list[Stage]:
    recording = await record(all_games()[GAME], _SEATS, 1)
    sessions, table, step = await _middle(recording)
    move = read_move(pb.ActRequest.FromString(step.request).move, table.game)
    change = transitions.act(table, step.seat, move, step.expected, _NOW)
    stages = [*_deciding(table, step), *_rendering(sessions, change, step.seat), *_reading(step)]
    store = RedisStore(url)
    stages.append(Stage("a whole move, store in memory", await _handled(MemoryStore(), recording)))
    stages.append(Stage("a whole move, Redis with sync", await _handled(store, recording)))
    await store.close()
    return stages


def main(arguments: Sequence[str]) -> None:
    """Print the stages (JSON). Argument: the URL of a Redis."""
    end_with_parent()
    print(msgspec.json.encode(uvloop.run(_stages(arguments[0]))).decode())


if __name__ == "__main__":
    main(sys.argv[1:])
