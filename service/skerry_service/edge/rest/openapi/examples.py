"""Examples of requests and answers, recorded from a small game that the real methods serve.

The game is played in memory, at a fixed time and with fixed seeds, so that every server returns the same description.
Lists are cut short. An RPC that the game does not use gets minimal messages.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from itertools import count
from typing import Any, NamedTuple
from uuid import UUID

import msgspec
from google.protobuf.descriptor import Descriptor, ServiceDescriptor
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from skerry.v1 import engine_pb2, session_pb2
from skerry.v1 import service_pb2 as pb
from skerry_games.api import AnyGame
from skerry_games.catalogue import all_games
from skerry_games.rng import SEED_BYTES
from skerry_service.api.endpoint import Endpoint, sessions_endpoint
from skerry_service.edge.rest.event_streams import Messages
from skerry_service.edge.rest.openapi.ladder_examples import ladder_calls
from skerry_service.edge.rest.openapi.schemas import may_be_absent
from skerry_service.edge.rest.openapi.tournament_examples import tournament_calls
from skerry_service.edge.rest.openapi.webhook_examples import webhook_calls
from skerry_service.edge.rest.routes import WHOLE, Route
from skerry_service.processes.engine_answers import ANSWERS
from skerry_service.sessions.memory_store import MemoryStore
from skerry_service.sessions.service import Sessions
from skerry_service.wire.json_writer import to_json

Played = Mapping[str, tuple[Message, Message]]
"""Requests and answers, by the full name of the RPC."""

_MOMENT_MS = 1_767_225_600_000
"""The beginning of 2026."""
_PLAYERS = ("Ada", "Bob", "Cleo", "Dan", "Eve")
_NUDGE_DELAY_MS = 100_000
"""Long enough for a nudge to be allowed."""
_SHOWN = 2
"""The number of items shown of each list."""
_LONGEST = 1_000
"""Characters of a text. Base64 stays complete: its length is a multiple of 4."""
_TOKEN = re.compile(rb"(skerry_[a-z]+_)[a-z2-7]{26}")
_SECRET = re.compile(rb"(whsec_)[A-Za-z0-9+/]{43}")
_OMITTED = ("seed", "requestId")
"""Fields that make the game reproducible, and that clients usually omit."""


class Example(NamedTuple):
    """One call, as JSON values."""

    request: dict[str, Any]
    """The body, or the fields that path and query contain."""
    answer: Any


class Examples:
    """An example for each route of a service."""

    def __init__(self, played: Played) -> None:
        self._played = played

    def of(self, route: Route) -> Example:
        """Return the example of a route."""
        rpc = route.rpc
        request, answer = self._played.get(rpc.full_name) or (_minimal(rpc.input_type), _minimal(rpc.output_type))
        body = MessageToDict(request if route.body in ("", WHOLE) else getattr(request, route.body))
        for field in (*route.template.fields, *_OMITTED):
            body.pop(field, None)
        encoded = to_json(getattr(answer, route.response_body) if route.response_body else answer)
        encoded = _SECRET.sub(rb"\1" + 43 * b"A", _TOKEN.sub(rb"\1" + 26 * b"a", encoded)).replace(
            b'"seeded":true', b'"seeded":false'
        )
        return Example(body, _cut_short(msgspec.json.decode(encoded)))


def examples_of(*services: ServiceDescriptor) -> Examples:
    """Return the examples of services. Runs an event loop, so call it in a thread without one."""
    played = asyncio.run(_play()) | _ask_engine()
    names = {rpc.name: rpc.full_name for service in services for rpc in service.methods}
    return Examples({names[rpc]: call for rpc, call in played.items() if rpc in names})


def _longest_game() -> AnyGame:
    """Return a game that is not over before the last call."""
    return max(all_games().values(), key=lambda game: game.max_moves)


def _a_place(game: AnyGame) -> str:
    """Return the id of a place on the table."""
    view = game.view(game.setup(game.options_type(), game.seats[0]), None)
    return next(place.id for area in game.look.areas(game.boards[0], view) for place in area.places)


async def _move(table: _Table, name: str, position: session_pb2.Position, token: str) -> session_pb2.Position:
    """Make a move, take it back, and make it again. Return the position before the last of these."""
    move, full = position.legal_moves[0], pb.POSITION_VIEW_FULL
    await table.call("Act", pb.ActRequest(name=name, move=move, expected_sequence=position.sequence, view=full), token)
    undone = pb.UndoMoveRequest(name=name, expected_sequence=position.sequence + 1, view=full)
    position = (await table.call("UndoMove", undone, token)).position
    await table.call("Act", pb.ActRequest(name=name, move=move, expected_sequence=position.sequence, view=full), token)
    return position


async def _list(call: Callable[[str, Message], Awaitable[object]]) -> None:
    """Read the lists of sessions."""
    await call("ListSessions", pb.ListSessionsRequest(page_size=1))
    await call("ListOpenTables", pb.ListOpenTablesRequest(per_cell=1))


async def _play() -> dict[str, tuple[Message, Message]]:
    """Play a game with the fewest seats, and start another. Return the calls by the name of the RPC."""
    passed_ms = 0
    store = MemoryStore(lambda: passed_ms)
    sessions = Sessions(store, clock_ms=lambda: _MOMENT_MS + passed_ms, webhooks=lambda host, port: True)
    game, table = _longest_game(), _Table(sessions_endpoint(sessions))
    seats = [pb.SeatSetup()] * game.seats[0]
    await _play_again(table, pb.CreateSessionRequest(game=game.id, seats=seats, seed=_seed(5)))
    await table.call("ListGames", pb.ListGamesRequest())
    for rpc, request in (("GetGame", pb.GetGameRequest), ("GetHowToPlay", pb.GetHowToPlayRequest)):
        await table.call(rpc, request(name=f"games/{game.id}"))
    made = await table.call("CreateSession", pb.CreateSessionRequest(game=game.id, seats=seats, seed=_seed(1)))
    started = pb.StartSessionRequest(name=made.session.name, fill_with_bots=True)
    await table.call("StartSession", started, made.host_token)
    new = pb.CreateSessionRequest(game=game.id, seats=seats, seed=_seed(2), undo=session_pb2.UNDO_POLICY_OWN_MOVES)
    made = await table.call("CreateSession", new)
    name = made.session.name
    await table.call("LabelSession", pb.LabelSessionRequest(name=name, labels={"event": "spring-cup"}), made.host_token)
    removed = await table.call("JoinSession", pb.JoinSessionRequest(name=name, display_name="Mallory"))
    await table.call("RemovePlayer", pb.RemovePlayerRequest(name=name, seat=removed.seat), made.host_token)
    await _list(table.call)
    joining = [pb.JoinSessionRequest(name=name, display_name=player) for player in _PLAYERS[: len(seats)]]
    tokens = [(await table.call("JoinSession", request)).seat_token for request in joining]
    position = (await table.call("GetSession", pb.GetSessionRequest(name=name))).position
    token = tokens[position.to_act[0]]
    position = (await table.call("GetSession", pb.GetSessionRequest(name=name), token)).position
    await table.call("GetPositionText", pb.GetPositionTextRequest(name=name), token)
    await table.call("GetPicture", pb.GetPictureRequest(name=name), token)
    await table.call("ExplainTarget", pb.ExplainTargetRequest(name=name, target=_a_place(game)), token)
    position = await _move(table, name, position, token)
    await table.call("Observe", pb.ObserveRequest(name=name, after_sequence=position.sequence), token)
    await table.call("GetReplay", pb.GetReplayRequest(name=name), token)
    await table.call("SampleStates", pb.SampleStatesRequest(name=name, count=1), token)
    owing = (await table.call("GetSession", pb.GetSessionRequest(name=name), token)).position.to_act[0]
    passed_ms = _NUDGE_DELAY_MS
    await _talk(table, name, owing, tokens[owing - 1])
    await table.call("SetWebhook", pb.SetWebhookRequest(name=name, url="https://hooks.example/skerry"), token)
    await _leave(table, name, tokens, made.host_token)
    made = await table.call("CreateSession", pb.CreateSessionRequest(game=game.id, seats=seats, seed=_seed(3)))
    await _find(table, game.id, seats)
    await table.call("CancelSession", pb.CancelSessionRequest(name=made.session.name), made.host_token)
    await sessions.close()
    return {**table.calls, **ladder_calls(game), **tournament_calls(game), **webhook_calls()}


async def _talk(table: _Table, name: str, owing: int, waiting: str) -> None:
    """Nudge a seat, and send an emote."""
    await table.call("NudgeSeat", pb.NudgeSeatRequest(name=name, seat=owing), waiting)
    await table.call("SendEmote", pb.SendEmoteRequest(name=name, emote=session_pb2.EMOTE_GOOD_LUCK), waiting)


async def _leave(table: _Table, name: str, tokens: Sequence[str], host: str) -> None:
    """Leave a seat and return to it, open it to others, and resign from another seat."""
    await table.call("LeaveSession", pb.LeaveSessionRequest(name=name), tokens[-1])
    await table.call("ReturnToSession", pb.ReturnToSessionRequest(name=name), tokens[-1])
    await table.call("LeaveSession", pb.LeaveSessionRequest(name=name), tokens[-1])
    await table.call("OpenSeat", pb.OpenSeatRequest(name=name, seat=len(tokens) - 1), host)
    await table.call("ResignSession", pb.ResignSessionRequest(name=name), tokens[0])


async def _play_again(table: _Table, begin: pb.CreateSessionRequest) -> None:
    """Finish a game, then rematch and fork it. The last call of an RPC is its example, so this runs first."""
    begin.abandonment.on_resignation, begin.visibility = session_pb2.TIMEOUT_ACTION_END, session_pb2.VISIBILITY_UNLISTED
    name = (await table.call("CreateSession", begin)).session.name
    joining = [pb.JoinSessionRequest(name=name, display_name=player) for player in _PLAYERS[: len(begin.seats)]]
    token, *_ = [(await table.call("JoinSession", request)).seat_token for request in joining]
    played = (await table.call("GetSession", pb.GetSessionRequest(name=name), token)).session.sequence
    await table.call("ResignSession", pb.ResignSessionRequest(name=name), token)
    await table.call("RematchSession", pb.RematchSessionRequest(name=name), token)
    fork = pb.ForkSessionRequest(name=name, sequence=played, seats=begin.seats)
    await table.call("ForkSession", fork, token)
    for rpc in ("RematchSession", "ForkSession"):  # their random values differ from run to run
        answer: Any = table.calls[rpc][1]
        answer.session.name, answer.session.commitment = name[:-1] + "2", _seed(6)


def _ask_engine() -> dict[str, tuple[Message, Message]]:
    """Call the engine at the start of a game. Return the calls by the name of the RPC."""
    calls: dict[str, tuple[Message, Message]] = {}

    def ask(rpc: str, request: Message) -> Any:
        calls[rpc] = request, ANSWERS[rpc][1](request)
        return calls[rpc][1]

    game = _longest_game()
    name = f"games/{game.id}"
    made = ask("NewState", engine_pb2.NewStateRequest(name=name, seats=game.seats[0], seed=_seed(4)))
    known = {"name": name, "ruleset": made.ruleset}
    snapshots = [made.state.snapshot]
    (read,) = ask("ReadStates", engine_pb2.ReadStatesRequest(**known, snapshots=snapshots, view_of=0)).readings
    move = engine_pb2.ActorMove(seat=read.moves[0].seat, move=read.moves[0].legal_moves[0])
    branches = [engine_pb2.Branch(snapshot=snapshots[0], moves=[move])]
    ask("ApplyMoves", engine_pb2.ApplyMovesRequest(**known, branches=branches, seed=_seed(5)))
    ask("PlayOut", engine_pb2.PlayOutRequest(**known, snapshots=snapshots, count=2, seed=_seed(6)))
    return calls


async def _find(table: _Table, game: str, seats: Sequence[pb.SeatSetup]) -> None:
    """Find a match at an open session. ConfirmMatch is made up, because the ids of proposals are random."""
    await table.call("CreateSession", pb.CreateSessionRequest(game=game, seats=seats, seed=_seed(4)))
    request = pb.FindMatchRequest(game=game, display_name="Ada", seats=[len(seats)])
    ticket = (await table.call("FindMatch", request)).ticket
    confirming = pb.ConfirmMatchRequest(ticket=ticket, proposal=f"{game}/5c5a0f2f6b4d4a1f9e03")
    table.calls["ConfirmMatch"] = confirming, pb.ConfirmMatchResponse()


class _Table:
    """Makes calls, and keeps the last one of each RPC."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self._numbers = count(1 << 63)
        self.calls: dict[str, tuple[Message, Message]] = {}

    async def call(self, rpc: str, request: Any, token: str | None = None) -> Any:
        """Make a call. Return its answer, or the first message of a stream."""
        if "request_id" in request.DESCRIPTOR.fields_by_name:
            request.request_id = str(UUID(int=next(self._numbers), version=4))
        if self._endpoint.service.methods_by_name[rpc].server_streaming:
            answer = await _first(self._endpoint.messages(rpc, lambda: (request, token)))
        else:
            answer = (await self._endpoint.answer(rpc, lambda: (request, token))).message
        self.calls[rpc] = request, answer
        return answer


async def _first(stream: Messages) -> Message:
    async with aclosing(stream) as messages:
        first: Message = (await anext(messages)).message
        return first


def _seed(number: int) -> bytes:
    return number.to_bytes(SEED_BYTES, "big")


def _cut_short(value: Any) -> Any:
    """Return a JSON value with shortened lists and texts."""
    if isinstance(value, dict):
        return {name: _cut_short(item) for name, item in value.items()}
    if isinstance(value, str):
        return "".join(value.splitlines(keepends=True)[:_SHOWN])[:_LONGEST]
    return [_cut_short(item) for item in value[:_SHOWN]] if isinstance(value, list) else value


def _minimal(kind: Descriptor) -> Message:
    """Return a message with only the fields that are always present."""
    message = GetMessageClass(kind)()
    for field in kind.fields:
        if field.message_type is None or field.is_repeated or field.containing_oneof is not None:
            continue
        if not may_be_absent(field):
            getattr(message, field.name).CopyFrom(_minimal(field.message_type))
    return message
