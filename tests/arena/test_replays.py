"""Games of a log as replays of the service."""

from __future__ import annotations

from pathlib import Path

import pytest
from google.protobuf.json_format import Parse
from msgspec.structs import replace

from skerry.v1.service_pb2 import GetReplayResponse
from skerry_arena.play.record import Record
from skerry_arena.remote.replays import UnfinishedGame, replay_of
from skerry_arena.running.log import DamagedLog
from skerry_arena.running.worker import Worker
from skerry_arena.settings import Settings
from skerry_games.catalogue import all_games
from skerry_games.pairing.plan import games
from skerry_service.replays.verification import first_difference
from tests.arena.conftest import Run
from tests.arena.samples import settings


def played(tournament: Settings) -> Record:
    return Worker(tournament).play(next(games(tournament)))


@pytest.mark.parametrize("game", list(all_games()))
def test_the_service_verifies_games_of_the_arena(game: str) -> None:
    tournament = settings("Ada=random", "Bob=random", game=game, seats=3)
    text = replay_of(tournament, played(tournament))
    replay = Parse(text, GetReplayResponse()).replay
    assert first_difference(replay) is None
    assert {seat.display_name for seat in replay.session.seats} == {"Ada", "Bob"}
    replay.entries[-1].moved.move.Clear()
    assert first_difference(replay) is not None


def test_an_unfinished_game_has_no_replay() -> None:
    tournament = settings("random", "b=random")
    record = played(tournament)
    broken = Record(**{**{name: getattr(record, name) for name in record.__struct_fields__}, "choices": ()})
    with pytest.raises(UnfinishedGame, match="Game 0 was not played to its end"):
        replay_of(tournament, broken)


def test_an_impossible_choice_is_named() -> None:
    tournament = settings("random", "b=random")
    record = played(tournament)
    for choices, at in (((999,), 0), ((-1,), 0), ((*record.choices, 0), len(record.choices))):
        with pytest.raises(DamagedLog, match=f"Game 0 has no move {choices[-1]} at choice {at}"):
            replay_of(tournament, replace(record, choices=choices))


def test_replays_are_written_into_a_folder(tmp_path: Path, arena: Run) -> None:
    flags = ("--game", "kreta", "--player", "random", "--player", "b=random", "--games", "4", "--workers", "0")
    assert arena("tournament", "run", *flags, "--out", "cup").returncode == 0
    assert arena("tournament", "replays", "cup", "--out", "all").stdout == "Wrote 4 replays to all.\n"
    assert sorted(one.name for one in (tmp_path / "all").iterdir()) == ["0.json", "1.json", "2.json", "3.json"]
    assert arena("tournament", "replays", "cup", "--game", "2", "--out", "one").stdout == "Wrote 1 replays to one.\n"
    refused = arena("tournament", "replays", "cup", "--game", "9", "--out", "other")
    assert (refused.returncode, refused.stderr) == (2, "skerry-arena: cup: The log does not have game 9.\n")
    assert "The folder is not empty." in arena("tournament", "replays", "cup", "--out", "all").stderr
