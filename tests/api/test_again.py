"""Playing once more over the wire, through two servers: rematches, and games that go on from within others."""

from __future__ import annotations

from typing import Any

import pytest

from skerry.v1 import service_pb2 as pb
from skerry.v1 import session_pb2
from skerry_games.api import AnyGame
from skerry_games.catalogue import all_games
from skerry_service.replays.verification import first_difference
from tests.api.recomputed import RecomputedReplay
from tests.api.watching import Watcher
from tests.api.wire import BOT, OPEN, Api, Sitting, bearer, create, get, look, move_once, play_out, refused, sit_down

pytestmark = pytest.mark.asyncio(loop_scope="module")

BEGUN = 4
"""The entry with which a game for two begins."""


async def rematch(api: Api, sitting: Sitting, seat: int) -> pb.RematchSessionResponse:
    request = pb.RematchSessionRequest(name=sitting.name)
    return await api.stub.RematchSession(request, metadata=bearer(sitting.seats[seat]))


async def fork(api: Api, sitting: Sitting, sequence: int, *seats: pb.SeatSetup) -> Sitting:
    made = await api.stub.ForkSession(pb.ForkSessionRequest(name=sitting.name, sequence=sequence, seats=seats))
    return Sitting(made.session.name, made.host_token, made.spectator_token)


async def join(api: Api, sitting: Sitting, *names: str) -> None:
    for name in names:
        joined = await api.stub.JoinSession(pb.JoinSessionRequest(name=sitting.name, display_name=name))
        sitting.seats.append(joined.seat_token)


async def finished(api: Api) -> Sitting:
    sitting = await sit_down(api)
    await api.stub.ResignSession(pb.ResignSessionRequest(name=sitting.name), metadata=bearer(sitting.seats[0]))
    return sitting


async def test_a_rematch_is_made_here_found_there_and_played_by_both(api: Api, replica: Api) -> None:
    sitting = await sit_down(api)
    assert not (await get(replica, sitting)).HasField("rematch")
    await play_out(api, sitting)
    assert not (await get(replica, sitting)).HasField("rematch")
    made = await rematch(api, sitting, 0)
    ada, bob = made.session.seats[1], made.session.seats[0]
    assert (ada.occupant, ada.display_name) == (session_pb2.OCCUPANT_PLAYER, "Ada")
    assert (bob.occupant, bob.display_name) == (session_pb2.OCCUPANT_KEPT, "Bob")
    for token in (None, *sitting.seats, sitting.host):
        assert (await get(replica, sitting, token)).rematch == made.session.name
    again = Sitting(made.session.name, made.host_token, made.spectator_token)
    watcher = Watcher(replica, again)
    await watcher.has(1)
    other = await rematch(replica, sitting, 1)
    assert (other.session.name, other.seat, other.host_token) == (again.name, 0, "")
    assert other.session.state == session_pb2.SESSION_STATE_PLAYING
    again.seats = [other.seat_token, made.seat_token]
    last = await play_out(api, again, [replica])
    await watcher.ends()
    assert watcher.sequences == list(range(1, last + 1))
    replay = (await api.stub.GetReplay(pb.GetReplayRequest(name=again.name))).replay
    assert first_difference(replay) is None


async def test_the_first_session_is_what_it_was_when_there_is_a_rematch(api: Api) -> None:
    sitting = await finished(api)
    before = (await api.stub.GetReplay(pb.GetReplayRequest(name=sitting.name))).replay
    await rematch(api, sitting, 0)
    assert (await api.stub.GetReplay(pb.GetReplayRequest(name=sitting.name))).replay == before
    assert first_difference(before) is None


