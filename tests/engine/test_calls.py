"""The engine as it is offered: over gRPC and HTTP, if at all; what it refuses, and what it outlives."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from base64 import b64decode, b64encode
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

import grpc
import pytest
import pytest_asyncio
from msgspec import msgpack

from skerry.v1 import engine_pb2 as pb
from skerry.v1 import engine_pb2_grpc
from skerry.v1 import service_pb2 as service
from skerry_games.catalogue import all_games
from skerry_games.kreta.moves import RECRUIT
from skerry_games.position import start
from skerry_games.rng import SeededRng
from skerry_service.access.quotas import LimitSettings
from skerry_service.domain.errors import LimitReached
from skerry_service.processes.engine_methods import MAX_MOVES
from skerry_service.processes.engine_pool import MAX_WAITING, EnginePool
from skerry_service.processes.engine_states import move_messages
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from tests.api.wire import Api, bearer, look, move_once, refused, served, sit_down
from tests.rest.web import Web
from tests.rest.web import served as web_served
from tests.store.servers import running_server

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skerry.v1.engine_pb2_grpc import EngineServiceAsyncStub as Stub

pytestmark = pytest.mark.asyncio(loop_scope="module")

GAME = all_games()["kreta"]
SEED = b"s" * 32
SNAPSHOT = msgpack.encode(start(GAME.id, 2, rng=SeededRng(SEED, 0)).state)
ON: dict[str, Any] = {"name": "games/kreta", "ruleset": GAME.ruleset}


@pytest.fixture(scope="module")
def valkey() -> Iterator[EmbeddedServer]:
    with running_server() as server:
        yield server


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def web(valkey: EmbeddedServer) -> AsyncIterator[Web]:
    """A server that offers the engine."""
    async with web_served(valkey, engine_workers=1) as web:
        yield web


def stub_of(api: Api) -> Stub:
    return engine_pb2_grpc.EngineServiceStub(api.channel)


async def test_it_is_not_offered_unless_the_operator_says_so(valkey: EmbeddedServer) -> None:
    async with web_served(valkey) as plain:
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await stub_of(plain.api).NewState(pb.NewStateRequest(name="games/kreta"))
        assert caught.value.code() is grpc.StatusCode.UNIMPLEMENTED
        assert (await plain.call("POST", "/v1/engine/games/kreta:newState", {})).status == 404
        assert "/v1/engine/" not in (await plain.call("GET", "/openapi.json")).body.decode()


async def test_a_game_is_played_with_nothing_but_the_engine(web: Web) -> None:
    engine = stub_of(web.api)
    made = await engine.NewState(pb.NewStateRequest(name="games/kreta", seed=SEED))
    state, ruleset = made.state, made.ruleset
    while state.to_act:
        reading = pb.ReadStatesRequest(name="games/kreta", ruleset=ruleset, snapshots=[state.snapshot])
        (read,) = (await engine.ReadStates(reading)).readings
        move = pb.ActorMove(seat=read.moves[0].seat, move=read.moves[0].legal_moves[-1])
        branch = pb.Branch(snapshot=state.snapshot, moves=[move])
        applied = pb.ApplyMovesRequest(name="games/kreta", ruleset=ruleset, branches=[branch], seed=SEED)
        state = (await engine.ApplyMoves(applied)).branches[0].state
    assert sorted(state.outcome.ranks)[0] == 1
    assert list(state.outcome.scores) == list(state.scores)


async def test_over_http_snapshots_are_base64(web: Web) -> None:
    path = "/v1/engine/games/tenerife"
    made = (await web.call("POST", f"{path}:newState", {"seats": 3, "seed": b64encode(SEED).decode()})).json
    snapshot, ruleset = made["state"]["snapshot"], made["ruleset"]
    asked = {"ruleset": ruleset, "snapshots": [snapshot], "viewOf": 0}
    (read,) = (await web.call("POST", f"{path}:readStates", asked)).json["readings"]
    (choice,) = read["moves"]
    assert "tenerife" in read["view"]
    move = {"seat": choice["seat"], "move": choice["legalMoves"][0]}
    applied = {
        "ruleset": ruleset,
        "branches": [{"snapshot": snapshot, "moves": [move]}],
        "seed": b64encode(SEED).decode(),
    }
    (branch,) = (await web.call("POST", f"{path}:applyMoves", applied)).json["branches"]
    assert branch["events"][0]["text"].startswith("Seat ")
    after = branch["state"]["snapshot"]
    played = {"ruleset": ruleset, "snapshots": [after], "count": 2, "seed": b64encode(SEED).decode()}
    ends = (await web.call("POST", f"{path}:playOut", played)).json["playOuts"]
    assert [len(one["state"]["outcome"]["ranks"]) for one in ends] == [3, 3]
    msgpack.decode(b64decode(after), type=all_games()["tenerife"].state_type)
    refusal = await web.call("POST", f"{path}:readStates", asked | {"snapshots": [snapshot[:8]]})
    assert (refusal.status, refusal.reason, refusal.metadata["field"]) == (400, "INVALID_FIELD", "snapshots[0]")


async def test_sampled_states_go_in_and_say_what_the_seat_knows(web: Web) -> None:
    sitting = await sit_down(web.api, game="canarias")
    await move_once(web.api, sitting)
    for seat, token in enumerate(sitting.seats):
        request = service.SampleStatesRequest(name=sitting.name, count=8)
        dealt = await web.api.stub.SampleStates(request, metadata=bearer(token))
        asked = pb.ReadStatesRequest(name="games/canarias", ruleset=dealt.ruleset, snapshots=dealt.states, view_of=seat)
        position = await look(web.api, sitting, token)
        for reading in (await stub_of(web.api).ReadStates(asked)).readings:
            assert reading.view == position.view
            assert list(reading.state.to_act) == list(position.to_act)
            own = [one.legal_moves for one in reading.moves if one.seat == seat]
            case = [[move.canarias for move in moves] for moves in own]
            assert case in ([], [[move.canarias for move in position.legal_moves]])


@pytest.mark.parametrize(
    ("method", "request_", "field"),
    [
        ("NewState", pb.NewStateRequest(name="kreta"), "name"),
        ("NewState", pb.NewStateRequest(name="games/kreta", seats=9), "seats"),
        ("NewState", pb.NewStateRequest(name="games/kreta", seed=b"short"), "seed"),
        ("ReadStates", pb.ReadStatesRequest(name="games/kreta", snapshots=[SNAPSHOT]), "ruleset"),
        ("ReadStates", pb.ReadStatesRequest(name="games/kreta", ruleset="kreta-0", snapshots=[SNAPSHOT]), "ruleset"),
        ("ReadStates", pb.ReadStatesRequest(**ON), "snapshots"),
        ("ReadStates", pb.ReadStatesRequest(**ON, snapshots=[SNAPSHOT] * 65), "snapshots"),
        ("ReadStates", pb.ReadStatesRequest(**ON, snapshots=[SNAPSHOT, b"x" * 60_000]), "snapshots[1]"),
        ("ReadStates", pb.ReadStatesRequest(**ON, snapshots=[SNAPSHOT], view_of=2), "view_of"),
        ("ReadStates", pb.ReadStatesRequest(**ON, snapshots=[SNAPSHOT], view_of=-1), "view_of"),
        ("ApplyMoves", pb.ApplyMovesRequest(**ON), "branches"),
        ("ApplyMoves", pb.ApplyMovesRequest(**ON, branches=[pb.Branch(snapshot=b"")]), "branches[0].snapshot"),
        (
            "ApplyMoves",
            pb.ApplyMovesRequest(**ON, branches=[pb.Branch(moves=[pb.ActorMove()] * (MAX_MOVES + 1))]),
            "branches[0].moves",
        ),
        ("PlayOut", pb.PlayOutRequest(**ON, snapshots=[SNAPSHOT]), "seed"),
        ("PlayOut", pb.PlayOutRequest(**ON, snapshots=[SNAPSHOT], seed=SEED, count=257), "count"),
        ("PlayOut", pb.PlayOutRequest(**ON, snapshots=[SNAPSHOT] * 3, seed=SEED, count=86), "count"),
        ("PlayOut", pb.PlayOutRequest(**ON, snapshots=[SNAPSHOT], seed=SEED, count=-1), "count"),
        ("PlayOut", pb.PlayOutRequest(**ON, snapshots=[SNAPSHOT], seed=SEED, max_decisions=-1), "max_decisions"),
        ("PlayOut", pb.PlayOutRequest(**ON, snapshots=[SNAPSHOT], seed=SEED, player="os:system"), "player"),
        ("PlayOut", pb.PlayOutRequest(**ON, snapshots=[SNAPSHOT], seed=SEED, player="mcts:50ms"), "player"),
    ],
)
async def test_what_cannot_be_answered_is_refused(web: Web, method: str, request_: Any, field: str) -> None:
    with refused("INVALID_ARGUMENT", "INVALID_FIELD", field=field):
        await getattr(stub_of(web.api), method)(request_)


async def test_other_refusals_have_their_own_reasons(web: Web) -> None:
    engine = stub_of(web.api)
    with refused("NOT_FOUND", "GAME_NOT_FOUND", game="chess"):
        await engine.NewState(pb.NewStateRequest(name="games/chess"))
    (read,) = (await engine.ReadStates(pb.ReadStatesRequest(**ON, snapshots=[SNAPSHOT]))).readings
    branch = pb.Branch(snapshot=SNAPSHOT)
    branch.moves.add(seat=read.moves[0].seat, move=move_messages(GAME, [RECRUIT[1]])[0])
    with refused("FAILED_PRECONDITION", "RULE_BROKEN") as refusal:
        await engine.ApplyMoves(pb.ApplyMovesRequest(**ON, branches=[branch]))
    assert "branches[0].moves[0]" in refusal.message
    branch.moves[0].move.kreta.recruit.province = "atlantis"
    with refused("INVALID_ARGUMENT", "MALFORMED_MOVE"):
        await engine.ApplyMoves(pb.ApplyMovesRequest(**ON, branches=[branch]))


async def test_calls_are_limited_like_others(valkey: EmbeddedServer) -> None:
    quotas = LimitSettings(local=True).with_limit("engine", "2/1h")
    async with served(valkey, engine_workers=1, quotas=quotas) as api:
        for _ in range(2):
            await stub_of(api).NewState(pb.NewStateRequest(name="games/kreta"))
        with refused("RESOURCE_EXHAUSTED", "LIMIT_REACHED", limit="engine"):
            await stub_of(api).ReadStates(pb.ReadStatesRequest(**ON, snapshots=[SNAPSHOT]))


async def ask(pool: EnginePool, player: str = "random") -> pb.PlayOutResponse:
    request = pb.PlayOutRequest(**ON, snapshots=[SNAPSHOT], player=player, seed=SEED)
    return await pool.ask("PlayOut", request, pb.PlayOutResponse)


async def test_what_takes_too_long_is_ended_and_does_not_hold_up_the_next() -> None:
    pool = EnginePool(1, seconds=60)
    try:
        first = await ask(pool)
        pool._seconds = 0.05
        with pytest.raises(LimitReached) as caught:
            await ask(pool, "mcts:1000000000")
        assert (caught.value.metadata["limit"], caught.value.retry_after) == ("engine_seconds", None)
        pool._seconds = 60
        assert await ask(pool) == first
        process = pool._all[0]._process
        assert process is not None
        os.kill(process.pid, signal.SIGKILL)
        await process.wait()
        assert await ask(pool) == first
    finally:
        await pool.close()


async def test_no_more_than_so_many_calls_wait() -> None:
    pool = EnginePool(1, seconds=60)
    child = await pool._free.get()
    waiting = [asyncio.create_task(ask(pool)) for _ in range(MAX_WAITING)]
    await asyncio.sleep(0)
    with pytest.raises(LimitReached) as caught:
        await ask(pool)
    assert caught.value.metadata["limit"] == "engine_waiting"
    for task in waiting[1:]:
        task.cancel()
    pool._free.put_nowait(child)
    assert len((await waiting[0]).play_outs) == 1
    await asyncio.gather(*waiting[1:], return_exceptions=True)
    await pool.close()


async def test_its_processes_know_no_store_and_no_session() -> None:
    code = (
        "import sys; import skerry_service.processes.engine_process; names = set(sys.modules);"
        "print(sorted(name for name in names if name.split('.')[0] in ('grpc', 'redis', 'httptools')"
        " or name in ('skerry_service.sessions.service', 'skerry_service.store',"
        " 'skerry_service.api.session_methods')))"
    )
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", code, stdout=asyncio.subprocess.PIPE)
    assert (await process.communicate())[0] == b"[]\n"
