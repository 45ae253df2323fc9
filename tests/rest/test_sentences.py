"""Ids and parameters of sentences over each transport, beside the sentences of whole games in each language."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from itertools import product
from random import Random
from typing import TypeAlias, cast
from uuid import uuid4

import grpc
import msgspec
import pytest
from google.protobuf.message import Message
from google.rpc.error_details_pb2 import ErrorInfo, LocalizedMessage
from google.rpc.status_pb2 import Status

from skerry.v1 import payload_pb2, session_pb2
from skerry.v1 import service_pb2 as pb
from skerry.v1.sentence_pb2 import Sentence, SentenceParameter
from skerry_client.aio import AsyncClient
from skerry_client.errors import RuleBroken, SessionNotFound
from skerry_client.transport.choice import TransportName
from skerry_games.catalogue import all_games
from skerry_games.languages.catalogues import languages
from skerry_games.languages.fluent_file import fluent_file
from skerry_games.looks.instructions import NAMES
from skerry_service.api.endpoint import sessions_endpoint
from skerry_service.edge.grpc.grpc_server import GrpcServer
from skerry_service.edge.grpc.grpc_services import GrpcServices
from skerry_service.replays.verification import first_difference
from skerry_service.sessions.memory_store import MemoryStore
from skerry_service.sessions.service import Sessions
from tests.api.wire import OPEN, PLAYERS, Sitting, act, bearer, create, sit_down
from tests.languages.rebuilding import check, sentences_of, written
from tests.rest.web import Web
from tests.store.servers import PATIENCE

pytestmark = pytest.mark.asyncio(loop_scope="module")
ON = ("skerry-sentences", "true")


IN_EVERY_GAME = {
    "skerry.v1.Annotation.text",
    "skerry.v1.Choice.heading",
    "skerry.v1.Event.text",
    "skerry.v1.ExplainTargetResponse.text",
    "skerry.v1.Fact.label",
    "skerry.v1.Fact.value",
    "skerry.v1.Gain.source",
    "skerry.v1.GetPositionTextResponse.text",
    "skerry.v1.Move.text",
    "skerry.v1.Outcome.reason",
    "skerry.v1.Scene.task",
    "skerry.v1.SceneArea.label",
    "skerry.v1.ScenePiece.label",
    "skerry.v1.ScenePlace.label",
}
"""The fields that have sentences in each whole game."""
View: TypeAlias = "pb.PositionView.ValueType"


def check_refusal(status: Status, language: str) -> bool:
    """Check that the refusal of a move can be written from its id and parameters. Return whether it broke a rule."""
    info, sentence, localized = ErrorInfo(), Sentence(), LocalizedMessage()
    for detail in status.details:
        assert any(detail.Unpack(known) for known in (info, sentence, localized))
    text = localized.message or status.message.removeprefix(f"{info.metadata['rule']}: ")
    assert written(sentence, language, PLAYERS) == text
    return info.reason == "RULE_BROKEN"


async def play(web: Web, sitting: Sitting, language: str) -> Counter[str]:
    """Play to the end, with a move that is not legal before each. Return how many sentences of each field were checked.

    Those of positions, explanations, hints, responses and refusals.
    """
    rng, metadata, places, seat = Random(1), (("accept-language", language), ON), Counter[str](), 0
    earlier, broken = dict[bytes, payload_pb2.Move](), 0
    while True:
        request = pb.GetSessionRequest(name=sitting.name, view=pb.POSITION_VIEW_SCENE)
        token = bearer(sitting.seats[seat])
        response = await web.api.stub.GetSession(request, metadata=(*token, *metadata))
        position = response.position
        if not position.to_act:
            places += check(response, language, PLAYERS)
            assert broken > 20
            return places
        if seat not in position.to_act:
            seat = position.to_act[0]
            continue
        legal = {bare(move): move for move in position.legal_moves}
        earlier |= legal
        if illegal := [move for key, move in earlier.items() if key not in legal]:
            tried = act(sitting, rng.choice(illegal), position.sequence)
            with pytest.raises(grpc.aio.AioRpcError) as refused:
                await web.api.stub.Act(tried, metadata=(*token, *metadata))
            trailers = dict(refused.value.trailing_metadata() or ())
            broken += check_refusal(Status.FromString(trailers["grpc-status-details-bin"]), language)
        move = rng.choice(position.legal_moves)
        if places.total() < 5_000 or rng.random() < 0.1:
            for read in await asked(web, sitting.name, rng.choice(position.scene.pieces).id, (*token, *metadata)):
                places += check(read, language, PLAYERS)
        acted = await web.api.stub.Act(act(sitting, move, position.sequence), metadata=(*token, *metadata))
        places += check(position, language, PLAYERS)
        places += check(acted, language, PLAYERS)


async def asked(web: Web, name: str, target: str, metadata: tuple[tuple[str, str], ...]) -> list[Message]:
    """Return what a player can ask about a position: the text, an explanation and a hint."""
    return [
        await web.api.stub.GetPositionText(pb.GetPositionTextRequest(name=name), metadata=metadata),
        await web.api.stub.ExplainTarget(pb.ExplainTargetRequest(name=name, target=target), metadata=metadata),
    ]


def bare(move: payload_pb2.Move) -> bytes:
    """Return the game's own message for a move."""
    game = move.WhichOneof("game")
    assert game is not None
    return cast("bytes", getattr(move, game).SerializeToString(deterministic=True))


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("game", [game.id for game in all_games().values()])
async def test_whole_games_can_be_written_from_ids_and_parameters(web: Web, game: str, language: str) -> None:
    """Over gRPC, as the game goes on and in streams; over Connect and REST, the same of the whole log."""
    sitting = await sit_down(web.api, 2, game=game)
    updates: dict[View, list[pb.ObserveResponse]] = {pb.POSITION_VIEW_NONE: [], pb.POSITION_VIEW_SCENE: []}

    async def observe(view: View) -> None:
        request = pb.ObserveRequest(name=sitting.name, after_sequence=0, view=view)
        async for update in web.api.stub.Observe(request, metadata=(("accept-language", language), ON)):
            updates[view].append(update)
            if update.session.state == session_pb2.SESSION_STATE_FINISHED:
                return

    watching = asyncio.gather(*map(observe, updates))
    places = await play(web, sitting, language)
    assert places.total() > 2_000
    logs = [await log_of(web, sitting.name, transport, language) for transport in ("grpc", "connect")]
    logs.append(await rest_log_of(web, sitting.name, language))
    async with asyncio.timeout(PATIENCE):
        await watching
    assert [sum(len(one.entries) for one in stream) for stream in updates.values()] == [len(logs[0])] * 2
    assert logs[0] == logs[1] == logs[2]  # they show what was hidden in play
    received: tuple[Sequence[Message], ...] = *updates.values(), logs[0]
    for messages in received:
        in_messages = Counter[str]()
        for message in messages:
            in_messages += check(message, language, PLAYERS)
        assert in_messages["skerry.v1.Event.text"] > 50
        places += in_messages
    assert {place for place, count in places.items() if count} >= IN_EVERY_GAME
    await verify_replays(web, sitting.name)


