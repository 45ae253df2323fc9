"""Tokens, and repeats of requests."""

from __future__ import annotations

from uuid import UUID

import pytest
from msgspec import msgpack

from skerry.v1 import service_pb2 as pb
from skerry_service.api.requests.new_session_requests import new_session_of
from skerry_service.domain.errors import RequestIdReused, SeatTaken, TokenInvalid
from skerry_service.domain.record import unpack_record
from skerry_service.domain.table import OPEN
from skerry_service.domain.tokens import Role, digest, new_token
from skerry_service.sessions.actions.new_session import NewSession
from skerry_service.sessions.request_identity import identify, session_id
from skerry_service.sessions.service import Sessions
from skerry_service.sessions.store_port import REQUEST_WINDOW
from tests.games.pairs import GAME as PAIRS
from tests.games.pairs.state import Bury, Lay
from tests.sessions.stores import FaultyStore
from tests.sessions.tables import Clock, begin, nth_move, play_out, sit_down, uuid

NEW = NewSession(game=PAIRS, options=PAIRS.options_type(), seats=(OPEN, OPEN))


def test_a_token_follows_from_role_salt_and_request_and_from_nothing_less() -> None:
    one = new_token(Role.SEAT, b"salt", uuid(1))
    assert one == new_token(Role.SEAT, b"salt", uuid(1))
    assert len(one.removeprefix("skerry_seat_")) == 26, "128 bits in base32"
    others = {
        new_token(role, salt, uuid(n)) for role in (Role.SEAT, Role.HOST) for salt in (b"a", b"b") for n in (1, 2)
    }
    assert len({token.rpartition("_")[2] for token in {one} | others}) == 9


def test_a_request_is_who_asks_what_under_which_id() -> None:
    asked = identify(uuid(1), "token", "act", 5, None)
    assert asked == identify(uuid(1), "token", "act", 5, None)
    assert asked.id == identify(uuid(1), "token", "leave").id
    assert asked.payload != identify(uuid(1), "token", "leave").payload
    assert asked.id != identify(uuid(1), "other token", "act", 5, None).id
    assert asked.id != identify(uuid(2), "token", "act", 5, None).id
    assert len(asked.id) == len(asked.payload) == 8


def test_the_id_of_a_session_does_not_tell_the_request() -> None:
    ids = {session_id(UUID(int=number).bytes, "") for number in range(200)}
    assert len(ids) == 200
    assert all(len(one) == 16 and one.isalnum() and one.islower() for one in ids)
    assert {session_id(UUID(int=number).bytes, "eu1") for number in range(200)} == {f"{one}.eu1" for one in ids}


async def test_the_record_holds_digests_of_tokens_and_never_a_token(sessions: Sessions, store: FaultyStore) -> None:
    sitting = await sit_down(sessions, PAIRS, 2)
    head = await store.load(sitting.id)
    assert head is not None
    record = unpack_record(head.record)
    assert [seat.token for seat in record.seats] == [digest(token) for token in sitting.seats]
    assert (record.host_token, record.spectator_token) == (digest(sitting.host), digest(sitting.spectator))
    everything = head.record + head.snapshot + b"".join(await store.batches(sitting.id, 0))
    for token in (*sitting.seats, sitting.host, sitting.spectator):
        assert token.encode() not in everything
        assert token.rpartition("_")[2].encode() not in everything


async def test_a_token_of_another_session_opens_nothing(sessions: Sessions) -> None:
    mine, theirs = await sit_down(sessions, PAIRS, 2), await sit_down(sessions, PAIRS, 2)
    for token in (*theirs.seats, theirs.host, theirs.spectator, "", "x" * 65, mine.seats[0].upper()):
        with pytest.raises(TokenInvalid):
            await sessions.get(mine.id, token)


async def test_creating_again_returns_the_same_session_and_tokens(sessions: Sessions, another: Sessions) -> None:
    table, host, spectator = await sessions.create(NEW, uuid(1))
    again = await another.create(NEW, uuid(1))
    assert (again[0].record, *again[1:]) == (table.record, host, spectator)
    with pytest.raises(RequestIdReused):
        await another.create(NewSession(game=PAIRS, options=PAIRS.options_type(), seats=(OPEN,) * 3), uuid(1))
    assert (await sessions.create(NEW, uuid(2)))[0].record.id != table.record.id


async def test_creating_again_is_the_same_request_on_a_server_with_other_levels(store: FaultyStore) -> None:
    asked = pb.CreateSessionRequest(game="kreta", seats=[pb.SeatSetup()] * 2)
    found = []
    for levels in (("random", "easy", "medium"), ("random",)):
        replica = Sessions(store, clock_ms=Clock(), levels=levels)
        found.append((await replica.create(new_session_of(asked, replica.new_games, replica.levels), uuid(1)))[0])
    assert found[0].record == found[1].record
    assert found[0].record.abandonment.level == "easy"


