"""A frontend's own marks: labels of sessions, ids of players."""

from __future__ import annotations

import asyncio

import pytest

from skerry_service.domain.errors import (
    GameOver,
    NotAllowed,
    RequestIdReused,
    TokenInvalid,
    TokenMissing,
)
from skerry_service.domain.log import Labelled
from skerry_service.domain.table import OPEN, Table
from skerry_service.domain.tokens import ANONYMOUS, Caller, Role, may_see_player_ids
from skerry_service.sessions.actions.new_session import NewSession
from skerry_service.sessions.service import Sessions
from skerry_service.sessions.store_port import REQUEST_WINDOW
from tests.games.pairs import GAME as PAIRS
from tests.sessions.stores import FaultyStore
from tests.sessions.tables import SEED, begin, log_of, move_once, nth_move, play_out, sit_down, stored, uuid

CUP, FINAL = (("event", "spring-cup"),), (("event", "spring-cup"), ("round", "final"))


def ids(table: Table) -> list[str]:
    return [seat.player_id for seat in table.record.seats]


# ---------------------------------------------------------------- labels


async def test_a_session_has_the_labels_that_it_was_created_with(sessions: Sessions, another: Sessions) -> None:
    sitting = await begin(sessions, PAIRS, OPEN, OPEN, labels=FINAL)
    assert (await another.get(sitting.id, None))[0].record.labels == FINAL


@pytest.mark.parametrize("change", [{"labels": FINAL}, {"labels": ()}, {"public_player_ids": True}])
async def test_a_repeat_with_other_marks_is_another_request(sessions: Sessions, change: dict[str, object]) -> None:
    new = {"game": PAIRS, "options": PAIRS.options_type(), "seats": (OPEN, OPEN), "seed": SEED, "labels": CUP}
    first = await sessions.create(NewSession(**new), uuid(1))  # type: ignore[arg-type]
    assert await sessions.create(NewSession(**new), uuid(1)) == first  # type: ignore[arg-type]
    with pytest.raises(RequestIdReused):
        await sessions.create(NewSession(**new | change), uuid(1))  # type: ignore[arg-type]


async def test_the_host_replaces_all_labels_and_the_log_tells_it(sessions: Sessions, store: FaultyStore) -> None:
    sitting = await begin(sessions, PAIRS, OPEN, OPEN, labels=CUP)
    for labels in (FINAL, (), CUP, CUP):
        table = await sessions.host.label(sitting.id, sitting.host, labels, None)
        assert table.record.labels == labels
        (applied,) = (await log_of(store, sitting.id))[-1].applied
        assert (applied.entry, applied.sequence) == (Labelled(labels), table.sequence)
        assert await stored(store, sitting.id) == table


async def test_only_the_host_labels(sessions: Sessions) -> None:
    sitting = await sit_down(sessions, PAIRS, 2, labels=CUP)
    for token, refusal in (
        (None, TokenMissing),
        ("skerry_host_no", TokenInvalid),
        (sitting.seats[0], NotAllowed),
        (sitting.spectator, NotAllowed),
    ):
        with pytest.raises(refusal):
            await sessions.host.label(sitting.id, token, (), None)
    assert (await sessions.get(sitting.id, None))[0].record.labels == CUP


async def test_nobody_labels_a_game_that_is_over(sessions: Sessions) -> None:
    sitting = await sit_down(sessions, PAIRS, 2, labels=CUP)
    await play_out(sessions, sitting)
    with pytest.raises(GameOver):
        await sessions.host.label(sitting.id, sitting.host, (), None)


async def test_labelling_again_is_answered_as_it_was_and_done_once(sessions: Sessions, another: Sessions) -> None:
    sitting = await begin(sessions, PAIRS, OPEN, OPEN)
    first = await sessions.host.label(sitting.id, sitting.host, CUP, uuid(1))
    await sessions.host.label(sitting.id, sitting.host, FINAL, uuid(2))
    assert await another.host.label(sitting.id, sitting.host, CUP, uuid(1)) == first
    with pytest.raises(RequestIdReused):
        await another.host.label(sitting.id, sitting.host, FINAL, uuid(1))
    assert (await sessions.get(sitting.id, None))[0].record.labels == FINAL


