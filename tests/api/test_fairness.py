"""Chance was fixed before anybody could choose, and anybody can draw it again."""

from __future__ import annotations

from hashlib import sha256

import pytest

from skerry.v1 import service_pb2 as pb
from skerry.v1 import session_pb2
from skerry_games.api import CHANCE
from skerry_games.catalogue import all_games
from skerry_games.rng import SeededRng
from skerry_service.replays.verification import first_difference
from tests.api.recomputed import RecomputedReplay
from tests.api.wire import BOT, OPEN, Api, Sitting, bearer, create, get, play_out, refused, sit_down

pytestmark = pytest.mark.asyncio(loop_scope="module")

SEED = bytes(range(100, 132))


async def replay_of(api: Api, sitting: Sitting) -> session_pb2.Replay:
    return (await api.stub.GetReplay(pb.GetReplayRequest(name=sitting.name))).replay


async def test_the_seed_is_committed_to_before_any_draw_and_revealed_at_the_end(api: Api) -> None:
    sitting = await create(api, OPEN, OPEN)
    commitment = (await get(api, sitting)).session.commitment
    for name in ("Ada", "Bob"):
        join = pb.JoinSessionRequest(name=sitting.name, display_name=name)
        sitting.seats.append((await api.stub.JoinSession(join)).seat_token)
    session = (await get(api, sitting)).session
    assert (session.commitment, session.seed, session.seeded) == (commitment, b"", False)
    await play_out(api, sitting)
    session = (await get(api, sitting)).session
    assert len(session.seed) == 32
    assert session.commitment == commitment
    assert sha256(session.seed + session.name.removeprefix("sessions/").encode("ascii")).digest() == commitment


async def test_no_two_sessions_share_a_seed_unless_they_are_given_it(api: Api) -> None:
    seeds = []
    for _ in range(5):
        session = (await get(api, await create(api, BOT, BOT))).session
        seeds.append(session.seed)
    assert len({*seeds}) == 5
    given = [(await get(api, await create(api, BOT, BOT, seed=SEED))).session for _ in range(2)]
    assert {(session.seed, session.seeded) for session in given} == {(SEED, True)}
    assert given[0].commitment != given[1].commitment


@pytest.mark.parametrize("game", all_games())
async def test_every_chance_and_bot_move_can_be_drawn_again_from_the_seed(api: Api, game: str) -> None:
    seats = all_games()[game].seats[-1]
    sitting = await sit_down(api, seats, game=game, abandonment=session_pb2.AbandonmentPolicy(level="random"))
    await api.stub.LeaveSession(pb.LeaveSessionRequest(name=sitting.name), metadata=bearer(sitting.seats[0]))
    for token in sitting.seats[1:]:
        await api.stub.LeaveSession(pb.LeaveSessionRequest(name=sitting.name), metadata=bearer(token))
    received = RecomputedReplay(await replay_of(api, sitting))
    drawn = 0
    for step in received.steps:
        rng = SeededRng(received.session.seed, step.entry.sequence)
        if step.move is None:
            continue
        if step.actor == CHANCE:
            assert step.move == received.game.draw(step.before, rng)
        else:
            assert step.entry.automatic
            assert step.move == rng.choice(received.game.legal_moves(step.before, step.actor))
        drawn += 1
    assert drawn > seats


@pytest.mark.parametrize("game", all_games())
async def test_the_same_seed_and_moves_give_the_same_game(api: Api, replica: Api, game: str) -> None:
    seats = all_games()[game].seats[0]
    played = []
    for server in (api, replica):
        sitting = await sit_down(server, seats, game=game, seed=SEED)
        await play_out(server, sitting)
        played.append(await replay_of(server, sitting))
    one, two = ([(entry.seat, entry.automatic, entry.moved) for entry in replay.entries] for replay in played)
    assert one == two
    assert played[0].session.outcome == played[1].session.outcome


@pytest.mark.parametrize("game", [game.id for game in all_games().values() if "start_seat" in game.seat_options])
async def test_a_game_that_began_early_shows_the_options_in_force(api: Api, game: str) -> None:
    """The start seat is that of its player: the replay holds after the start, and is found to be true."""
    last = all_games()[game].seats[-1] - 1
    abandonment = session_pb2.AbandonmentPolicy(level="random")
    options = {game: {"start_seat": last}}
    sitting = await create(api, *[OPEN] * (last + 1), game=game, options=options, abandonment=abandonment)
    start = pb.StartSessionRequest(name=sitting.name)
    for name, seat in (("Ada", 0), ("Bob", 1), ("Cyd", last)):
        if seat == last:
            with refused("FAILED_PRECONDITION", "SEAT_OPEN", field="start_seat", seat=last):
                await api.stub.StartSession(start, metadata=bearer(sitting.host))
        join = pb.JoinSessionRequest(name=sitting.name, display_name=name, seat=seat)
        sitting.seats.append((await api.stub.JoinSession(join)).seat_token)
    begun = (await api.stub.StartSession(start, metadata=bearer(sitting.host))).session
    assert [seat.display_name for seat in begun.seats] == ["Ada", "Bob", "Cyd"]
    assert getattr(begun.options, game).start_seat == 2
    for token in sitting.seats:
        await api.stub.LeaveSession(pb.LeaveSessionRequest(name=sitting.name), metadata=bearer(token))
    replay = await replay_of(api, sitting)
    assert replay.session.options == begun.options
    assert first_difference(replay) is None
