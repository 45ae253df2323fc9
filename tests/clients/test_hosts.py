"""The host fills, opens and labels a table; players join, leave and wait at it."""

from __future__ import annotations

import hashlib

import pytest

from skerry.v1 import session_pb2
from skerry_client import Client, errors

PLAYING = session_pb2.SESSION_STATE_PLAYING


def test_the_host_starts_early_and_seats_close_up(skerry: Client) -> None:
    table = skerry.create("kreta", seats=4)
    ada, bob = table.join("Ada", seat=1), table.join("Bob", seat=3)
    assert (ada.number, bob.number) == (1, 3)
    with pytest.raises(errors.NotStarted):
        bob.position()
    assert table.start().state == PLAYING
    bob.position()
    assert bob.number == 1


def test_the_host_fills_up_with_bots(skerry: Client) -> None:
    table = skerry.create("kreta", seats=3)
    table.join("Ada")
    session = table.start(fill_with_bots=True)
    assert [seat.occupant for seat in session.seats] == [
        session_pb2.OCCUPANT_PLAYER,
        session_pb2.OCCUPANT_BOT,
        session_pb2.OCCUPANT_BOT,
    ]


def test_a_seat_left_in_the_lobby_is_open_again(skerry: Client) -> None:
    table = skerry.create("kreta", seats=2)
    ada = table.join("Ada")
    assert ada.leave().seats[0].occupant == session_pb2.OCCUPANT_OPEN
    with pytest.raises(errors.TokenInvalid):
        ada.position()


def test_the_join_code_admits_players_and_the_host_can_remove_them(skerry: Client) -> None:
    table = skerry.create("kreta", seats=2, join_code=True)
    assert table.join_code
    assert skerry.table(table.name, host_token=table.host_token).join_code == table.join_code
    stranger = skerry.table(table.name)
    assert stranger.join_code is None
    with pytest.raises(errors.JoinCodeWrong):
        stranger.join("Mallory")
    seat = skerry.table(table.name, join_code=table.join_code).join("Ada")
    assert not table.remove(seat.number).seats[0].HasField("display_name")
    with pytest.raises(errors.TokenInvalid):
        seat.leave()
    with pytest.raises(errors.NoPlayer):
        table.remove(0)
    assert table.join("Bob").number == 0
    assert skerry.create("kreta", seats=2).join_code is None


def test_players_leave_and_return_and_the_host_handles_abandoned_seats(skerry: Client) -> None:
    abandonment = session_pb2.AbandonmentPolicy(on_resignation=session_pb2.TIMEOUT_ACTION_END)
    table = skerry.create("kreta", seats=3, abandonment=abandonment)
    assert table.session().abandonment.on_resignation == session_pb2.TIMEOUT_ACTION_END
    ada, bob, cyd = (table.join(name) for name in ("Ada", "Bob", "Cyd"))
    assert bob.leave().seats[1].HasField("substitute")
    with pytest.raises(errors.SubstitutePlays):
        bob.resign()
    assert not bob.return_to_seat().seats[1].HasField("substitute")
    with pytest.raises(errors.SeatTaken):
        table.open_seat(1)
    cyd.leave()
    assert table.open_seat(2).seats[2].substitute.open
    assert table.join("Dot").number == 2
    with pytest.raises(errors.InPlay) as refused:
        table.cancel()
    assert refused.value.metadata["seats"] == "0, 1, 2"
    outcome = ada.resign().outcome
    assert (outcome.ranks[0], outcome.reason) == (max(outcome.ranks), "Ada resigned.")
    assert [one.seat for one in outcome.substitutions] == [1, 2]
    lobby = skerry.create("kreta", seats=2)
    assert lobby.cancel().state == session_pb2.SESSION_STATE_CANCELLED
    with pytest.raises(errors.GameOver):
        lobby.position()


def test_the_seat_of_a_silent_player_is_kept_for_a_stated_time(skerry: Client) -> None:
    table = skerry.create("kreta", seats=2, abandonment=session_pb2.AbandonmentPolicy(open_after_ms=60_000))
    for name in ("Ada", "Bob"):
        table.join(name)
    assert table.session().abandonment.open_after_ms == 60_000
    (owing,) = table.position().to_act
    with pytest.raises(errors.SeatTaken) as early:
        table.open_seat(owing)
    assert early.value.retry_after is not None
    assert 0 < early.value.retry_after <= 60
    with pytest.raises(errors.SeatTaken) as waiting:
        table.open_seat(1 - owing)
    assert waiting.value.retry_after is None
    usual = skerry.create("kreta", seats=2)
    assert usual.session().abandonment.open_after_ms == 86_400_000


def test_labels_are_set_changed_and_searched_for(skerry: Client) -> None:
    table = skerry.create("kreta", seats=2, labels={"client.event": "spring-cup", "client.round": "1"})
    assert dict(table.session().labels) == {"client.event": "spring-cup", "client.round": "1"}
    assert table.name in [one.name for one in skerry.sessions(label="client.event=spring-cup")]
    labelled = table.label({"client.round": "2"})
    assert dict(labelled.labels) == dict(table.session().labels) == {"client.round": "2"}
    assert table.name not in [one.name for one in skerry.sessions(label="client.event")]
    with pytest.raises(errors.TokenMissing):
        skerry.table(table.name).label({})
    with pytest.raises(errors.InvalidField):
        table.label({"Round": "3"})


def test_only_the_table_sees_player_ids_unless_they_are_public(skerry: Client) -> None:
    for public in (False, True):
        table = skerry.create("kreta", seats=2, public_player_ids=public)
        ada = table.join("Ada", player_id="account/4711")
        outside = skerry.table(table.name)
        received = [handle.session().seats[0].player_id for handle in (table, ada, outside)]
        assert received == ["account/4711", "account/4711", "account/4711" if public else ""]


def test_a_waiting_seat_may_nudge_the_seat_to_act_after_a_while(skerry: Client) -> None:
    table = skerry.create("kreta", seats=2)
    seats = [table.join(name) for name in ("Ada", "Bob")]
    (owing,) = table.position().to_act
    with pytest.raises(errors.LimitReached) as refused:
        seats[1 - owing].nudge(owing)
    assert refused.value.metadata["limit"] == "nudges"
    assert 0 < (refused.value.retry_after or 0) <= 60
    with pytest.raises(errors.NotToAct):
        seats[owing].nudge(1 - owing)


def test_a_seat_is_reserved_for_a_bot_that_proves_its_name(skerry: Client) -> None:
    token = "skerry_bot_" + 26 * "c"
    handle = "oracle~" + hashlib.sha256(token.encode()).hexdigest()[:32]
    table = skerry.create("kreta", seats=2, reserved={1: handle})
    assert [one.name for one in skerry.sessions(reserved_for=handle)] == [table.name]
    assert table.join("Ada").number == 0
    with pytest.raises(errors.SeatReserved):
        table.join("Bob")
    assert table.join("Oracle", bot_token=token).number == 1
    assert table.session().seats[1].reserved_for == handle
    assert not list(skerry.sessions(reserved_for=handle))
