"""Lessons as sessions: played over the wire on a real server, with bots that follow the course."""

from __future__ import annotations

from collections.abc import AsyncIterator

import grpc
import pytest
import pytest_asyncio

from skerry.v1 import catalogue_pb2, payload_pb2, session_pb2
from skerry.v1 import service_pb2 as pb
from skerry_games.catalogue import all_games
from skerry_service.domain.lessons.course import lesson_of
from skerry_service.replays.verification import first_difference
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from tests.api.wire import Api, bearer, served

pytestmark = pytest.mark.asyncio(loop_scope="module")

GAMES = [game.id for game in all_games().values() if lesson_of(game)]


@pytest_asyncio.fixture(loop_scope="module")
async def api(valkey: EmbeddedServer) -> AsyncIterator[Api]:
    """A server without bot processes: bots follow the course, and elsewhere move at random."""
    async with served(valkey, bot_workers=0) as server:
        yield server


class Learner:
    """A learner at the seat of a lesson."""

    def __init__(self, api: Api, game: str, name: str, token: str) -> None:
        self.api, self.game, self.name, self.token = api, game, name, token
        observe = api.stub.Observe(pb.ObserveRequest(name=name, after_sequence=0), metadata=bearer(token))
        self._updates, self._position = aiter(observe), session_pb2.Position()

    @classmethod
    async def begin(cls, api: Api, game: str) -> Learner:
        created = await api.stub.CreateSession(pb.CreateSessionRequest(game=game, lesson=True))
        name = created.session.name
        joined = await api.stub.JoinSession(pb.JoinSessionRequest(name=name, display_name="Ada"))
        return cls(api, game, name, joined.seat_token)

    async def lesson(self) -> catalogue_pb2.Lesson:
        return (await self.api.stub.GetGame(pb.GetGameRequest(name=f"games/{self.game}"))).game.lesson

    async def reaches(self, sequence: int) -> session_pb2.Position:
        """Wait until the session has reached an entry, and return the position."""
        while self._position.sequence < sequence:
            self._position = (await anext(self._updates)).position
        return self._position

    async def act(self, move: payload_pb2.Move, sequence: int) -> None:
        await self.api.stub.Act(
            pb.ActRequest(name=self.name, move=move, expected_sequence=sequence), metadata=bearer(self.token)
        )


@pytest.mark.parametrize("game", GAMES)
async def test_a_lesson_leads_through_all_its_steps(api: Api, game: str) -> None:
    learner = await Learner.begin(api, game)
    lesson = await learner.lesson()
    for step in lesson.steps:
        position = await learner.reaches(step.sequence)
        assert position.sequence == step.sequence or not step.moves
        if step.moves:
            move = step.moves[0]
            assert move.WhichOneof("game") == game
            assert getattr(move, game) in [getattr(legal, game) for legal in position.legal_moves]
            await learner.act(move, position.sequence)


async def test_a_lesson_goes_on_after_other_moves_and_its_replay_is_verified(api: Api) -> None:
    learner = await Learner.begin(api, "kreta")
    sequence = 0
    while not (position := await learner.reaches(sequence)).HasField("outcome"):
        if moves := position.legal_moves:
            castellan = (move for move in moves if move.text == "play the castellan")
            await learner.act(next(castellan, moves[0]), position.sequence)
        sequence = position.sequence + 1
    replay = (await api.stub.GetReplay(pb.GetReplayRequest(name=learner.name))).replay
    assert replay.session.lesson
    assert replay.session.seeded
    assert first_difference(replay) is None
    request = pb.RematchSessionRequest(name=learner.name)
    again = (await api.stub.RematchSession(request, metadata=bearer(learner.token))).session
    assert (again.lesson, [seat.level for seat in again.seats]) == (False, ["random", ""])
    seats = [pb.SeatSetup(), pb.SeatSetup(occupant=session_pb2.OCCUPANT_BOT, level="random")]
    fork = pb.ForkSessionRequest(name=learner.name, sequence=10, seats=seats)
    assert not (await api.stub.ForkSession(fork)).session.lesson


async def test_a_lesson_is_unlisted_and_has_the_seats_of_the_catalogue(api: Api) -> None:
    created = await api.stub.CreateSession(pb.CreateSessionRequest(game="kreta", lesson=True))
    session = created.session
    assert session.visibility == session_pb2.VISIBILITY_UNLISTED
    assert [seat.level for seat in session.seats] == ["", "lesson"]
    listed = (await api.stub.ListGames(pb.ListGamesRequest())).games
    assert [(one.lesson.seats, len(one.lesson.steps)) for one in listed if one.id == "kreta"] == [(2, 0)]
    assert not session.seed


@pytest.mark.parametrize(
    "setting",
    [
        pb.CreateSessionRequest(seats=[pb.SeatSetup()]),
        pb.CreateSessionRequest(seed=bytes(32)),
        pb.CreateSessionRequest(visibility=session_pb2.VISIBILITY_PUBLIC),
        pb.CreateSessionRequest(options=payload_pb2.GameOptions()),
        pb.CreateSessionRequest(join_code_required=True),
        pb.CreateSessionRequest(clock=session_pb2.Clock(per_move=session_pb2.PerMove(time_ms=60_000))),
    ],
    ids=lambda setting: setting.ListFields()[0][0].name,
)
async def test_the_lesson_decides_all_other_settings(api: Api, setting: pb.CreateSessionRequest) -> None:
    setting.MergeFrom(pb.CreateSessionRequest(game="kreta", lesson=True))
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await api.stub.CreateSession(setting)
    assert refused.value.code() is grpc.StatusCode.INVALID_ARGUMENT


async def test_a_player_adds_no_entropy_to_a_lesson(api: Api) -> None:
    created = await api.stub.CreateSession(pb.CreateSessionRequest(game="kreta", lesson=True))
    request = pb.JoinSessionRequest(name=created.session.name, display_name="Ada", entropy=bytes(32))
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await api.stub.JoinSession(request)
    assert "fixed" in (refused.value.details() or "")


async def test_no_seat_of_another_session_gets_the_level_lesson(api: Api) -> None:
    seats = [pb.SeatSetup(), pb.SeatSetup(occupant=session_pb2.OCCUPANT_BOT, level="lesson")]
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await api.stub.CreateSession(pb.CreateSessionRequest(game="kreta", seats=seats))
    assert "Unknown level" in (refused.value.details() or "")
