"""The language of responses: ``Accept-Language`` over HTTP and gRPC."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast
from uuid import uuid4

import grpc
import msgspec
import pytest
from google.rpc.error_details_pb2 import LocalizedMessage
from google.rpc.status_pb2 import Status

from skerry.v1 import service_pb2 as pb
from skerry.v1 import service_pb2_grpc
from skerry_client.aio import AsyncClient
from skerry_client.errors import InvalidField, SessionNotFound
from skerry_client.transport.choice import TransportName
from skerry_service.api.endpoint import sessions_endpoint
from skerry_service.edge.grpc.grpc_server import GrpcServer
from skerry_service.edge.grpc.grpc_services import GrpcServices
from skerry_service.sessions.memory_store import MemoryStore
from skerry_service.sessions.service import Sessions
from tests.api.wire import bearer, sit_down
from tests.rest.web import Web

if TYPE_CHECKING:
    from skerry.v1.service_pb2_grpc import SkerryServiceAsyncStub as Stub

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.mark.parametrize(
    ("header", "language", "first"), [("de", "de", "Phase: Karte spielen"), ("fr", "en", "phase: play card")]
)
async def test_a_position_is_read_in_the_accepted_language(web: Web, header: str, language: str, first: str) -> None:
    sitting = await sit_down(web.api, 2, game="kreta")
    path = f"/v1/{sitting.name}/text"
    for _ in range(2):  # the second from caches
        response = await web.call("GET", path, token=sitting.seats[0], headers={"Accept-Language": header})
        assert response.headers["content-language"] == language
        assert msgspec.json.decode(response.body)["text"].splitlines()[0] == first
        plain = await web.call("GET", path, token=sitting.seats[0])
        assert msgspec.json.decode(plain.body)["text"].startswith("phase: play card")


async def test_the_numbered_rules_are_in_the_accepted_language(web: Web) -> None:
    for header, section, first in (("de", "Aufbau", "Das Spiel ist für 2"), ("fr", "Setup", "The game is for 2")):
        answer = await web.call("GET", "/v1/games/kreta", headers={"Accept-Language": header})
        rule = msgspec.json.decode(answer.body)["game"]["rules"][0]
        assert (rule["id"], rule["section"]) == ("KRETA-SETUP-1", section)
        assert rule["text"].startswith(first)


async def acting(web: Web) -> tuple[str, str, int]:
    """Begin a game; return its name, the token of the seat that has to decide, and the sequence."""
    sitting = await sit_down(web.api, 2, game="kreta")
    request = pb.GetSessionRequest(name=sitting.name)
    position = (await web.api.stub.GetSession(request, metadata=bearer(sitting.seats[0]))).position
    return sitting.name, sitting.seats[position.to_act[0]], position.sequence


async def test_moves_over_grpc_are_german_for_callers_that_accept_german(web: Web) -> None:
    name, token, _ = await acting(web)
    request = pb.GetSessionRequest(name=name, view=pb.POSITION_VIEW_SCENE)
    texts = {}
    for language in ("de", "en", "de"):
        metadata = (*bearer(token), ("accept-language", language))
        call = web.api.stub.GetSession(request, metadata=metadata)
        position = (await call).position
        assert dict(await call.initial_metadata())["content-language"] == language
        texts[language] = position.legal_moves[0].text, position.legal_moves[0].choice.heading, position.scene.task
    assert texts["de"][1:] == ("Eine Karte spielen", "spiele eine Karte") and texts["de"][0].endswith(" spielen")
    assert texts["en"][1:] == ("Play a card", "play a card")


async def test_grpc_names_the_language_of_calls_that_accept_one_alone(web: Web) -> None:
    request = pb.ObserveRequest(name=(await acting(web))[0])
    for accepted, named in ((("accept-language", "fr"),), "en"), ((), None):
        call = web.api.stub.Observe(request, metadata=accepted)
        assert dict(await call.initial_metadata()).get("content-language") == named
        call.cancel()


async def test_a_broken_rule_has_a_localized_message_beside_the_english_one(web: Web) -> None:
    name, token, sequence = await acting(web)
    act = pb.ActRequest(name=name, request_id=str(uuid4()), expected_sequence=sequence)
    act.move.kreta.halt.SetInParent()
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await web.api.stub.Act(act, metadata=(*bearer(token), ("accept-language", "de")))
    assert "Play a card from your hand first." in (refused.value.details() or "")
    status = Status.FromString(dict(refused.value.trailing_metadata() or ())["grpc-status-details-bin"])
    assert dict(refused.value.trailing_metadata() or ())["content-language"] == "de"
    message = LocalizedMessage()
    assert any(detail.Unpack(message) for detail in status.details)
    assert (message.locale, message.message) == ("de", "Spiele zuerst eine Karte aus deiner Hand.")


async def test_a_picture_over_grpc_names_its_language_like_an_address(web: Web) -> None:
    request = pb.GetPictureRequest(name=(await acting(web))[0], language="de")
    for accepted in ((), (("accept-language", "en"),)):
        call = web.api.stub.GetPicture(request, metadata=accepted)
        assert "Punkte" in (await call).data.decode()
        assert dict(await call.initial_metadata())["content-language"] == "de"
    request.theme = "neon"
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await web.api.stub.GetPicture(request)
    status = Status.FromString(dict(refused.value.trailing_metadata() or ())["grpc-status-details-bin"])
    message = LocalizedMessage()
    assert any(detail.Unpack(message) for detail in status.details)
    assert message.locale == "de"


@pytest.mark.parametrize("transport", ["connect", "grpc"])
async def test_one_picture_of_a_client_has_a_language_of_its_own(web: Web, transport: TransportName) -> None:
    name, _, _ = await acting(web)
    address = web.api.address if transport == "grpc" else web.address
    async with AsyncClient(address, transport=transport, language="de") as client:
        table = await client.table(name)
        texts = [(await table.picture(language=one)).decode() for one in ("en", None, "fr")]
        assert ["points</text>" in one for one in texts] == [True, False, True]
        assert "Punkte</text>" in texts[1]
        with pytest.raises(ValueError, match="language"):
            await table.picture(language="")


@pytest.mark.parametrize("transport", ["connect", "grpc"])
async def test_the_python_client_reads_german(web: Web, transport: TransportName) -> None:
    address = web.api.address if transport == "grpc" else web.address
    async with AsyncClient(address, transport=transport, language="de") as client:
        assert (await client.how_to_play("kreta")).text.startswith("2 bis 4 Spieler · ab 10 Jahren · etwa 60 Minuten")
        with pytest.raises(SessionNotFound, match="does not exist") as refused:
            await client.table("nothing")
        assert "gibt es nicht" in (refused.value.localized_message or "")
    async with AsyncClient(address, transport=transport) as client:
        with pytest.raises(SessionNotFound) as refused:
            await client.table("nothing")
        assert refused.value.localized_message is None
    with pytest.raises(ValueError, match="language"):
        AsyncClient(address, language="de\r\nx: y")


@pytest.mark.parametrize("transport", ["connect", "grpc", "rest"])
async def test_the_bound_of_a_field_is_refused_in_german_over_every_transport(web: Web, transport: str) -> None:
    name, token, _ = await acting(web)
    if transport == "rest":
        headers = {"accept-language": "de"}
        answer = await web.call("POST", f"/v1/{name}:explain", {"target": "q" * 65}, token=token, headers=headers)
        (said,) = [one for one in answer.json["error"]["details"] if one["@type"].endswith("LocalizedMessage")]
        assert (answer.status, said["locale"], said["message"]) == (400, "de", "Eine ID hat höchstens 64 Zeichen.")
        assert answer.json["error"]["message"] == "target: An id has at most 64 characters."
        return
    address = web.api.address if transport == "grpc" else web.address
    async with AsyncClient(address, transport=cast("TransportName", transport), language="de") as client:
        with pytest.raises(InvalidField, match="An id has at most 64 characters") as refused:
            await (await client.table(name)).explain("q" * 65)
    assert refused.value.localized_message == "Eine ID hat höchstens 64 Zeichen."


async def test_a_body_of_another_form_is_refused_in_german(web: Web) -> None:
    answer = await web.call("POST", "/v1/sessions", {"seats": 3}, headers={"accept-language": "de"})
    (said,) = [one for one in answer.json["error"]["details"] if one["@type"].endswith("LocalizedMessage")]
    assert said["message"] == "Das muss eine Liste sein, nicht 3."


async def test_a_port_with_certificates_names_the_language_too() -> None:
    """gRPC's own server has such ports. Errors have the language beside their status."""
    sessions = Sessions(MemoryStore(), clock_ms=lambda: 0)
    server = GrpcServer(GrpcServices([sessions_endpoint(sessions)]), "127.0.0.1", 0, connections=10)
    await server.start()
    async with grpc.aio.insecure_channel(server.address) as channel:
        stub: Stub = service_pb2_grpc.SkerryServiceStub(channel)
        german = (("accept-language", "de"),)
        call = stub.GetHowToPlay(pb.GetHowToPlayRequest(name="games/kreta"), metadata=german)
        assert (await call).how_to_play.text.startswith("2 bis 4 Spieler")
        assert dict(await call.initial_metadata())["content-language"] == "de"
        failing = stub.GetHowToPlay(pb.GetHowToPlayRequest(name="games/x"), metadata=german)
        assert await failing.code() != grpc.StatusCode.OK
        assert dict(await failing.initial_metadata())["content-language"] == "de"
        assert "grpc-status-details-bin" in dict(await failing.trailing_metadata())
        named = stub.GetPicture(pb.GetPictureRequest(name="sessions/aaaaaaaaaaaaaaaa", language="de"))
        assert await named.code() == grpc.StatusCode.NOT_FOUND
        assert dict(await named.initial_metadata())["content-language"] == "de"
        silent = stub.GetHowToPlay(pb.GetHowToPlayRequest(name="games/kreta"))
        assert "content-language" not in dict(await silent.initial_metadata())
    await server.stop(0)
    await sessions.close()
