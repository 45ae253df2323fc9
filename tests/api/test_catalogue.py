"""What the service says of its games and of itself."""

from __future__ import annotations

from typing import Any

import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorProto
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from skerry.v1 import service_pb2 as pb
from skerry_games.api import AnyGame
from skerry_games.catalogue import all_games
from skerry_service.wire.payloads import codec_of
from tests.api.wire import OPEN, SERVICE, Api, create, get, refused

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_every_game_is_listed_without_its_board_and_rules(api: Api) -> None:
    listed = (await api.stub.ListGames(pb.ListGamesRequest())).games
    assert [game.id for game in listed] == sorted(all_games())
    for card in listed:
        game = all_games()[card.id]
        assert (card.name, card.title, card.author) == (f"games/{game.id}", game.title, game.author)
        assert (tuple(card.seats), card.ruleset, tuple(card.editions)) == (game.seats, game.ruleset, game.editions)
        assert card.default_options.WhichOneof("game") == game.id
        assert not card.HasField("board")
        assert not card.rules


@pytest.mark.parametrize("game", all_games().values(), ids=lambda game: game.id)
async def test_a_game_comes_with_its_board_and_every_rule(api: Api, game: AnyGame) -> None:
    listed = {card.id: card for card in (await api.stub.ListGames(pb.ListGamesRequest())).games}
    whole = (await api.stub.GetGame(pb.GetGameRequest(name=f"games/{game.id}"))).game
    rules = [(rule.id, rule.section, rule.text) for rule in whole.rules]
    assert rules == [(rule.id, rule.section, rule.text) for rule in game.rules]
    assert getattr(whole.board, game.id) == codec_of(game.id).board_to_proto(game.editions[0])
    assert whole.board_text == game.board_text(game.boards[0])
    drawn = game.look.symbols(game.boards[0])
    assert [(symbol.id, symbol.drawing) for symbol in whole.symbols] == [(one.id, one.drawing) for one in drawn]
    for field in ("board", "board_text", "rules", "symbols"):
        whole.ClearField(field)
    if whole.HasField("lesson"):
        whole.lesson.ClearField("steps")
    assert whole == listed[game.id]


@pytest.mark.parametrize("game", all_games())
async def test_no_options_mean_the_default_ones(api: Api, game: str) -> None:
    card = (await api.stub.GetGame(pb.GetGameRequest(name=f"games/{game}"))).game
    seats = [OPEN] * card.seats[0]
    choices: tuple[dict[str, Any], ...] = ({}, {"options": {game: {}}}, {"options": card.default_options})
    for options in choices:
        sitting = await create(api, *seats, game=game, **options)
        session = (await get(api, sitting)).session
        assert session.options == card.default_options
        assert session.ruleset == card.ruleset


async def test_the_server_says_that_it_is_well(api: Api) -> None:
    health: Any = health_pb2_grpc.HealthStub(api.channel)
    for service in ("", SERVICE.full_name):
        async for answer in health.Watch(health_pb2.HealthCheckRequest(service=service)):
            if answer.status == health_pb2.HealthCheckResponse.SERVING:
                break
        checked = await health.Check(health_pb2.HealthCheckRequest(service=service))
        assert checked.status == health_pb2.HealthCheckResponse.SERVING


async def test_the_server_describes_its_own_calls(api: Api) -> None:
    reflection: Any = reflection_pb2_grpc.ServerReflectionStub(api.channel)  # type: ignore[arg-type]

    async def ask(**question: str) -> reflection_pb2.ServerReflectionResponse:
        request = reflection_pb2.ServerReflectionRequest(**question)  # type: ignore[arg-type]
        async for answer in reflection.ServerReflectionInfo(iter([request])):
            assert isinstance(answer, reflection_pb2.ServerReflectionResponse)
            return answer
        raise AssertionError("no answer")

    services = (await ask(list_services="")).list_services_response.service
    assert {SERVICE.full_name, "grpc.health.v1.Health"} <= {service.name for service in services}
    described = await ask(file_containing_symbol=SERVICE.full_name)
    files = [FileDescriptorProto.FromString(file) for file in described.file_descriptor_response.file_descriptor_proto]
    methods = [method.name for file in files for service in file.service for method in service.method]
    assert methods == [method.name for method in SERVICE.methods]


async def test_the_instructions_of_a_game_come_with_pictures_in_the_wanted_colours(api: Api) -> None:
    kreta = all_games()["kreta"]
    how = (await api.stub.GetHowToPlay(pb.GetHowToPlayRequest(name="games/kreta"))).how_to_play
    assert how.ruleset == kreta.ruleset
    assert (len(how.turn), len(how.example), len(how.hints)) == (5, 3, 3)
    assert how.example_rule in {rule.id for rule in kreta.rules}
    assert {mark.mark for mark in how.marks} == set("SWR")
    assert how.text.startswith("2 to 4 players")
    for figure in (*how.turn, *how.example):
        assert figure.picture.startswith("<svg")
        assert "var(" not in figure.picture
    themed = pb.GetHowToPlayRequest(name="games/kreta", theme="variables")
    assert "var(--ink)" in (await api.stub.GetHowToPlay(themed)).how_to_play.turn[0].picture
    with refused("INVALID_ARGUMENT", "INVALID_FIELD", field="theme"):
        await api.stub.GetHowToPlay(pb.GetHowToPlayRequest(name="games/kreta", theme="neon"))
    with refused("NOT_FOUND", "GAME_NOT_FOUND"):
        await api.stub.GetHowToPlay(pb.GetHowToPlayRequest(name="games/chess"))