async def verify_replays(web: Web, name: str) -> None:
    """Verify the replay as callers of each wording get it, and with a text or a message of another wording in it."""
    replays = []
    for language, sentences in product(languages(), (False, True)):
        async with AsyncClient(web.address, language=language, sentences=sentences) as client:
            replays.append(await (await client.table(name)).replay())
        assert first_difference(replays[-1]) is None
    for one, other in product(replays, repeat=2):
        if one is not other:
            mixed = session_pb2.Replay()
            mixed.CopyFrom(one)
            place = max(index for index, entry in enumerate(one.entries) if entry.moved.events)
            mixed.entries[place].CopyFrom(other.entries[place])
            difference = first_difference(mixed)
            assert difference is not None and difference.sequence == place + 1


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
        places, view = set[str](), pb.POSITION_VIEW_FULL_WITH_SCENE
        for token in sitting.seats:
            request = pb.GetSessionRequest(name=sitting.name, view=view)
            got = await web.api.stub.GetSession(request, metadata=(*bearer(token), *metadata))
            piece = got.position.scene.pieces[0].id
            answers = await asked(web, sitting.name, piece, (*bearer(token), *metadata))
            said = [one for message in (got, *answers) for one in sentences_of(message) if one.text]
            places |= {one.place for one in said}
            assert all((one.sentence is not None) == (metadata == (ON,)) for one in said)
        assert len(places) > 8


@pytest.mark.parametrize(
    ("language", "reason"),
    [("en", "Bo: Ada resigned."), ("de", "Bo: Ada hat aufgegeben."), (None, "Bo: Ada resigned.")],
)
async def test_the_end_by_a_player_who_resigns_has_a_sentence(web: Web, language: str | None, reason: str) -> None:
    """Its parameter is the seat, even if the name looks like the id of a rule."""
    ends = session_pb2.AbandonmentPolicy(on_resignation=session_pb2.TIMEOUT_ACTION_END)
    sitting = await create(web.api, OPEN, OPEN, game="kreta", abandonment=ends)
    async with AsyncClient(web.address, language=language, sentences=language is not None) as client:
        table = await client.table(sitting.name)
        seat = await table.join("Bo: Ada")
        await table.join("Ada")
        outcome = (await seat.resign()).outcome
        metadata = (("accept-language", language), ON) if language else ()
        request = pb.ListSessionsRequest(state=session_pb2.SESSION_STATE_FINISHED)
        listed = await web.api.stub.ListSessions(request, metadata=metadata)
        assert outcome in [session.outcome for session in listed.sessions]
        replay = await table.replay()
    assert outcome == replay.session.outcome
    assert first_difference(replay) is None
    assert outcome.reason == reason
    parameters = {"player": SentenceParameter(seat=seat.number)}
    assert outcome.reason_sentence == (Sentence(id="end-resigned", parameters=parameters) if language else Sentence())


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


