"""``skerry play --seat``: a person plays in the terminal, here with a script of what is typed."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from google.protobuf.json_format import Parse

from skerry.v1 import service_pb2 as api
from skerry.v1 import session_pb2
from skerry_client import Client
from skerry_games.catalogue import all_games
from tests.cli.conftest import Run
from tests.clients.servers import ServerProcess
from tests.tiers import one_and_deep

SEED = "5c" * 32
PLENTY = 2000
"""More entries than any game asks for."""
PROMPT = re.compile(r"Your move, 1 to (\d+): ")


@pytest.mark.parametrize("game", one_and_deep(all_games()))
def test_a_person_plays_every_game_to_its_end(skerry: Run, tmp_path: Path, game: str) -> None:
    play = skerry("play", game, "--seat", "0", "--seed", SEED, "--replay", "own.json", stdin="1\n" * PLENTY)
    assert (play.returncode, play.stderr) == (0, "")
    replay = Parse((tmp_path / "own.json").read_text(encoding="utf-8"), api.GetReplayResponse()).replay
    own = [entry for entry in replay.entries if entry.HasField("moved") and entry.HasField("seat") and not entry.seat]
    received = [event.text for entry in replay.entries for event in entry.moved.events]
    assert len(PROMPT.findall(play.stdout)) == len(own)
    assert replay.session.outcome.reason in play.stdout
    assert received[-1] in play.stdout
    assert skerry("verify", "own.json").returncode == 0


def test_nothing_is_shown_twice_in_a_row(skerry: Run) -> None:
    entries = ["1", "", "99", "nonsense", "?", "1", "moves", "q"]
    play = skerry("play", "kreta", "--seat", "0", "--seed", SEED, stdin="".join(f"{line}\n" for line in entries))
    assert play.returncode == 0
    beginning, *asked, end = PROMPT.split(play.stdout)[::2]
    assert "province KIS Kissamos: hill; worth 3; " in beginning
    shown = ["phase: action" in text for text in asked]
    assert [index for index, text in enumerate(asked) if "\nseat 0 (Player, you): " in text] == [0, 5]
    assert sum("province LEF" in text for text in asked) <= 1
    assert shown[0]
    assert "Type the number of a move" in asked[1]
    assert re.search(r"Move 99 does not exist\. The moves are numbered 1 to \d+\.", asked[2])
    assert "No move contains 'nonsense'" in asked[3]
    assert "Leave the game." in asked[4]
    assert "  1  " in asked[6]
    assert end.strip() == "You have left the game."


def test_a_move_is_taken_back_until_there_is_none(skerry: Run) -> None:
    play = skerry("play", "kreta", "--seat", "0", "--seed", SEED, stdin="undo\n1\nundo\nq\n")
    asked = PROMPT.split(play.stdout)[2::2]
    assert asked[0].strip() == "You have not moved since chance or another player moved."
    assert "Seat 0 takes back a move." in asked[2]
    assert len(asked) == 4


def test_the_position_is_shown_again_on_demand(skerry: Run) -> None:
    play = skerry("play", "kreta", "--seat", "0", "--seed", SEED, stdin="position\nboard\nq\n")
    assert play.stdout.count("province KIS Kissamos: hill; worth 3; fort spaces 1, 2, 3, 4; tile ") == 2
    assert play.stdout.count("province KIS Kissamos: hill; worth 3; borders KYD, SEL, LEF;") == 1


def test_moves_are_found_by_their_words(skerry: Run) -> None:
    play = skerry("play", "kreta", "--seat", "0", "--seed", SEED, stdin="COMMAND\nq\n")
    listed = PROMPT.split(play.stdout)[2].strip().splitlines()
    assert [line.strip().split(maxsplit=1)[1] for line in listed] == ["Play the commander."]


def test_a_refusal_names_its_rule_and_quotes_it(skerry: Run) -> None:
    king = '{"play_card": {"card": "CARD_KING"}}'
    play = skerry("play", "kreta", "--seat", "0", "--seed", SEED, stdin=f'{king}\n{{"x": 1}}\nrule kreta-peace\nq\n')
    asked = PROMPT.split(play.stdout)[2::2]
    rule = next(rule for rule in all_games()["kreta"].rules if rule.id == "KRETA-KING-2")
    assert asked[0].startswith("\nKRETA-KING-2: ")
    assert rule.text in asked[0]
    assert "This is not a move in JSON: " in asked[1]
    assert "  KRETA-PEACE-1  " in asked[2]


def test_a_move_can_be_made_in_json(skerry: Run) -> None:
    play = skerry("play", "kreta", "--seat", "0", "--seed", SEED, stdin='{"playCard": {"card": "CARD_COMMANDER"}}\nq\n')
    assert "Player plays the commander." in play.stdout


def test_the_end_of_what_is_typed_leaves_the_game(skerry: Run) -> None:
    play = skerry("play", "kreta", "--seat", "2", "--seed", SEED, stdin="1")
    assert (play.returncode, play.stderr) == (0, "")
    assert "At the table: Bot 1 (0), Bot 2 (1), Player (2)." in play.stdout
    assert play.stdout.endswith("You have left the game.\n")


def test_a_person_plays_on_a_server_and_leaves_the_seat_to_a_bot(skerry: Run, server: ServerProcess) -> None:
    play = skerry("play", "kreta", "--seat", "0", "--seed", SEED, "--server", server.address, stdin="1\n1\nq\n")
    assert (play.returncode, play.stderr) == (0, "")
    with Client(server.address) as client:
        session = next(one for one in client.sessions(game="kreta") if one.seed.hex() == SEED)
    assert session.state == session_pb2.SESSION_STATE_FINISHED
    assert session.seats[0].display_name == "Player"
    assert session.seats[0].occupant == session_pb2.OCCUPANT_BOT


@pytest.fixture
def terminal() -> Iterator[tuple[int, int]]:
    """Both ends of a pseudo-terminal: the person's, and the program's, which the test closes."""
    try:
        person, program = pty.openpty()
    except OSError as error:
        pytest.skip(f"this machine has no pseudo-terminal: {error}")
    yield person, program
    os.close(person)


def test_in_a_terminal_it_waits_for_what_is_typed(tmp_path: Path, terminal: tuple[int, int]) -> None:
    person, program = terminal
    command = [sys.executable, "-m", "skerry_service.cli", "play", "kreta", "--seat", "0", "--seed", SEED]
    environment = {**os.environ, "COLUMNS": "120", "TERM": "xterm"}
    play = subprocess.Popen(command, stdin=program, stdout=program, stderr=program, cwd=tmp_path, env=environment)
    os.close(program)
    assert b"KIS Kissamos" in read_until(person, b"Your move")
    os.write(person, b"1\n")
    assert b"Player plays the architect." in read_until(person, b"Your move")
    os.write(person, b"q\n")
    assert b"You have left the game." in read_until(person, b"left the game.")
    assert play.wait(20) == 0


def read_until(descriptor: int, words: bytes) -> bytes:
    read = b""
    while words not in read:
        chunk = os.read(descriptor, 4096)
        assert chunk, read
        read += chunk
    return read