@pytest.mark.parametrize("game", all_games().values(), ids=list(all_games()))
async def test_a_game_that_goes_on_from_within_another_is_verified_by_itself(
    api: Api, replica: Api, game: AnyGame
) -> None:
    source = await sit_down(api, game=game.id)
    await play_out(api, source)
    last = (await get(api, source)).session.sequence
    for sequence in (BEGUN, last // 2):
        then = (await api.stub.GetSession(pb.GetSessionRequest(name=source.name, sequence=sequence))).position
        sitting = await fork(replica, source, sequence, OPEN, OPEN)
        waiting = await get(api, sitting)
        assert waiting.session.state == session_pb2.SESSION_STATE_LOBBY
        assert not waiting.HasField("position")
        await join(api, sitting, "Eve", "Fay")
        begun = await get(api, sitting)
        opening = begun.session.opening
        asked = pb.GetSessionRequest(name=sitting.name, sequence=opening)
        went_before = (await replica.stub.GetSession(asked)).position
        assert (went_before.view, went_before.to_act) == (then.view, then.to_act)
        await play_out(api, sitting, [replica])
        replay = (await api.stub.GetReplay(pb.GetReplayRequest(name=sitting.name))).replay
        assert first_difference(replay) is None
        assert [entry.WhichOneof("kind") for entry in replay.entries[1:opening]] == ["moved"] * (opening - 1)
        replay.session.opening = 0
        assert (first_difference(replay) is None) == (sequence == BEGUN), "without moves it is none"


async def test_an_opening_hides_from_each_seat_what_the_game_hides(api: Api) -> None:
    source = await sit_down(api, game="canarias")
    await play_out(api, source)
    sitting = await fork(api, source, (await get(api, source)).session.sequence // 2, OPEN, OPEN)
    await join(api, sitting, "Eve", "Fay")
    for _ in range(4):
        await move_once(api, sitting)
    seen = []
    for token in (*sitting.seats, None):
        replay = (await api.stub.GetReplay(pb.GetReplayRequest(name=sitting.name), metadata=bearer(token))).replay
        seen.append((replay, await look(api, sitting, token)))
    last = await play_out(api, sitting)
    whole = (await api.stub.GetReplay(pb.GetReplayRequest(name=sitting.name))).replay
    received = RecomputedReplay(whole)
    for viewer, (replay, position) in zip((0, 1, None), seen, strict=True):
        assert position == received.position(position.sequence, viewer)
        assert list(replay.entries) != list(whole.entries[: len(replay.entries)])
    assert last == len(whole.entries)


async def test_an_opening_that_is_not_one_is_found_out(api: Api) -> None:
    source = await sit_down(api)
    await play_out(api, source)
    sitting = await fork(api, source, BEGUN + 10, BOT, BOT)
    replay = (await api.stub.GetReplay(pb.GetReplayRequest(name=sitting.name))).replay
    assert first_difference(replay) is None
    for opening in (1, replay.session.opening - 3, replay.session.opening + 1, len(replay.entries) + 9):
        tampered = session_pb2.Replay()
        tampered.CopyFrom(replay)
        tampered.session.opening = opening
        assert first_difference(tampered) is not None, opening


async def test_what_a_fork_is_to_be_is_checked(api: Api) -> None:
    source = await finished(api)
    wrongs: tuple[tuple[str, dict[str, Any]], ...] = (
        ("sequence", {"sequence": 0}),
        ("sequence", {"sequence": -1}),
        ("seats", {"seats": [OPEN]}),
        ("seats", {"seats": [OPEN] * 17}),
        ("seats[1].level", {"seats": [OPEN, pb.SeatSetup(occupant=session_pb2.OCCUPANT_BOT, level="genius")]}),
        ("labels", {"labels": {"": ""}}),
        ("visibility", {"visibility": 9}),
        ("request_id", {"request_id": "1"}),
    )
    for field, wrong in wrongs:
        asked: dict[str, Any] = {"name": source.name, "sequence": BEGUN, "seats": [OPEN, OPEN], **wrong}
        with refused("INVALID_ARGUMENT", "INVALID_FIELD", field=field):
            await api.stub.ForkSession(pb.ForkSessionRequest(**asked))


async def test_a_fork_is_listed_only_where_it_is_to_be(api: Api) -> None:
    source = await finished(api)
    hidden = await fork(api, source, BEGUN, OPEN, OPEN)
    asked = pb.ForkSessionRequest(
        name=source.name, sequence=BEGUN, seats=[OPEN, OPEN], visibility=session_pb2.VISIBILITY_PUBLIC
    )
    public = (await api.stub.ForkSession(asked)).session.name
    listed = {one.name for one in (await api.stub.ListSessions(pb.ListSessionsRequest(page_size=100))).sessions}
    assert (hidden.name in listed, public in listed) == (False, True)


async def test_who_keeps_a_seat_is_a_player_of_nothing_yet(api: Api) -> None:
    """The old token opens the old session alone."""
    sitting = await finished(api)
    made = await rematch(api, sitting, 0)
    with refused("UNAUTHENTICATED", "TOKEN_INVALID"):
        await api.stub.GetSession(pb.GetSessionRequest(name=made.session.name), metadata=bearer(sitting.seats[1]))
    with refused("FAILED_PRECONDITION", "SEAT_TAKEN"):
        await api.stub.JoinSession(pb.JoinSessionRequest(name=made.session.name, display_name="Eve"))
    other = await create(api, OPEN, OPEN)
    with refused("UNAUTHENTICATED", "TOKEN_INVALID"):
        await rematch(api, Sitting(sitting.name, "", "", [other.host]), 0)
