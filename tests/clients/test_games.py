"""Whole games through the client. Every test runs over gRPC against a real server, and in this process."""

from __future__ import annotations

import hashlib
from random import Random

import pytest

from skerry.games.kreta.v1 import kreta_pb2 as kreta
from skerry.v1 import payload_pb2, session_pb2
from skerry_client import Client, apply_frame, errors
from tests.clients.play import SEED, play_to_the_end

FINISHED = session_pb2.SESSION_STATE_FINISHED


def test_games_are_listed_without_and_read_with_board_and_rules(skerry: Client) -> None:
    listed = {game.id: game for game in skerry.games()}
    whole = skerry.game("kreta")
    assert not listed["kreta"].rules
    assert not listed["kreta"].HasField("board")
    assert whole.rules
    assert whole.board.kreta.provinces
    assert skerry.game("games/kreta") == whole


def test_a_whole_game_is_played_observed_and_replayed(skerry: Client) -> None:
    table = skerry.create("kreta", seats=2, seed=SEED)
    seats = [table.join("Ada"), table.join("Bob")]
    assert [seat.number for seat in seats] == [0, 1]
    moves = play_to_the_end(table, seats)
    session = table.session()
    received = [entry for update in table.observe(after_sequence=0) for entry in update.entries]
    replay = seats[0].replay()
    assert session.state == FINISHED
    assert session.seed == SEED
    assert hashlib.sha256(SEED + session.name.removeprefix("sessions/").encode()).digest() == session.commitment
    assert [entry.sequence for entry in received] == list(range(1, session.sequence + 1))
    assert list(replay.entries) == received
    assert sum(entry.HasField("moved") and entry.HasField("seat") for entry in received) == moves
    assert session.outcome == seats[1].position().outcome


def test_an_answer_to_act_is_the_seats_newest_position(skerry: Client) -> None:
    table = skerry.create("kreta", seats=2, seed=SEED)
    seats = [table.join("Ada"), table.join("Bob")]
    seat = seats[table.position().to_act[0]]
    before = seat.position()
    answer = seat.act(before.legal_moves[0])
    assert seat.last_position == answer.position
    assert answer.position.sequence == answer.sequence > before.sequence
    assert answer.entries[0].moved.move == before.legal_moves[0]
    assert answer.position == seat.position()


def test_frames_lead_from_one_scene_to_the_next(skerry: Client) -> None:
    table = skerry.create("kreta", seats=2, seed=SEED)
    seats = [table.join("Ada"), table.join("Bob")]
    spectator = skerry.table(table.name)
    updates = spectator.observe(view="scene")
    first = next(updates).position
    assert first.scene.areas
    assert first.view.WhichOneof("game") is None
    pieces = list(first.scene.pieces)
    for _ in range(5):
        seat = seats[table.position().to_act[0]]
        answer = seat.act(seat.position().legal_moves[0])
        while (update := next(updates)).sequence < answer.sequence:
            pieces = list(update.position.scene.pieces)
        for entry in update.entries:
            for frame in entry.moved.frames:
                pieces = apply_frame(pieces, frame)
        assert pieces == list(update.position.scene.pieces)
    both = spectator.position(view="full_with_scene")
    assert list(both.scene.pieces) == pieces
    assert both.view == spectator.position().view


def test_an_earlier_position_can_be_read_without_becoming_the_newest(skerry: Client) -> None:
    table = skerry.create("kreta", seats=2, seed=SEED)
    seats = [table.join("Ada"), table.join("Bob")]
    seat = seats[table.position().to_act[0]]
    before = seat.position()
    seat.act(before.legal_moves[0])
    newest = seat.last_position
    assert newest is not None and newest.sequence > before.sequence
    assert seat.position(sequence=before.sequence) == before
    assert table.position(sequence=before.sequence).sequence == before.sequence
    assert seat.last_position == newest
    with pytest.raises(errors.SequenceAhead):
        seat.position(sequence=newest.sequence + 1)
    with pytest.raises(errors.NotStarted):
        seat.position(sequence=1)


def test_validate_only_checks_and_does_nothing(skerry: Client) -> None:
    table = skerry.create("kreta", seats=2, seed=SEED)
    seats = [table.join("Ada"), table.join("Bob")]
    seat = seats[table.position().to_act[0]]
    before = seat.position()
    assert seat.act(before.legal_moves[0], validate_only=True).sequence == before.sequence
    assert seat.position() == before
    with pytest.raises(errors.RuleBroken):
        seat.act(kreta.Move(play_card=kreta.PlayCard(card=kreta.CARD_KING)), validate_only=True)


