"""Making a move: when it is made, when it is refused, and what the refusal says."""

from __future__ import annotations

import pytest

from skerry.v1 import payload_pb2
from skerry.v1 import service_pb2 as pb
from skerry_games.catalogue import all_games
from tests.api.wire import OPEN, Api, act, bearer, create, everything, get, look, play_out, refused, sit_down, turn

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_a_move_is_stored_before_it_is_answered(api: Api, replica: Api) -> None:
    sitting = await sit_down(api)
    token, position = await turn(api, sitting)
    request = act(sitting, position.legal_moves[0], position.sequence, view=pb.POSITION_VIEW_FULL)
    answer = await api.stub.Act(request, metadata=bearer(token))
    got = await get(replica, sitting, token)
    assert (got.position, got.session.sequence, got.session.epoch) == (answer.position, answer.sequence, answer.epoch)
    assert [entry.sequence for entry in answer.entries] == list(range(position.sequence + 1, answer.sequence + 1))
    assert answer.entries[0].seat == got.seat
    assert answer.entries[0].moved.move == position.legal_moves[0]
    assert not answer.entries[0].automatic


@pytest.mark.parametrize("view", [pb.POSITION_VIEW_UNSPECIFIED, pb.POSITION_VIEW_NONE])
async def test_the_position_is_shown_only_when_asked_for(api: Api, view: pb.PositionView.ValueType) -> None:
    sitting = await sit_down(api)
    token, position = await turn(api, sitting)
    request = act(sitting, position.legal_moves[0], position.sequence, view=view)
    answer = await api.stub.Act(request, metadata=bearer(token))
    assert not answer.HasField("position")
    assert answer.entries


@pytest.mark.parametrize("game", all_games())
async def test_a_bot_is_shown_the_position_where_it_is_to_act_and_at_the_end(api: Api, game: str) -> None:
    sitting = await sit_down(api, all_games()[game].seats[0], game=game)
    shown, moves = set(), 0
    while (await look(api, sitting)).to_act:
        token, position = await turn(api, sitting)
        move, moves = position.legal_moves[7 * moves % len(position.legal_moves)], moves + 1
        request = act(sitting, move, position.sequence, view=pb.POSITION_VIEW_TO_ACT)
        answer = await api.stub.Act(request, metadata=bearer(token))
        now = await look(api, sitting, token)
        assert answer.HasField("position") == (now.HasField("outcome") or bool(now.legal_moves))
        assert not answer.HasField("position") or answer.position == now
        shown.add((answer.HasField("position"), now.HasField("outcome")))
    assert shown >= {(False, False), (True, True)}
    assert (True, False) in shown or moves < 10, "no seat is to act twice in a row"


async def test_nobody_moves_in_the_lobby(api: Api) -> None:
    sitting = await create(api, OPEN, OPEN)
    join = pb.JoinSessionRequest(name=sitting.name, display_name="Ada")
    token = (await api.stub.JoinSession(join)).seat_token
    _, position = await turn(api, other := await sit_down(api))
    assert other.name != sitting.name
    with refused("FAILED_PRECONDITION", "NOT_STARTED"):
        await api.stub.Act(act(sitting, position.legal_moves[0], 2), metadata=bearer(token))
    assert not (await get(api, sitting)).HasField("position")


async def test_nobody_moves_after_the_end(api: Api) -> None:
    sitting = await sit_down(api)
    _, first = await turn(api, sitting)
    last = await play_out(api, sitting)
    for token in sitting.seats:
        for expected in (first.sequence, last):
            with refused("FAILED_PRECONDITION", "GAME_OVER"):
                await api.stub.Act(act(sitting, first.legal_moves[0], expected), metadata=bearer(token))


async def test_an_act_out_of_turn_names_the_seat_to_act(api: Api) -> None:
    sitting = await sit_down(api, 3)
    token, position = await turn(api, sitting)
    for other in set(sitting.seats) - {token}:
        seen = await look(api, sitting, other)
        assert (list(seen.legal_moves), list(seen.to_act)) == ([], list(position.to_act))
        with refused("FAILED_PRECONDITION", "NOT_YOUR_TURN", to_act=position.seat):
            await api.stub.Act(act(sitting, position.legal_moves[0], position.sequence), metadata=bearer(other))


