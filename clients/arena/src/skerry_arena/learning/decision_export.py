"""A data set of a tournament's games, as Parquet with a row for each decision. Needs the extra ``parquet``.

A row has the seat's observation, its legal moves, the chosen move and the returns of the game. The observation is that
that the environments give before the first action of a move. So it has nothing of the true state.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from secrets import token_hex
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq
from msgspec import json
from msgspec.structs import asdict

from skerry_arena.learning.encoding.game_encoding import GameEncoding
from skerry_arena.learning.encoding.move_selection import MoveSelection
from skerry_arena.learning.returns import returns
from skerry_arena.play.game_run import GameRun
from skerry_arena.play.record import Record
from skerry_arena.running.log import DamagedLog
from skerry_arena.settings import Settings
from skerry_arena.version import __version__
from skerry_games.sentences import fill

_GROUP_ROWS: Final = 4096
"""The number of rows in memory at a time."""
_WORD: Final = pa.list_(pa.int16())
FIELDS: Final = (
    ("game", pa.int64()),
    ("decision", pa.int32()),
    ("seat", pa.int8()),
    ("player", pa.string()),
    ("substitute", pa.bool_()),
    ("observation", pa.list_(pa.int16())),
    ("legal", pa.list_(_WORD)),
    ("move", pa.int32()),
    ("word", _WORD),
    ("text", pa.string()),
    ("returns", pa.list_(pa.float32())),
    ("result", pa.float32()),
)


class _RowWriter:
    """Makes the rows of one tournament."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._game = settings.rules
        encoding = GameEncoding(self._game.id, settings.table, **asdict(settings.game_options))
        self._actions, self._observations = encoding.actions, encoding.observations
        self._names = [f"seat {seat}" for seat in range(settings.table)]

    def schema(self) -> pa.Schema:
        """Return the columns, with the meanings of their numbers as metadata."""
        meanings = {
            "skerry.game": self._game.id,
            "skerry.ruleset": self._game.ruleset,
            "skerry.seats": self._settings.table,
            "skerry.options": self._settings.options,
            "skerry.arena": __version__,
            "skerry.features": self._observations.features,
            "skerry.actions": self._actions.names,
        }
        return pa.schema(FIELDS, {name: json.encode(value) for name, value in meanings.items()})

    def rows(self, record: Record) -> Iterator[dict[str, Any]]:
        """Yield the rows of a game. Raises DamagedLog if its choices are impossible."""
        settings = self._settings
        course = GameRun(
            settings.rules, settings.game_options, settings.table, bytes.fromhex(record.seed), record.draws
        )
        brought = returns(record.ranks)
        for number, choice in enumerate(record.choices):
            if course.over or (record.actors and number >= len(record.actors)):
                raise DamagedLog(f"Game {record.game} is over before choice {number}.")
            seat = record.actors[number] if record.actors else course.seat
            row = self._seen(course, seat, choice)
            if row is None:
                raise DamagedLog(f"Game {record.game} has no move {choice} at choice {number}.")
            replaced = any(one.seat == seat and one.decision <= number for one in record.failures)
            yield {
                "game": record.game,
                "decision": number,
                "seat": seat,
                "player": record.lineup[seat],
                "substitute": replaced,
                **row,
                "returns": brought,
                "result": brought[seat],
            }
            course.choose(choice, seat)

    def _seen(self, course: GameRun, seat: int, choice: int) -> dict[str, Any] | None:
        """Return the observation, the legal moves and the choice of a seat; ``None`` for an impossible choice."""
        moves = course.position.legal_moves(seat)
        if not 0 <= choice < len(moves):
            return None
        words = [self._actions.encode(move) for move in moves]
        return {
            "observation": self._observations.encode(seat, MoveSelection(words).prefix, course.position.view(seat)),
            "legal": words,
            "move": choice,
            "word": words[choice],
            "text": fill(self._game.say_move(moves[choice]), self._names),
        }


def write(path: Path, settings: Settings, records: Iterable[Record]) -> int:
    """Write the decisions of all games that count. Return their number.

    The write is atomic, also if other processes write the same file. Raises DamagedLog, BoundsMissing, OSError.
    """
    reporter, written = _RowWriter(settings), 0
    rows = (row for record in records if record.counts for row in reporter.rows(record))
    new = path.with_name(f".{path.name}.{token_hex(8)}.new")
    try:
        with new.open("xb") as file, pq.ParquetWriter(file, reporter.schema(), compression="zstd") as writer:
            while group := list(islice(rows, _GROUP_ROWS)):
                writer.write_table(pa.Table.from_pylist(group, writer.schema))
                written += len(group)
        new.replace(path)
    finally:
        new.unlink(missing_ok=True)
    return written
