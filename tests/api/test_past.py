"""Past positions: each viewer sees again what it saw then, and nothing more."""

from __future__ import annotations

import pytest

from skerry.v1 import service_pb2 as pb
from skerry.v1 import session_pb2
from skerry_games.api import CHANCE_ACTS, AnyGame
from skerry_games.catalogue import all_games
from skerry_games.rng import SeededRng
from tests.api.recomputed import RecomputedReplay, in_bytes
from tests.api.wire import BOT, OPEN, Api, Sitting, bearer, create, get, move_once, play_out, refused, sit_down
from tests.games.conformance.play import middle

pytestmark = pytest.mark.asyncio(loop_scope="module")

BEGUN = 4
"""The entry with which a game for two begins: after Created and two Joined."""
STEP = 5


async def past(api: Api, sitting: Sitting, sequence: int, token: str | None = None) -> pb.GetSessionResponse:
    request = pb.GetSessionRequest(name=sitting.name, sequence=sequence)
    return await api.stub.GetSession(request, metadata=bearer(token))


async def text(
    api: Api, sitting: Sitting, token: str | None = None, sequence: int | None = None
) -> pb.GetPositionTextResponse:
    request = pb.GetPositionTextRequest(name=sitting.name, sequence=sequence)
    return await api.stub.GetPositionText(request, metadata=bearer(token))


@pytest.mark.parametrize("names_the_entry", [False, True])
async def test_a_session_is_read_without_a_position_that_is_not_wanted(api: Api, names_the_entry: bool) -> None:
    sitting = await sit_down(api)
    await move_once(api, sitting)
    now = await get(api, sitting)
    sequence = now.session.sequence if names_the_entry else None
    wanted = {pb.POSITION_VIEW_NONE: [], pb.POSITION_VIEW_TO_ACT: now.position.to_act, pb.POSITION_VIEW_FULL: [0, 1]}
    for view, seats in wanted.items():
        request = pb.GetSessionRequest(name=sitting.name, sequence=sequence, view=view)
        responses = [await api.stub.GetSession(request, metadata=bearer(token)) for token in sitting.seats]
        assert [seat for seat, response in enumerate(responses) if response.HasField("position")] == seats


@pytest.mark.parametrize("game", all_games().values(), ids=list(all_games()))
async def test_each_viewer_sees_what_it_saw_then_during_the_game_and_after_it(api: Api, game: AnyGame) -> None:
    sitting = await sit_down(api, game.seats[0], game=game.id)
    viewers = [*enumerate(sitting.seats), (None, None), (None, sitting.host), (None, sitting.spectator)]
    begun = (await get(api, sitting)).session.sequence
    for number in range(middle(game, game.seats[0], 30)):
        await move_once(api, sitting, 7 * number)
    newest = (await get(api, sitting)).session.sequence
    texts = {
        (viewer, token, sequence): (await text(api, sitting, token, sequence)).text
        for viewer, token in viewers
        for sequence in (begun, newest)
    }
    newest_texts = {(viewer, token): await text(api, sitting, token) for viewer, token in viewers}
    during = {
        (viewer, token, sequence): await past(api, sitting, sequence, token)
        for viewer, token in viewers
        for sequence in (begun, *range(begun + 1, newest, STEP), newest)
    }
    last = await play_out(api, sitting)
    recomputed = RecomputedReplay((await api.stub.GetReplay(pb.GetReplayRequest(name=sitting.name))).replay)
    for (viewer, _), seen_text in newest_texts.items():
        assert (seen_text.sequence, seen_text.text) == (newest, recomputed.text(newest, viewer))
    for (viewer, token, sequence), seen_then in texts.items():
        assert seen_then == recomputed.text(sequence, viewer)
        assert (await text(api, sitting, token, sequence)).text == seen_then
    for (viewer, token, sequence), seen in during.items():
        assert seen.session.sequence == newest
        assert seen.position == recomputed.position(sequence, viewer)
        again = await past(api, sitting, sequence, token)
        assert in_bytes(again.position) == in_bytes(seen.position)
        assert again.session.sequence == last
        redealt = recomputed.redealt(sequence, viewer, SeededRng(recomputed.session.seed, sequence))
        assert in_bytes(again.position) == in_bytes(redealt)


async def test_the_newest_position_can_be_asked_for_by_its_number(api: Api) -> None:
    sitting = await sit_down(api)
    await move_once(api, sitting)
    for token in (None, *sitting.seats):
        newest = await get(api, sitting, token)
        assert await past(api, sitting, newest.session.sequence, token) == newest
        assert newest.session.sequence > BEGUN