async def test_a_label_makes_no_decision_stale(sessions: Sessions) -> None:
    sitting = await sit_down(sessions, PAIRS, 2)
    table, _ = await sessions.get(sitting.id, None)
    move = nth_move(table, seat := table.to_act[0], 0)
    labelled = await sessions.host.label(sitting.id, sitting.host, CUP, None)
    mover = await sessions.moves.seated(sitting.id, sitting.seats[seat])
    change, _ = await sessions.moves.act(mover, move, table.sequence, None)
    assert change.applied[0].sequence == labelled.sequence + 1 == table.sequence + 2
    assert change.table.record.labels == CUP


async def test_a_game_that_was_labelled_all_along_is_the_fold_of_its_log(
    sessions: Sessions, another: Sessions, store: FaultyStore
) -> None:
    sitting = await sit_down(sessions, PAIRS, 3)
    for step in range(4):
        labels = (("step", str(step)),)
        calls = [sessions.host.label(sitting.id, sitting.host, labels, None), another.get(sitting.id, None)]
        await asyncio.gather(*calls)
        await move_once(another, sitting, step)
    last = await play_out(sessions, sitting)
    assert (await log_of(store, sitting.id))[-1].table == await stored(store, sitting.id) == last
    assert last.record.labels == (("step", "3"),)


# ---------------------------------------------------------------- ids of players


async def test_a_player_id_sits_down_leaves_the_lobby_and_stays_in_play(sessions: Sessions) -> None:
    sitting = await begin(sessions, PAIRS, OPEN, OPEN)
    table, _, token = await sessions.players.join(sitting.id, "Ada", None, None, player_id="a-1")
    assert ids(table) == ["a-1", ""]
    assert ids(await sessions.players.leave(sitting.id, token, None)) == ["", ""]
    tokens = [(await sessions.players.join(sitting.id, f"p{n}", n, None, player_id=f"id-{n}"))[2] for n in range(2)]
    left = await sessions.players.leave(sitting.id, tokens[0], None)
    assert ids(left) == ["id-0", "id-1"]
    opened = await sessions.host.open_seat(sitting.id, sitting.host, 0, None)
    assert ids(opened) == ["id-0", "id-1"], "the substitute plays on for the same player"
    joined, _, _ = await sessions.players.join(sitting.id, "Eve", None, None)
    assert ids(joined) == ["", "id-1"]


async def test_a_player_id_follows_its_seat_when_seats_close_up(sessions: Sessions) -> None:
    sitting = await begin(sessions, PAIRS, OPEN, OPEN, OPEN, OPEN)
    for name, seat in (("Ada", 1), ("Bob", 3)):
        await sessions.players.join(sitting.id, name, seat, None, player_id=name.lower())
    assert ids(await sessions.host.start(sitting.id, sitting.host, False, None)) == ["ada", "bob"]


async def test_two_players_can_have_one_id(sessions: Sessions) -> None:
    """It is the frontend's, and means nothing here."""
    sitting = await begin(sessions, PAIRS, OPEN, OPEN)
    for name in ("Ada", "Bob"):
        await sessions.players.join(sitting.id, name, None, None, player_id="same")
    assert ids((await sessions.get(sitting.id, None))[0]) == ["same", "same"]


@pytest.mark.parametrize("forgotten", [False, True])
async def test_a_join_with_another_player_id_is_another_request(sessions: Sessions, forgotten: bool) -> None:
    sitting = await begin(sessions, PAIRS, OPEN, OPEN, OPEN)
    _, seat, token = await sessions.players.join(sitting.id, "Ada", None, uuid(1), player_id="a-1")
    for number in range(REQUEST_WINDOW * forgotten):
        await sessions.host.label(sitting.id, sitting.host, (), uuid(2 + number))
    assert (await sessions.players.join(sitting.id, "Ada", None, uuid(1), player_id="a-1"))[1:] == (seat, token)
    for player_id in ("", "a-2"):
        with pytest.raises(RequestIdReused):
            await sessions.players.join(sitting.id, "Ada", None, uuid(1), player_id=player_id)


async def test_holders_of_seat_and_host_tokens_may_know_the_players_and_others_where_they_are_public(
    sessions: Sessions,
) -> None:
    for public in (False, True):
        sitting = await begin(sessions, PAIRS, OPEN, OPEN, public_player_ids=public)
        record = (await sessions.get(sitting.id, None))[0].record
        for caller, may in (
            (Caller(Role.SEAT, 1), True),
            (Caller(Role.HOST), True),
            (Caller(Role.SPECTATOR), public),
            (ANONYMOUS, public),
        ):
            assert may_see_player_ids(record, caller) == may
