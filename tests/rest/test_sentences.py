"""Ids and parameters of sentences over each transport, beside the sentences of whole games in each language."""

from __future__ import annotations

import asyncio
from random import Random
from typing import cast

import pytest
from google.protobuf.message import Message

from skerry.v1 import payload_pb2, session_pb2
from skerry.v1 import service_pb2 as pb
from skerry_client.aio import AsyncClient
from skerry_client.transport.choice import TransportName
from skerry_games.catalogue import all_games
from skerry_games.languages.catalogues import languages
from skerry_service.api.endpoint import sessions_endpoint
from skerry_service.edge.grpc.grpc_server import GrpcServer
from skerry_service.edge.grpc.grpc_services import GrpcServices
from skerry_service.sessions.memory_store import MemoryStore
from skerry_service.sessions.service import Sessions
from tests.api.wire import PLAYERS, Sitting, act, bearer, sit_down
from tests.languages.rebuilding import sentences_of, written
from tests.rest.web import Web
from tests.store.servers import PATIENCE

pytestmark = pytest.mark.asyncio(loop_scope="module")
ON = ("skerry-sentences", "true")


def check(message: Message, language: str) -> int:
    """Check that each sentence of a message can be written from its id and parameters. Return the number of them."""
    found = [one for one in sentences_of(message) if one.text]  # type: ignore[attr-defined]
    for one in found:
        assert one.HasField("sentence"), one
        assert written(one.sentence, language, PLAYERS) == one.text  # type: ignore[attr-defined]
    return len(found)


async def play(web: Web, sitting: Sitting, language: str) -> int:
    """Play to the end. Return how many sentences of positions and responses were checked."""
    rng, metadata, checked, seat = Random(1), (("accept-language", language), ON), 0, 0
    while True:
        request = pb.GetSessionRequest(name=sitting.name, view=pb.POSITION_VIEW_SCENE)
        token = bearer(sitting.seats[seat])
        position = (await web.api.stub.GetSession(request, metadata=(*token, *metadata))).position
        if not position.to_act:
            return checked
        if seat not in position.to_act:
            seat = position.to_act[0]
            continue
        move = rng.choice(position.legal_moves)
        acted = await web.api.stub.Act(act(sitting, move, position.sequence), metadata=(*token, *metadata))
        checked += check(position, language) + check(acted, language)


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("game", [game.id for game in all_games().values()])
async def test_whole_games_can_be_written_from_ids_and_parameters(web: Web, game: str, language: str) -> None:
    """Over gRPC, as the game goes on and in a stream; over Connect and REST, the same of the whole log."""
    sitting = await sit_down(web.api, 2, game=game)
    streamed: list[session_pb2.Entry] = []

    async def observe() -> None:
        request = pb.ObserveRequest(name=sitting.name, after_sequence=0, view=pb.POSITION_VIEW_NONE)
        async for update in web.api.stub.Observe(request, metadata=(("accept-language", language), ON)):
            streamed.extend(update.entries)
            if update.session.state == session_pb2.SESSION_STATE_FINISHED:
                return

    watching = asyncio.create_task(observe())
    assert await play(web, sitting, language) > 200
    logs = [await log_of(web, sitting.name, transport, language) for transport in ("grpc", "connect")]
    logs.append(await rest_log_of(web, sitting.name, language))
    async with asyncio.timeout(PATIENCE):
        await watching
    assert len(streamed) == len(logs[0])
    assert logs[0] == logs[1] == logs[2]  # they show what was hidden in play
    for log in (streamed, logs[0]):
        assert sum(check(entry, language) for entry in log) > 50


async def log_of(web: Web, name: str, transport: TransportName, language: str) -> list[session_pb2.Entry]:
    address = web.api.address if transport == "grpc" else web.address
    async with AsyncClient(address, transport=transport, language=language, sentences=True) as client:
        return list(await (await client.table(name)).entries())


async def rest_log_of(web: Web, name: str, language: str) -> list[session_pb2.Entry]:
    entries: list[session_pb2.Entry] = []
    while True:
        request = pb.ListEntriesRequest(name=name, after_sequence=len(entries), page_size=500)
        response = await web.rpc("ListEntries", request, **{"accept-language": language, "skerry-sentences": "true"})
        assert "Skerry-Sentences" in response.headers["vary"]
        page = cast("pb.ListEntriesResponse", response.message("ListEntries"))
        if not page.entries:
            return entries
        entries.extend(page.entries)


@pytest.mark.parametrize("value", ["", "false", "TRUE", "1"])
async def test_without_the_header_responses_have_sentences_alone(web: Web, value: str) -> None:
    sitting = await sit_down(web.api, 2, game="kreta")
    for metadata in ((ON,), (("skerry-sentences", value),), (), (ON,)):  # the caches do not mix them up
        moves = list[payload_pb2.Move]()
        for token in sitting.seats:
            request = pb.GetSessionRequest(name=sitting.name)
            got = await web.api.stub.GetSession(request, metadata=(*bearer(token), *metadata))
            moves.extend(got.position.legal_moves)
        assert moves and all(move.HasField("sentence") == (metadata == (ON,)) for move in moves)


async def test_a_listed_move_with_its_sentence_can_be_sent_back(web: Web) -> None:
    """What a request says of a sentence is ignored, like the text of a move."""
    sitting = await sit_down(web.api, 2, game="kreta")
    async with AsyncClient(web.address, sentences=True) as client:
        seats = [await client.seat(sitting.name, token) for token in sitting.seats]
        positions = [await seat.position() for seat in seats]
        seat, position = next((s, p) for s, p in zip(seats, positions, strict=True) if p.legal_moves)
        move = position.legal_moves[0]
        assert move.sentence.id == "kreta-play"
        move.sentence.id = "x" * 10_000
        await seat.act(move)
    with pytest.raises(TypeError, match="sentences"):
        AsyncClient(web.address, sentences="true")  # type: ignore[arg-type]


async def test_a_port_with_certificates_sends_sentences_too() -> None:
    """gRPC's own server has such ports."""
    sessions = Sessions(MemoryStore(), clock_ms=lambda: 0)
    server = GrpcServer(GrpcServices([sessions_endpoint(sessions)]), "127.0.0.1", 0, connections=10)
    await server.start()
    async with AsyncClient(server.address, transport="grpc", sentences=True) as client:
        game = await client.game("kreta")
        assert all(move.HasField("sentence") for step in game.lesson.steps for move in step.moves)
    async with AsyncClient(server.address, transport="grpc") as client:
        game = await client.game("kreta")
        assert not any(move.HasField("sentence") for step in game.lesson.steps for move in step.moves)
    await server.stop(0)
    await sessions.close()
