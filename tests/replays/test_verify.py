"""A replay that is not what the seed and the rules make of it is found out, at the first entry that differs."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from skerry.games.kreta.v1 import kreta_pb2 as kreta
from skerry.v1 import session_pb2
from skerry_client import Seat, Table
from skerry_service import local
from skerry_service.replays.verification import ReplayDifference, Unverifiable, first_difference
from tests.clients.play import SEED, play_to_the_end

Replay = session_pb2.Replay


@pytest.fixture(scope="module")
def finished() -> Replay:
    """A game of a player and a bot, in which a seat was left once."""
    with local.Client() as skerry:
        table = skerry.create("kreta", seats=3, bots=1, seed=SEED)
        left = table.join("Eve", seat=0)
        left.leave()
        seats = [table.join("Ada"), table.join("Bob")]
        play_to_the_end(table, seats)
        return table.replay()


@pytest.fixture
def replay(finished: Replay) -> Replay:
    copy = Replay()
    copy.CopyFrom(finished)
    return copy


def entry_where(replay: Replay, holds: Callable[[session_pb2.Entry], bool]) -> session_pb2.Entry:
    return next(entry for entry in replay.entries if entry.HasField("moved") and holds(entry))


def by_chance(entry: session_pb2.Entry) -> bool:
    return not entry.HasField("seat")


def by_player(entry: session_pb2.Entry) -> bool:
    return entry.HasField("seat") and not entry.automatic


def by_bot(entry: session_pb2.Entry) -> bool:
    return entry.automatic


def plays(entry: session_pb2.Entry, *cards: kreta.Card.ValueType) -> bool:
    return entry.moved.move.kreta.play_card.card in cards


def test_a_game_as_it_was_played_has_no_difference(replay: Replay) -> None:
    assert first_difference(replay) is None


# ---------------------------------------------------------------- each returns the entry that must be named


def another_seed(replay: Replay) -> int:
    replay.session.seed = bytes(32)
    return 1


def another_commitment(replay: Replay) -> int:
    replay.session.commitment = bytes(32)
    return 1


def another_session_name(replay: Replay) -> int:
    replay.session.name = "sessions/\N{LATIN SMALL LETTER E WITH ACUTE}"
    return 1


def another_fort_card(replay: Replay) -> int:
    entry = entry_where(replay, lambda entry: entry.moved.move.kreta.HasField("turn_up_fort"))
    entry.moved.move.kreta.turn_up_fort.number = entry.moved.move.kreta.turn_up_fort.number % 26 + 1
    return entry.sequence


def another_start_seat_with_its_event(replay: Replay) -> int:
    entry = entry_where(replay, lambda entry: entry.moved.move.kreta.HasField("draw_start_seat"))
    seat = (entry.moved.move.kreta.draw_start_seat.seat + 1) % 3
    entry.moved.move.kreta.draw_start_seat.seat = seat
    entry.moved.events[0].kreta.start_seat_set.seat = seat
    return entry.sequence


def another_move_of_a_player(replay: Replay) -> int:
    entry = entry_where(replay, lambda entry: by_player(entry) and entry.moved.move.kreta.HasField("play_card"))
    choices = (kreta.CARD_COMMANDER, kreta.CARD_ADMIRAL)
    entry.moved.move.kreta.play_card.card = next(card for card in choices if not plays(entry, card))
    return entry.sequence


def a_move_against_a_rule(replay: Replay) -> int:
    entry = entry_where(replay, by_player)
    entry.moved.move.kreta.play_card.CopyFrom(kreta.PlayCard(card=kreta.CARD_KING, copied=kreta.CARD_CASTELLAN))
    return entry.sequence


def a_move_that_is_none(replay: Replay) -> int:
    entry = entry_where(replay, by_player)
    entry.moved.move.kreta.recruit.province = "ATLANTIS"
    return entry.sequence


def an_empty_move(replay: Replay) -> int:
    entry = entry_where(replay, by_player)
    entry.moved.move.SetInParent()
    entry.moved.move.Clear()
    entry.moved.move.text = "nothing"
    return entry.sequence


def another_move_of_a_bot(replay: Replay) -> int:
    entry = entry_where(replay, lambda entry: by_bot(entry) and entry.moved.move.kreta.HasField("play_card"))
    choices = (kreta.CARD_COMMANDER, kreta.CARD_ADMIRAL)
    entry.moved.move.kreta.play_card.card = next(card for card in choices if not plays(entry, card))
    return entry.sequence


def another_text(replay: Replay) -> int:
    entry = entry_where(replay, by_player)
    entry.moved.move.text = "win the game"
    return entry.sequence


def another_event(replay: Replay) -> int:
    entry = entry_where(replay, lambda entry: len(entry.moved.events) > 1)
    entry.moved.events[1].text += " Really."
    return entry.sequence


def a_missing_event(replay: Replay) -> int:
    entry = entry_where(replay, by_chance)
    del entry.moved.events[:]
    return entry.sequence


def another_seat(replay: Replay) -> int:
    entry = entry_where(replay, by_player)
    entry.seat = (entry.seat + 1) % 3
    return entry.sequence


def chance_instead_of_a_seat(replay: Replay) -> int:
    entry = entry_where(replay, by_player)
    entry.ClearField("seat")
    return entry.sequence


def a_seat_instead_of_chance(replay: Replay) -> int:
    entry = entry_where(replay, by_chance)
    entry.seat = -1
    return entry.sequence


def a_seat_that_is_not_there_is_drawn(replay: Replay) -> int:
    entry = entry_where(replay, lambda entry: entry.moved.move.kreta.HasField("draw_start_seat"))
    entry.moved.move.kreta.draw_start_seat.seat = 9
    return entry.sequence


def somebody_goes_who_is_not_there(replay: Replay) -> int:
    last = len(replay.entries)
    replay.entries.add(sequence=last + 1, seat=9).away.SetInParent()
    replay.entries.add(sequence=last + 2, seat=9).timed_out.SetInParent()
    return last + 1


def a_missing_entry(replay: Replay) -> int:
    del replay.entries[20]
    return 21


def a_missing_end(replay: Replay) -> int:
    del replay.entries[-3:]
    replay.session.sequence -= 3
    return len(replay.entries) + 1


def a_move_after_the_end(replay: Replay) -> int:
    replay.entries.append(entry_where(replay, by_player))
    replay.entries[-1].sequence = len(replay.entries)
    return len(replay.entries)


def a_second_beginning(replay: Replay) -> int:
    entry = entry_where(replay, by_player)
    entry.started.SetInParent()
    return entry.sequence


def a_move_before_the_beginning(replay: Replay) -> int:
    replay.entries[1].moved.CopyFrom(entry_where(replay, by_player).moved)
    return 2


def no_creation(replay: Replay) -> int:
    replay.entries[0].joined.display_name = "Eve"
    return 1


def another_outcome(replay: Replay) -> int:
    replay.session.outcome.scores[0] += 1
    return len(replay.entries)


def another_number_of_entries(replay: Replay) -> int:
    replay.session.sequence += 1
    return len(replay.entries) + 1


def options_that_cannot_be(replay: Replay) -> int:
    replay.session.options.kreta.start_seat = 9
    return next(entry.sequence for entry in replay.entries if entry.HasField("started"))


TAMPERINGS = [
    another_seed,
    another_commitment,
    another_session_name,
    another_fort_card,
    another_start_seat_with_its_event,
    another_move_of_a_player,
    a_move_against_a_rule,
    a_move_that_is_none,
    an_empty_move,
    another_move_of_a_bot,
    another_text,
    another_event,
    a_missing_event,
    another_seat,
    chance_instead_of_a_seat,
    a_seat_instead_of_chance,
    a_seat_that_is_not_there_is_drawn,
    somebody_goes_who_is_not_there,
    a_missing_entry,
    a_missing_end,
    a_move_after_the_end,
    a_second_beginning,
    a_move_before_the_beginning,
    no_creation,
    another_outcome,
    another_number_of_entries,
    options_that_cannot_be,
]


@pytest.mark.parametrize("tamper", TAMPERINGS)
def test_tampering_is_found_at_its_entry(replay: Replay, tamper: Callable[[Replay], int]) -> None:
    sequence = tamper(replay)
    difference = first_difference(replay)
    assert difference is not None
    assert difference.sequence == sequence, difference.sentence


def test_a_wrong_draw_is_reported_as_a_sentence(replay: Replay) -> None:
    another_start_seat_with_its_event(replay)
    difference = first_difference(replay)
    assert difference is not None
    assert difference.sentence.startswith("the seed yields 'let Ada go first' for chance, ")


def test_an_impossible_draw_is_rejected_by_the_rules(replay: Replay) -> None:
    entry = entry_where(replay, lambda entry: entry.moved.move.kreta.HasField("draw_start_seat"))
    entry.moved.move.kreta.draw_start_seat.seat = 99
    assert first_difference(replay) == ReplayDifference(entry.sequence, "Unknown seat 99. This table has seats 0 to 2")


def test_a_broken_rule_is_named(replay: Replay) -> None:
    a_move_against_a_rule(replay)
    difference = first_difference(replay)
    assert difference is not None
    assert difference.sentence.startswith("KRETA-")


# ---------------------------------------------------------------- what cannot be retold


def unknown_game(replay: Replay) -> str:
    replay.session.game = "whist"
    return "'whist'"


def no_game(replay: Replay) -> str:
    replay.Clear()
    return "no game"


def unknown_ruleset(replay: Replay) -> str:
    replay.session.ruleset = "kreta-0"
    return "kreta-0"


def still_in_play(replay: Replay) -> str:
    replay.session.state = session_pb2.SESSION_STATE_PLAYING
    return "not over"


def seed_missing(replay: Replay) -> str:
    replay.session.seed = b""
    return "seed is missing"


def hidden_move(replay: Replay) -> str:
    entry_where(replay, by_player).moved.ClearField("move")
    return "hidden"


@pytest.mark.parametrize("change", [unknown_game, no_game, unknown_ruleset, still_in_play, seed_missing, hidden_move])
def test_what_cannot_be_verified_says_why(replay: Replay, change: Callable[[Replay], str]) -> None:
    why = change(replay)
    with pytest.raises(Unverifiable, match=why):
        first_difference(replay)


# ---------------------------------------------------------------- people who go


def gone(*, resigns: bool) -> Replay:
    """A game in which players leave, return, resign, and give up their seats to others."""
    with local.Client() as skerry:
        table = skerry.create("kreta", seats=4, seed=SEED)
        seats = [table.join(name) for name in ("Ada", "Bob", "Cyd", "Dot")]
        seats[1].leave()
        play_some(table, [seats[0], seats[2], seats[3]], 8)
        seats[1].return_to_seat()
        seats[2].leave()
        table.open_seat(2)
        seats[2] = table.join("Eve")
        seats[3].resign()
        if resigns:
            seats[1].resign()
            seats[0].resign()
        else:
            play_to_the_end(table, seats[:3])
        return table.replay()


def play_some(table: Table, seats: list[Seat], moves: int) -> None:
    for _ in range(moves):
        seat = next(one for one in seats if one.number in table.position().to_act)
        seat.act(seat.position().legal_moves[0])


@pytest.mark.parametrize("resigns", [False, True])
def test_games_that_players_left_are_verified(resigns: bool) -> None:
    replay = gone(resigns=resigns)
    assert [one.seat for one in replay.session.outcome.substitutions] == ([1, 2, 3, 1] if resigns else [1, 2, 3])
    assert first_difference(replay) is None
    spoils: tuple[Callable[[Replay], object], ...] = (
        lambda copy: copy.session.outcome.substitutions.pop(),
        lambda copy: copy.session.outcome.ranks.sort(),
        lambda copy: next(one for one in copy.entries if one.HasField("returned")).left.SetInParent(),
        lambda copy: next(one for one in copy.entries if one.HasField("resigned")).seat_opened.SetInParent(),
    )
    for spoil in spoils:
        copy = Replay()
        copy.CopyFrom(replay)
        spoil(copy)
        assert first_difference(copy) is not None


def test_a_cancelled_session_is_not_verified() -> None:
    with local.Client() as skerry:
        table = skerry.create("kreta", seats=2)
        table.cancel()
        with pytest.raises(Unverifiable, match="cancelled"):
            first_difference(table.replay())
