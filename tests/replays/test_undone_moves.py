"""A replay in which a move was taken back is verified, and a false ``undone`` entry is found."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from skerry.v1 import session_pb2
from skerry_service import local
from skerry_service.replays.verification import ReplayDifference, first_difference
from tests.clients.play import SEED, play_to_the_end

Replay = session_pb2.Replay


@pytest.fixture(scope="module")
def finished() -> Replay:
    """A game of two players, one of which has taken back a move."""
    with local.Client() as skerry:
        table = skerry.create("kreta", seats=2, seed=SEED, undo=True)
        seats = [table.join("Ada"), table.join("Bob")]
        mover = next(seat for seat in seats if seat.position().legal_moves)
        for _ in range(2):
            mover.act(mover.position().legal_moves[0])
        mover.undo()
        play_to_the_end(table, seats)
        return table.replay()


def undone_of(replay: Replay) -> session_pb2.Entry:
    return next(entry for entry in replay.entries if entry.HasField("undone"))


def another_seat(replay: Replay) -> None:
    undone_of(replay).seat = 1 - undone_of(replay).seat


def the_move_before_the_latest(replay: Replay) -> None:
    undone_of(replay).undone.first -= 1


def another_policy(replay: Replay) -> None:
    replay.session.undo = session_pb2.UNDO_POLICY_NONE


def test_a_game_with_a_move_taken_back_has_no_difference(finished: Replay) -> None:
    assert first_difference(finished) is None


@pytest.mark.parametrize("tamper", [another_seat, the_move_before_the_latest, another_policy])
def test_a_move_that_could_not_be_taken_back_is_found(finished: Replay, tamper: Callable[[Replay], None]) -> None:
    replay = Replay()
    replay.CopyFrom(finished)
    tamper(replay)
    entry = undone_of(replay)
    sentence = f"seat {entry.seat} cannot take back the move of entry {entry.undone.first} here"
    assert first_difference(replay) == ReplayDifference(entry.sequence, sentence)