def test_a_move_of_the_game_needs_no_wrapping(skerry: Client) -> None:
    table = skerry.create("kreta", seats=2, seed=SEED)
    seats = [table.join("Ada"), table.join("Bob")]
    seat = seats[table.position().to_act[0]]
    answer = seat.act(kreta.Move(play_card=kreta.PlayCard(card=kreta.CARD_COMMANDER)))
    assert answer.entries[0].moved.events[0].kreta.card_played.card == kreta.CARD_COMMANDER
    with pytest.raises(
        TypeError, match=r"^move: Pass one of position.legal_moves, .* not a skerry.games.kreta.v1.PlayCard\.$"
    ):
        seat.act(kreta.PlayCard(card=kreta.CARD_KING))


@pytest.mark.parametrize(
    "options",
    [
        {"start_seat": 1},
        kreta.Options(start_seat=1),
        payload_pb2.GameOptions(kreta=kreta.Options(start_seat=1)),
    ],
    ids=["mapping", "message of the game", "payload"],
)
def test_options_are_given_as_mapping_or_message(skerry: Client, options: object) -> None:
    table = skerry.create("kreta", seats=2, options=options)  # type: ignore[arg-type]
    table.join("Ada")
    table.join("Bob")
    assert table.session().options.kreta.start_seat == 1
    assert list(table.position().to_act) == [1]


def test_the_seed_fixes_all_chance_as_bytes_or_digits(skerry: Client) -> None:
    tables = [skerry.create("kreta", seats=2, seed=seed) for seed in (SEED, SEED.hex())]
    for table in tables:
        table.join("Ada")
        table.join("Bob")
    one, other = (table.position() for table in tables)
    assert one == other
    assert tables[0].session().seeded


def test_bots_take_the_given_seats(skerry: Client) -> None:
    counted = skerry.create("kreta", seats=3, bots=2)
    named = skerry.create("kreta", seats=3, bots=[0])
    bot, free = session_pb2.OCCUPANT_BOT, session_pb2.OCCUPANT_OPEN
    assert [seat.occupant for seat in counted.session().seats] == [free, bot, bot]
    assert [seat.occupant for seat in named.session().seats] == [bot, free, free]
    with pytest.raises(ValueError, match=r"^bots: Pass a whole number from 0 to 2, not 3\.$"):
        skerry.create("kreta", seats=3, bots=[3])


def test_the_turns_of_a_seat_lead_through_a_game_against_a_bot(skerry: Client) -> None:
    table = skerry.create("kreta", seats=2, bots=1, seed=SEED)
    ada, random, seen = table.join("Ada"), Random(3), []
    for position in ada.turns():
        assert list(position.to_act) == [ada.number]
        seen.append(position.sequence)
        ada.act(random.choice(position.legal_moves))
    assert table.session().state == FINISHED
    assert seen == sorted(set(seen))
    own = [e for e in table.replay().entries if e.HasField("moved") and e.HasField("seat") and e.seat == ada.number]
    assert len(own) == len(seen)


def test_seat_and_table_are_found_again_by_name_and_token(skerry: Client) -> None:
    table = skerry.create("kreta", seats=2, spectating="invited")
    table.join("Ada")
    bob = table.join("Bob")
    again = skerry.seat(bob.name, bob.token)
    by_id = skerry.table(table.name.removeprefix("sessions/"), spectator_token=table.spectator_token)
    assert again.number == 1
    assert again.last_position == bob.position()
    assert by_id.position().view == table.position().view
    with pytest.raises(errors.NotAllowed):
        skerry.seat(table.name, table.host_token or "")
    with pytest.raises(errors.NotAllowed):
        skerry.table(table.name).position()


def test_all_pages_of_the_listing_are_read(skerry: Client) -> None:
    made = [skerry.create("kreta", seats=2).name for _ in range(101)]
    hidden = skerry.create("kreta", seats=2, visibility="unlisted").name
    listed = list(skerry.sessions(game="kreta", state="lobby"))
    names, times = [one.name for one in listed], [one.create_time.ToMilliseconds() for one in listed]
    assert set(made) <= set(names)
    assert len(set(names)) == len(names)
    assert times == sorted(times, reverse=True)
    assert hidden not in names
    assert not any(session.name in made for session in skerry.sessions(state="finished"))


def test_an_observer_without_a_sequence_begins_with_the_position(skerry: Client) -> None:
    table = skerry.create("kreta", seats=2, seed=SEED)
    seats = [table.join("Ada"), table.join("Bob")]
    first = next(iter(seats[0].observe()))
    assert not first.entries
    assert first.position == seats[0].position()


def test_a_seat_reads_pictures_and_the_log_in_pages(skerry: Client) -> None:
    table = skerry.create("kreta", seats=2, seed=SEED)
    seats = [table.join("Ada"), table.join("Bob")]
    assert seats[0].entries() == list(seats[0].replay().entries)
    newest = seats[0].position().sequence
    assert [entry.sequence for entry in table.entries(after=newest - 2)] == [newest - 1, newest]
    assert seats[0].picture() == seats[0].picture(sequence=newest) != table.picture(theme="dark")
    assert seats[0].picture(format="png", width=100).startswith(b"\x89PNG")
    with pytest.raises(errors.NotFinished):
        table.animation()
    with pytest.raises(ValueError, match="theme"):
        table.picture(theme="neon")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="annotated"):
        table.picture(annotated="yes")  # type: ignore[arg-type]


