"""An engine outside follows a game that is being played: pure rules, and what a spectator's stream tells."""

from __future__ import annotations

from typing import Any

import pytest

from skerry.v1 import service_pb2 as pb
from skerry.v1 import session_pb2
from skerry_games.api import CHANCE, OVER
from skerry_games.kreta import GAME
from skerry_service.wire.payloads import codec_of
from tests.api.recomputed import RecomputedReplay
from tests.api.watching import Watcher
from tests.api.wire import OPEN, Api, Sitting, bearer, create, look, move_once

CODEC = codec_of("kreta")
pytestmark = pytest.mark.asyncio(loop_scope="module")


class Follower:
    """Stands where the game stands, by the rules alone. Knows nothing but the messages of a stream."""

    def __init__(self) -> None:
        self.session = session_pb2.Session()
        self.states: dict[int, Any] = {}
        """After each entry, by its sequence."""

    def hear(self, message: pb.ObserveResponse) -> None:
        if message.HasField("session"):
            self.session = message.session
        for entry in message.entries:
            self.states[entry.sequence] = self._after(entry, self.states.get(entry.sequence - 1))

    def _after(self, entry: session_pb2.Entry, state: Any) -> Any:
        if entry.HasField("started"):
            options = CODEC.options_from_proto(self.session.options.kreta)
            return GAME.setup(options, len(self.session.seats))
        if entry.HasField("moved"):
            move = CODEC.move_from_proto(entry.moved.move.kreta)
            after, events = GAME.apply(state, entry.seat if entry.HasField("seat") else CHANCE, move)
            assert [event.kreta for event in entry.moved.events] == [CODEC.event_to_proto(event) for event in events]
            return after
        return state


def check_stands_at(state: Any, position: session_pb2.Position) -> None:
    """The state is that of the server: what it shows, who is to act, and what they may do."""
    shown = type(position.view.kreta).FromString(CODEC.view_to_wire(GAME.view(state, None)))
    assert shown == position.view.kreta
    assert GAME.to_act(state) == tuple(position.to_act)
    if position.HasField("seat"):
        listed = [move.kreta for move in position.legal_moves]
        assert [CODEC.move_to_proto(move) for move in GAME.legal_moves(state, position.seat)] == listed


@pytest.mark.parametrize("players", GAME.seats)
async def test_an_engine_outside_stands_where_the_game_stands_at_each_step(api: Api, players: int) -> None:
    sitting = await create(api, *[OPEN] * players)
    watcher, follower = Watcher(api, sitting), Follower()
    for name in ("Ada", "Bob", "Cyd", "Dot")[:players]:
        joined = await api.stub.JoinSession(pb.JoinSessionRequest(name=sitting.name, display_name=name))
        sitting.seats.append(joined.seat_token)
    moves, heard = 0, 0
    while (position := await look(api, sitting)).to_act:
        await watcher.reaches(position.sequence)
        for message in watcher.messages[heard:]:
            follower.hear(message)
            if message.HasField("position"):
                check_stands_at(follower.states[message.sequence], message.position)
        heard = len(watcher.messages)
        await check_knows_the_moves(api, sitting, follower, position)
        await move_once(api, sitting, 7 * moves)
        moves += 1
    await watcher.ends()
    for message in watcher.messages[heard:]:
        follower.hear(message)
    await check_ends_alike(api, sitting, follower)


async def check_knows_the_moves(api: Api, sitting: Sitting, follower: Follower, position: session_pb2.Position) -> None:
    """The follower lists what the acting seat may do, which a spectator does not receive."""
    token = sitting.seats[position.to_act[0]]
    seen = (await api.stub.GetSession(pb.GetSessionRequest(name=sitting.name), metadata=bearer(token))).position
    assert seen.legal_moves and not position.legal_moves
    check_stands_at(follower.states[position.sequence], seen)


async def check_ends_alike(api: Api, sitting: Sitting, follower: Follower) -> None:
    """Each state was the one that the whole log folds to."""
    received = RecomputedReplay((await api.stub.GetReplay(pb.GetReplayRequest(name=sitting.name))).replay)
    assert follower.states == {step.entry.sequence: step.after for step in received.steps}
    final = follower.states[received.last]
    outcome = GAME.outcome(final)
    assert GAME.to_act(final) == OVER and outcome is not None
    assert outcome.scores == tuple(received.session.outcome.scores)