async def test_joining_again_returns_the_same_seat_and_token(sessions: Sessions, another: Sessions) -> None:
    sitting = await begin(sessions, PAIRS, OPEN, OPEN, OPEN)
    first = await sessions.players.join(sitting.id, "Ada", None, uuid(1))
    await sessions.players.join(sitting.id, "Bob", None, uuid(2))
    assert (await another.players.join(sitting.id, "Ada", None, uuid(1)))[1:] == first[1:]
    for name, wanted in (("Eve", None), ("Ada", 2)):
        with pytest.raises(RequestIdReused):
            await another.players.join(sitting.id, name, wanted, uuid(1))
    assert len((await sessions.get(sitting.id, None))[0].record.open_seats()) == 1


async def test_joining_again_is_remembered_as_long_as_the_seat_is_held(sessions: Sessions, another: Sessions) -> None:
    sitting = await begin(sessions, PAIRS, OPEN, OPEN, OPEN)
    _, _, token = await sessions.players.join(sitting.id, "Ada", 2, uuid(1))
    for number in range(REQUEST_WINDOW):
        other = await sessions.players.join(sitting.id, "Bob", 0, uuid(2 + 2 * number))
        await sessions.players.leave(sitting.id, other[2], uuid(3 + 2 * number))
    await sessions.players.join(sitting.id, "Bob", 0, uuid(0))
    started = await sessions.host.start(sitting.id, sitting.host, False, None)
    assert await another.players.join(sitting.id, "Ada", 2, uuid(1)) == (started, 1, token), "seats have closed up"
    with pytest.raises(RequestIdReused):
        await another.players.join(sitting.id, "Eve", 2, uuid(1))


async def test_starting_and_leaving_again_do_it_once(sessions: Sessions, another: Sessions) -> None:
    sitting = await begin(sessions, PAIRS, OPEN, OPEN, OPEN)
    token = (await sessions.players.join(sitting.id, "Ada", None, None))[2]
    started = await sessions.host.start(sitting.id, sitting.host, True, uuid(1))
    assert await another.host.start(sitting.id, sitting.host, True, uuid(1)) == started
    with pytest.raises(RequestIdReused):
        await another.host.start(sitting.id, sitting.host, False, uuid(1))
    left = await sessions.players.leave(sitting.id, token, uuid(2))
    assert await another.players.leave(sitting.id, token, uuid(2)) == left


async def test_one_request_id_serves_different_callers(sessions: Sessions) -> None:
    sitting = await sit_down(sessions, PAIRS, 2)
    table, _ = await sessions.get(sitting.id, None)
    for seat in (0, 1):
        move = nth_move(table, seat, 0)
        mover = await sessions.moves.seated(sitting.id, sitting.seats[seat])
        await sessions.moves.act(mover, move, table.sequence, uuid(7))
    assert (await sessions.get(sitting.id, None))[0].sequence > table.sequence + 1


async def test_a_repeat_is_answered_within_the_window_and_after_the_end(sessions: Sessions, another: Sessions) -> None:
    sitting = await sit_down(sessions, PAIRS, 2)
    table, _ = await sessions.get(sitting.id, None)
    move = nth_move(table, 0, 0)
    mover = await sessions.moves.seated(sitting.id, sitting.seats[0])
    first = await sessions.moves.act(mover, move, table.sequence, uuid(1))
    await play_out(sessions, sitting)
    mover = await another.moves.seated(sitting.id, sitting.seats[0])
    assert await another.moves.act(mover, move, table.sequence, uuid(1)) == first


async def test_the_window_holds_as_many_requests_as_it_says(sessions: Sessions) -> None:
    sitting = await begin(sessions, PAIRS, OPEN, OPEN)
    token = (await sessions.players.join(sitting.id, "Ada", 0, uuid(0)))[2]
    for number in range(1, REQUEST_WINDOW):
        if number % 2:
            await sessions.players.leave(sitting.id, token, uuid(number))
        else:
            token = (await sessions.players.join(sitting.id, "Ada", 0, uuid(number)))[2]
    await sessions.players.join(sitting.id, "Ada", 0, uuid(0))
    await sessions.players.join(sitting.id, "Bob", 0, uuid(REQUEST_WINDOW))
    with pytest.raises(SeatTaken):
        await sessions.players.join(sitting.id, "Ada", 0, uuid(0))


def test_nothing_of_a_request_is_lost_in_packing() -> None:
    """Moves that differ are different requests, though they pack without the names of their fields."""
    payloads = {identify(uuid(1), "", "act", 1, move).payload for move in (Lay(1), Lay(2), Bury(1), Bury(2))}
    assert len(payloads) == 4
    assert len({msgpack.encode(move) for move in (Lay(1), Bury(1))}) == 2