def test_the_handles_do_not_show_their_tokens(skerry: Client) -> None:
    table = skerry.create("kreta", seats=2)
    shown = f"{table!r} {table.join('Ada')!r}"
    assert table.name in shown
    assert "skerry_" not in shown


def test_a_rematch_has_the_same_players_one_seat_further_on(skerry: Client) -> None:
    table = skerry.create("kreta", seats=2)
    ada, bob = table.join("Ada"), table.join("Bob")
    with pytest.raises(errors.NotFinished):
        ada.rematch()
    ada.resign()
    again = bob.rematch()
    assert again.session().seats[1].occupant == session_pb2.OCCUPANT_KEPT
    assert skerry.table(again.name, host_token=again.host_token).label({"event": "cup"}).labels["event"] == "cup"
    second = ada.rematch()
    assert (again.number, second.number, second.name, second.host_token) == (0, 1, again.name, None)
    assert (bob.rematch().token, ada.rematch().token) == (again.token, second.token)
    play_to_the_end(skerry.table(again.name), [again, second])
    assert skerry.seat(second.name, second.token).rematch().number == 0


def test_players_add_entropy_and_find_it_in_the_finished_game(skerry: Client) -> None:
    table = skerry.create("kreta", seats=2)
    ada, bob = table.join("Ada", entropy=SEED), table.join("Bob")
    with pytest.raises(ValueError, match="entropy: Pass 32 bytes"):
        table.join("Cyd", entropy=b"too few")
    hashed = hashlib.sha256(SEED + table.name.removeprefix("sessions/").encode()).digest()
    assert [(seat.entropy_hash, seat.entropy) for seat in table.session().seats] == [(hashed, b""), (b"", b"")]
    ada.resign()
    assert [seat.entropy for seat in table.session().seats] == [SEED, b""]
    again = bob.rematch(entropy=SEED)
    assert again.session().seats[again.number].HasField("entropy_hash")


def test_a_fork_continues_a_finished_game_from_an_entry(skerry: Client) -> None:
    table = skerry.create("kreta", seats=2, bots=1)
    ada = table.join("Ada")
    play_to_the_end(table, [ada])
    sequence = ada.position().sequence // 2
    forked = skerry.fork(table.name, sequence, seats=2, bots=[0], labels={"from": "mid-game"})
    assert forked.session().visibility == session_pb2.VISIBILITY_UNLISTED
    eve = forked.join("Eve")
    opening = forked.session().opening
    assert eve.position(sequence=opening).view == table.position(sequence=sequence).view
    play_to_the_end(forked, [eve, eve])
    for wrong, refusal in ((1, errors.NotStarted), (10**6, errors.SequenceAhead)):
        with pytest.raises(refusal):
            skerry.fork(table.name, wrong, seats=2)
    with pytest.raises(ValueError, match="sequence"):
        skerry.fork(table.name, 0, seats=2)


def test_spectators_see_a_delayed_game(skerry: Client) -> None:
    table = skerry.create("kreta", seats=2, delay=session_pb2.SpectatorDelay(entries=5))
    seats = [table.join(name) for name in ("Ada", "Bob")]
    play_to_the_end(table, seats, stop_after=8)
    reached = table.position().sequence
    onlooker = skerry.table(table.name)
    assert onlooker.session().sequence == onlooker.position().sequence == reached - 5
    with pytest.raises(errors.SequenceAhead):
        onlooker.position(sequence=reached)


def test_a_seat_knows_its_clock(skerry: Client) -> None:
    clock = session_pb2.Clock(bank=session_pb2.Bank(time_ms=180_000, increment_ms=2_000))
    table = skerry.create("kreta", seats=2, clock=clock)
    assert table.session().clock == session_pb2.Clock(bank=clock.bank, on_expiry=session_pb2.TIMEOUT_ACTION_SUBSTITUTE)
    assert table.clocks is None
    seats = [table.join("Ada"), table.join("Bob")]
    seat = seats[table.position().to_act[0]]
    position = seat.position()
    clocks = seat.clocks
    assert clocks is not None
    assert 0 <= clocks.seats[seat.number].deadline_ms - clocks.server_time_ms <= 180_000
    assert not clocks.seats[1 - seat.number].HasField("deadline_ms")
    answer = seat.act(position.legal_moves[0])
    cost = answer.entries[0].moved.time
    assert 0 <= cost.allowance_ms <= 300
    assert answer.clocks.seats[seat.number].left_ms <= 182_000 - cost.charged_ms
    with pytest.raises(TypeError, match=r"clock: Pass a Clock message"):
        skerry.create("kreta", seats=2, clock=clock.bank)  # type: ignore[arg-type]
