"""Writes the files of a report into the folder of a tournament."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct, json

from skerry_arena.play.record import Record, Result
from skerry_arena.player_code import CodeChange
from skerry_arena.reports import tables
from skerry_arena.reports.game_page import game_page
from skerry_arena.reports.page import page, templates
from skerry_arena.running import tournament_folder as folders
from skerry_arena.running.log import DamagedLog
from skerry_arena.running.runner import counted_results, results_of
from skerry_arena.settings import Settings
from skerry_arena.statistics.summary import Summary, summarize

REPORT: Final = "report.html"
GAME_PAGES: Final = "games"
"""The folder of the pages of games."""
MANIFEST: Final = "manifest.json"


class Manifest(Struct, frozen=True):
    """The inputs of a report and the SHA-256 hashes of its files, in hexadecimal digits."""

    versions: folders.Versions
    seed: str
    code: dict[str, str]
    """The hash of each player's code at the start."""
    changes: tuple[CodeChange, ...]
    games: str
    """The hash of the games in the order of the plan, one line each, without times and details of failures."""
    files: dict[str, str]


class ParquetUnavailable(Exception):
    """Parquet files are required, but pyarrow is missing. The message is a sentence."""


def require_parquet(folder: Path, wanted: bool) -> bool:
    """Return whether to write Parquet files: if wanted, or if the folder has some, so that all files are current.

    Raises ParquetUnavailable.
    """
    exists = (folder / "standings.parquet").exists()
    if not wanted and not exists:
        return False
    if find_spec("pyarrow") is None:
        alternative = f" Or delete {folder}/*.parquet." if exists else ""
        raise ParquetUnavailable(f"Parquet needs pyarrow: pip install 'skerry-arena[parquet]'.{alternative}")
    return True


def report(folder: Path, parquet: bool = False, pages: int = 0) -> Summary:
    """Write tables, page and manifest, with ``parquet`` also the Parquet files. Return the summary.

    ``pages``: the number of games that get a page of their own, the first ones of the plan. Existing pages are written
    again, so that all files are current.

    Raises BadSettings, DamagedLog, ParquetUnavailable, OSError.
    """
    parquet = require_parquet(folder, parquet)
    begun = folders.read_tournament(folder)
    settings = begun.settings
    results, stopped = counted_results(settings, results_of(settings, folder / folders.LOG, Result))
    summary = summarize(settings, results, stopped)
    shown = _shown(begun, results, folder, pages)
    files = {
        "standings.csv": tables.standings(summary).csv(),
        "pairs.csv": tables.pairs(summary).csv(),
        "summary.json": json.format(json.encode(summary), indent=2).decode() + "\n",
        REPORT: page(settings, summary, shown, begun.code, begun.changes, begun.containment),
    }
    hashes = {name: _hash(text) for name, text in files.items()} | _write_game_pages(settings, folder, shown)
    games = _digest_of_games(settings, folder)
    files["times.csv"] = tables.times(settings, results).csv()
    files[MANIFEST] = json.format(
        json.encode(Manifest(begun.versions, settings.seed, begun.code, begun.changes, games, hashes)), indent=2
    ).decode()
    files[MANIFEST] += "\n"
    for name, text in files.items():
        folders.write_whole(folder / name, text.encode())
    if parquet:
        import_module("skerry_arena.reports.parquet").write(
            folder, tables.standings(summary), tables.pairs(summary), _records(settings, folder)
        )
    return summary


def _shown(begun: folders.TournamentFile, results: Sequence[Result], folder: Path, pages: int) -> Sequence[Result]:
    """Return the games that get pages. Raises BadSettings if they cannot be replayed."""
    existing = len(list((folder / GAME_PAGES).glob("*.html")))
    if pages or existing:
        folders.require_same_rules(begun)
    return results[: max(pages, existing)]


def _write_game_pages(settings: Settings, folder: Path, shown: Sequence[Result]) -> dict[str, str]:
    """Write the pages of these games, and remove all others. Return their hashes by their paths in the folder."""
    if not shown:
        return {}
    (folder / GAME_PAGES).mkdir(exist_ok=True)
    numbers, hashes, environment = {result.game for result in shown}, dict[str, str](), templates()
    for record in _records(settings, folder):
        if record.game not in numbers:
            continue
        try:
            text = game_page(environment, settings, record)
        except (IndexError, ValueError):
            raise DamagedLog(f"{folder / folders.LOG}: Game {record.game} does not follow from its choices.") from None
        path = folder / GAME_PAGES / f"{record.game}.html"
        folders.write_whole(path, text.encode())
        hashes[f"{GAME_PAGES}/{path.name}"] = _hash(text)
    for path in (folder / GAME_PAGES).glob("*.html"):
        if f"{GAME_PAGES}/{path.name}" not in hashes:
            path.unlink()
    return hashes


def _hash(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def _records(settings: Settings, folder: Path) -> list[Record]:
    """Return the games that count in the report, with their moves."""
    records, _ = counted_results(settings, results_of(settings, folder / folders.LOG, Record))
    return records


def _digest_of_games(settings: Settings, folder: Path) -> str:
    digest = sha256()
    for record in _records(settings, folder):
        digest.update(json.encode(repeatable(record)) + b"\n")
    return digest.hexdigest()


def repeatable(record: Record) -> Record:
    """Return the record without the parts that differ from run to run: times and details of failures."""
    failures = tuple([msgspec.structs.replace(failure, detail="") for failure in record.failures])
    return msgspec.structs.replace(record, failures=failures, seconds=())
