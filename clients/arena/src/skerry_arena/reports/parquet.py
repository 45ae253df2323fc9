"""The tables and the games as Parquet. Needs the extra ``parquet`` (pyarrow)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq
from msgspec import to_builtins

from skerry_arena.play.contestant import AnswerCounts
from skerry_arena.play.record import Record
from skerry_arena.reports.tables import ReportTable
from skerry_arena.running import tournament_folder as folders

STANDINGS: Final = "standings.parquet"
PAIRS: Final = "pairs.parquet"
GAMES: Final = "games.parquet"
_TYPES: Final = {str: pa.string(), int: pa.int64(), float: pa.float64(), bool: pa.bool_()}
_FAILURE: Final = pa.struct(
    [("seat", pa.int32()), ("decision", pa.int32()), ("kind", pa.string()), ("detail", pa.string())]
)
_ANSWERS: Final = pa.struct([(name, pa.int64()) for name in AnswerCounts.__struct_fields__])
_GAME: Final = pa.schema(
    [
        ("game", pa.int64()),
        ("block", pa.int64()),
        ("lineup", pa.list_(pa.string())),
        ("ranks", pa.list_(pa.int32())),
        ("scores", pa.list_(pa.int64())),
        ("reason", pa.string()),
        ("counts", pa.bool_()),
        ("failures", pa.list_(_FAILURE)),
        ("seed", pa.string()),
        ("seconds", pa.list_(pa.float64())),
        ("answers", pa.list_(_ANSWERS)),
        ("choices", pa.list_(pa.int32())),
        ("actors", pa.list_(pa.int32())),
        ("draws", pa.list_(pa.int32())),
    ]
)
"""The fields of a record, in their order."""


def write(folder: Path, standings: ReportTable, pairs: ReportTable, records: Sequence[Record]) -> None:
    """Write both tables with all digits, and a row for each game. Raises OSError."""
    for name, table in ((STANDINGS, standings), (PAIRS, pairs)):
        schema = pa.schema([(column, _TYPES[kind]) for column, kind in table.columns.items()])
        rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
        _write(folder / name, schema, rows)
    absent: dict[str, Any] = {"actors": [], "draws": [], "answers": []}
    _write(folder / GAMES, _GAME, [{**absent, **to_builtins(one)} for one in records])


def _write(path: Path, schema: pa.Schema, rows: Sequence[Mapping[str, Any]]) -> None:
    sink = pa.BufferOutputStream()
    pq.write_table(pa.Table.from_pylist(rows, schema), sink)
    folders.write_whole(path, sink.getvalue().to_pybytes())
