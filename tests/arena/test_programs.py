"""Programs that play: the protocol, the limits, and faulty programs."""

from __future__ import annotations

import re
import sys
from base64 import b64encode
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec import json, msgpack, structs

from skerry_arena.entrants import command_of, parse_entrant
from skerry_arena.play.contestant import FailureKind, GameStart, InProcessPlayer, PlayerFailed
from skerry_arena.programs.host import Host
from skerry_arena.programs.kept_command import PASSED_ON
from skerry_arena.programs.program import Program
from skerry_arena.settings import Limits, Sandbox, read_settings
from skerry_games import Dice, InformationState, Outcome, Position, all_games, seen_from, start
from skerry_games.players import Clock, player
from skerry_games.rng import SeededRng
from tests.arena.samples import PATIENT, faulty

OPEN = "kreta"
"""The game in which nothing is hidden."""
SHORT = Limits(start_seconds=60, memory_mib=512, file_mib=1, sandbox=Sandbox.OFF)


def position(game: str = "canarias") -> InformationState:
    return seen_from(start(game, 2, rng=Dice(Random(1))), 0, Dice(Random(2)))


def beginning(game: str = "canarias", seed: bytes = b"s" * 32) -> GameStart:
    rules = all_games()[game]
    return GameStart(rules, rules.options_type(), 2, 0, seed)


def program(how: str, limits: Limits = SHORT) -> Program:
    return Program(command_of(parse_entrant(faulty(how))), limits)


def failure(how: str, seconds: float = 60.0) -> PlayerFailed:
    """Return how a program fails when it is asked twice."""
    one = program(how)
    try:
        one.begin(beginning())
        for _ in range(2):
            one.choose(position(), seconds)
    except PlayerFailed as failed:
        return failed
    finally:
        one.close()
    raise AssertionError(f"{how} has not failed")


@pytest.mark.parametrize(
    ("how", "kind", "said"),
    [
        ("crash", FailureKind.CRASH, "exit code 1: out of ideas"),
        ("close", FailureKind.CRASH, "closed its output"),
        ("garble", FailureKind.GARBLED, "not a valid Choice"),
        ("nest", FailureKind.GARBLED, "not a valid Choice"),
        ("flood", FailureKind.GARBLED, "longer than 65536 bytes"),
        ("chatter", FailureKind.GARBLED, "without being asked|decision 1 instead of 2"),
        ("lie", FailureKind.GARBLED, "decision 99"),
        ("cheat", FailureKind.ILLEGAL, "move 10000"),
        ("eat", FailureKind.CRASH, "MemoryError"),
        ("demand", FailureKind.GARBLED, "wants 'everything'"),
    ],
)
def test_a_faulty_program_fails_with_its_kind_and_detail(how: str, kind: FailureKind, said: str) -> None:
    failed = failure(how)
    assert failed.kind is kind
    assert re.search(said, failed.detail)


def test_a_program_that_hangs_fails_after_its_time() -> None:
    assert failure("hang", 0.2).kind is FailureKind.TIMEOUT


def test_a_program_whose_children_keep_its_output_open_has_crashed() -> None:
    failed = failure("bequeath", 2.0)
    assert (failed.kind, failed.detail) == (FailureKind.CRASH, "It ended with exit code 1: out of ideas")


def test_a_program_that_is_not_ready_in_time_fails_to_start() -> None:
    one = program("sleep", Limits(start_seconds=0.5))
    with pytest.raises(PlayerFailed) as failed:
        one.begin(beginning())
    assert failed.value.kind is FailureKind.START


def test_the_limit_of_file_size_applies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert failure("fill").kind is FailureKind.CRASH
    assert (tmp_path / "big").stat().st_size == 1 << 20


def test_output_on_standard_error_does_not_block() -> None:
    one = program("complain")
    one.begin(beginning())
    assert [one.choose(position(), 60.0) for _ in range(3)] == [0, 0, 0]
    one.close()


def test_a_program_plays_its_next_game_after_a_failure() -> None:
    one = program("hang")
    for _ in range(2):
        one.begin(beginning())
        with pytest.raises(PlayerFailed):
            one.choose(position(), 0.1)
    one.close()


def test_a_choice_is_an_index_of_the_list() -> None:
    first, last = program("first"), program("last")
    for one in (first, last):
        one.begin(beginning())
    seen = position()
    assert first.choose(seen, 60.0) == 0
    assert last.choose(seen, 60.0) == len(seen.legal_moves) - 1
    for one in (first, last):
        one.end(Outcome((1, 2), (3, 2), "It is over."))
        one.begin(beginning())
        one.close()


