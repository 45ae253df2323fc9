"""Writes what is told of a tournament into its folder."""

from __future__ import annotations

from hashlib import sha256
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct, json

from skerry_arena.play.record import Record, Result
from skerry_arena.reports import tables
from skerry_arena.reports.page import page
from skerry_arena.running import tournament_folder as folders
from skerry_arena.running.runner import counted_results, results_of
from skerry_arena.settings import Settings
from skerry_arena.statistics.summary import Summary, summarize

REPORT: Final = "report.html"
MANIFEST: Final = "manifest.json"


class Manifest(Struct, frozen=True):
    """What the report was made of and what it is, as SHA-256 in hexadecimal digits."""

    versions: folders.Versions
    seed: str
    games: str
    """Of the games in the order of the plan, a line each, without what was measured and what players said."""
    files: dict[str, str]


class ParquetUnavailable(Exception):
    """Tables as Parquet are wanted, and cannot be written here. The message is a sentence."""


def require_parquet(folder: Path, wanted: bool) -> bool:
    """Return whether tables are to be written as Parquet, too: once they are there they are made anew every time.

    Raises ParquetUnavailable.
    """
    there = (folder / "standings.parquet").exists()
    if not wanted and not there:
        return False
    if find_spec("pyarrow") is None:
        else_ = f" Or delete {folder}/*.parquet." if there else ""
        raise ParquetUnavailable(f"Parquet needs pyarrow: pip install 'skerry-arena[parquet]'.{else_}")
    return True


def report(folder: Path, parquet: bool = False) -> Summary:
    """Write tables, page and manifest anew, with ``parquet`` the tables as Parquet, too.

    Raises BadSettings, DamagedLog, ParquetUnavailable, OSError.
    """
    parquet = require_parquet(folder, parquet)
    begun = folders.read_tournament(folder)
    settings = begun.settings
    results, stopped = counted_results(settings, results_of(settings, folder / folders.LOG, Result))
    summary = summarize(settings, results, stopped)
    told = {
        "standings.csv": tables.standings(summary).csv(),
        "pairs.csv": tables.pairs(summary).csv(),
        "summary.json": json.format(json.encode(summary), indent=2).decode() + "\n",
        REPORT: page(settings, summary),
    }
    manifest = Manifest(
        begun.versions,
        settings.seed,
        _digest_of_games(settings, folder),
        {name: sha256(text.encode()).hexdigest() for name, text in told.items()},
    )
    told["times.csv"] = tables.times(settings, results).csv()
    told[MANIFEST] = json.format(json.encode(manifest), indent=2).decode() + "\n"
    for name, text in told.items():
        folders.write_whole(folder / name, text.encode())
    if parquet:
        import_module("skerry_arena.reports.parquet").write(
            folder, tables.standings(summary), tables.pairs(summary), _records(settings, folder)
        )
    return summary


def _records(settings: Settings, folder: Path) -> list[Record]:
    """Return the games that count in the report, whole."""
    records, _ = counted_results(settings, results_of(settings, folder / folders.LOG, Record))
    return records


def _digest_of_games(settings: Settings, folder: Path) -> str:
    digest = sha256()
    for record in _records(settings, folder):
        digest.update(json.encode(repeatable(record)) + b"\n")
    return digest.hexdigest()


def repeatable(record: Record) -> Record:
    """Return the game without what differs from run to run: times, and the words of players who failed."""
    failures = tuple([msgspec.structs.replace(failure, detail="") for failure in record.failures])
    return msgspec.structs.replace(record, failures=failures, seconds=())
