"""Playing over one stream: each update once and in order, one response per act, and no session delays another."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from google.rpc import code_pb2

from skerry.v1 import service_pb2 as pb
from skerry_service.api.play_stream import Play
from skerry_service.domain.errors import ShuttingDown
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from tests.api.playing import Player, attach, move, new_id, reason_of
from tests.api.test_observe import nothing_is_watched
from tests.api.watching import Watcher
from tests.api.wire import (
    OPEN,
    Api,
    Sitting,
    bearer,
    create,
    everything,
    look,
    lose_seat,
    move_once,
    play_out,
    refused,
    sit_down,
    turn,
)

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def next_act(api: Api, sitting: Sitting, handles: dict[str, int], pick: int = 0, **fields: str) -> pb.PlayAct:
    """Return a move of the seat that is to act; ``handles`` by token."""
    token, position = await turn(api, sitting)
    chosen = position.legal_moves[pick % len(position.legal_moves)]
    return move(handles[token], chosen, position.sequence, **({"request_id": new_id()} | fields))


async def test_whole_games_are_played_side_by_side_over_one_stream(api: Api, valkey: EmbeddedServer) -> None:
    sittings = [await sit_down(api, seats) for seats in (2, 3, 4)]
    handles = {
        token: 10 * table + seat + 1 for table, one in enumerate(sittings) for seat, token in enumerate(one.seats)
    }
    tables = {token: one for one in sittings for token in one.seats}
    player = Player(api, *(attach(handle, tables[token], token) for token, handle in handles.items()))

    async def play_one(sitting: Sitting) -> None:
        moves = 0
        while (await look(api, sitting)).to_act:
            act, moves = await next_act(api, sitting, handles, 7 * moves), moves + 1
            (answer,) = await player.answers(act)
            assert answer.acted.sequence > act.expected_sequence

    await asyncio.gather(*map(play_one, sittings))
    await player.done()
    for token, handle in handles.items():
        watcher = Watcher(api, tables[token], token)
        await watcher.ends()
        last = watcher.messages[-1]
        assert [entry.sequence for entry in player.entries(handle)] == list(range(1, last.sequence + 1))
        assert player.observed(handle)[-1].position == last.position
        assert player.of(handle)[-1].HasField("ended")
        assert sum(update.HasField("session") for update in player.observed(handle)) == 2  # at first and at the end
    check_answered_in_order(player)
    await nothing_is_watched(valkey)


def check_answered_in_order(player: Player) -> None:
    """The update that reaches an act's sequence comes before the act's answer."""
    reached = dict.fromkeys({update.handle for update in player.updates}, 0)
    for update in player.updates:
        if update.HasField("acted"):
            assert update.acted.sequence <= reached[update.handle]
        elif update.HasField("observed"):
            reached[update.handle] = update.observed.sequence


@pytest.mark.parametrize("view", [pb.POSITION_VIEW_NONE, pb.POSITION_VIEW_TO_ACT, pb.POSITION_VIEW_FULL])
async def test_each_attachment_is_shown_as_much_as_it_asks_for(api: Api, view: pb.PositionView.ValueType) -> None:
    sitting = await sit_down(api)
    token = sitting.seats[0]
    player = Player(api, attach(1, sitting, token, view=view), attach(2, sitting, token))
    last = await play_out(api, sitting)
    await player.done()
    whole = {message.sequence: message.position for message in player.observed(2)}
    assert list(whole)[-1] == last
    for message in player.observed(1):
        position = whole.get(message.sequence)
        if position is not None:
            wanted = view == pb.POSITION_VIEW_FULL
            wanted |= view == pb.POSITION_VIEW_TO_ACT and bool(position.legal_moves or position.HasField("outcome"))
            assert message.HasField("position") == wanted
            assert not wanted or message.position == position


async def test_an_attachment_receives_the_entries_after_its_sequence(api: Api) -> None:
    sitting = await sit_down(api)
    now = (await look(api, sitting)).sequence
    afters = {1: 0, 2: 1, 3: now - 1, 4: now, 5: None}
    player = Player(api, *(attach(handle, sitting, None, after) for handle, after in afters.items()))
    for handle in afters:
        await player.reaches(handle, now)
    last = await play_out(api, sitting)
    await player.done()
    for handle, after in afters.items():
        first = player.observed(handle)[0]
        assert first.HasField("session")
        begin = now if after is None else after
        assert [entry.sequence for entry in player.entries(handle)] == list(range(begin + 1, last + 1))


async def test_acts_of_one_session_are_made_in_order_and_answered_in_order(api: Api) -> None:
    """A whole request of acts at once: each is decided on what the one before brings."""
    sitting = await sit_down(api, seed=bytes(32))
    acts, handles = [], dict(zip(sitting.seats, (1, 2), strict=True))
    twin = await sit_down(api, seed=bytes(32))
    for pick in range(12):
        act = await next_act(api, twin, dict(zip(twin.seats, (1, 2), strict=True)), pick)
        acts.append(act)
        await api.stub.Act(
            pb.ActRequest(name=twin.name, move=act.move, expected_sequence=act.expected_sequence),
            metadata=bearer(twin.seats[act.handle - 1]),
        )
    wrong = move(1, acts[0].move, acts[0].expected_sequence, request_id=new_id())
    player = Player(api, *(attach(handle, sitting, token) for token, handle in handles.items()))
    await player.answers(*acts[:6], wrong, *acts[6:])
    responses = [update for update in player.updates if update.WhichOneof("kind") in ("acted", "refused")]
    for handle in (1, 2):
        sent = [act.request_id for act in (*acts[:6], wrong, *acts[6:]) if act.handle == handle]
        answered = [one.acted.request_id or one.refused.request_id for one in responses if one.handle == handle]
        assert answered == sent
    assert [reason_of(one.refused.status) for one in responses if one.HasField("refused")] == ["STALE_SEQUENCE"]
    assert (await look(api, sitting)).sequence == (await look(api, twin)).sequence
    check_answered_in_order(player)
    await player.hang_up()


async def test_one_message_has_the_response_and_the_updates_of_all_viewers_of_a_move(api: Api) -> None:
    """A message costs the server more than what is in it."""
    sitting = await sit_down(api)
    handles = dict(zip(sitting.seats, (1, 2), strict=True))
    call: Any = api.stub.Play()
    await call.write(pb.PlayRequest(attach=[attach(handle, sitting, token) for token, handle in handles.items()]))
    begun: set[int] = set()
    while begun < {1, 2}:
        begun |= {update.handle for update in (await call.read()).updates}
    for _ in range(5):
        act = await next_act(api, sitting, handles)
        await call.write(pb.PlayRequest(acts=[act]))
        message = await call.read()
        while all(update.observed.heartbeat for update in message.updates):
            message = await call.read()
        assert [update.handle for update in message.updates if update.HasField("acted")] == [act.handle]
        assert {update.handle for update in message.updates if update.HasField("observed")} == {1, 2}
    call.cancel()


async def test_an_act_repeated_over_any_way_is_made_once(api: Api, replica: Api) -> None:
    sitting = await sit_down(api)
    token, position = await turn(api, sitting)
    act = move(1, position.legal_moves[0], position.sequence, request_id=new_id())
    player, other = Player(api, attach(1, sitting, token)), Player(replica, attach(1, sitting, token, None))
    await asyncio.gather(player.send(*[act] * 5), other.send(*[act] * 5))
    request = pb.ActRequest(
        name=sitting.name, move=act.move, expected_sequence=act.expected_sequence, request_id=act.request_id
    )
    answer = await api.stub.Act(request, metadata=bearer(token))
    for one in (player, other):
        await one.receives(lambda update: update.HasField("acted"), 5)
        assert {update.acted.sequence for update in one.updates if update.HasField("acted")} == {answer.sequence}
        await one.hang_up()
    mine = [entry for entry in answer.entries if entry.HasField("seat")]
    assert len(mine) == 1
    assert (await look(api, sitting)).sequence == answer.sequence


async def test_the_last_act_can_be_repeated_after_the_end_and_another_is_refused(api: Api) -> None:
    sitting = await sit_down(api)
    handles = dict(zip(sitting.seats, (1, 2), strict=True))
    player = Player(api, *(attach(handle, sitting, token) for token, handle in handles.items()))
    while True:
        act = await next_act(api, sitting, handles)
        (answer,) = await player.answers(act)
        if not (await look(api, sitting)).to_act:
            break
    await player.hang_up()
    again = Player(api, attach(act.handle, sitting, sitting.seats[act.handle - 1], answer.acted.sequence))
    await again.receives(lambda update: update.HasField("ended"))
    assert await again.answers(act) == [answer]
    act.request_id = new_id()
    (refusal,) = await again.answers(act)
    assert reason_of(refusal.refused.status) == "GAME_OVER"
    await again.done()


async def test_a_refused_act_has_the_status_of_a_refused_call_and_ends_no_attachment(api: Api) -> None:
    sitting = await sit_down(api, 3)
    token, position = await turn(api, sitting)
    other = next(one for one in sitting.seats if one != token)
    before = await everything(api, sitting)
    good, now = position.legal_moves[0], position.sequence
    player = Player(
        api, attach(1, sitting, token), attach(2, sitting, other), attach(3, sitting, sitting.host), attach(4, sitting)
    )
    for act, reason in (
        (move(1, good, now - 1), "STALE_SEQUENCE"),
        (move(1, good, now + 1), "SEQUENCE_AHEAD"),
        (move(1, good, 0), "INVALID_FIELD"),
        (move(1, type(good)(), now), "MALFORMED_MOVE"),
        (move(2, good, now), "NOT_YOUR_TURN"),
        (move(3, good, now), "NOT_ALLOWED"),
        (move(4, good, now), "TOKEN_MISSING"),
        (move(1, good, now, request_id="x"), "INVALID_FIELD"),
        (move(5, good, now), "INVALID_FIELD"),
    ):
        act.request_id = act.request_id or new_id()
        (refusal,) = await player.answers(act)
        status = refusal.refused.status
        request = pb.ActRequest(
            name=sitting.name, move=act.move, expected_sequence=act.expected_sequence, request_id=act.request_id
        )
        assert reason_of(status) == reason
        if act.handle < 4:
            with refused(code_pb2.Code.Name(status.code), reason) as called:
                tokens = {1: token, 2: other, 3: sitting.host}
                await api.stub.Act(request, metadata=bearer(tokens[act.handle]))
            assert called.message == status.message
    assert await everything(api, sitting) == before
    (answer,) = await player.answers(move(1, good, now, request_id=new_id()))
    assert answer.acted.sequence > now
    await player.hang_up()


async def test_a_checked_act_is_answered_and_not_made(api: Api) -> None:
    sitting = await sit_down(api)
    token, position = await turn(api, sitting)
    before = await everything(api, sitting)
    player = Player(api, attach(1, sitting, token))
    act = move(1, position.legal_moves[0], position.sequence, request_id=new_id(), validate_only=True)
    (answer,) = await player.answers(act)
    assert answer.acted == pb.PlayActed(request_id=act.request_id, sequence=position.sequence)
    assert await everything(api, sitting) == before
    await player.hang_up()


async def test_an_attachment_that_is_refused_ends_no_other(api: Api) -> None:
    sitting, closed = await sit_down(api), await sit_down(api, spectating="SPECTATING_NOBODY")
    now = (await look(api, sitting)).sequence
    none = Sitting("sessions/aaaaaaaaaaaaaaaa", "", "")
    player = Player(
        api,
        attach(1, none),
        attach(2, Sitting("aaaaaaaaaaaaaaaa", "", "")),
        attach(3, sitting, "skerry_seat_nonsense"),
        attach(4, closed),
        attach(5, sitting, None, now + 1),
        attach(6, sitting, None, -1),
        attach(7, sitting, None, view=9),
        attach(8, sitting, sitting.seats[0]),
    )
    reasons = (
        "SESSION_NOT_FOUND",
        "INVALID_FIELD",
        "TOKEN_INVALID",
        "NOT_ALLOWED",
        "SEQUENCE_AHEAD",
        "INVALID_FIELD",
        "INVALID_FIELD",
    )
    for handle, reason in enumerate(reasons, 1):
        await player.receives(lambda one: one.HasField("refused"), len(reasons))
        (update,) = player.of(handle)
        assert (reason_of(update.refused.status), update.refused.act) == (reason, False)
    answer = await move_once(api, sitting)
    await player.reaches(8, answer.sequence)
    await player.hang_up()


async def test_a_player_who_loses_a_seat_is_cut_off_and_other_viewers_are_not(api: Api) -> None:
    sitting = await sit_down(api, 3)
    player = Player(api, *(attach(seat + 1, sitting, token) for seat, token in enumerate(sitting.seats)))
    for handle in (1, 2, 3):
        await player.reaches(handle, 1)
    left = await lose_seat(api, sitting, 1)
    refusal = await player.receives(lambda one: one.HasField("refused"))
    assert (refusal.handle, reason_of(refusal.refused.status)) == (2, "TOKEN_INVALID")
    await player.reaches(1, left.session.sequence)
    assert left.session.sequence not in [entry.sequence for entry in player.entries(2)]
    await player.hang_up()


async def test_a_lobby_is_followed_through_the_start(api: Api) -> None:
    sitting = await create(api, OPEN, OPEN)
    player = Player(api, attach(1, sitting, sitting.host))
    assert not (await player.reaches(1, 1)).HasField("position")
    for name in ("Ada", "Bob"):
        await api.stub.JoinSession(pb.JoinSessionRequest(name=sitting.name, display_name=name))
    begun = await player.reaches(1, 4)
    assert begun.HasField("position")
    await player.hang_up()


async def test_a_stream_that_starts_while_the_server_closes_ends_with_that_reason() -> None:
    def closing_already(subscriber: Callable[[], None]) -> Callable[[], None]:
        subscriber()
        return subscriber

    async def nothing_ever(*_: Any) -> Any:
        await asyncio.Event().wait()

    never: Any = nothing_ever
    stream = Play(never, never, never, closing_already, never, never).messages(never)
    with pytest.raises(ShuttingDown):
        async with asyncio.timeout(10):
            await anext(stream)