@pytest.mark.parametrize("game", all_games().values(), ids=list(all_games()))
async def test_no_seat_is_to_act_in_a_position_where_chance_acts(api: Api, game: AnyGame) -> None:
    """Chance has no seat: a number for it would be taken for one."""
    sitting = await sit_down(api, game.seats[0], game=game.id)
    await play_out(api, sitting)
    recomputed = RecomputedReplay((await api.stub.GetReplay(pb.GetReplayRequest(name=sitting.name))).replay)
    drawn = [
        number
        for number, step in enumerate(recomputed.steps, 1)
        if number >= BEGUN and game.to_act(step.after) == CHANCE_ACTS
    ]
    assert drawn
    for sequence in drawn[:3]:
        assert (await past(api, sitting, sequence)).position.to_act == []


async def test_every_entry_of_a_batch_has_its_position(api: Api) -> None:
    """A game of bots is one batch; a viewer can still walk through it entry by entry."""
    sitting = await create(api, BOT, BOT)
    answer = await get(api, sitting)
    last, begun = answer.session.sequence, 2
    recomputed = RecomputedReplay((await api.stub.GetReplay(pb.GetReplayRequest(name=sitting.name))).replay)
    for sequence in (begun, begun + 1, last // 2, last // 2 + 1, last - 1, last):
        position = (await past(api, sitting, sequence)).position
        assert position == recomputed.position(sequence, None)
        assert position.HasField("outcome") == (sequence == last)


@pytest.mark.parametrize("sequence", [0, -1, -(2**63)])
async def test_what_numbers_no_entry_is_refused(api: Api, sequence: int) -> None:
    sitting = await sit_down(api)
    with refused("INVALID_ARGUMENT", "INVALID_FIELD", field="sequence"):
        await past(api, sitting, sequence)


@pytest.mark.parametrize("ahead", [1, 2**62])
async def test_what_is_not_there_yet_is_refused(api: Api, ahead: int) -> None:
    sitting = await sit_down(api)
    newest = (await get(api, sitting)).session.sequence
    with refused("OUT_OF_RANGE", "SEQUENCE_AHEAD", sequence=newest):
        await past(api, sitting, newest + ahead)


async def test_there_is_no_position_before_the_game_began(api: Api) -> None:
    sitting = await create(api, OPEN, OPEN)
    with refused("FAILED_PRECONDITION", "NOT_STARTED"):
        await past(api, sitting, 1)
    with refused("FAILED_PRECONDITION", "NOT_STARTED"):
        await text(api, sitting, sitting.host)
    begun = await sit_down(api)
    for sequence in range(1, BEGUN):
        with refused("FAILED_PRECONDITION", "NOT_STARTED") as refusal:
            await past(api, begun, sequence, begun.seats[0])
        assert refusal.message == f"The game had not started at entry {sequence}."
    assert (await past(api, begun, BEGUN, begun.seats[0])).HasField("position")


async def test_only_callers_that_may_spectate_see_the_past(api: Api) -> None:
    nobody = await sit_down(api, spectating=session_pb2.SPECTATING_NOBODY)
    for token in (None, nobody.host, nobody.spectator):
        with refused("PERMISSION_DENIED", "NOT_ALLOWED"):
            await past(api, nobody, BEGUN, token)
        for sequence in (None, BEGUN):
            with refused("PERMISSION_DENIED", "NOT_ALLOWED"):
                await text(api, nobody, token, sequence)
    assert (await past(api, nobody, BEGUN, nobody.seats[1])).position.seat == 1
    invited = await sit_down(api, spectating=session_pb2.SPECTATING_INVITED)
    with refused("UNAUTHENTICATED", "TOKEN_MISSING"):
        await past(api, invited, BEGUN)
    assert (await past(api, invited, BEGUN, invited.spectator)).HasField("position")
    with refused("UNAUTHENTICATED", "TOKEN_INVALID"):
        await past(api, invited, BEGUN, nobody.seats[0])


async def test_the_token_of_a_seat_that_another_player_took_opens_no_past_position(api: Api) -> None:
    sitting = await sit_down(api)
    await api.stub.LeaveSession(pb.LeaveSessionRequest(name=sitting.name), metadata=bearer(sitting.seats[0]))
    assert (await past(api, sitting, BEGUN, sitting.seats[0])).position.seat == 0  # it can still come back
    opened = pb.OpenSeatRequest(name=sitting.name, seat=0)
    await api.stub.OpenSeat(opened, metadata=bearer(sitting.host))
    await api.stub.JoinSession(pb.JoinSessionRequest(name=sitting.name, display_name="Eve", seat=0))
    with refused("UNAUTHENTICATED", "TOKEN_INVALID"):
        await past(api, sitting, BEGUN, sitting.seats[0])
