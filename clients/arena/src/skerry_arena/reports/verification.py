"""Verification of a log: a replay of each game from its seed and choices must end as the log says."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from skerry_arena.play.game_run import GameRun
from skerry_arena.play.game_score import GameScore, has_ended_early, score_game
from skerry_arena.play.record import Record
from skerry_arena.running import tournament_folder as folders
from skerry_arena.running.runner import results_of
from skerry_arena.settings import Settings


def differences(folder: Path) -> Iterator[str | None]:
    """Yield for each game a sentence on its difference from the log, or ``None``. Raises BadSettings, DamagedLog."""
    begun = folders.read_tournament(folder)
    folders.require_same_rules(begun)
    for record in results_of(begun.settings, folder / folders.LOG, Record):
        yield difference(begun.settings, record)


def difference(settings: Settings, record: Record) -> str | None:
    """Return a sentence on the difference between a replay and the record, or ``None``."""
    course = GameRun(settings.rules, settings.game_options, settings.table, bytes.fromhex(record.seed), record.draws)
    actors = record.actors or [None] * len(record.choices)
    if len(actors) != len(record.choices):
        return f"Game {record.game} does not have a seat for each choice."
    for number, (choice, seat) in enumerate(zip(record.choices, actors, strict=True)):
        if course.over:
            return f"Game {record.game} is over before choice {number}."
        try:
            course.choose(choice, seat)
        except IndexError:
            return f"Game {record.game} has no move {choice} at choice {number}."
    if not course.over and not has_ended_early(record.failures, settings):
        return f"Game {record.game} stops before it is over."
    found = score_game(course.position, record.failures, settings.on_failure)
    if found != GameScore(record.ranks, record.scores, record.reason, record.counts):
        return f"Game {record.game} ends with ranks {found.ranks} and scores {found.scores}: {found.reason}"
    return None
