"""``skerry export``: write the games of an archive to one file of rows, for analysis."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from secrets import token_hex
from typing import Annotated, Any, TypeAlias

import typer
from msgspec import MsgspecError, json

from skerry_games.catalogue import all_games
from skerry_service.archive.archived_session import unpack_session
from skerry_service.archive.locations import MARKER, Place, path_of, place_at, sessions_at, sessions_between
from skerry_service.cli.refusal import FAILED, MISUSED, Refusal
from skerry_service.domain.errors import SkerryError
from skerry_service.replays.export_rows import COLUMNS, Row, Rows, rows_of
from skerry_service.store.connections.redacted_address import without_secrets

_JSON_LINES, _PARQUET = ".jsonl", ".parquet"
_CHUNK = 20_000
"""Rows written at once. In Parquet, they form a row group."""
Write: TypeAlias = "Callable[[Sequence[Row]], object]"


def export_command(
    where: Annotated[str, typer.Argument(metavar="DIR_OR_URL", help="Directory or URL of the archive.")],
    out: Annotated[Path, typer.Option(help="The file to write: *.jsonl, or *.parquet, which needs pyarrow.")],
    rows: Annotated[Rows, typer.Option(help="One row per game, or one per legal move of each decision.")] = "games",
    game: Annotated[str | None, typer.Option(help="Export only this game.")] = None,
    since: Annotated[
        str, typer.Option(metavar="DAY", help="Export only games that ended on this day, YYYY-MM-DD, or later.")
    ] = "",
    until: Annotated[
        str, typer.Option(metavar="DAY", help="Export only games that ended on this day or earlier.")
    ] = "",
) -> None:
    """Write the games of an archive for analysis, without names. The exit code is 1 if some could not be read."""
    if game is not None and game not in all_games():
        raise Refusal(f"--game: Unknown game {game!r}. The games are {', '.join(all_games())}.", MISUSED)
    first, last = _day("--since", since, date.min), _day("--until", until, date.max)
    try:
        place = place_at(where)
        _require_archive(place, where)
    except ValueError as error:
        raise Refusal(f"The archive {without_secrets(where)} cannot be used: {error}.", MISUSED) from None
    unfiltered = not (game or since or until)
    sessions = sessions_at(place) if unfiltered else sessions_between(place, first, last, game)
    left_out = 0
    with _file(out, rows) as write:
        chunk: list[Row] = []
        for session in sessions:
            try:
                chunk += _rows(place, session, rows)
            except (OSError, ValueError, MsgspecError, SkerryError) as error:
                if isinstance(error, OSError):
                    _require_archive(place, where)  # if the whole archive is unavailable, the export fails
                left_out += 1
                print(f"skerry: sessions/{session} is left out: {error}", file=sys.stderr)
            if len(chunk) >= _CHUNK:
                write(chunk)
                chunk.clear()
        write(chunk)
    if left_out:
        raise typer.Exit(FAILED)


def _require_archive(place: Place, where: str) -> None:
    if place.read(MARKER) is None:
        raise Refusal(f"{without_secrets(where)} is not an archive: the file {MARKER} is missing.", MISUSED)


def _day(option: str, text: str, default: date) -> str:
    """Return the day of an option, as the archive writes days. Raises Refusal."""
    try:
        return (date.fromisoformat(text) if text else default).isoformat()
    except ValueError:
        raise Refusal(f"{option}: {text!r} is not a day in the form 2026-03-31.", MISUSED) from None


def _rows(place: Place, session: str, rows: Rows) -> list[Row]:
    """Return a session's rows; none if the index of a day still names a deleted session."""
    path = path_of(session)
    data = place.read(path) if path else None
    return list(rows_of(unpack_session(data), rows)) if data is not None else []


@contextmanager
def _file(out: Path, rows: Rows) -> Iterator[Write]:
    """Open the file for writing. It appears under its name once it is complete."""
    part = out.with_name(f"{out.name}.{token_hex(8)}.part")  # unique, in case two exports write the same file
    opened = {_JSON_LINES: _json_lines, _PARQUET: _parquet}.get(out.suffix)
    if opened is None:
        raise Refusal(f"--out: The name {out} must end in {_JSON_LINES} or {_PARQUET}.", MISUSED)
    try:
        with opened(part, rows) as write:
            yield write
        os.replace(part, out)
    finally:
        part.unlink(missing_ok=True)


@contextmanager
def _json_lines(part: Path, rows: Rows) -> Iterator[Write]:
    with part.open("wb") as file:
        yield lambda chunk: file.write(json.Encoder().encode_lines(chunk))


@contextmanager
def _parquet(part: Path, rows: Rows) -> Iterator[Write]:
    try:
        import pyarrow as pa  # noqa: PLC0415 - an extra
        import pyarrow.parquet as pq  # noqa: PLC0415
    except ImportError:
        raise Refusal("Parquet needs pyarrow: pip install 'skerry-service[parquet]'.", MISUSED) from None
    types: dict[type, Any] = {str: pa.string(), int: pa.int64(), bool: pa.bool_()}
    schema = pa.schema(
        [
            (name, pa.list_(types[kind[0]]) if isinstance(kind, tuple) else types[kind])
            for name, kind in COLUMNS[rows].items()
        ]
    )
    with pq.ParquetWriter(part, schema) as writer:
        yield lambda chunk: writer.write_table(pa.Table.from_pylist(list(chunk), schema))
