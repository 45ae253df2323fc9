"""Levels of bots over a real store: two workers make each decision once, and a replay says what the seed must yield."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack

import pytest
import pytest_asyncio

from skerry.v1 import service_pb2 as pb
from skerry.v1 import session_pb2
from skerry_games.kreta import GAME as KRETA
from skerry_service.domain.bot_decisions import decision_for, due_decisions
from skerry_service.domain.log import Moved
from skerry_service.domain.table import BOT, OPEN
from skerry_service.processes.bot_pool import BotPool
from skerry_service.replays.verification import ReplayDifference, first_difference
from skerry_service.sessions.service import Sessions
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from skerry_service.timers.bot_worker import BotWorker
from tests.api.wire import Api, act, bearer, served
from tests.api.wire import Sitting as Seen
from tests.sessions.tables import Clock, Sitting, begin, nth_move
from tests.store.servers import open_store
from tests.timers.thinkers import THINKS, Slow, chosen, until_due
from tests.watching.stream_readers import Reader, observe

pytestmark = pytest.mark.asyncio(loop_scope="module")

Replay = session_pb2.Replay


@pytest_asyncio.fixture(loop_scope="module")
async def replicas(valkey: EmbeddedServer) -> AsyncIterator[list[Sessions]]:
    """Two replicas without a transport, over one store."""
    async with AsyncExitStack() as stack:
        both = [Sessions(await stack.enter_async_context(open_store(valkey)), clock_ms=Clock()) for _ in range(2)]
        for one in both:
            stack.push_async_callback(one.close)
        yield both


async def replay_of(api: Api, sitting: Sitting) -> Replay:
    return (await api.stub.GetReplay(pb.GetReplayRequest(name=f"sessions/{sitting.id}"))).replay


async def played(replicas: list[Sessions]) -> Sitting:
    """Play a game of two bots that think and one that does not."""
    sitting = await begin(replicas[0], KRETA, THINKS, BOT, THINKS)
    worker = BotWorker(replicas[0], {"slow": Slow()})
    reader = Reader(observe(replicas[0], sitting.id, None, 0))
    worker.start_due(await replicas[0].live(sitting.id))
    await reader.ends()
    await worker.close()
    return sitting


async def test_two_workers_on_two_replicas_make_each_decision_once(api: Api, replicas: list[Sessions]) -> None:
    thinkers = Slow(), Slow()
    workers = [BotWorker(replica, {"slow": thinker}) for replica, thinker in zip(replicas, thinkers, strict=True)]
    for thinker in thinkers:
        thinker.hold()
    sitting = await begin(replicas[0], KRETA, OPEN, THINKS)
    sitting.seats.append((await replicas[0].players.join(sitting.id, "Ada", None, None))[2])
    for round_ in range(1, 16):
        table, one = await until_due(replicas[0], sitting)
        for replica, worker, thinker in zip(replicas, workers, thinkers, strict=True):
            worker.start_due(await replica.live(sitting.id))
            await thinker.is_asked(round_)
        reader = Reader(observe(replicas[1], sitting.id, None, table.sequence))
        move = chosen(decision_for(table, one, Slow.samples))
        for thinker in thinkers:
            thinker.go()
            thinker.hold()
        received = (await reader.reaches(table.sequence + 1)).applied
        assert (received[0].sequence, received[0].move) == (table.sequence + 1, move)
        await reader.stop()
    for worker in workers:
        await worker.close()
    log = (await replicas[1].replay(sitting.id, None))[2]
    assert [applied.sequence for applied in log] == [*range(1, len(log) + 1)]


async def test_a_server_makes_the_decisions_of_the_levels_that_it_knows(
    valkey: EmbeddedServer, replicas: list[Sessions], monkeypatch: pytest.MonkeyPatch
) -> None:
    thinker = Slow()
    monkeypatch.setattr(BotPool, "levels", lambda _: {"slow": thinker})
    sitting = await begin(replicas[0], KRETA, OPEN, THINKS)
    token = (await replicas[0].players.join(sitting.id, "Ada", None, None))[2]
    table, _ = await replicas[0].get(sitting.id, None)
    while due_decisions(table):
        table = (await replicas[0].moves.decide(due_decisions(table)[0], nth_move(table, 1, 0))).table
    reader = Reader(observe(replicas[0], sitting.id, None, table.sequence))
    request, metadata = pb.GetSessionRequest(name=f"sessions/{sitting.id}"), bearer(token)
    async with served(valkey) as api:
        while (1, True) not in moved_by(reader):
            position = (await api.stub.GetSession(request, metadata=metadata)).position
            move = act(Seen(request.name, "", ""), position.legal_moves[0], position.sequence)
            sequence = (await api.stub.Act(move, metadata=metadata)).sequence
            table = (await reader.reaches(sequence)).table
            while table.to_act == (1,):
                table = (await reader.reaches(table.sequence + 1)).table
    assert thinker.asked
    await reader.stop()


def moved_by(reader: Reader) -> list[tuple[int, bool]]:
    """Return for each move that a reader has received its actor, and whether the server made it."""
    received = [applied for update in reader.updates for applied in update.applied]
    return [(one.entry.actor, one.entry.automatic) for one in received if isinstance(one.entry, Moved)]


# ---------------------------------------------------------------- what clients see


async def test_every_viewer_sees_the_level_of_a_bot_and_of_bots_alone(api: Api, replicas: list[Sessions]) -> None:
    sitting = await begin(replicas[0], KRETA, OPEN, THINKS, BOT, OPEN)
    token = (await replicas[0].players.join(sitting.id, "Ada", 0, None))[2]
    request = pb.GetSessionRequest(name=f"sessions/{sitting.id}")
    assert levels(await api.stub.GetSession(request)) == [None, "slow", "random", None]
    await replicas[0].players.join(sitting.id, "Bob", 3, None)
    await replicas[0].players.leave(sitting.id, token, None)
    assert levels(await api.stub.GetSession(request)) == ["random", "slow", "random", None]


def levels(answer: pb.GetSessionResponse) -> list[str | None]:
    return [seat.level if seat.HasField("level") else None for seat in answer.session.seats]


# ---------------------------------------------------------------- what is verified


async def test_of_bots_that_think_only_the_rules_are_verified(api: Api, replicas: list[Sessions]) -> None:
    replay = await replay_of(api, await played(replicas))
    assert all(entry.automatic for entry in replay.entries if entry.HasField("seat"))
    assert first_difference(replay) is None


def says_random(replay: Replay) -> None:
    for seat in replay.session.seats:
        seat.level = "random"


def says_nothing(replay: Replay) -> None:
    for seat in replay.session.seats:
        seat.ClearField("level")


@pytest.mark.parametrize("spoil", [says_random, says_nothing])
async def test_where_no_bot_is_said_to_think_the_seed_must_yield_all_their_moves(
    api: Api, replicas: list[Sessions], spoil: Callable[[Replay], None]
) -> None:
    replay = await replay_of(api, await played(replicas))
    spoil(replay)
    found = first_difference(replay)
    assert found is not None
    assert "the seed yields" in found.sentence
    assert replay.entries[found.sequence - 1].seat in (0, 2)


async def test_a_move_of_a_random_bot_is_found_out_beside_bots_that_think(api: Api, replicas: list[Sessions]) -> None:
    replay = await replay_of(api, await played(replicas))
    entry = next(
        entry
        for entry in replay.entries
        if entry.HasField("seat") and entry.seat == 1 and entry.moved.move.kreta.HasField("play_card")
    )
    cards = {other.moved.move.kreta.play_card.card for other in replay.entries} - {0}
    entry.moved.move.kreta.play_card.card = next(iter(sorted(cards - {entry.moved.move.kreta.play_card.card})))
    found = first_difference(replay)
    assert isinstance(found, ReplayDifference)
    assert found.sequence == entry.sequence