@pytest.mark.parametrize("transport", ["connect", "grpc"])
async def test_errors_of_the_python_client_have_the_sentence(web: Web, transport: TransportName) -> None:
    address = web.api.address if transport == "grpc" else web.address
    for asked in (True, False):
        async with AsyncClient(address, transport=transport, language="de", sentences=asked) as client:
            with pytest.raises(SessionNotFound) as refused:
                await client.table("nothing")
        assert (refused.value.sentence is not None) == asked
        assert refused.value.localized_message is not None
        if refused.value.sentence is not None:
            assert refused.value.sentence.id == "error-no-session"
            assert refused.value.sentence.parameters["session"].text == "'nothing'"


async def test_a_move_that_a_stream_for_many_seats_refuses_has_the_sentence(web: Web) -> None:
    sitting = await sit_down(web.api, 2, game="kreta")
    async with AsyncClient(web.api.address, transport="grpc", sentences=True) as client:
        seats = [await client.seat(sitting.name, token) for token in sitting.seats]
        positions = [await seat.position() for seat in seats]
        seat = next(seat for seat, position in zip(seats, positions, strict=True) if position.legal_moves)
        halt = payload_pb2.Move()
        halt.kreta.halt.SetInParent()
        turns = seat.turns()
        await anext(turns)
        with pytest.raises(RuleBroken) as refused:
            await seat.act(halt)
        await turns.aclose()
    assert refused.value.sentence is not None
    assert written(refused.value.sentence, "en", PLAYERS) in str(refused.value)


async def test_errors_over_rest_have_the_sentence_in_their_details(web: Web) -> None:
    sitting = await sit_down(web.api, 2, game="kreta")
    path, body = f"/v1/{sitting.name}:act", {"move": {"kreta": {"halt": {}}}, "requestId": str(uuid4())}
    request = pb.GetSessionRequest(name=sitting.name)
    position = (await web.api.stub.GetSession(request, metadata=bearer(sitting.seats[0]))).position
    body["expectedSequence"] = str(position.sequence)
    token = sitting.seats[position.to_act[0]]
    plain = await web.call("POST", path, body, token)
    asked = await web.call("POST", path, body, token, {"Skerry-Sentences": "true"})
    before, after = (msgspec.json.decode(answer.body)["error"]["details"] for answer in (plain, asked))
    (added,) = after[len(before) :]
    assert before == after[:-1]
    assert added == {
        "@type": "type.googleapis.com/skerry.v1.Sentence",
        "id": added["id"],
        "parameters": {},
    }
    assert written(Sentence(id=added["id"]), "en", PLAYERS) in plain.json["error"]["message"]


IN_EVERY_CATALOGUE = {
    "skerry.v1.Figure.caption",
    "skerry.v1.Game.board_text",
    "skerry.v1.HowToPlay.aim",
    "skerry.v1.HowToPlay.example_title",
    "skerry.v1.HowToPlay.hints",
    "skerry.v1.HowToPlay.house_edition",
    "skerry.v1.HowToPlay.set_up",
    "skerry.v1.LessonStep.answers",
    "skerry.v1.LessonStep.more",
    "skerry.v1.LessonStep.text",
    "skerry.v1.RuleMark.meaning",
    "skerry.v1.SceneSymbol.label",
}
"""The fields that have sentences in the lesson, the instructions and the drawings of each game."""


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("game", [game.id for game in all_games().values()])
async def test_what_a_game_says_about_itself_can_be_written_from_ids_and_parameters(
    web: Web, game: str, language: str
) -> None:
    """Its lesson, its instructions, its board and its drawings."""
    get, how = pb.GetGameRequest(name=f"games/{game}"), pb.GetHowToPlayRequest(name=f"games/{game}")
    metadata = (("accept-language", language), ON)
    described = (await web.api.stub.GetGame(get, metadata=metadata)).game
    learner, seats = described.lesson.seat, range(described.lesson.seats)
    names = tuple(["you" if seat == learner else f"seat {seat}" for seat in seats])
    places = check(described, language, names)
    places += check(await web.api.stub.GetHowToPlay(how, metadata=metadata), language, NAMES)
    assert set(places) >= IN_EVERY_CATALOGUE
    for plain in (await web.api.stub.GetGame(get), await web.api.stub.GetHowToPlay(how)):
        assert all(one.sentence is None for one in sentences_of(plain))


async def test_the_messages_of_each_language_are_served(web: Web) -> None:
    for language in languages():
        answer = await web.call("GET", f"/sentences/{language}.ftl")
        assert (answer.status, answer.body.decode()) == (200, fluent_file(language))
        assert answer.headers["content-type"] == "text/plain; charset=utf-8"
        assert "error-no-session = " in answer.body.decode()  # the service's own, too
    assert (await web.call("GET", "/sentences/fr.ftl")).status == 404