def test_a_hosted_class_plays_the_same_moves_in_every_game() -> None:
    text = "skerry_games.players.random_player:RandomPlayer"
    hosted = Program(command_of(parse_entrant(f"a={text}")), PATIENT)
    here = InProcessPlayer(player(text))
    hosted.begin(beginning())
    chosen = [hosted.choose(position(), 60.0) for _ in range(3)]
    hosted.begin(beginning())
    assert [hosted.choose(position(), 60.0) for _ in range(3)] == chosen
    here.begin(beginning())
    assert 0 <= here.choose(position(), 60.0) < len(position().legal_moves)
    hosted.close()


def test_the_clock_of_a_class_shows_less_than_its_time_limit() -> None:
    class Heeding:
        left = 0.0

        def choose(self, position: InformationState, clock: Clock) -> Any:
            self.left = clock()
            return position.legal_moves[0]

    one, seen = Heeding(), position()
    host = Host(lambda rng: one)
    host.answer({"type": "new_game", "game": seen.game.id, "seat": seen.seat, "seed": "00" * 32})
    sample = b64encode(msgpack.encode(seen.sample(Dice(Random(3))).state))
    host.answer({"type": "choose", "decision": 1, "seconds": 1000.0, "sample": sample})
    assert 0 < one.left <= 900


def test_the_output_of_a_class_is_not_an_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "noisy.py").write_text(
        "class Noisy:\n"
        "    def __init__(self, rng): pass\n"
        "    def choose(self, position, clock):\n"
        "        print('thinking', clock())\n"
        "        return None if position.seat else position.legal_moves[-1]\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    one = Program((sys.executable, "-m", "skerry_arena.programs.host", "noisy:Noisy"), PATIENT)
    one.begin(beginning())
    assert one.choose(position(), 60.0) == len(position().legal_moves) - 1
    one.close()


@pytest.mark.parametrize("unlisted", [False, True])
def test_an_illegal_move_of_a_class_is_illegal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, unlisted: bool
) -> None:
    (tmp_path / "cheating.py").write_text(
        "from skerry_games.kreta.moves import Halt\n"
        "class Cheating:\n"
        "    def __init__(self, rng): pass\n"
        "    def choose(self, position, clock): return Halt()\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    command = (sys.executable, "-m", "skerry_arena.programs.host", "cheating:Cheating")
    one = Program(command, structs.replace(PATIENT, unlisted=unlisted))
    one.begin(beginning("kreta"))
    with pytest.raises(PlayerFailed) as failed:
        one.choose(position("kreta"), 60.0)
    assert failed.value.kind is FailureKind.ILLEGAL


def asked(game: str, seen: Position, seat: int) -> dict[str, Any]:
    """Return what a program is asked that wants to know everything."""
    one = Program((), PATIENT)
    one._wants = frozenset(("view", "words", "sample"))
    one._names = ["seat 0", "seat 1"]
    one._dice = SeededRng(b"s" * 32, 1)
    one._decision = 1
    line: dict[str, Any] = json.decode(json.encode(one._question(seen_from(seen, seat, Dice(Random(3))), 9.0)))
    return line


@pytest.mark.parametrize("game", list(all_games()))
def test_questions_do_not_depend_on_hidden_information(game: str) -> None:
    rng = Dice(Random(5))
    position, compared = start(game, 2, rng=rng), 0
    while position.to_act:
        for seat in position.to_act:
            again = position.redeal(seat, rng)
            one, other = asked(game, position, seat), asked(game, again, seat)
            assert one == other
            compared += again != position
        position = position.play(rng.choice(position.legal_moves(position.to_act[0])), position.to_act[0], rng)
    assert compared > 0 or game == OPEN


PAGE = (Path(__file__).parents[2] / "docs" / "how-to" / "tournaments.md").read_text()


def test_the_player_of_the_page_plays(tmp_path: Path) -> None:
    code = next(one for one in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL) if "sys.stdin" in one)
    (tmp_path / "last.py").write_text(code)
    one = Program((sys.executable, str(tmp_path / "last.py")), PATIENT)
    one.begin(beginning())
    assert one.choose(position(), 60.0) == len(position().legal_moves) - 1
    one.close()


def test_the_page_lists_the_variables_that_programs_get() -> None:
    said = re.search(r"only these environment variables: (.+?)\. ", " ".join(PAGE.split()))
    assert said and said[1] == ", ".join(f"`{name}`" for name in PASSED_ON)


def test_the_configuration_of_the_page_can_be_read(tmp_path: Path) -> None:
    text = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)[0]
    (tmp_path / "cup.toml").write_text(text)
    read = read_settings(tmp_path / "cup.toml")
    assert [one.name for one in read.players] == ["Ada", "Bob"]
    assert read.game_options.start_seat == 0
