"""Answers of programs in words and as JSON, what refuses them, and second tries."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest
from msgspec import Raw, json, structs

from skerry_arena.play.contestant import AnswerCounts, FailureKind, GameStart, PlayerFailed
from skerry_arena.play.game_run import GameRun
from skerry_arena.play.record import Record
from skerry_arena.programs.answers import AnswerReader, AnswerRefused
from skerry_arena.programs.move_words import forms, in_words, normalized, seat_names
from skerry_arena.programs.program import Program
from skerry_arena.programs.protocol import Choice, Moves
from skerry_arena.running.worker import Worker
from skerry_arena.settings import Limits, Settings
from skerry_games import Dice, InformationState, Position, all_games, fill, seen_from, start
from skerry_games.pairing.plan import games
from skerry_games.rng import SeededRng
from tests.arena.conftest import Run
from tests.arena.samples import PATIENT, settings

GAME = "kreta"
RULES = all_games()[GAME]
SCRIPTED = Path(__file__).with_name("scripted_program.py")
TWICE = structs.replace(PATIENT, retries=1)
THRICE = structs.replace(PATIENT, retries=2)
UNLISTED = {"wants": ["text", "events"], "moves": "unlisted"}


class Asked(NamedTuple):
    """What came of one decision."""

    choice: int | None
    failure: PlayerFailed | None
    counts: AnswerCounts
    lines: list[Any]
    """All lines that the program has read."""


Ask = Callable[..., Asked]


def seen(game: str = GAME) -> InformationState:
    return seen_from(start(game, 2, rng=Dice(Random(1))), 0, Dice(Random(2)))


def words_of(position: InformationState) -> tuple[str, ...]:
    return in_words(position.game, position.legal_moves, seat_names(2))


@pytest.fixture
def ask(tmp_path: Path) -> Ask:
    """Ask a program with these answers for a decision."""

    def asked(limits: Limits, hello: dict[str, Any], *answers: Any, seconds: float = 60.0) -> Asked:
        script, heard = tmp_path / "script", tmp_path / "heard"
        script.write_bytes(json.encode({"hello": hello, "answers": answers}))
        one = Program((sys.executable, str(SCRIPTED), str(script), str(heard)), limits)
        one.begin(GameStart(RULES, RULES.options_type(), 2, 0, b"s" * 32))
        choice, failure = None, None
        try:
            choice = one.choose(seen(), seconds)
        except PlayerFailed as failed:
            failure = failed
        finally:
            one.close()
        lines = [json.decode(line) for line in heard.read_text().splitlines()]
        return Asked(choice, failure, one.counts, lines)

    return asked


def choices(asked: Asked) -> list[Any]:
    return [line for line in asked.lines if line["type"] == "choose"]


def test_a_move_in_words_is_found_whatever_its_case_spaces_and_punctuation(ask: Ask) -> None:
    words = words_of(seen())
    answer = {"move": f"  {words[2].upper().replace(' ', ',  ')}. ", "tokens_in": 900, "tokens_out": 12}
    asked = ask(PATIENT, UNLISTED, answer)
    assert asked.choice == 2
    assert asked.counts == AnswerCounts(decisions=1, tokens_in=900, tokens_out=12)
    assert asked.lines[0]["moves"] == "listed" and "text" in asked.lines[0]["offers"]


def test_an_unlisted_program_gets_forms_and_text_and_no_list(ask: Ask) -> None:
    asked = ask(PATIENT, UNLISTED, {"move": ["play", 5]})
    (new_game,) = [line for line in asked.lines if line["type"] == "new_game"]
    assert (new_game["moves"], new_game["retries"]) == ("unlisted", 0)
    assert new_game["board"] == RULES.board_text(RULES.boards[0])
    assert {"words": "halt", "move": ["halt"]} in [
        {"words": form["words"], "move": form["move"]} for form in new_game["forms"]
    ]
    assert all(form["about"].endswith(".") for form in new_game["forms"])
    (question,) = choices(asked)
    assert "legal_moves" not in question and "words" not in question
    assert "seat 0" in question["text"] and question["events"] == []


def test_a_tournament_can_list_no_moves_for_any_program(ask: Ask) -> None:
    limits = structs.replace(PATIENT, unlisted=True)
    asked = ask(limits, {"wants": ["words"]}, {"choice": 0})
    assert asked.lines[0]["moves"] == "unlisted"
    assert "legal_moves" not in choices(asked)[0] and "words" not in choices(asked)[0]
    assert asked.failure is not None and asked.failure.kind is FailureKind.GARBLED


def test_an_illegal_move_is_asked_again_with_its_rule(ask: Ask) -> None:
    asked = ask(TWICE, UNLISTED, {"move": "Halt!"}, {"move": words_of(seen())[0]})
    assert asked.choice == 0
    assert asked.counts == AnswerCounts(decisions=1, illegal=1, retries=1)
    refused = choices(asked)[1]["refused"]
    assert refused == {
        "reason": "illegal", "rule": "KRETA-TURN-1", "sentence": "Play a card from your hand first.", "tries_left": 1,
    }  # fmt: skip
    first, second = (
        {name: value for name, value in line.items() if name not in ("seconds", "refused")} for line in choices(asked)
    )
    assert first == second  # the question is complete, so a program needs no memory


def test_an_unreadable_answer_is_asked_again_with_the_form(ask: Ask) -> None:
    asked = ask(THRICE, {}, "I play the admiral.", {"move": "sing"}, {"choice": 0})
    assert asked.choice == 0
    assert asked.counts == AnswerCounts(decisions=1, unreadable=2, retries=2)
    for question, left in zip(choices(asked)[1:], (2, 1), strict=True):
        refused = question["refused"]
        assert (refused["reason"], refused["tries_left"], "rule" in refused) == ("unreadable", left, False)
        last = len(question["legal_moves"]) - 1
        assert (
            f'{{"type": "move", "decision": 1, "choice": N}}. N is the number of a legal move, from 0 to {last}.'
            in (refused["sentence"])
        )


@pytest.mark.parametrize(
    ("limits", "answer", "kind", "counts"),
    [
        (PATIENT, {"move": "halt"}, FailureKind.ILLEGAL, AnswerCounts(1, 1, 0, 0)),
        (THRICE, {"choice": 500}, FailureKind.ILLEGAL, AnswerCounts(1, 3, 0, 2)),
        (THRICE, "garbage forever", FailureKind.GARBLED, AnswerCounts(1, 0, 3, 2)),
        (THRICE, "x" * (1 << 20), FailureKind.GARBLED, AnswerCounts(1)),
        (THRICE, {"move": 10**30}, FailureKind.GARBLED, AnswerCounts(1, 0, 3, 2)),
        (TWICE, {"choice": 10**30}, FailureKind.GARBLED, AnswerCounts(1, 0, 2, 1)),
        (TWICE, {}, FailureKind.GARBLED, AnswerCounts(1, 0, 2, 1)),
        (TWICE, {"move": "w" * 60_000}, FailureKind.GARBLED, AnswerCounts(1, 0, 2, 1)),
        (TWICE, {"choice": 0, "tokens_in": -1}, FailureKind.GARBLED, AnswerCounts(1, 0, 2, 1)),
    ],
)
def test_a_program_fails_after_its_last_try(
    ask: Ask, limits: Limits, answer: Any, kind: FailureKind, counts: AnswerCounts
) -> None:
    asked = ask(limits, {}, answer)
    assert asked.failure is not None and asked.failure.kind is kind
    assert asked.counts == counts


def test_a_long_move_in_words_is_refused_before_it_is_compared(ask: Ask) -> None:
    asked = ask(TWICE, UNLISTED, {"move": "\u0301\u0323" * 501}, {"move": words_of(seen())[0] + " " * 900})
    assert asked.choice == 0
    assert choices(asked)[1]["refused"]["sentence"].startswith(
        "A move in words has at most 1000 characters, but this one has 1002."
    )


def test_the_time_limit_is_that_of_all_tries(ask: Ask) -> None:
    asked = ask(structs.replace(PATIENT, retries=20), {}, *(["garbage"] * 5), {"choice": 0}, seconds=60.0)
    seconds = [question["seconds"] for question in choices(asked)]
    assert asked.choice == 0 and seconds == sorted(seconds, reverse=True) and seconds[-1] < 60


@pytest.mark.parametrize("game", list(all_games()))
def test_every_move_has_words_and_json_that_name_it_alone(game: str) -> None:
    rules, rng = all_games()[game], Dice(Random(7))
    position, kinds = start(game, 2, rng=rng), set()
    reader = AnswerReader(rules.options_type(), seat_names(2), SeededRng(b"r" * 32, 0))
    examples = [json.decode(form.move, type=rules.move_type) for form in forms(rules.ruleset, rules.options_type(), 2)]
    refusals = {FailureKind.ILLEGAL: 0, FailureKind.GARBLED: 0}
    while position.to_act:
        seat = position.to_act[0]
        known = seen_from(position, seat, rng)
        moves, words = known.legal_moves, words_of(known)
        kinds |= set(map(type, moves))
        assert len(set(map(normalized, words))) == len(words)
        choice = rng.below(len(moves))
        for written in (words[choice], moves[choice]):
            answer = Choice(1, move=Raw(json.encode(written)))
            assert reader.chosen(answer, known, listed=False) == choice
        example = rng.choice([one for one in examples if one not in moves])
        with pytest.raises(AnswerRefused) as refused:
            reader.chosen(Choice(1, move=Raw(json.encode(example))), known, listed=False)
        refusals[refused.value.kind] += 1
        assert (refused.value.rule is not None) is (refused.value.kind is FailureKind.ILLEGAL)
        position = position.play(moves[choice], seat, rng)
    assert kinds <= set(map(type, examples))
    assert refusals[FailureKind.ILLEGAL] > 10 * refusals[FailureKind.GARBLED]


@pytest.mark.parametrize("game", list(all_games()))
def test_the_forms_have_every_kind_of_move_at_every_table(game: str) -> None:
    rules = all_games()[game]
    options = rules.options_type()
    for seats in rules.seats:
        known = {type(json.decode(form.move, type=rules.move_type)) for form in forms(rules.ruleset, options, seats)}
        for number in range(30):
            run, rng = GameRun(rules, options, seats, bytes([number] * 32)), Dice(Random(number))
            while not run.over:
                moves = run.position.legal_moves(run.seat)
                assert set(map(type, moves)) <= known, (seats, number)
                run.choose(rng.below(len(moves)))


def asked_for_all(position: Position, seat: int, events: list[Any]) -> Any:
    """Return the question to a program that wants words and events, and the refusal of an illegal move."""
    one = Program((), PATIENT)
    one._wants = frozenset(("text", "events"))
    one._moves = Moves.UNLISTED
    one._game = position.game
    one._names = seat_names(2)
    one._decision = 1
    one.observe(events)
    return json.encode(one._question(seen_from(position, seat, Dice(Random(3))), 9.0))


@pytest.mark.parametrize("game", list(all_games()))
def test_words_and_refusals_do_not_depend_on_hidden_information(game: str) -> None:
    rng, rules = Dice(Random(5)), all_games()[game]
    examples = [form.move for form in forms(rules.ruleset, rules.options_type(), 2)]
    position, compared = start(game, 2, rng=rng), 0
    while position.to_act:
        seat = position.to_act[0]
        again = position.redeal(seat, rng)
        compared += again != position
        assert asked_for_all(position, seat, []) == asked_for_all(again, seat, [])
        said: list[int | str] = []
        for one in (position, again):
            reader = AnswerReader(rules.options_type(), seat_names(2), SeededRng(b"r" * 32, 0))
            try:
                said.append(
                    reader.chosen(Choice(1, move=examples[compared % len(examples)]), known(one, seat), listed=False)
                )
            except AnswerRefused as refused:
                said.append(str(refused))
        assert said[0] == said[1]
        position = position.play(rng.choice(position.legal_moves(seat)), seat, rng)
    assert compared > 0 or game == GAME


def known(position: Position, seat: int) -> InformationState:
    return seen_from(position, seat, Dice(Random(3)))


def test_a_seat_receives_each_event_once_as_it_may_see_it(tmp_path: Path) -> None:
    script, heard = tmp_path / "script", tmp_path / "heard"
    script.write_bytes(json.encode({"hello": {"wants": ["events"]}, "answers": [{"choice": 0}]}))
    player = f"told=program:{sys.executable} {SCRIPTED} {script} {heard}"
    tournament = settings("random", player, game="tenerife", games=2)
    worker = Worker(tournament)
    game = next(games(tournament))
    record = worker.play(game)
    worker.close()
    seat = record.lineup.index("told")
    lines = [json.decode(line) for line in heard.read_text().splitlines()]
    events = [event for line in lines if line["type"] == "choose" for event in line["events"]]
    assert events == expected_events(tournament, record, seat, len(events))
    assert record.answers[seat].decisions == len([line for line in lines if line["type"] == "choose"])
    assert record.answers[1 - seat] == AnswerCounts()


def expected_events(tournament: Settings, record: Record, seat: int, most: int) -> list[str]:
    """Return the events of a game that a seat may see, as sentences."""
    rules = tournament.rules
    course = GameRun(rules, tournament.game_options, 2, bytes.fromhex(record.seed))
    for choice in record.choices:
        course.choose(choice)
    shown = [one for step in course.steps for event in step.events if (one := rules.show(event, seat)) is not None]
    return [fill(rules.say(event), seat_names(2)) for event in shown][:most]


def test_the_report_counts_refusals_retries_and_tokens_by_program(tmp_path: Path, arena: Run) -> None:
    script = tmp_path / "script"
    answers = ["?", {"choice": 99}, {"choice": 0, "tokens_in": 7, "tokens_out": 3}] * 3 + [{"choice": 0}]
    script.write_bytes(json.encode({"hello": {}, "answers": answers}))
    player = f"poor=program:{sys.executable} {SCRIPTED} {script} {tmp_path / 'heard'}"
    flags = ("--game", "kreta", "--player", "random", "--player", player, "--games", "2", "--retries", "2")
    # The program writes down what it hears.
    ran = arena("tournament", "run", *flags, "--sandbox", "off", "--workers", "0", "--out", "cup")
    assert (ran.returncode, ran.stderr) == (0, "")
    summary = json.decode((tmp_path / "cup" / "summary.json").read_bytes())
    (poor,) = [one["answers"] for one in summary["standings"] if one["name"] == "poor"]
    assert poor["decisions"] > 10
    assert {**poor, "decisions": 0} == {
        "decisions": 0, "illegal": 3, "unreadable": 3, "retries": 6, "tokens_in": 21, "tokens_out": 9,
    }  # fmt: skip
    assert "Answers of programs" in (tmp_path / "cup" / "report.html").read_text()
    assert (
        "decisions,illegal,unreadable,retries,tokens_in,tokens_out" in (tmp_path / "cup" / "standings.csv").read_text()
    )
    assert arena("tournament", "verify", "cup").returncode == 0


def test_a_class_plays_without_a_list(tmp_path: Path) -> None:
    tournament = settings(
        "random", "b=skerry_games.players.random_player:RandomPlayer", limits=structs.replace(PATIENT, unlisted=True)
    )
    worker = Worker(tournament)
    record = worker.play(next(games(tournament)))
    worker.close()
    assert record.failures == () and record.answers[record.lineup.index("b")].illegal == 0