async def test_a_stale_position_is_refused_with_the_current_sequence(api: Api) -> None:
    sitting = await sit_down(api)
    token, position = await turn(api, sitting)
    for expected in (1, position.sequence - 1):
        with refused("ABORTED", "STALE_SEQUENCE", sequence=position.sequence):
            await api.stub.Act(act(sitting, position.legal_moves[0], expected), metadata=bearer(token))


@pytest.mark.parametrize("game", all_games())
async def test_a_forbidden_move_is_refused_by_a_numbered_rule_of_the_game(api: Api, game: str) -> None:
    """Moves that were legal once are tried throughout a game; those that are not now are refused by a rule."""
    rules = {rule.id for rule in (await api.stub.GetGame(pb.GetGameRequest(name=f"games/{game}"))).game.rules}
    sitting = await sit_down(api, all_games()[game].seats[0], game=game)
    seen: dict[bytes, payload_pb2.Move] = {}
    broken = set()
    for step in range(30):
        token, position = await turn(api, sitting)
        legal = {move.SerializeToString(): move for move in position.legal_moves}
        seen |= legal
        before = await everything(api, sitting)
        for packed in sorted(set(seen) - set(legal))[step % 5 :: 17]:
            with refused("FAILED_PRECONDITION", "RULE_BROKEN") as refusal:
                await api.stub.Act(act(sitting, seen[packed], position.sequence), metadata=bearer(token))
            assert refusal.metadata["rule"] in rules
            assert refusal.message.startswith(refusal.metadata["rule"])
            broken.add(refusal.metadata["rule"])
        assert await everything(api, sitting) == before
        move = position.legal_moves[step % len(position.legal_moves)]
        await api.stub.Act(act(sitting, move, position.sequence), metadata=bearer(token))
        if not (await look(api, sitting)).to_act:
            break
    assert broken


async def test_a_checked_move_is_not_made_and_tells_nothing_but_the_sequence(api: Api) -> None:
    sitting = await sit_down(api)
    for _ in range(25):
        token, position = await turn(api, sitting)
        before = await everything(api, sitting)
        for move in position.legal_moves[:2]:
            request = act(sitting, move, position.sequence, validate_only=True, view=pb.POSITION_VIEW_FULL)
            answer = await api.stub.Act(request, metadata=bearer(token))
            epoch = (await get(api, sitting)).session.epoch
            assert answer == pb.ActResponse(sequence=position.sequence, epoch=epoch)
        assert await everything(api, sitting) == before
        move = position.legal_moves[position.sequence % len(position.legal_moves)]
        await api.stub.Act(act(sitting, move, position.sequence), metadata=bearer(token))


async def test_a_checked_move_is_refused_as_a_made_one(api: Api) -> None:
    sitting = await sit_down(api)
    token, position = await turn(api, sitting)
    other = next(one for one in sitting.seats if one != token)
    move, now = position.legal_moves[0], position.sequence
    for caller, expected, code, reason in (
        (None, now, "UNAUTHENTICATED", "TOKEN_MISSING"),
        (other, now, "FAILED_PRECONDITION", "NOT_YOUR_TURN"),
        (sitting.host, now, "PERMISSION_DENIED", "NOT_ALLOWED"),
        (token, now - 1, "ABORTED", "STALE_SEQUENCE"),
        (token, now + 1, "OUT_OF_RANGE", "SEQUENCE_AHEAD"),
    ):
        for validate_only in (True, False):
            with refused(code, reason):
                request = act(sitting, move, expected, validate_only=validate_only)
                await api.stub.Act(request, metadata=bearer(caller))


async def test_what_is_written_on_a_listed_move_does_not_matter(api: Api) -> None:
    sitting = await sit_down(api)
    token, position = await turn(api, sitting)
    move = position.legal_moves[0]
    said, move.text = move.text, "win at once"
    answer = await api.stub.Act(act(sitting, move, position.sequence), metadata=bearer(token))
    assert answer.entries[0].moved.move.text == said
